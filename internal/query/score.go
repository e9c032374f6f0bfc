package query

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/usecase"
)

// ApplicationScores lists the scores of an application over all scoresheets, by ID (resources.md 11);
// not-found without the application.
func (s *Service) ApplicationScores(ctx context.Context, by admitto.Caller, application int64) (list []admitto.Score,
	err error) {
	if err := by.Needs(admitto.ApplicationsView); err != nil {
		return list, err
	}
	err = s.core.Read(ctx, func(tx *store.Tx) error {
		if err := tx.HasApplication(application); err != nil {
			return err
		}
		all, err := tx.ScoresOf([]int64{application})
		list = all[application]
		return err
	})
	return list, err
}

// Scoresheets lists all scoresheets by ascending ID (resources.md 20.2).
func (s *Service) Scoresheets(ctx context.Context, by admitto.Caller) (list []admitto.Scoresheet, err error) {
	if err := by.NeedsAny(admitto.ApplicationsScore, admitto.ScorersEdit, admitto.ScoresImport); err != nil {
		return list, err
	}
	return usecase.Get(ctx, s.core, (*store.Tx).Scoresheets)
}

// Scoresheet reads one scoresheet, or answers NotFound.
func (s *Service) Scoresheet(ctx context.Context, by admitto.Caller, id int64) (scoresheet admitto.Scoresheet,
	err error) {
	if err := by.NeedsAny(admitto.ApplicationsScore, admitto.ScorersEdit, admitto.ScoresImport); err != nil {
		return scoresheet, err
	}
	return usecase.Get(ctx, s.core, func(tx *store.Tx) (admitto.Scoresheet, error) { return tx.Scoresheet(id) })
}

// SheetUses is how many scores are on each of some scoresheets, and how many of them wait for points.
func (s *Service) SheetUses(ctx context.Context, by admitto.Caller, sheets ...int64) (map[int64]admitto.SheetUse,
	error) {
	if err := by.NeedsAny(admitto.ApplicationsScore, admitto.ScorersEdit, admitto.ScoresImport); err != nil {
		return nil, err
	}
	return usecase.Get(ctx, s.core, func(tx *store.Tx) (map[int64]admitto.SheetUse, error) {
		return tx.SheetUses(sheets...)
	})
}

// Score reads one score of a scoresheet; not-found without the sheet, or when the score is not on it.
func (s *Service) Score(ctx context.Context, by admitto.Caller, sheet, id int64) (score admitto.Score, err error) {
	if err := by.Needs(admitto.ApplicationsScore); err != nil {
		return score, err
	}
	err = s.core.Read(ctx, func(tx *store.Tx) error {
		parent, err := tx.Scoresheet(sheet)
		if err != nil {
			return err
		}
		score, err = tx.Score(&parent, id)
		return err
	})
	return score, err
}

// Scores lists the scores of a sheet by ascending ID (resources.md 20.3); not-found without the sheet.
func (s *Service) Scores(ctx context.Context, by admitto.Caller, q admitto.ScoreQuery) (*usecase.List[admitto.Score],
	error) {
	if err := by.Needs(admitto.ApplicationsScore); err != nil {
		return nil, err
	}
	return usecase.ListOf(ctx, s.core, func(tx *store.Tx) (usecase.Source[admitto.Score], error) {
		sheet, err := tx.Scoresheet(q.Scoresheet)
		return usecase.Source[admitto.Score]{After: q.After, Limit: int64(q.Limit),
			Each:  func(each func(*admitto.Score) error) (bool, error) { return tx.EachScore(&sheet, q, each) },
			Count: func() (int64, error) { return tx.CountScores(q) },
			End:   func() (int64, error) { return tx.ScoresEnd(q) }}, err
	}), nil
}

// ScoreCard is what the card of an application shows of scores (screens.md A19).
type ScoreCard struct {
	Scores  []admitto.Score
	Sheets  []admitto.Scoresheet          // all, by ID
	Offers  []admitto.OfferCase           // in the order of priority
	Courses map[int64]string              // of the offers, by offer
	Because map[int64]admitto.Explanation // of the automatic scores, by offer
	Ranks   map[int64][]OfferRank         // by offer, in the order of the rankings
}

// OfferRank is where an offer stands in a ranking.
type OfferRank struct {
	Ranking  string
	Rank, Of int  // Rank 0: it does not compete
	Large    bool // the ranking is too large to be computed for a card
}

// mostRanked is among how many offers the ranks of a card are computed, over all its rankings.
const mostRanked = 5000

// ScoreCard reads the scores of an application and what they come to; how, and what the offers have, only for those who
// may see offers. Not-found without the application.
func (s *Service) ScoreCard(ctx context.Context, by admitto.Caller, application int64) (c ScoreCard, err error) {
	if err := by.Needs(admitto.ApplicationsView); err != nil {
		return c, err
	}
	err = s.core.Read(ctx, func(tx *store.Tx) error {
		c = ScoreCard{Courses: map[int64]string{}, Because: map[int64]admitto.Explanation{}, Ranks: map[int64][]OfferRank{}}
		if err := tx.HasApplication(application); err != nil {
			return err
		}
		scores, err := tx.ScoresOf([]int64{application})
		if err != nil {
			return err
		}
		c.Scores = scores[application]
		if c.Sheets, err = tx.Scoresheets(); err != nil {
			return err
		}
		return c.readOffers(tx, by, application)
	})
	return c, err
}

// readOffers reads the offers, with their courses and explanations.
func (c *ScoreCard) readOffers(tx *store.Tx, by admitto.Caller, application int64) (err error) {
	if c.Offers, err = tx.OfferCasesOf(application); err != nil {
		return err
	}
	slices.SortFunc(c.Offers, func(a, b admitto.OfferCase) int { return a.Priority - b.Priority })
	var ids []int64
	for i := range c.Offers {
		ids = append(ids, c.Offers[i].Course)
	}
	names, err := tx.CourseNames(ids)
	if err != nil {
		return err
	}
	for i := range c.Offers {
		c.Courses[c.Offers[i].ID] = names[c.Offers[i].Course].Name
	}
	if !by.Has(admitto.OffersView) {
		for i := range c.Offers { // what scores of offers are about, and nothing of what was decided
			o := &c.Offers[i]
			*o = admitto.OfferCase{Offer: admitto.Offer{ID: o.ID, Course: o.Course, Priority: o.Priority}}
		}
		return nil
	}
	explained, err := tx.ScoresExplained(application)
	if err != nil {
		return err
	}
	for offer, text := range explained {
		var e admitto.Explanation
		if err := json.Unmarshal([]byte(text), &e); err != nil {
			return err
		}
		c.Because[offer] = e
	}
	if len(ids) == 0 {
		return nil
	}
	of, _, err := tx.ApplicationCase(application)
	if err != nil {
		return err
	}
	return c.readRanks(tx, ids, of.Term)
}

// readRanks computes the rankings that the offers may be in, as long as they are not too large together.
func (c *ScoreCard) readRanks(tx *store.Tx, courses []int64, term int64) error {
	rankings, err := tx.Rankings(courses, []int64{term})
	if err != nil {
		return err
	}
	left := int64(mostRanked)
	for i := range rankings {
		k := &rankings[i]
		size, err := tx.OffersInReach(k, mostRanked)
		if err != nil {
			return err
		}
		if size > left {
			c.rank(k, nil, true)
			continue
		}
		left -= max(size, 1)
		members, err := tx.RankingMembers(k)
		if err != nil {
			return err
		}
		admitto.RankOffers(members, k.Quota)
		c.rank(k, members, false)
	}
	return nil
}

// rank notes where the offers stand in a ranking; in one that is too large, for those of its courses that it is.
func (c *ScoreCard) rank(k *admitto.Ranking, members []admitto.RankingEntry, large bool) {
	competing := 0
	for i := range members {
		competing = max(competing, members[i].Rank)
	}
	for i := range c.Offers {
		o := &c.Offers[i]
		at := slices.IndexFunc(members, func(e admitto.RankingEntry) bool { return e.Offer == o.ID })
		switch {
		case at >= 0:
			c.Ranks[o.ID] = append(c.Ranks[o.ID], OfferRank{Ranking: k.Name, Rank: members[at].Rank, Of: competing})
		case large && (len(k.Courses) == 0 || slices.Contains(k.Courses, o.Course)):
			c.Ranks[o.ID] = append(c.Ranks[o.ID], OfferRank{Ranking: k.Name, Large: true})
		}
	}
}

// Sheet finds a scoresheet, nil for an ID that there is not.
func (c *ScoreCard) Sheet(id int64) *admitto.Scoresheet {
	if at := slices.IndexFunc(c.Sheets, func(t admitto.Scoresheet) bool { return t.ID == id }); at >= 0 {
		return &c.Sheets[at]
	}
	return nil
}

// On reports whether the application, or one of its offers, is on a sheet.
func (c *ScoreCard) On(sheet, offer int64) bool {
	return slices.ContainsFunc(c.Scores, func(v admitto.Score) bool { return v.Scoresheet == sheet && v.Offer == offer })
}

// NamesOf returns the names of the applicants of applications, for those who rank or score them.
func (s *Service) NamesOf(ctx context.Context, by admitto.Caller,
	applications []int64) (map[int64]admitto.Name, error) {
	if err := by.NeedsAny(admitto.OffersView, admitto.ApplicationsScore); err != nil {
		return nil, err
	}
	return usecase.Get(ctx, s.core, func(tx *store.Tx) (map[int64]admitto.Name, error) {
		return tx.NamesOfApplications(applications)
	})
}
