package show

import (
	"fmt"
	"strings"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/message"
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/text"
	"github.com/admitto/admitto/internal/ui"
)

// ScoreFields are the fields that scores of a sheet have, with the messages of their labels.
func ScoreFields(t *admitto.Scoresheet) (list [][2]string) {
	for _, f := range []struct {
		field       admitto.ScoreFields
		name, label string
	}{{admitto.ScorePoints, "points", "offer.points"}, {admitto.ScoreComments, "comments", "score.comments"},
		{admitto.ScoreDate, "date", "score.date"}, {admitto.ScoreReference, "reference", "score.reference"},
		{admitto.ScoreSubject, "subject", "score.subject"}, {admitto.ScoreLanguage, "language", "score.language"}} {
		if may, _ := t.Carries(f.field); may || f.field&admitto.ScoreDetails == 0 {
			list = append(list, [2]string{f.name, f.label})
		}
	}
	return list
}

// ScoreValues is what a score has in the fields of its form.
func ScoreValues(v *admitto.Score) site.Values {
	values := site.Values{"points": site.One(v.Text(admitto.ScorePoints)), "comments": site.One(v.Comments),
		"reference": site.One(v.Reference), "subject": site.One(v.Subject), "language": site.One(v.Language)}
	values.SetDay("date", v.Date)
	return values
}

// ScoreForm are the fields of a score of a sheet, each with what the sheet demands. With focus one types the points at
// once.
func ScoreForm(r *site.Request, f *site.Form, t *admitto.Scoresheet, focus bool) (parts []ui.Component) {
	need := func(field admitto.ScoreFields) bool {
		_, must := t.Carries(field)
		return !must || field&admitto.ScoreDetails == 0
	}
	for _, of := range ScoreFields(t) {
		name, label := of[0], of[1]
		switch name {
		case "points":
			parts = append(parts, pointsField(r, f, t, label, focus))
		case "comments":
			comments := f.Long(name, label, 4, admitto.MostScoreComments)
			comments.Optional = true
			parts = append(parts, comments)
		case "date":
			date := f.Date(name, label)
			date.Optional = need(admitto.ScoreDate)
			parts = append(parts, date)
		case "reference":
			line := f.Text(name, label)
			line.Optional = need(admitto.ScoreReference)
			parts = append(parts, line)
		case "subject":
			line := f.Text(name, label)
			line.Optional = need(admitto.ScoreSubject)
			parts = append(parts, line)
		case "language":
			line := f.Text(name, label)
			line.Width, line.Optional = "w4", need(admitto.ScoreLanguage)
			parts = append(parts, line)
		}
	}
	return parts
}

// pointsField takes points, or one of the labels of the sheet.
func pointsField(r *site.Request, f *site.Form, t *admitto.Scoresheet, label string, focus bool) ui.Component {
	if !t.IsLabelled() {
		points := f.Text("points", label)
		points.Width, points.InputMode, points.Optional, points.Hint = "w10", "decimal", true, ScoreRange(r, t)
		points.Focus, points.Autocomplete = focus, "off"
		return points
	}
	options := []ui.Option{{Text: r.T("score.no_points")}}
	for _, m := range t.Maps {
		points := string(m.Value.Append(nil, t.Scale))
		options = append(options, ui.Option{Value: points, Text: fmt.Sprintf("%s (%s)", r.Isolated(m.Label), points)})
	}
	choice := f.Select("points", label, options...)
	choice.Focus = focus
	return choice
}

// SheetType is what a type of scoresheets is called; those that are named after a test are called as it is.
func SheetType(r *site.Request, name string) string {
	if key := "sheet_type." + strings.ToLower(name); r.Has(key) {
		return r.T(key)
	}
	return name
}

// ScoreRange are the points that a sheet takes.
func ScoreRange(r *site.Request, t *admitto.Scoresheet) string {
	low, high := string(t.Min.Append(nil, t.Scale)), string(t.Max.Append(nil, t.Scale))
	if step := t.Step(); step != 0 && !t.IsLabelled() {
		return r.T("score.from_to_step", "From", low, "To", high, "Step", string(step.Append(nil, t.Scale)))
	}
	return r.T("score.from_to", "From", low, "To", high)
}

// TypedScore is a score as it was typed, and the fields that its form has; what is wrong is noted with its field.
func TypedScore(f *site.Form, t *admitto.Scoresheet) (v admitto.Score, fields admitto.ScoreFields) {
	v.Scale, fields = t.Scale, admitto.ScorePoints|admitto.ScoreComments
	wrong := func(name string, err error) {
		if err != nil {
			f.FailText(name, message.From(err))
		}
	}
	if points := f.Get("points"); points != "" {
		p, err := t.ParsePoints(strings.Replace(points, ",", ".", 1))
		wrong("points", err)
		v.Points = &p
	}
	var err error
	for _, of := range ScoreFields(t) {
		switch name := of[0]; name {
		case "comments":
			v.Comments, err = text.Multiline(f.Typed(name), 0, admitto.MostScoreComments)
			wrong(name, err)
		case "date":
			fields |= admitto.ScoreDate
			v.Date, _ = f.Day(name)
		case "reference":
			fields |= admitto.ScoreReference
			v.Reference, err = text.Line(f.Typed(name), 0, admitto.MostScoreReference)
			wrong(name, err)
		case "subject":
			fields |= admitto.ScoreSubject
			v.Subject, err = text.Line(f.Typed(name), 0, admitto.MostScoreSubject)
			wrong(name, err)
		case "language":
			fields |= admitto.ScoreLanguage
			if f.Get(name) != "" {
				v.Language, err = text.Language(f.Get(name))
				wrong(name, err)
			}
		}
	}
	return v, fields
}
