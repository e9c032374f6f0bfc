package scoring

import (
	"context"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/message"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/usecase"
)

// ScoreChange is what a caller says of a score: the fields that are given, and their values; empty values clear.
type ScoreChange struct {
	Fields admitto.ScoreFields
	Values admitto.Score
	// Whole applies what the sheet requires to the whole result, and not only to the given fields.
	Whole bool
	// Scorers tells that the administrator has the permission scorers, and so may change scores of confirmed sheets.
	Scorers bool
}

// judged are the fields to which the requirements of the sheet apply.
func (c *ScoreChange) judged() admitto.ScoreFields {
	if c.Whole {
		return admitto.AllScoreFields
	}
	return c.Fields
}

// NewScore puts an application, or an offer of it, on a scoresheet.
type NewScore struct {
	Application, Offer int64 // Offer 0: none
	ScoreChange
}

// AddScore puts an application, or one of its offers, on a scoresheet for scoring; what is on it already takes the
// given values and keeps the others (resources.md 20.4). Errors: not-found for the sheet, invalid-parameter for unknown
// or unfit values, not-allowed-now on a confirmed sheet and for points on one that others score.
func (s *Service) AddScore(ctx context.Context, by usecase.Caller, sheet int64, in NewScore) (score admitto.Score,
	err error) {
	if err := by.Needs(admitto.ApplicationsScore); err != nil {
		return score, err
	}
	err = s.core.Write(ctx, func(tx *store.Tx) error {
		t, err := tx.Scoresheet(sheet)
		if err != nil {
			return err
		}
		d, err := usecase.LockApplication(tx, by, in.Application)
		if err != nil && admitto.KindOf(err) != admitto.NotFound {
			return err
		}
		old, faults, err := scoreFaults(tx, &t, in)
		if err != nil {
			return err
		}
		if len(faults) > 0 {
			return &admitto.Error{Kind: admitto.InvalidParameter, Faults: faults}
		}
		score = old
		score.Take(in.Fields, &in.Values)
		if err := mayScore(by.Caller, &t, score.Differs(&old)); err != nil {
			return err
		}
		if err := s.saveScore(tx, d, &t, &old, &score, in.Scorers); err != nil {
			return err
		}
		return by.Made(tx, score.ID)
	})
	return score, err
}

// CheckScore returns the faults of a new score that only the database knows, so that they can be told together with all
// others.
func (s *Service) CheckScore(ctx context.Context, by admitto.Caller, sheet int64, in NewScore) (faults []admitto.Fault,
	err error) {
	if err := by.Needs(admitto.ApplicationsScore); err != nil {
		return faults, err
	}
	err = s.core.Read(ctx, func(tx *store.Tx) error {
		t, err := tx.Scoresheet(sheet)
		if err != nil {
			return err
		}
		_, faults, err = scoreFaults(tx, &t, in)
		return err
	})
	return faults, err
}

// scoreSubjects are what scores on a sheet may be about, and what is on it of that.
type scoreSubjects struct {
	applications map[int64]bool
	offers       map[[2]int64]bool // application and offer
	scores       map[[2]int64]admitto.Score
}

// subjectsOf reads the subjects of some applications.
func subjectsOf(tx *store.Tx, t *admitto.Scoresheet, applications ...int64) (s scoreSubjects, err error) {
	s = scoreSubjects{offers: map[[2]int64]bool{}, scores: map[[2]int64]admitto.Score{}}
	if s.applications, err = tx.VisibleApplications(applications); err != nil {
		return s, err
	}
	if t.ByOffer {
		offers, err := tx.OffersOf(applications)
		if err != nil {
			return s, err
		}
		for application, list := range offers {
			for i := range list {
				s.offers[[2]int64{application, list[i].ID}] = true
			}
		}
	}
	_, err = tx.EachScore(t, admitto.ScoreQuery{Scoresheet: t.ID, Applications: applications, Limit: mostScores},
		func(v *admitto.Score) error {
			s.scores[[2]int64{v.Application, v.Offer}] = *v
			return nil
		})
	return s, err
}

// mostScores is more than a list of scores has that nothing else bounds.
const mostScores = 1 << 30

// scoreFaults finds what is on the sheet already (a new score without ID when nothing is), and says everything that
// speaks against the new values.
func scoreFaults(tx *store.Tx, t *admitto.Scoresheet, in NewScore) (old admitto.Score, faults []admitto.Fault,
	err error) {
	s, err := subjectsOf(tx, t, in.Application)
	if err != nil {
		return old, nil, err
	}
	old, faults = s.faults(t, in)
	return old, faults, nil
}

// faults is scoreFaults with what was read.
func (s *scoreSubjects) faults(t *admitto.Scoresheet, in NewScore) (old admitto.Score, faults []admitto.Fault) {
	fault := func(path admitto.Path, text message.Text) {
		faults = append(faults, admitto.Fault{Path: path, Text: text})
	}
	subject, known := [2]int64{in.Application, in.Offer}, s.applications[in.Application]
	if !known {
		fault("score.application", message.Of("no-such-application", in.Application))
	}
	switch {
	case !t.ByOffer && in.Offer != 0:
		fault("score.offer", message.Of("sheet-for-applications"))
	case t.ByOffer && in.Offer == 0:
		fault("score.offer", message.Of("sheet-for-offers"))
	case t.ByOffer && known && !s.offers[subject]:
		fault("score.offer", message.Of("no-such-offer", in.Offer))
	}
	old, found := s.scores[subject]
	if !found {
		old = admitto.Score{Scoresheet: t.ID, Application: in.Application, Offer: in.Offer, Scale: t.Scale, Maps: t.Maps}
	}
	after := old
	after.Take(in.Fields, &in.Values)
	return old, append(faults, t.ScoreFaults(&after, in.Fields, admitto.AllScoreFields)...)
}

// saveScore stores a score, records what is new, and calculates the automatic scores that follow from the points.
// The order of locks: application (the caller), order of commits, sheet; so many may score on one sheet at once.
func (s *Service) saveScore(tx *store.Tx, d *usecase.LockedApplication, t *admitto.Scoresheet, old,
	score *admitto.Score, scorers bool) error {
	changed := score.Differs(old)
	mayAlways := d.Actor.Kind == admitto.ByAdministrator && scorers
	if t.Confirmed != 0 && !mayAlways {
		return sheetConfirmed()
	}
	if changed&admitto.ScorePoints != 0 {
		if score.Scored = tx.Now(); score.Points == nil {
			score.Scored = 0
		}
	}
	switch {
	case score.ID == 0:
		if err := tx.LockOrder(); err != nil { // new scores get their IDs in the order of commits
			return err
		}
		id, err := tx.InsertScore(score)
		if err != nil {
			return err
		}
		score.ID = id
		tx.Record(d.Actor, admitto.Event{Pattern: admitto.ScoreAdded, Links: scoreLinks(d, score)})
	case changed == 0:
		return nil
	default:
		if err := tx.UpdateScore(score); err != nil {
			return err
		}
	}
	if err := tx.SetScorer(score.ID, d.Actor); err != nil {
		return err
	}
	recordScore(tx, d, old, score, changed)
	if changed&admitto.ScorePoints != 0 {
		if err := s.RecalculateScores(tx, d.Actor, d.ID); err != nil {
			return err
		}
	}
	return s.closeScore(tx, t.ID, changed, mayAlways)
}

// closeScore is the end of a change on a sheet: from the lock of the order of commits on nobody else can confirm it, so
// that is asked once more.
func (s *Service) closeScore(tx *store.Tx, sheet int64, changed admitto.ScoreFields, mayAlways bool) error {
	if err := tx.LockOrder(); err != nil {
		return err
	}
	present, err := tx.Scoresheet(sheet)
	if err != nil {
		return err
	}
	if present.Confirmed != 0 && !mayAlways {
		return sheetConfirmed()
	}
	if changed&admitto.ScorePoints == 0 {
		return nil
	}
	return tx.SetSheetScored(sheet)
}

func sheetConfirmed() error {
	return &admitto.Error{Kind: admitto.NotAllowedNow, Faults: []admitto.Fault{{Code: "sheet-confirmed",
		Text: message.Of("sheet-confirmed")}}}
}

// recordScore writes the events of changed fields, in the order of resources.md 2.4.
func recordScore(tx *store.Tx, d *usecase.LockedApplication, old, s *admitto.Score, changed admitto.ScoreFields) {
	record := func(fields admitto.ScoreFields, pattern admitto.Pattern) {
		var details []admitto.Detail
		for _, field := range (fields & changed).Each() {
			details = append(details, admitto.Detail{Path: field.Name(), Old: old.Text(field), New: s.Text(field)})
		}
		if details != nil {
			tx.Record(d.Actor, admitto.Event{Pattern: pattern, Links: scoreLinks(d, s), Details: details})
		}
	}
	points, comments := admitto.ScorePointsSet, admitto.ScoreCommentsSet
	if s.Points == nil {
		points = admitto.ScorePointsCleared
	}
	if s.Comments == "" {
		comments = admitto.ScoreCommentsCleared
	}
	record(admitto.ScorePoints, points)
	record(admitto.ScoreComments, comments)
	record(admitto.ScoreDetails, admitto.ScoreDetailsSet)
}

// scoreLinks names what an event about a score concerns (lifecycle.md 10.2).
func scoreLinks(d *usecase.LockedApplication, s *admitto.Score) admitto.Links {
	links := d.Links()
	links.Offer, links.Score, links.Scoresheet = s.Offer, s.ID, s.Scoresheet
	return links
}
