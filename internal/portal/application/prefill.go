package application

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"slices"
	"strings"

	"github.com/admitto/admitto/internal/admissions"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/form"
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/site/formpage"
	"github.com/admitto/admitto/internal/ui"
)

// prefill is what the form of a section begins with: what is stored or, while nothing is, what an earlier application
// and the account say, which the applicant checks (screens.md P09).
func (a *own) prefill(s *formpage.Section) (stored site.Values, prefilled bool) {
	stored = s.Values()
	if s.Key == "profile" && a.Person.Citizenship != "" {
		stored[site.OfForm+"citizenship"] = site.One(a.Person.Citizenship)
	}
	for name, values := range a.known(s) {
		if len(values) > 0 && values[0] != "" && strings.Join(stored[name], "") == "" {
			stored[name], prefilled = values, prefilled || s.Shows(name)
		}
	}
	return stored, prefilled
}

// isWrong reports whether what was typed into a field of a section is kept as it was, since it cannot be so.
func (a *own) isWrong(section *form.Section, below string) bool {
	_, wrong := a.Form.Content.Attention[section.Key+"/"+below]
	return wrong
}

// isKnown reports whether the form of a section begins with a value for a field that is missing, so that the applicant
// has but to check it.
func (a *own) isKnown(r *site.Request, section *form.Section, below string) bool {
	if section.Rows || section.Key == form.Questions {
		return false
	}
	s, err := a.sectionOf(r, section.Key, "")
	if err != nil {
		return false
	}
	stored, _ := a.prefill(s)
	return s.Has(stored, below)
}

// known is what an earlier application and the account say of a section while nothing of it is stored.
func (a *own) known(s *formpage.Section) site.Values {
	if s.Rows || a.Form.Content.Sections[s.Key] != nil {
		return nil
	}
	earlier := *s
	earlier.Content = &a.Earlier
	if s.Key == form.Questions {
		earlier.Content = &form.Content{Extras: formpage.Again(a.unanswered(), a.Earlier.Extras)}
	}
	known := earlier.Values()
	put := func(name, value string) { // what the account says comes before what an earlier application did
		if value != "" {
			known[site.OfForm+name] = site.One(value)
		}
	}
	switch s.Key {
	case "profile":
		if name := a.Person.Name; name.Family != "" {
			delete(known, site.OfForm+"name.middle") // it is a part of the name
			put("name.given", name.Given)
			put("name.middle", name.Middle)
			put("name.family", name.Family)
		}
	case contact:
		put("telephone.mobile", a.Person.Phone)
		put("email", a.Person.Email)
	}
	return known
}

// unanswered are the questions of the courses that have no answer yet to any of theirs.
func (a *own) unanswered() (list []admitto.Question) {
	begun := map[int64]bool{}
	for i := range a.Form.Content.Extras {
		begun[a.Form.AskedBy[a.Form.Content.Extras[i].ID]] = true
	}
	for path := range a.Form.Content.Attention {
		question, _ := form.QuestionOf(path)
		begun[a.Form.AskedBy[question]] = true
	}
	for _, q := range a.Form.Questions {
		if !begun[a.Form.AskedBy[q.ID]] {
			list = append(list, q)
		}
	}
	return list
}

// offeredRow is a row of an earlier application that the applicant can take over.
type offeredRow struct {
	shown form.Object // with the fields that the courses ask for
	texts map[string][]string
	mark  string
}

// all stands in an address for all rows that are offered.
const all = "all"

// offeredRows are the rows of earlier applications, each once, that the section does not have: one of its own with the
// same values, or with the same heading, stands for each that was taken over, whatever was changed of it since.
func (a *own) offeredRows(s *form.Section) (list []offeredRow) {
	for _, row := range a.Earlier.Rows(s.Key) {
		o := offeredRow{form.Object{}, formpage.Texts(s, &a.Form.Asked, row), ""}
		for below := range o.texts {
			form.Set(o.shown, below, form.At(row, below))
		}
		if len(o.texts) == 0 {
			continue
		}
		o.mark = markOf(o.texts)
		if !slices.ContainsFunc(list, func(other offeredRow) bool { return other.mark == o.mark }) {
			list = append(list, o)
		}
	}
	mine := a.Form.Content.Rows(s.Key)
	rest := min(len(list), admitto.MaxContentEntries-len(mine))
	drop := func(same func(o offeredRow, row form.Object) bool) {
		mine = slices.DeleteFunc(slices.Clone(mine), func(row form.Object) bool {
			at := slices.IndexFunc(list, func(o offeredRow) bool { return same(o, row) })
			if at >= 0 {
				list = slices.Delete(list, at, at+1)
			}
			return at >= 0
		})
	}
	drop(func(o offeredRow, row form.Object) bool {
		return o.mark == markOf(formpage.Texts(s, &a.Form.Asked, row))
	})
	drop(func(o offeredRow, row form.Object) bool {
		heading := form.TextAt(o.shown, s.Heading)
		return heading != "" && strings.EqualFold(heading, form.TextAt(row, s.Heading))
	})
	return list[:min(len(list), max(rest, 0))]
}

// markOf names what stands in a row.
func markOf(texts map[string][]string) string {
	text, err := json.Marshal(texts)
	if err != nil {
		panic(err) // texts always encode
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:8])
}

// offer shows the rows of an earlier application, each with a button that takes it over; nil for none. Those of a
// section that has rows of its own are folded.
func (a *own) offer(r *site.Request, s *form.Section) []ui.Component {
	rows := a.offeredRows(s)
	if len(rows) == 0 {
		return nil
	}
	begun := len(a.Form.Content.Rows(s.Key)) > 0
	take := func(which string, button ui.Button) ui.Component {
		return ui.FormBox{Action: r.At("my-earlier", a.ID, s.Key, which), Buttons: []ui.Button{button}}
	}
	var parts []ui.Component
	if len(rows) > 1 {
		parts = append(parts, take(all, ui.Button{Text: r.Plural("my_form.earlier_all", len(rows)), Primary: !begun}))
	}
	for n, row := range rows {
		name := formpage.RowName(r, s, row.shown, n, a.words)
		parts = append(parts, ui.Box{Title: name, Parts: append(a.facts(r, s, s.Key+"/-", row.shown), take(row.mark,
			ui.Button{Text: r.T("my_form.earlier_take"), About: name, Small: len(rows) > 1,
				Primary: len(rows) == 1 && !begun}))})
	}
	title, text := r.T("my_form.earlier"), r.T("my_form.earlier_text")
	if begun {
		parts = append([]ui.Component{ui.Words{Text: text, Muted: true}}, parts...)
		return []ui.Component{ui.Fold{Title: title, Parts: parts}}
	}
	return append([]ui.Component{ui.Heading{Title: title, Text: text}}, parts...)
}

// takeEarlier stores rows of an earlier application as rows of this one. What was taken over meanwhile is not taken
// again.
func (p *pages) takeEarlier(r *site.Request, a *own) error {
	key, which := r.Part("section"), r.Part("row")
	s := a.asks(key)
	if s == nil || !s.Rows {
		return &admitto.Error{Kind: admitto.NotFound}
	}
	var edits []admissions.SectionEdit
	for _, row := range a.offeredRows(s) {
		if which == all || which == row.mark {
			edits = append(edits, admissions.SectionEdit{Section: key, Row: admissions.NewRow, Typed: row.texts})
			if which != all {
				break
			}
		}
	}
	if len(edits) == 0 {
		return r.To("my-section", a.ID, key)
	}
	f, err := r.Form(nil, 0)
	if err != nil {
		return err
	}
	caller := r.Caller()
	caller.Version = a.Form.RowVersion
	refused, err := f.Refused(p.Admissions.SaveSection(r.Context(), caller, a.ID, edits...), nil)
	if err != nil {
		return err
	}
	if refused {
		f.NotifyFaults()
	} else {
		r.Notify(ui.OK, r.Plural("my_form.earlier_taken", len(edits)))
	}
	return r.To("my-section", a.ID, key)
}
