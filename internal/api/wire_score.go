package api

import (
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/api/wire"
)

// scoresheetWire is a scoresheet (resources.md 20.2).
type scoresheetWire struct {
	ID           int64            `wire:"id"`
	Created      admitto.Time     `wire:"created"`
	Scored       admitto.Time     `wire:"scored"`
	Confirmed    admitto.Time     `wire:"confirmed"`
	Name         string           `wire:"name"`
	Type         string           `wire:"type"`
	Maps         *[]scoreMapWire  `wire:"maps"`
	Date         string           `wire:"date"`
	Reference    string           `wire:"reference"`
	Subject      string           `wire:"subject"`
	Language     string           `wire:"language"`
	Depth        string           `wire:"depth"`
	Min          string           `wire:"range_min"`
	Max          string           `wire:"range_max"`
	Scale        int              `wire:"scale"`
	Instructions wire.Nullable    `wire:"instructions"`
	Group        *scoresheetGroup `wire:"group"`
	Scores       wire.Link        `wire:"scores"`
}

type scoreMapWire struct {
	Label string `wire:"label"`
	Value string `wire:"value"`
}

type scoresheetGroup struct {
	ID   int64  `wire:"id"`
	Name string `wire:"name"`
}

func scoresheetRecord(s *admitto.Scoresheet) any {
	w := &scoresheetWire{ID: s.ID, Created: s.Created, Scored: s.Scored, Confirmed: s.Confirmed, Name: s.Name, Type: s.Type,
		Date: s.Date, Reference: s.Reference, Subject: s.Subject, Language: s.Language, Depth: "Application",
		Min: points(&s.Min, s.Scale), Max: points(&s.Max, s.Scale), Scale: s.Scale, Instructions: wire.Nullable(s.Instructions),
		Scores: wire.LinkTo("/scoresheets/{}/scores", s.ID)}
	if s.ByOffer {
		w.Depth = "Offer"
	}
	if s.Maps != nil {
		maps := make([]scoreMapWire, len(s.Maps))
		for i, m := range s.Maps {
			maps[i] = scoreMapWire{m.Label, points(&m.Value, s.Scale)}
		}
		w.Maps = &maps
	}
	if s.GroupID != 0 {
		w.Group = &scoresheetGroup{s.GroupID, s.GroupName}
	}
	return w
}

// points returns the text of points with the decimals of their sheet, "" without points.
func points(p *admitto.Points, scale int) string {
	if p == nil {
		return ""
	}
	return string(p.Append(nil, scale))
}

// scoreWire is a score (resources.md 20.3).
type scoreWire struct {
	ID          int64         `wire:"id"`
	Scored      admitto.Time  `wire:"scored"`
	Scoresheet  wire.Link     `wire:"scoresheet"`
	Application wire.Link     `wire:"application"`
	Offer       wire.Link     `wire:"offer"`
	Points      wire.Nullable `wire:"points"`
	Mapped      wire.Nullable `wire:"mapped"`
	Comments    wire.Nullable `wire:"comments"`
	Date        admitto.Date  `wire:"date"`
	Reference   wire.Nullable `wire:"reference"`
	Subject     wire.Nullable `wire:"subject"`
	Language    wire.Nullable `wire:"language"`
}

// set fills the record from a score.
func (w *scoreWire) set(s *admitto.Score) {
	*w = scoreWire{ID: s.ID, Scored: s.Scored,
		Scoresheet:  wire.LinkTo("/scoresheets/{}", s.Scoresheet),
		Application: wire.LinkTo("/applications/{}", s.Application),
		Offer:       wire.LinkTo("/applications/{}/offers/{}", s.Application, s.Offer),
		Points:      wire.Nullable(points(s.Points, s.Scale)), Mapped: wire.Nullable(s.Mapped()), Comments: wire.Nullable(s.Comments),
		Date: s.Date, Reference: wire.Nullable(s.Reference), Subject: wire.Nullable(s.Subject), Language: wire.Nullable(s.Language)}
}

// scoreRecord is the record of a score.
func scoreRecord(s *admitto.Score) any {
	w := &scoreWire{}
	w.set(s)
	return w
}
