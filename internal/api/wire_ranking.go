package api

import (
	"slices"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/api/wire"
)

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
