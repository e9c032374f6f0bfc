package admin

import (
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/ui"
)

// fewTypes is how many types of offers the pane shows without being asked.
const fewTypes = 8

// pane is the pane of filters with the counts of the term (screens.md A10).
func (b *browsing) pane() *ui.Filters {
	pane := &ui.Filters{ID: "filters", Action: b.r.At("browse"), Hidden: b.view.Hidden(columnName),
		Applies: b.r.T("browse.apply")}
	if len(b.chips()) > 0 {
		pane.Clear = b.cleared()
	}
	pane.Fields = append(pane.Fields, ui.Select{Field: b.field("term"), Options: b.termOptions()})
	folds, order := map[string]*ui.Fold{}, []string{"fold_offers", "fold_courses",
		"fold_person", "fold_tasks", "fold_times"}
	for _, name := range order {
		folds[name] = &ui.Fold{Title: b.r.T("browse." + name)}
	}
	if facets := b.offerFacets(); len(facets.Groups) > 0 {
		folds["fold_offers"].Parts = append(folds["fold_offers"].Parts, facets)
		folds["fold_offers"].Open = len(facets.Groups) <= fewTypes
	}
	for _, f := range browseFilters() {
		if !b.mayFilter(&f) {
			continue
		}
		component, further := b.component(&f)
		pane.Hidden = append(pane.Hidden, further...)
		if f.fold == "" {
			pane.Fields = append(pane.Fields, component)
		} else {
			fold := folds[f.fold]
			fold.Parts = append(fold.Parts, component)
			fold.Open = fold.Open || len(b.view.All(f.name)) > 0
		}
	}
	for _, name := range order {
		if len(folds[name].Parts) > 0 {
			pane.Fields = append(pane.Fields, *folds[name])
		}
	}
	return pane
}

func (b *browsing) field(name string) ui.Field {
	return ui.Field{ID: "filter-" + strings.ReplaceAll(name, "_", "-"), Name: name, Label: b.r.T("browse." + name)}
}

// component is a filter as the pane shows it, and what the form sends besides: further values of a list from which one
// is chosen.
func (b *browsing) component(f *filter) (c ui.Component, further []ui.Option) {
	field, values := b.field(f.name), b.view.All(f.name)
	var options []ui.Option
	if f.options != nil {
		options = f.options(b)
	}
	switch f.shape {
	case boxes:
		for i := range options {
			options[i].Selected = slices.Contains(values, options[i].Value)
		}
		for _, v := range values {
			if !slices.ContainsFunc(options, func(o ui.Option) bool { return o.Value == v }) {
				further = append(further, ui.Option{Text: f.name, Value: v})
			}
		}
		return ui.Choices{Field: field, Multiple: true, Options: options}, further
	case chosen, truth:
		list := []ui.Option{{Text: b.r.T("browse.any")}}
		first := true
		for _, o := range options {
			if first && slices.Contains(values, o.Value) {
				o.Selected, first = true, false
				values = slices.DeleteFunc(values, func(v string) bool { return v == o.Value })
			}
			list = append(list, o)
		}
		for _, v := range values {
			further = append(further, ui.Option{Text: f.name, Value: v})
		}
		return ui.Select{Field: field, Options: list}, further
	case day:
		if field.Value = b.view.Get(f.name); b.wrong[f.name] {
			field.Error = b.r.T("browse.no_day")
		}
		return ui.TextField{Field: field, InputMode: "numeric"}, nil
	default:
		field.Value = b.view.Get(f.name)
		return ui.TextField{Field: field, Type: "search"}, nil
	}
}

// offerFacets lead to the applications with each type of offer, by how far it is.
func (b *browsing) offerFacets() ui.Facets {
	facets := ui.Facets{ID: "facets-offers", Title: b.r.T("browse.offer_counts")}
	for _, c := range b.counts.Offers {
		group := ui.FacetGroup{}
		for i := range b.offerTypes {
			if t := &b.offerTypes[i]; t.ID == c.Type {
				group.Dot = ui.Dot{Text: t.Title, Colour: t.Colour}
			}
		}
		for _, stage := range []struct {
			n           int64
			key         string
			name, value string
		}{
			{c.Unconfirmed, "browse.n_unconfirmed", "confirmed", "no"}, {c.Confirmed, "browse.n_confirmed", "confirmed", "yes"},
			{c.Final, "browse.n_final", "decision", string(admitto.DecisionFinal)},
			{c.Declined, "browse.n_declined", "decision", string(admitto.DecisionDeclined)},
		} {
			if stage.n == 0 {
				continue
			}
			pairs := []string{"confirmed", "", "decision", "", "quota", "", "decided", "", "offer", number(c.Type), stage.name,
				stage.value}
			group.Links = append(group.Links, ui.Link{Text: b.r.Plural(stage.key, int(stage.n)), Href: b.view.With(pairs...),
				Current: slices.Equal(b.view.All("offer"), []string{number(c.Type)}) &&
					slices.Equal(b.view.All(stage.name), []string{stage.value})})
		}
		if len(group.Links) > 0 {
			facets.Groups = append(facets.Groups, group)
		}
	}
	return facets
}

// active is a filter value of the address.
type active struct {
	ui.Chip
	name, value string
}

// chips are the filters of the address, but for a term that there is: the pane shows it.
func (b *browsing) chips() (list []active) {
	if term := b.view.Get("term"); term != "" && term != allTerms && b.termName(b.term) == "" {
		list = append(list, active{ui.Chip{Name: b.r.T("browse.term"), Value: term, Remove: b.view.With("term", allTerms)},
			"term", term})
	}
	for _, f := range browseFilters() {
		var options []ui.Option
		if f.options != nil && b.mayFilter(&f) {
			options = f.options(b)
		}
		for _, v := range b.view.All(f.name) {
			shown := v
			if from, _, ok := b.times(v); f.shape == day && ok && len(v) > len(time.DateOnly) {
				shown = b.r.Clock(from)
			}
			for _, o := range options {
				if o.Value == v {
					shown = o.Text
				}
			}
			list = append(list, active{ui.Chip{Name: b.r.T("browse." + f.name), Value: shown, Remove: b.view.Without(f.name, v)},
				f.name, v})
		}
	}
	return list
}

// cleared is the address without filters but the term.
func (b *browsing) cleared() string {
	pairs := make([]string, 0, 64)
	for _, f := range browseFilters() {
		pairs = append(pairs, f.name, "")
	}
	return b.view.With(pairs...)
}

// listOf is the address of the applications of a term (0: all) with filters, by names and values in turns.
func listOf(term int64, pairs ...string) string {
	query := url.Values{"term": {allTerms}}
	if term != 0 {
		query.Set("term", number(term))
	}
	for i := 0; i+1 < len(pairs); i += 2 {
		query.Add(pairs[i], pairs[i+1])
	}
	return "?" + query.Encode()
}
