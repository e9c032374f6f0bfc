package api

import (
	"cmp"
	"slices"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/api/params"
)

// listRankings answers GET /rankings (resources.md 23).
func (a *API) listRankings(c *call) error {
	var in struct {
		Courses params.IDList `name:"byCourseIDs"`
		Terms   params.IDList `name:"byAcademicTermID"`
	}
	list, err := c.queryArgs()
	if err == nil {
		err = c.decode(list, &in)
	}
	if err != nil {
		return err
	}
	rankings, err := a.services.Query.Rankings(c.ctx, c.by(), in.Courses, in.Terms)
	if err != nil {
		return err
	}
	return smallList(c, rankings, func(k *admitto.Ranking) int64 { return k.ID }, rankingRecord)
}

// getRanking answers GET /rankings/{id}.
func (a *API) getRanking(c *call) error {
	k, err := a.services.Query.Ranking(c.ctx, c.by(), c.ids[0])
	if err == nil {
		err = c.noParameters()
	}
	if err != nil {
		return err
	}
	return c.object(rankingRecord(&k))
}

// rankingEntriesInput is the query of GET /rankings/{id}/entries.
type rankingEntriesInput struct {
	Types     params.IDList   `name:"byTypes"`
	Decisions params.WordList `name:"byDecisions" words:"None,Final,Declined"`
	InQuota   yesOrNo         `name:"byInQuota"`
}

// passes reports whether the filters let an entry through.
func (in *rankingEntriesInput) passes(e *admitto.RankingEntry) bool {
	return (in.Types == nil || slices.Contains(in.Types, e.Type)) &&
		(in.Decisions == nil || slices.Contains(in.Decisions, string(e.Decision))) &&
		(in.InQuota.value == nil || *in.InQuota.value == e.InQuota)
}

// listRankingEntries answers GET /rankings/{id}/entries. The filters do not change ranks, so they are asked
// after the ranks are known.
func (a *API) listRankingEntries(c *call) error {
	var in rankingEntriesInput
	list, err := c.queryArgs()
	if err == nil {
		err = c.decode(list, &in)
	}
	if err != nil {
		if _, missing := a.services.Query.Ranking(c.ctx, c.by(), c.ids[0]); missing != nil {
			return missing // whether it exists comes before the parameters
		}
		return err
	}
	entries, err := a.services.Query.RankingEntries(c.ctx, c.by(), c.ids[0])
	if err != nil {
		return err
	}
	entries = slices.DeleteFunc(entries, func(e admitto.RankingEntry) bool { return !in.passes(&e) })
	slices.SortFunc(entries, func(x, y admitto.RankingEntry) int { return cmp.Compare(x.Offer, y.Offer) })
	return smallList(c, entries, func(e *admitto.RankingEntry) int64 { return e.Offer }, rankingEntryRecord)
}
