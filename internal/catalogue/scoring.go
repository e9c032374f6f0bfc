package catalogue

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/form"
	"github.com/admitto/admitto/internal/message"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/text"
	"github.com/admitto/admitto/internal/usecase"
)

// Bounds of what staff keep for scoring.
const (
	mostMaps      = 100
	mostScorers   = 200
	mostScale     = 4
	mostSheetText = 4000
	mostOutside   = 50  // applications with points that do not fit are named
	emptiedAtOnce = 500 // scores
)

// sheetNeeds are the words that say what a scoresheet asks for besides points.
var sheetNeeds = []string{"None", "Optional", "Required"}

// SaveScoresheet changes a scoresheet, or makes one where its ID is 0, and returns its ID. Its type and whether it is
// for offers stay once there are scores, and so does a range with points outside of the new one (lifecycle.md 7,
// screens.md A26). Another range lets the automatic scores that count a percentage of it become stale, which
// scoring.FollowSheet calculates again. Errors: invalid-parameter, not-found, changed-meanwhile.
func (s *Service) SaveScoresheet(ctx context.Context, by usecase.Caller, t admitto.Scoresheet) (int64, error) {
	if err := by.Needs(admitto.ScorersEdit); err != nil {
		return 0, err
	}
	given := t
	var byPercent []int64
	err := s.keep(ctx, by, saving{
		row: admitto.Row{Kind: admitto.ScoresheetRow, ID: t.ID}, ordered: true,
		lock: func(tx *store.Tx) (err error) {
			if byPercent = nil; given.ID != 0 {
				byPercent, err = tx.LockPercentOf(given.ID)
			}
			return err
		},
		check: func(c *checks) {
			t = given
			t.Maps, t.Scorers = slices.Clone(given.Maps), slices.Clone(given.Scorers)
			c.scoresheet(&t)
			c.sheetName(&t)
		},
		save: func(tx *store.Tx) (_ []admitto.Detail, err error) {
			if t.GroupID = 0; t.GroupName != "" {
				if t.GroupID, err = tx.SheetGroup(t.GroupName); err != nil {
					return nil, err
				}
			}
			if given.ID != 0 {
				was, err := tx.Scoresheet(t.ID)
				if err == nil && (was.Min != t.Min || was.Max != t.Max) {
					err = tx.RaiseCriteria(byPercent)
				}
				if err != nil {
					return nil, err
				}
			}
			return tx.SaveScoresheet(&t)
		},
		recorded: func(made bool) admitto.Event {
			event := about(either(made, admitto.ScoresheetCreated, admitto.ScoresheetEdited), t.ID)
			event.Links.Scoresheet = t.ID
			return event
		},
	})
	return t.ID, err
}

// sheetName refuses the name of another scoresheet: columns of tableviews find their scoresheet by it.
func (c *checks) sheetName(t *admitto.Scoresheet) {
	all, err := c.tx.Scoresheets()
	c.there("page.sheet.name", err)
	var others []named
	for i := range all {
		others = append(others, named{all[i].ID, strings.ToLower(all[i].Name), all[i].Name})
	}
	c.unshared("page.sheet.name", named{t.ID, strings.ToLower(t.Name), t.Name}, others)
}

// scoresheet checks a scoresheet, and takes what stays from the one that is stored.
func (c *checks) scoresheet(t *admitto.Scoresheet) {
	c.line("page.sheet.name", &t.Name, 1, mostLine)
	c.lines("page.sheet.instructions", &t.Instructions, mostSheetText)
	c.line("page.sheet.group", &t.GroupName, 0, mostLine)
	t.Visibility = cmp.Or(t.Visibility, admitto.SheetPrivate)
	c.among("page.sheet.visibility", t.Visibility, admitto.SheetVisibilities()...)
	c.shows(t.Shows)
	for _, need := range []struct {
		path admitto.Path
		word string
	}{{"page.sheet.date", t.Date}, {"page.sheet.reference", t.Reference}, {"page.sheet.subject", t.Subject},
		{"page.sheet.language", t.Language}} {
		c.among(need.path, need.word, sheetNeeds...)
	}
	if t.Scale < 0 || t.Scale > mostScale {
		c.fault("page.sheet.scale", message.Of("number-range", 0, mostScale))
	}
	at := slices.IndexFunc(admitto.SheetTypes(), func(of admitto.SheetType) bool { return of.Name == t.Type })
	if at < 0 {
		c.fault("page.sheet.type", message.Of("choose-one"))
		return
	}
	of := admitto.SheetTypes()[at]
	if !of.IsFree {
		t.Min, t.Max, t.Scale = of.Min, of.Max, of.Scale
	}
	if of.Labelled && len(t.Maps) == 0 && of.IsFree {
		c.fault("page.sheet.maps", message.Of("labels-missing"))
	}
	if len(t.Maps) > mostMaps {
		c.fault("page.sheet.maps", message.Of("too-many-entries", len(t.Maps), mostMaps))
	}
	if of.Labelled && of.IsFree && len(t.Maps) > 0 {
		t.Min, t.Max = t.Maps[0].Value, t.Maps[0].Value
		for _, m := range t.Maps {
			t.Min, t.Max = min(t.Min, m.Value), max(t.Max, m.Value)
		}
	}
	if t.Min > t.Max || t.Min == t.Max && !of.Labelled {
		c.fault("page.sheet.max", message.Of("range-empty"))
	}
	if len(t.Scorers) > mostScorers {
		c.fault("page.sheet.scorers", message.Of("too-many-entries", len(t.Scorers), mostScorers))
	}
	for _, id := range t.Scorers {
		_, err := c.tx.Administrator(id)
		c.there("page.sheet.scorers", err)
	}
	if t.ID == 0 {
		t.Created = c.tx.Now()
		return
	}
	was, err := c.tx.Scoresheet(t.ID)
	c.there("page.sheet.name", err)
	t.Created, t.Scored, t.Confirmed = was.Created, was.Scored, was.Confirmed
	some, _, err := c.tx.HasScores(t.ID)
	c.err = cmp.Or(c.err, err)
	if some && (t.Type != was.Type || t.ByOffer != was.ByOffer) {
		c.fault("page.sheet.type", message.Of("sheet-in-use"))
	}
	if c.err == nil && !c.wrong("page.sheet.min", "page.sheet.max", "page.sheet.scale", "page.sheet.maps",
		"page.sheet.type") && (was.Min != t.Min || was.Max != t.Max || was.Scale != t.Scale ||
		!slices.Equal(was.Maps, t.Maps)) {
		c.pointsFit(&was, t)
	}
}

// shows refuses parts of an application that there are not.
func (c *checks) shows(parts []string) {
	known := []string{admitto.ShowsName, admitto.ShowsPhoto, admitto.ShowsDocuments}
	for _, s := range form.Sections() {
		known = append(known, s.Key)
	}
	for _, part := range parts {
		if !slices.Contains(known, part) {
			c.fault("page.sheet.shows", message.Of("choose-one"))
			return
		}
	}
}

// pointsFit refuses a range, decimals and labels that points which were given do not fit, and names the applications
// that have these.
func (c *checks) pointsFit(was, t *admitto.Scoresheet) {
	given, err := c.tx.PointsOn(t.ID)
	var outside []int64
	var all int64
	for _, g := range given {
		if t.CheckPoints(g.Points) != nil {
			outside = append(outside, int64(g.Points))
			all += g.Applications
		}
	}
	if err != nil || outside == nil {
		c.err = err
		return
	}
	// Each of the points has an application, so the first ones of the points are enough.
	list, err := c.tx.WithPoints(t.ID, outside[:min(len(outside), mostOutside)], mostOutside)
	c.err = err
	named := make([]string, len(list))
	for i, g := range list {
		named[i] = fmt.Sprintf("%s (%d)", g.Points.Append(nil, was.Scale), g.Application)
	}
	points := strings.Join(named, ", ")
	if more := all - int64(len(list)); more > 0 {
		c.fault("page.sheet.max", message.Of("points-outside-more", points, more))
		return
	}
	c.fault("page.sheet.max", message.Of("points-outside", points))
}

// ConfirmScoresheet locks a scoresheet against changes of its scores, or opens it again. Errors: not-found,
// changed-meanwhile.
func (s *Service) ConfirmScoresheet(ctx context.Context, by usecase.Caller, id int64, confirmed bool) error {
	if err := by.Needs(admitto.ScorersEdit); err != nil {
		return err
	}
	var t admitto.Scoresheet
	return s.keep(ctx, by, saving{
		row: admitto.Row{Kind: admitto.ScoresheetRow, ID: id}, ordered: true,
		check: func(c *checks) {
			var err error
			if t, err = c.tx.Scoresheet(id); err != nil {
				c.err = err
				return
			}
			switch {
			case !confirmed:
				t.Confirmed = 0
			case t.Confirmed == 0:
				t.Confirmed = c.tx.Now()
			}
		},
		save: func(tx *store.Tx) ([]admitto.Detail, error) { return tx.SaveScoresheet(&t) },
		recorded: func(bool) admitto.Event {
			event := about(either(confirmed, admitto.ScoresheetConfirmed, admitto.ScoresheetEdited), id)
			event.Links.Scoresheet = id
			return event
		},
	})
}

func sheetHold(tx *store.Tx, id int64) (h admitto.SheetHold, err error) {
	if _, h.Given, err = tx.HasScores(id); err != nil {
		return h, err
	}
	h.Courses, err = tx.CoursesScoredBy(id)
	return h, err
}

// SheetHold says what keeps a scoresheet from being deleted (screens.md A26).
func (s *Service) SheetHold(ctx context.Context, by admitto.Caller, id int64) (admitto.SheetHold, error) {
	if err := by.Needs(admitto.ScorersEdit); err != nil {
		return admitto.SheetHold{}, err
	}
	return usecase.Get(ctx, s.core, func(tx *store.Tx) (admitto.SheetHold, error) { return sheetHold(tx, id) })
}

// DeleteScoresheet removes a scoresheet on which nothing was given and that no criterion uses; applications that
// wait on it are taken off first. Errors: not-found, not-allowed-now, changed-meanwhile.
func (s *Service) DeleteScoresheet(ctx context.Context, by usecase.Caller, id int64) error {
	if err := by.Needs(admitto.ScorersEdit); err != nil {
		return err
	}
	row := admitto.Row{Kind: admitto.ScoresheetRow, ID: id}
	for done := false; !done; { // a sheet that many are on is emptied in steps, so that nobody waits long
		err := s.core.Write(ctx, func(tx *store.Tx) (err error) {
			done, err = s.deleteSheet(tx, by, row)
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// deleteSheet takes some applications off a sheet, and removes it after the last ones.
func (s *Service) deleteSheet(tx *store.Tx, by usecase.Caller, row admitto.Row) (done bool, err error) {
	if err := tx.LockOrder(); err != nil {
		return false, err
	}
	if err := tx.HasRow(row); err != nil {
		return false, err
	}
	if err := by.SeesRow(tx, row); err != nil {
		return false, err
	}
	hold, err := sheetHold(tx, row.ID)
	if err != nil {
		return false, err
	}
	if hold.Holds() {
		return false, admitto.Refused(admitto.NotAllowedNow, message.Of("sheet-has-points"))
	}
	if taken, err := tx.EmptySheet(row.ID, emptiedAtOnce); err != nil || taken == emptiedAtOnce {
		return false, err
	}
	if err := tx.DeleteScoresheet(row.ID); err != nil {
		return false, err
	}
	tx.Record(by.Actor, about(admitto.ScoresheetDeleted, row.ID))
	return true, nil
}

// drop deletes a record in one transaction.
func (s *Service) drop(ctx context.Context, by usecase.Caller, row admitto.Row, event admitto.Pattern,
	remove func(tx *store.Tx) error) error {
	return s.core.Write(ctx, func(tx *store.Tx) error {
		if err := tx.LockReference(row); err != nil {
			return err
		}
		if err := by.SeesRow(tx, row); err != nil {
			return err
		}
		if err := remove(tx); err != nil {
			return err
		}
		tx.Record(by.Actor, about(event, row.ID))
		return nil
	})
}

// SaveRanking changes a ranking list, or makes one where its ID is 0, and returns its ID (lifecycle.md 7, screens.md
// A24). Errors: invalid-parameter, not-found, changed-meanwhile.
func (s *Service) SaveRanking(ctx context.Context, by usecase.Caller, k admitto.Ranking) (int64, error) {
	if err := by.Needs(admitto.OffersBulk); err != nil {
		return 0, err
	}
	given := k
	err := s.keep(ctx, by, saving{
		row: admitto.Row{Kind: admitto.RankingRow, ID: k.ID},
		check: func(c *checks) {
			k = given
			k.Modified = c.tx.Now()
			if k.Created = k.Modified; k.ID != 0 {
				was, err := c.tx.Ranking(k.ID)
				c.there("page.ranking.name", err)
				k.Created, k.Modified = was.Created, was.Modified
			}
			c.rankingFilters(&k.Filters)
			c.line("page.ranking.name", &k.Name, 1, mostLine)
			if k.Term != 0 {
				_, err := c.tx.Term(k.Term)
				c.there("page.ranking.term", err)
			}
			for _, id := range k.Courses {
				_, err := c.tx.Course(id)
				c.there("page.ranking.courses", err)
			}
			if k.Quota != nil && (*k.Quota < 0 || *k.Quota > mostQuota) {
				c.fault("page.ranking.quota", message.Of("number-range", 0, mostQuota))
			}
		},
		save: func(tx *store.Tx) ([]admitto.Detail, error) {
			changes, err := tx.SaveRanking(&k)
			if err != nil || given.ID == 0 || len(changes) == 0 {
				return changes, err
			}
			k.Modified = tx.Now()
			_, err = tx.SaveRanking(&k)
			return changes, err
		},
		recorded: func(made bool) admitto.Event {
			return about(either(made, admitto.RankingCreated, admitto.RankingEdited), k.ID)
		},
	})
	return k.ID, err
}

// rankingFilters refuses what there is not, and says "no restriction" by lists that are empty.
func (c *checks) rankingFilters(f *admitto.RankingFilters) {
	f.Intakes, f.Flags = append([]int64{}, f.Intakes...), append([]int64{}, f.Flags...)
	f.Citizenships, f.Statuses = append([]string{}, f.Citizenships...), append([]string{}, f.Statuses...)
	for _, id := range f.Intakes {
		_, err := c.tx.Intake(id)
		c.there("page.ranking.intakes", err)
	}
	for _, id := range f.Flags {
		_, err := c.tx.Flag(id)
		c.there("page.ranking.flags", err)
	}
	for i, code := range f.Citizenships {
		country, err := text.Country(code)
		if err != nil {
			c.fault("page.ranking.citizenships", message.Of("no-country-code", code))
			break
		}
		f.Citizenships[i] = country
	}
	for _, status := range f.Statuses {
		if !slices.Contains(admitto.RankedStatuses(), admitto.ApplicationStatus(status)) {
			c.fault("page.ranking.statuses", message.Of("choose-one"))
			break
		}
	}
}

// DeleteRanking removes a ranking list; the offers in it stay. Errors: not-found, changed-meanwhile.
func (s *Service) DeleteRanking(ctx context.Context, by usecase.Caller, id int64) error {
	if err := by.Needs(admitto.OffersBulk); err != nil {
		return err
	}
	return s.drop(ctx, by, admitto.Row{Kind: admitto.RankingRow, ID: id}, admitto.RankingDeleted,
		func(tx *store.Tx) error { return tx.DeleteRanking(id) })
}
