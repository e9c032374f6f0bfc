package api

import (
	"slices"

	"github.com/admitto/admitto/internal/admitto"
)

// rankingWire is a ranking (resources.md 23).
type rankingWire struct {
	ID       int64              `wire:"id"`
	Name     string             `wire:"name"`
	Created  admitto.Time       `wire:"created"`
	Modified admitto.Time       `wire:"modified"`
	Term     link               `wire:"academic_term"`
	Courses  linkMap            `wire:"courses"`
	Filters  rankingFiltersWire `wire:"filters"`
	Quota    *int64             `wire:"quota"`
	Entries  link               `wire:"entries"`
}

type rankingFiltersWire struct {
	Intakes      linkMap  `wire:"intakes"`
	Citizenships []string `wire:"citizenships"`
	Flags        linkMap  `wire:"flags"`
	Statuses     []string `wire:"statuses"`
}

func rankingRecord(k *admitto.Ranking) any {
	f := &k.Filters
	return &rankingWire{ID: k.ID, Name: k.Name, Created: k.Created, Modified: k.Modified,
		Term:    linkTo("/academic-terms/{}", k.Term),
		Courses: linkMap{"/courses/{}", slices.Sorted(slices.Values(k.Courses))},
		Filters: rankingFiltersWire{
			Intakes:      linkMap{"/intakes/{}", slices.Sorted(slices.Values(f.Intakes))},
			Citizenships: f.Citizenships,
			Flags:        linkMap{"/applications/flags/{}", slices.Sorted(slices.Values(f.Flags))},
			Statuses:     f.Statuses,
		},
		Quota: k.Quota, Entries: linkTo("/rankings/{}/entries", k.ID)}
}

// rankingEntryWire is an offer in a ranking (resources.md 23).
type rankingEntryWire struct {
	ID          int64        `wire:"id"`
	Position    int          `wire:"position"`
	Rank        *int         `wire:"rank"`
	Offer       link         `wire:"offer"`
	Application link         `wire:"application"`
	Applicant   link         `wire:"applicant"`
	Course      link         `wire:"course"`
	Score       rankingScore `wire:"score"`
	Priority    int          `wire:"priority"`
	Type        link         `wire:"type"`
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
		Offer:       linkTo("/applications/{}/offers/{}", e.Application, e.Offer),
		Application: linkTo("/applications/{}", e.Application),
		Applicant:   linkTo("/applicants/{}", e.Applicant),
		Course:      linkTo("/courses/{}", e.Course),
		Score:       rankingScore{e.Auto, e.Extra, e.Total()},
		Priority:    e.Priority, Type: linkTo("/applications/offers/types/{}", e.Type),
		Decision: string(e.Decision), InQuota: e.InQuota}
	if e.Rank > 0 {
		w.Rank = &e.Rank
	}
	return w
}
