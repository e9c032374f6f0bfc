package query

import (
	"context"
	"slices"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/form"
	"github.com/admitto/admitto/internal/store"
)

// ScoringSheet is a scoresheet as those who score see it (screens.md A27).
type ScoringSheet struct {
	admitto.Scoresheet
	Use  admitto.SheetUse
	Mine int64 // scores that the caller gave
}

// ScoringLine is an application, or an offer of it, on a scoresheet.
type ScoringLine struct {
	admitto.Score
	Name   admitto.Name // the zero one where the sheet does not show it
	Course string       // of the offer
	Scorer string       // the member of staff who gave what there is, "" for others
}

// ScoringCase is one of them with what the sheet shows of it, and nothing else.
type ScoringCase struct {
	ScoringLine
	RowVersion int64
	Photo      bool
	Form       *ApplicationForm // nil: the sheet shows no section
	Documents  []admitto.File
}

// ScoringSheet reads a scoresheet that the caller may give points on; not-found for those of others.
func (s *Service) ScoringSheet(ctx context.Context, by admitto.Caller, id int64) (t ScoringSheet, err error) {
	if err := by.NeedsAny(admitto.ApplicationsScore, admitto.ScorersEdit); err != nil {
		return t, err
	}
	err = s.scoring(ctx, by, id, func(tx *store.Tx, sheet *admitto.Scoresheet) error {
		t = ScoringSheet{Scoresheet: *sheet}
		use, err := tx.SheetUses(id)
		if err != nil {
			return err
		}
		t.Use = use[id]
		t.Mine, err = tx.CountScores(admitto.ScoreQuery{Scoresheet: id, Scorer: by.Actor.ID})
		return err
	})
	return t, err
}

// scoring reads of a sheet that the caller may give points on. Who has no other permission reaches nothing but
// what the sheet shows (lifecycle.md 7).
func (s *Service) scoring(ctx context.Context, by admitto.Caller, sheet int64,
	read func(tx *store.Tx, t *admitto.Scoresheet) error) error {
	return s.core.Read(ctx, func(tx *store.Tx) error {
		t, err := tx.Scoresheet(sheet)
		if err != nil {
			return err
		}
		if !t.TakesFrom(by) {
			return &admitto.Error{Kind: admitto.NotFound}
		}
		return read(tx, &t)
	})
}

// ScoringLines lists what is on a sheet, by ascending ID of the scores.
func (s *Service) ScoringLines(ctx context.Context, by admitto.Caller, q admitto.ScoreQuery) (list []ScoringLine,
	more bool, err error) {
	if err := by.NeedsAny(admitto.ApplicationsScore, admitto.ScorersEdit); err != nil {
		return list, more, err
	}
	err = s.scoring(ctx, by, q.Scoresheet, func(tx *store.Tx, t *admitto.Scoresheet) error {
		list = nil
		more, err = tx.EachScore(t, q, func(score *admitto.Score) error {
			list = append(list, ScoringLine{Score: *score})
			return nil
		})
		if err != nil {
			return err
		}
		return nameLines(tx, t, list)
	})
	return list, more, err
}

// nameLines reads what lines have besides the scores.
func nameLines(tx *store.Tx, t *admitto.Scoresheet, list []ScoringLine) error {
	var scores, applications, offers, staff []int64
	for i := range list {
		scores, applications = append(scores, list[i].ID), append(applications, list[i].Application)
		if list[i].Offer != 0 {
			offers = append(offers, list[i].Offer)
		}
	}
	names := map[int64]admitto.Name{}
	if t.HasShown(admitto.ShowsName) {
		var err error
		if names, err = tx.NamesOfApplications(applications); err != nil {
			return err
		}
	}
	courses, err := tx.CoursesOfOffers(offers)
	if err != nil {
		return err
	}
	scorers, err := tx.ScorersOf(scores)
	if err != nil {
		return err
	}
	for _, by := range scorers {
		if by.Kind == admitto.ByAdministrator {
			staff = append(staff, by.ID)
		}
	}
	known, err := tx.AdministratorNames(unique(staff))
	for i := range list {
		line := &list[i]
		line.Name, line.Course = names[line.Application], courses[line.Offer]
		if by := scorers[line.ID]; by.Kind == admitto.ByAdministrator {
			line.Scorer = known[by.ID]
		}
	}
	return err
}

// ScoringCase reads what a sheet shows of an application on it; not-found for what is not on the sheet.
func (s *Service) ScoringCase(ctx context.Context, by admitto.Caller, sheet, score int64) (c ScoringCase, err error) {
	if err := by.NeedsAny(admitto.ApplicationsScore, admitto.ScorersEdit); err != nil {
		return c, err
	}
	err = s.scoring(ctx, by, sheet, func(tx *store.Tx, t *admitto.Scoresheet) error {
		c = ScoringCase{}
		// Read before the score: a change between the two is noticed.
		version, err := tx.RowVersion(admitto.Row{Kind: admitto.ScoreRow, ID: score})
		if err != nil {
			return err
		}
		found, err := tx.Score(t, score)
		if err != nil {
			return err
		}
		lines := []ScoringLine{{Score: found}}
		if err := nameLines(tx, t, lines); err != nil {
			return err
		}
		c.ScoringLine, c.RowVersion = lines[0], version
		return c.readShown(tx, by, t)
	})
	return c, err
}

// readShown reads what the sheet shows besides the name.
func (c *ScoringCase) readShown(tx *store.Tx, by admitto.Caller, t *admitto.Scoresheet) error {
	if t.HasShown(admitto.ShowsDocuments) {
		all, err := tx.DocumentsOf([]int64{c.Application})
		if err != nil {
			return err
		}
		c.Documents = all[c.Application]
	}
	if t.HasShown(admitto.ShowsPhoto) {
		switch _, err := photoOf(tx, c.Application); {
		case err == nil:
			c.Photo = true
		case admitto.KindOf(err) != admitto.NotFound:
			return err
		}
	}
	if !slices.ContainsFunc(form.Sections(), func(s *form.Section) bool { return t.HasShown(s.Key) }) {
		return nil
	}
	f, err := readForm(tx, by, c.Application)
	if err != nil {
		return err
	}
	for key := range f.Content.Sections {
		if !t.HasShown(key) {
			delete(f.Content.Sections, key)
		}
	}
	if !t.HasShown(form.Questions) {
		f.Content.Extras = nil
	}
	f.Missing, f.Content.Attention = nil, nil
	c.Form = &f
	return nil
}

func photoOf(tx *store.Tx, application int64) (f admitto.File, err error) {
	a, _, err := tx.ApplicationCase(application)
	if err != nil {
		return f, err
	}
	return tx.Photo(a.Applicant)
}

// ScoringDocument reads what is known of a document that a sheet shows; not-found for all others.
func (s *Service) ScoringDocument(ctx context.Context, by admitto.Caller, sheet, score,
	document int64) (f admitto.File, err error) {
	if err := by.NeedsAny(admitto.ApplicationsScore, admitto.ScorersEdit); err != nil {
		return f, err
	}
	err = s.scoring(ctx, by, sheet, func(tx *store.Tx, t *admitto.Scoresheet) error {
		found, err := tx.Score(t, score)
		if err != nil {
			return err
		}
		if !t.HasShown(admitto.ShowsDocuments) {
			return &admitto.Error{Kind: admitto.NotFound}
		}
		f, err = tx.Document(found.Application, document)
		return err
	})
	return f, err
}

// ScoringPhoto reads what is known of a photo that a sheet shows; not-found for all others, and without one.
func (s *Service) ScoringPhoto(ctx context.Context, by admitto.Caller, sheet, score int64) (f admitto.File,
	err error) {
	if err := by.NeedsAny(admitto.ApplicationsScore, admitto.ScorersEdit); err != nil {
		return f, err
	}
	err = s.scoring(ctx, by, sheet, func(tx *store.Tx, t *admitto.Scoresheet) error {
		found, err := tx.Score(t, score)
		if err != nil {
			return err
		}
		if !t.HasShown(admitto.ShowsPhoto) {
			return &admitto.Error{Kind: admitto.NotFound}
		}
		f, err = photoOf(tx, found.Application)
		return err
	})
	return f, err
}

// SheetGroups lists the names of the groups of scoresheets.
func (s *Service) SheetGroups(ctx context.Context, by admitto.Caller) (names []string, err error) {
	if err := by.Needs(admitto.ScorersEdit); err != nil {
		return nil, err
	}
	err = s.core.Read(ctx, func(tx *store.Tx) (err error) {
		names, err = tx.SheetGroups()
		return err
	})
	return names, err
}
