package api

import (
	"cmp"
	"slices"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/api/params"
	"github.com/admitto/admitto/internal/api/wire"
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

// rankingWire is a ranking (resources.md 23).
type rankingWire struct {
	ID       int64              `wire:"id"`
	Name     string             `wire:"name"`
	Created  admitto.Time       `wire:"created"`
	Modified admitto.Time       `wire:"modified"`
	Term     wire.Link          `wire:"academic_term"`
	Courses  wire.LinkMap       `wire:"courses"`
	Filters  rankingFiltersWire `wire:"filters"`
	Quota    *int64             `wire:"quota"`
	Entries  wire.Link          `wire:"entries"`
}

type rankingFiltersWire struct {
	Intakes      wire.LinkMap `wire:"intakes"`
	Citizenships []string     `wire:"citizenships"`
	Flags        wire.LinkMap `wire:"flags"`
	Statuses     []string     `wire:"statuses"`
}

func rankingRecord(k *admitto.Ranking) any {
	f := &k.Filters
	return &rankingWire{ID: k.ID, Name: k.Name, Created: k.Created, Modified: k.Modified,
		Term:    wire.LinkTo("/academic-terms/{}", k.Term),
		Courses: wire.LinkMap{Form: "/courses/{}", IDs: slices.Sorted(slices.Values(k.Courses))},
		Filters: rankingFiltersWire{
			Intakes:      wire.LinkMap{Form: "/intakes/{}", IDs: slices.Sorted(slices.Values(f.Intakes))},
			Citizenships: f.Citizenships,
			Flags:        wire.LinkMap{Form: "/applications/flags/{}", IDs: slices.Sorted(slices.Values(f.Flags))},
			Statuses:     f.Statuses,
		},
		Quota: k.Quota, Entries: wire.LinkTo("/rankings/{}/entries", k.ID)}
}

// rankingEntryWire is an offer in a ranking (resources.md 23).
type rankingEntryWire struct {
	ID          int64        `wire:"id"`
	Position    int          `wire:"position"`
	Rank        *int         `wire:"rank"`
	Offer       wire.Link    `wire:"offer"`
	Application wire.Link    `wire:"application"`
	Applicant   wire.Link    `wire:"applicant"`
	Course      wire.Link    `wire:"course"`
	Score       rankingScore `wire:"score"`
	Priority    int          `wire:"priority"`
	Type        wire.Link    `wire:"type"`
	Decision    string       `wire:"decision"`
	InQuota     bool         `wire:"in_quota"`
}

type rankingScore struct {
	Auto  *admitto.Hundredths `wire:"auto"`
	Extra *admitto.Hundredths `wire:"extra"`
	Total *admitto.Hundredths `wire:"total"`
}

func rankingEntryRecord(e *admitto.RankingEntry) any {
	w := &rankingEntryWire{ID: e.Offer, Position: e.Position,
		Offer:       wire.LinkTo("/applications/{}/offers/{}", e.Application, e.Offer),
		Application: wire.LinkTo("/applications/{}", e.Application),
		Applicant:   wire.LinkTo("/applicants/{}", e.Applicant),
		Course:      wire.LinkTo("/courses/{}", e.Course),
		Score:       rankingScore{e.Auto, e.Extra, e.Total()},
		Priority:    e.Priority, Type: wire.LinkTo("/applications/offers/types/{}", e.Type),
		Decision: string(e.Decision), InQuota: e.InQuota}
	if e.Rank > 0 {
		w.Rank = &e.Rank
	}
	return w
}
