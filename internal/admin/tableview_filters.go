package admin

import (
	"encoding/json"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/ui"
)

// queryOf is the address of the list of applications with the filters of a tableview, as far as the list has them.
func (t *tableBuild) queryOf(f *admitto.TableFilters) url.Values {
	values := url.Values{}
	words := func(name string, list []string) {
		if len(list) > 0 {
			values[name] = list
		}
	}
	ids := func(name string, list []int64) {
		for _, id := range list {
			values.Add(name, number(id))
		}
	}
	truth := func(name string, is *bool) {
		if is != nil && *is {
			values.Set(name, "yes")
		} else if is != nil {
			values.Set(name, "no")
		}
	}
	yes := func(name string, is bool) {
		if is {
			values.Set(name, "yes")
		}
	}
	at := func(name string, day bool, at, moment admitto.Time) {
		if at == 0 {
			return
		}
		d := admitto.DateOf(at.Std().In(t.r.Zone()))
		if day = day || admitto.TimeOf(d.In(t.r.Zone())) == at; day && (moment == 0 || d.End(t.r.Zone())-1 == at) {
			values.Set(name, d.String())
		} else {
			values.Set(name, at.Std().UTC().Format(time.RFC3339Nano))
		}
	}
	since := func(name string, from admitto.Time) { at(name, false, from, 0) }
	ids("term", f.Terms)
	words("status", f.Statuses)
	for name, is := range map[string]*bool{"expired": f.Expired, "frozen": f.Frozen} {
		if is != nil && *is {
			values.Add("mark", name)
		}
	}
	slices.Sort(values["mark"])
	words("text", slices.DeleteFunc([]string{f.Text}, func(s string) bool { return s == "" }))
	if f.NoOfficer {
		values.Add("officer", "nobody")
	}
	ids("officer", f.Officers)
	ids("flag", f.Flags)
	ids("institution", f.CourseInstitutions)
	ids("course", f.Courses)
	words("course_type", f.CourseTypes)
	ids("intake", f.Intakes)
	ids("offer", f.OfferTypes)
	truth("confirmed", f.OfferAsConfirmed)
	words("decision", f.OfferDecisions)
	yes("quota", f.InQuota)
	since("decided", f.DecidedSince)
	words("citizenship", f.Citizenships)
	ids("tracker", f.Trackers)
	truth("matriculated", f.Matriculated)
	ids("task", f.TaskTemplates)
	words("task_status", f.TaskStatuses)
	yes("unpaid", f.Unpaid)
	truth("submitted", f.SubmittedOnce)
	since("created_since", f.CreatedSince)
	since("revised_since", f.RevisedSince)
	since("submitted_since", f.SubmittedSince)
	since("changed_since", f.ChangedSince)
	since("refused_from", f.RefusedFrom)
	at("refused_to", true, f.RefusedTo, f.RefusedTo)
	for name, day := range map[string]admitto.Date{"answer_from": f.AnswerFrom, "answer_to": f.AnswerTo} {
		if !day.IsZero() {
			values.Set(name, day.String())
		}
	}
	return values
}

// further are the conditions of the tableview that the builder has no field for, as JSON; "" for none. They stay.
func (t *tableBuild) further() string {
	f := furtherOf(&t.filters)
	text, err := json.Marshal(f)
	if err != nil || string(text) == "{}" {
		return ""
	}
	return string(text)
}

func furtherOf(f *admitto.TableFilters) admitto.TableFilters {
	further := admitto.TableFilters{Years: f.Years, Applicants: f.Applicants, OfferInstitutions: f.OfferInstitutions,
		OfferConfirmed: f.OfferConfirmed}
	if f.Expired != nil && !*f.Expired {
		further.Expired = f.Expired
	}
	if f.Frozen != nil && !*f.Frozen {
		further.Frozen = f.Frozen
	}
	return further
}

// readFilters puts the filters of an address into the builder. Those that the reader may not use stay as they are
// stored.
func (t *tableBuild) readFilters(query url.Values) {
	if t.browsing == nil {
		return // the reader may filter by nothing
	}
	stored := t.queryOf(&t.filters)
	shown := url.Values{}
	for _, f := range t.offeredFilters() {
		if values := query[f.name]; len(values) > 0 {
			shown[f.name] = values
		}
	}
	terms := slices.DeleteFunc(slices.Clone(query["term"]), func(v string) bool { return v == allTerms || v == "" })
	if terms != nil {
		shown["term"] = terms
	}
	whole := url.Values{}
	for name, values := range shown {
		whole[name] = values
	}
	for _, f := range browseFilters() {
		if !t.browsing.mayFilter(&f) && stored[f.name] != nil {
			whole[f.name] = stored[f.name]
		}
	}
	b := t.browsing
	b.wrong = map[string]bool{}
	b.view = t.r.ViewAt(t.r.At("browse"), whole.Encode(), true, browseSorts()...)
	b.term = b.view.ID("term")
	q := b.filtered("", "")
	q.TermIDs = nil
	if len(terms) > 0 {
		q.TermIDs = ids(terms)
	}
	further := furtherOf(&t.filters)
	t.filters = admitto.TableFiltersOf(&q)
	t.filters.Years, t.filters.Applicants = further.Years, further.Applicants
	t.filters.OfferInstitutions, t.filters.OfferConfirmed = further.OfferInstitutions, further.OfferConfirmed
	if t.filters.Expired == nil {
		t.filters.Expired = further.Expired
	}
	if t.filters.Frozen == nil {
		t.filters.Frozen = further.Frozen
	}
	b.view = t.r.ViewAt(t.r.At("browse"), shown.Encode(), true, browseSorts()...)
}

// offeredFilters are those that the reader may use, but for the term.
func (t *tableBuild) offeredFilters() []filter {
	return slices.DeleteFunc(browseFilters(), func(f filter) bool { return !t.browsing.mayFilter(&f) })
}

// checkFilters says what cannot be read of the filters.
func (t *tableBuild) checkFilters(f *site.Form) {
	if t.browsing == nil {
		return
	}
	stored := t.queryOf(&t.stored)
	for _, filter := range t.offeredFilters() {
		for _, v := range t.browsing.view.All(filter.name) {
			switch {
			case t.browsing.unread(&filter, v) && filter.shape == day:
				f.Fail(filter.name, "browse.no_day")
			case filter.options != nil && !slices.Contains(stored[filter.name], v) &&
				!slices.ContainsFunc(t.offered(&filter), func(o ui.Option) bool { return o.Value == v }):
				f.Fail(filter.name, "tasks.unread")
			default:
				continue
			}
			break
		}
	}
	for _, v := range t.browsing.view.All("term") {
		if !slices.Contains(stored["term"], v) && !slices.ContainsFunc(t.browsing.termOptions(),
			func(o ui.Option) bool { return o.Value == v }) {
			f.Fail("term", "tasks.unread")
		}
	}
}

// offered are the options of a filter. Types of offers are all of them: a tableview may be for what comes.
func (t *tableBuild) offered(f *filter) []ui.Option {
	if f.name != "offer" {
		return f.options(t.browsing)
	}
	return optionsOf(t.browsing.offerTypes, func(o *admitto.OfferType) ui.Option {
		return ui.Option{Value: number(o.ID), Text: o.Title}
	})
}

// filterWords are the filters of the tableview in a line; "" for those who may not use them.
func (t *tableBuild) filterWords() string {
	if t.browsing == nil {
		return ""
	}
	t.readFilters(t.queryOf(&t.filters))
	var said []string
	for _, id := range t.browsing.view.All("term") {
		for _, o := range t.browsing.termOptions() {
			if o.Value == id {
				said = append(said, t.r.T("browse.term")+": "+o.Text)
			}
		}
	}
	for _, c := range t.browsing.chips() {
		if c.name != "term" {
			said = append(said, c.Name+": "+c.Value)
		}
	}
	return strings.Join(said, "; ")
}

// drawFilters are the fields of the filters, folded as in the pane of the list.
func (t *tableBuild) drawFilters(f *site.Form) ui.Component {
	if t.browsing == nil {
		return ui.Words{Text: t.r.T("tableview.no_filters"), Muted: true}
	}
	b := t.browsing
	var parts []ui.Component
	wrong := false
	folds := map[string]*ui.Fold{}
	order := []string{"fold_offers", "fold_courses", "fold_person", "fold_tasks", "fold_times"}
	for _, name := range order {
		folds[name] = &ui.Fold{Title: t.r.T("browse." + name)}
	}
	term := f.Select("term", "browse.term", b.termOptions()...)
	for i := range term.Options {
		term.Options[i].Selected = slices.Equal(b.view.All("term"), []string{term.Options[i].Value})
	}
	parts = append(parts, term)
	if terms := b.view.All("term"); len(terms) > 1 {
		parts[0] = t.chosenOf(ui.Field{Name: "term", Label: term.Label, ID: term.ID}, b.termOptions(), terms)
	}
	for _, filter := range t.offeredFilters() {
		field := f.Text(filter.name, "browse."+filter.name).Field
		component := t.draw(&filter, field)
		wrong = wrong || field.Error != ""
		if filter.fold == "" {
			parts = append(parts, component)
			continue
		}
		fold := folds[filter.fold]
		fold.Parts = append(fold.Parts, component)
		fold.Open = fold.Open || len(b.view.All(filter.name)) > 0 || field.Error != ""
	}
	for _, name := range order {
		if len(folds[name].Parts) > 0 {
			parts = append(parts, *folds[name])
		}
	}
	if t.further() != "" {
		parts = append(parts, ui.Words{Text: t.r.T("tableview.further"), Muted: true})
	}
	active := t.queryOf(&t.filters)
	title := t.r.T("filters.title")
	if n := len(active); n > 0 {
		title += " (" + t.r.Number(n) + ")"
	}
	return ui.Fold{Title: title, Open: len(active) > 0 || wrong || term.Error != "", Parts: append([]ui.Component{
		ui.Words{Text: t.r.T("tableview.filters_text"), Muted: true}}, parts...)}
}

// draw is one filter.
func (t *tableBuild) draw(filter *filter, field ui.Field) ui.Component {
	values := t.browsing.view.All(filter.name)
	var options []ui.Option
	if filter.options != nil {
		options = t.offered(filter)
		for i := range options {
			options[i].Count = ""
		}
	}
	switch filter.shape {
	case boxes:
		for i := range options {
			options[i].Selected = slices.Contains(values, options[i].Value)
		}
		return ui.Choices{Field: field, Multiple: true, Options: options}
	case chosen, truth:
		return t.chosenOf(field, append([]ui.Option{{Text: t.r.T("browse.any")}}, options...), values)
	case day:
		field.Value, field.Width = t.browsing.view.Get(filter.name), "w10"
		return ui.TextField{Field: field, InputMode: "numeric"}
	default:
		field.Value = t.browsing.view.Get(filter.name)
		return ui.TextField{Field: field, Type: "search"}
	}
}

// chosenOf is a list of which one is chosen; further values that the tableview has are boxes that can be taken out.
func (t *tableBuild) chosenOf(field ui.Field, options []ui.Option, values []string) ui.Component {
	list := ui.Select{Field: field}
	var more []ui.Option
	for _, o := range options {
		if len(values) > 0 && o.Value == values[0] {
			o.Selected = true
		} else if slices.Contains(values, o.Value) && o.Value != "" {
			more = append(more, ui.Option{Value: o.Value, Text: o.Text, Selected: true})
			continue
		}
		list.Options = append(list.Options, o)
	}
	if len(more) == 0 {
		return list
	}
	boxes := ui.Choices{Field: ui.Field{ID: field.ID + "-more", Name: field.Name,
		Label: t.r.T("tableview.or", "Name", field.Label)}, Multiple: true, Options: more}
	return ui.Stack{Tight: true, Parts: []ui.Component{list, boxes}}
}
