// Package kinds has the pages with which staff keep the words of their work: trackers, flags, offer types, task
// templates, consents, fees and series of invoices (screens.md A31, A33, A34, A35, A43, A44, A46).
package kinds

import (
	"slices"
	"strconv"
	"strings"

	"github.com/admitto/admitto/internal/admin/records"
	"github.com/admitto/admitto/internal/admin/show"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/services"
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/ui"
)

type pages struct{ *services.Services }

// Routes are the pages with who may open them.
func Routes(s *services.Services) []site.Route {
	p := &pages{s}
	trackers, flags := site.Needs(admitto.TrackersEdit), site.Needs(admitto.FlagsEdit)
	return slices.Concat(
		p.trackers().Routes("/admin/trackers", trackers), p.flags().Routes("/admin/flags", flags),
		[]site.Route{
			{Name: "task-template-delete", Path: "/admin/task-templates/{id}/delete",
				Access: site.Needs(admitto.TaskClassesEdit), Form: true, Parent: "task-templates", Handle: p.deleteTemplate},
			{Name: "tracker-delete", Path: "/admin/trackers/{id}/delete", Access: trackers, Form: true, Parent: "trackers",
				Handle: p.deleteTracker},
			{Name: "series-numbers", Path: "/admin/series/{id}/numbers",
				Access: site.Needs(admitto.AccountingEdit).And(admitto.AccountingView), Parent: "series-one",
				Handle: p.numbers},
			{Name: "flag-delete", Path: "/admin/flags/{id}/delete", Access: flags, Form: true, Parent: "flags",
				Handle: p.deleteFlag},
		},
		p.offerTypes().Routes("/admin/offer-types", site.Needs(admitto.OfferTypesEdit)),
		p.templates().Routes("/admin/task-templates", site.Needs(admitto.TaskClassesEdit)),
		p.consents().Routes("/admin/consents", site.Needs(admitto.TemplatesEdit)),
		p.fees().Routes("/admin/fees", site.Needs(admitto.AccountingEdit).And(admitto.AccountingView)),
		p.series().Routes("/admin/series", site.Needs(admitto.AccountingEdit).And(admitto.AccountingView)),
	)
}

func number(n int64) string { return strconv.FormatInt(n, 10) }

// words are those of the states that hold, to stand after a name: tags would stand in its place.
func words(r *site.Request, states ...state) string {
	var list []string
	for _, s := range states {
		if s.holds {
			list = append(list, r.T(s.key))
		}
	}
	return strings.Join(list, " · ")
}

// state is a state of a record with its message.
type state struct {
	holds bool
	key   string
}

// yes is the tag of a switch that is on.
func yes(r *site.Request, on bool, key string) (tags []ui.Tag) {
	if on {
		tags = append(tags, ui.Tag{Text: r.T(key), Icon: "check"})
	}
	return tags
}

// flags are screens.md A35.
func (p *pages) flags() *records.Family[admitto.Flag] {
	type of = admitto.Flag
	return &records.Family[of]{
		Query: p.Query, List: "flags", New: "flag-new", One: "flag", Kind: admitto.FlagRow,
		Events: []admitto.Pattern{admitto.FlagCreated, admitto.FlagEdited},
		Texts: records.Texts{Count: "flag.count", None: "flag.none", NoneText: "flag.none_text", NewIntro: "flag.intro",
			Intro: "flag.intro", Saved: "flag.saved"},
		ID: func(f *of) int64 { return f.ID }, Name: func(f *of) string { return f.Name },
		About: func(f *of, links admitto.Links) bool { return links.Flag == f.ID },
		All:   func(r *site.Request) ([]of, error) { return p.Query.Flags(r.Context(), r.Reader()) },
		Columns: func(r *site.Request, _ []of) ([]records.Column[of], error) {
			use, err := p.Query.FlagUse(r.Context(), r.Reader())
			return []records.Column[of]{
				{Title: "flag.name", Place: "main", Cell: func(f *of) ui.Cell { return ui.Cell{Text: f.Name} }},
				{Title: "flag.created", Place: "label", Cell: func(f *of) ui.Cell {
					return ui.Cell{Text: show.Day(r, f.Created)}
				}},
				{Title: "flag.applications", Place: "label", Num: true, Cell: func(f *of) ui.Cell {
					cell := ui.Cell{Text: r.Number(int(use[f.ID]))}
					if use[f.ID] > 0 && r.May("browse") {
						cell.Href = r.At("browse") + "?term=all&flag=" + number(f.ID)
					}
					return cell
				}},
			}, err
		},
		Read:  func(r *site.Request, id int64) (of, error) { return p.Query.Flag(r.Context(), r.Reader(), id) },
		Blank: func(*site.Request) (of, error) { return of{}, nil },
		Fields: func(m records.Maker[of], _ *of) ([]records.Field[of], error) {
			return []records.Field[of]{m.Text("name", "flag.name", func(f *of) *string { return &f.Name })}, nil
		},
		Save:    func(r *site.Request, f of) (int64, error) { return p.Catalogue.SaveFlag(r.Context(), r.Caller(), f) },
		Buttons: func(r *site.Request, f *of) []ui.Button { return r.Buttons(site.Danger("flag-delete", f.ID)) },
	}
}

// deleteFlag asks before a flag is taken off all applications.
func (p *pages) deleteFlag(r *site.Request) error {
	id, err := r.ID()
	if err != nil {
		return err
	}
	flag, err := p.Query.Flag(r.Context(), r.Reader(), id)
	if err != nil {
		return err
	}
	use, err := p.Query.FlagUse(r.Context(), r.Reader())
	if err != nil {
		return err
	}
	return records.Removal{Query: p.Query, Name: flag.Name, Row: admitto.Row{Kind: admitto.FlagRow, ID: id},
		List: r.At("flags"), One: r.At("flag", id), Effect: r.Plural("flag.delete_effect", int(use[id])),
		Press: "action.flag-delete",
		Act:   func() error { return p.Admissions.DeleteFlag(r.Context(), r.Caller(), id) }}.Show(r)
}

// tracker is a tracker with its reduction as it is typed.
type tracker struct {
	admitto.Tracker
	kind, value, currency string
}

func trackerOf(t admitto.Tracker) tracker {
	typed := tracker{Tracker: t, kind: "none"}
	if r := t.Reduction; r != nil && r.ByAmount() {
		typed.kind, typed.value, typed.currency = "amount", r.Amount.String(), r.Currency
	} else if r != nil {
		typed.kind, typed.value = "percent", r.Percent.String()
	}
	return typed
}

// trackers are screens.md A34.
func (p *pages) trackers() *records.Family[tracker] {
	type of = tracker
	return &records.Family[of]{
		Query: p.Query, List: "trackers", New: "tracker-new", One: "tracker", Kind: admitto.TrackerRow,
		Events: []admitto.Pattern{admitto.TrackerCreated, admitto.TrackerEdited},
		Texts: records.Texts{Count: "tracker.count", None: "tracker.none", NoneText: "tracker.none_text",
			NewIntro: "tracker.intro", Intro: "tracker.intro", Saved: "tracker.saved"},
		ID: func(t *of) int64 { return t.ID }, Name: func(t *of) string { return t.Code },
		About: func(t *of, links admitto.Links) bool { return links.Tracker == t.ID },
		All: func(r *site.Request) (list []of, err error) {
			all, err := p.Query.Trackers(r.Context(), r.Reader())
			for i := range all {
				list = append(list, trackerOf(all[i]))
			}
			return list, err
		},
		Columns: p.trackerColumns,
		Read: func(r *site.Request, id int64) (of, error) {
			t, err := p.Query.Tracker(r.Context(), r.Reader(), id)
			return trackerOf(t), err
		},
		Blank:  func(*site.Request) (of, error) { return of{kind: "none"}, nil },
		Fields: trackerFields,
		Save: func(r *site.Request, t of) (int64, error) {
			return p.Catalogue.SaveTracker(r.Context(), r.Caller(), t.Tracker)
		},
		Buttons: func(r *site.Request, t *of) []ui.Button { return r.Buttons(site.Danger("tracker-delete", t.ID)) },
		Below: func(r *site.Request, t *of) ([]ui.Component, error) {
			return []ui.Component{ui.Heading{Title: r.T("tracker.link"), Text: r.T("tracker.link_text")},
				ui.Secret{ID: "link", Label: r.T("tracker.link"),
					Code: r.Settings().BaseURL + "/r/" + inAddress.Replace(t.Code)}}, nil
		},
	}
}

// inAddress writes a code as a part of an address; letters of all scripts stay readable.
var inAddress = strings.NewReplacer("%", "%25", "/", "%2F", "?", "%3F", "#", "%23")

func (p *pages) trackerColumns(r *site.Request, _ []tracker) ([]records.Column[tracker], error) {
	use, err := p.Query.TrackerUse(r.Context(), r.Reader())
	return []records.Column[tracker]{
		{Title: "tracker.code", Place: "main", Cell: func(t *tracker) ui.Cell {
			return ui.Cell{Text: t.Code, Below: t.Notes}
		}},
		{Title: "tracker.reduction", Place: "label", Cell: func(t *tracker) ui.Cell {
			switch t.kind {
			case "percent":
				return ui.Cell{Text: t.value + " %"}
			case "amount":
				return ui.Cell{Text: r.Money(int64(t.Reduction.Amount), t.currency)}
			}
			return ui.Cell{}
		}},
		{Title: "flag.created", Place: "label", Cell: func(t *tracker) ui.Cell {
			return ui.Cell{Text: show.Day(r, t.Created)}
		}},
		{Title: "tracker.applicants", Place: "label", Num: true, Cell: func(t *tracker) ui.Cell {
			cell := ui.Cell{Text: r.Number(int(use[t.ID]))}
			if use[t.ID] > 0 && r.May("applicants") {
				cell.Href = r.At("applicants") + "?tracker=" + number(t.ID)
			}
			return cell
		}},
	}, err
}

func trackerFields(m records.Maker[tracker], _ *tracker) ([]records.Field[tracker], error) {
	type of = tracker
	kinds := []ui.Option{{Value: "none", Text: m.R.T("tracker.none_kind")},
		{Value: "percent", Text: m.R.T("tracker.percent")}, {Value: "amount", Text: m.R.T("tracker.amount")}}
	value := m.Text("value", "tracker.value", func(t *of) *string { return &t.value }, records.Optional, records.Narrow,
		records.Hint("tracker.value_hint"))
	take := value.Take
	value.Take = func(f *site.Form, t *of) { // the kind was taken before
		take(f, t)
		t.Reduction = nil
		if t.kind != "percent" && t.kind != "amount" {
			return
		}
		amount, err := admitto.ParseHundredths(t.value)
		if err != nil {
			f.Fail("value", "tracker.no_value")
			return
		}
		if t.Reduction = (&admitto.Reduction{Percent: amount}); t.kind == "amount" {
			t.Reduction = &admitto.Reduction{Amount: amount, Currency: strings.ToUpper(f.Get("currency"))}
			if t.Reduction.Currency == "" {
				f.Fail("currency", "tracker.no_currency")
				t.Reduction.Currency = m.R.Settings().Instance.Currency // so that the amount is looked at
			}
		}
	}
	return []records.Field[of]{
		m.Text("code", "tracker.code", func(t *of) *string { return &t.Code }, records.Hint("tracker.code_hint")),
		m.Long("notes", "tracker.notes", 3, 2000, func(t *of) *string { return &t.Notes }, records.Optional),
		m.Radio("kind", "tracker.reduction", kinds, func(t *of) *string { return &t.kind }),
		value,
		m.Text("currency", "tracker.currency", func(t *of) *string { return &t.currency }, records.Optional, records.Narrow,
			records.Hint("tracker.currency_hint")),
	}, nil
}

// deleteTracker asks before a tracker is taken off all applicants.
func (p *pages) deleteTracker(r *site.Request) error {
	id, err := r.ID()
	if err != nil {
		return err
	}
	t, err := p.Query.Tracker(r.Context(), r.Reader(), id)
	if err != nil {
		return err
	}
	use, err := p.Query.TrackerUse(r.Context(), r.Reader())
	if err != nil {
		return err
	}
	return records.Removal{Query: p.Query, Name: t.Code, Row: admitto.Row{Kind: admitto.TrackerRow, ID: id},
		List: r.At("trackers"), One: r.At("tracker", id), Effect: r.Plural("tracker.delete_effect", int(use[id])),
		Press: "action.tracker-delete",
		Act:   func() error { return p.Admissions.DeleteTracker(r.Context(), r.Caller(), id) }}.Show(r)
}
