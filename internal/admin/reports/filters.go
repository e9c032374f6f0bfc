package reports

import (
	"cmp"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/admitto/admitto/internal/admin/show"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/report"
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/ui"
)

// allTerms is the term of an address that asks for all.
const allTerms = "all"

// asking is a report as its address asks for it.
type asking struct {
	r       *site.Request
	report  *report.Report
	view    *site.View
	query   admitto.ReportQuery
	regions []string
	wrong   map[string]bool // names of values that cannot be read
	missing map[string]bool // names of parameters that the report cannot do without

	terms        []admitto.Term
	years        []admitto.Year
	intakes      []admitto.Intake
	courses      []admitto.Course
	institutions []admitto.Institution
	territories  []admitto.Region
	classes      map[string]int64 // the templates of tasks, by class
}

// filter is a name of the address, and the parameter of resources.md 19.2 that it is. The messages reports.<name> name
// it.
type filter struct {
	name, parameter string
	one             bool // the address has one value at most
	typed           bool // it is written, and not one of options
	set             func(a *asking, values []string) (ok bool)
	options         func(a *asking) []ui.Option
}

func inIDs(to func(*admitto.ReportQuery) *[]int64) func(*asking, []string) bool {
	return func(a *asking, values []string) bool {
		ids := []int64{}
		for _, v := range values {
			id, err := strconv.ParseInt(v, 10, 64)
			if err != nil || id < 1 {
				return false
			}
			ids = append(ids, id)
		}
		*to(&a.query) = ids
		return true
	}
}

// inYear reads a year as the contract does: 1900 to 2100.
func inYear(to func(*admitto.ReportQuery) *int64) func(*asking, []string) bool {
	return func(a *asking, values []string) bool {
		year, err := strconv.ParseInt(values[0], 10, 64)
		if err != nil || year < 1900 || year > 2100 {
			return false
		}
		*to(&a.query) = year
		return true
	}
}

// filters are all filters, in the order of the pane.
func filters() []filter {
	type q = *admitto.ReportQuery
	return []filter{
		{name: "term", parameter: "academicTerm", options: (*asking).termOptions, set: func(a *asking, v []string) bool {
			return slices.Equal(v, []string{allTerms}) || inIDs(func(q q) *[]int64 { return &q.Terms })(a, v)
		}},
		{name: "year", parameter: "commenceYear", options: (*asking).yearOptions,
			set: inIDs(func(q q) *[]int64 { return &q.Years })},
		{name: "compared", parameter: "comparedYear", one: true, options: (*asking).yearOptions,
			set: inYear(func(q q) *int64 { return &q.Compared })},
		{name: "calendar", parameter: "calendarYear", one: true, typed: true,
			set: inYear(func(q q) *int64 { return &q.CalendarYear })},
		{name: "institution", parameter: "institutions", options: (*asking).institutionOptions,
			set: inIDs(func(q q) *[]int64 { return &q.Institutions })},
		{name: "course", parameter: "courses", options: (*asking).courseOptions,
			set: inIDs(func(q q) *[]int64 { return &q.Courses })},
		{name: "intake", parameter: "intakes", options: (*asking).intakeOptions,
			set: inIDs(func(q q) *[]int64 { return &q.Intakes })},
		{name: "region", parameter: "regions", options: (*asking).regionOptions, set: func(a *asking, v []string) bool {
			a.regions = v
			return !slices.ContainsFunc(v, func(code string) bool {
				return len(code) > 16 || strings.Trim(code, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_") != ""
			})
		}},
		{name: "citizenship", parameter: "citizenships", options: func(a *asking) []ui.Option { return a.r.Countries() },
			set: func(a *asking, v []string) bool {
				a.query.Citizenships = v
				return !slices.ContainsFunc(v, func(code string) bool { return a.r.Country(code) == "" })
			}},
	}
}

// offered are the filters of the report that the reader may use.
func (a *asking) offered() []filter {
	return slices.DeleteFunc(filters(), func(f filter) bool {
		return !slices.Contains(a.report.Parameters, f.parameter) || a.report.May(a.r.Reader(), f.parameter) != nil
	})
}

// has reports whether the reader has a filter.
func (a *asking) has(name string) bool {
	return slices.ContainsFunc(a.offered(), func(f filter) bool { return f.name == name })
}

// ask reads the address. What the reader may not filter by is refused when the report is calculated.
func (p *pages) ask(r *site.Request, of *report.Report) *asking {
	a := &asking{r: r, report: of, view: r.View(false), wrong: map[string]bool{}, missing: map[string]bool{}}
	for _, f := range filters() {
		values := a.view.All(f.name)
		if !slices.Contains(of.Parameters, f.parameter) {
			continue
		}
		switch {
		case len(values) == 0:
			a.missing[f.name] = of.Requires(f.parameter)
		case !f.set(a, values):
			a.wrong[f.name] = true
		}
	}
	return a
}

// ready reports whether there is all that the report is calculated from.
func (a *asking) ready() bool {
	return !slices.Contains(slices.Collect(maps.Values(a.wrong)), true) &&
		!slices.Contains(slices.Collect(maps.Values(a.missing)), true)
}

// readNames reads what the filters name things by.
func (p *pages) readNames(a *asking) (err error) {
	ctx, by := a.r.Context(), a.r.Reader()
	for _, read := range []func() error{
		func() (err error) { a.terms, err = p.Query.Terms(ctx, by); return err },
		func() (err error) { a.years, err = p.Query.Years(ctx, by); return err },
		func() (err error) { a.intakes, err = p.Query.Intakes(ctx, by); return err },
		func() (err error) { a.courses, err = p.Query.Courses(ctx, by, admitto.CourseQuery{}); return err },
		func() (err error) {
			a.institutions, err = p.Query.Institutions(ctx, by, admitto.InstitutionQuery{})
			return err
		},
		func() (err error) { a.territories, err = a.r.Regions(p.Query.Regions(ctx, by)); return err },
		func() error { return p.readClasses(a) },
	} {
		if err = read(); err != nil {
			return err
		}
	}
	return nil
}

// readClasses reads the templates of the tasks that a report counts.
func (p *pages) readClasses(a *asking) error {
	if a.report.Name != "ReportTasks" || !a.r.May("tasks") {
		return nil
	}
	list, err := p.Query.TaskClasses(a.r.Context(), a.r.Reader())
	a.classes = map[string]int64{}
	for i := range list {
		a.classes[list[i].Class] = list[i].Template
	}
	return err
}

func (a *asking) termOptions() []ui.Option {
	options := []ui.Option{{Value: allTerms, Text: a.r.T("browse.all_terms")}}
	terms := slices.Clone(a.terms)
	slices.SortStableFunc(terms, func(x, y admitto.Term) int {
		return cmp.Or(cmp.Compare(y.Start.String(), x.Start.String()), cmp.Compare(y.ID, x.ID))
	})
	for i := range terms {
		options = append(options, ui.Option{Value: number(terms[i].ID), Text: terms[i].Name})
	}
	return options
}

func (a *asking) yearOptions() (options []ui.Option) {
	for i := range a.years {
		options = append(options, ui.Option{Value: number(a.years[i].Year), Text: a.years[i].Name})
	}
	slices.Reverse(options)
	return options
}

func (a *asking) institutionOptions() (options []ui.Option) {
	offering := map[int64]bool{}
	for i := range a.courses {
		offering[a.courses[i].Institution] = true
	}
	for i := range a.institutions {
		if in := &a.institutions[i]; offering[in.ID] {
			options = append(options, ui.Option{Value: number(in.ID), Text: in.Name})
		}
	}
	return a.r.ByText(options)
}

func (a *asking) courseOptions() (options []ui.Option) {
	for i := range a.courses {
		c := &a.courses[i]
		options = append(options, ui.Option{Value: number(c.ID), Text: strings.TrimSpace(c.Code + " " + c.Name)})
	}
	return a.r.ByText(options)
}

// intakeOptions are those of the term.
func (a *asking) intakeOptions() (options []ui.Option) {
	for i := range a.intakes {
		in := &a.intakes[i]
		if len(a.query.Terms) == 0 || slices.Contains(a.query.Terms, in.Term.ID) ||
			slices.Contains(a.query.Intakes, in.ID) {
			options = append(options, ui.Option{Value: number(in.ID), Text: in.Name})
		}
	}
	return options
}

func (a *asking) regionOptions() (options []ui.Option) {
	for i := range a.territories {
		options = append(options, ui.Option{Value: a.territories[i].Code, Text: a.territories[i].Name})
	}
	return options
}

// whole is the address with the reader's term, where the report has one and the address names neither term nor year,
// with the calendar year that is counted, and without what is empty; ok says that it is as it should be.
func (p *pages) whole(a *asking) (address string, ok bool) {
	values, ok := url.Values{}, true
	for name, list := range a.r.URL.Query() {
		kept := slices.DeleteFunc(slices.Clone(list), func(v string) bool { return v == "" })
		ok = ok && len(kept) == len(list)
		if len(kept) > 0 {
			values[name] = kept
		}
	}
	if a.has("term") && values.Get("term") == "" {
		ok = false
		values.Set("term", allTerms)
		if id := p.termOf(a.r); id != 0 && values.Get("year") == "" {
			values.Set("term", number(id))
		}
	}
	if a.has("calendar") && values.Get("calendar") == "" {
		ok = false
		values.Set("calendar", strconv.Itoa(a.r.Now().Std().In(a.r.Zone()).Year()))
	}
	address = a.r.URL.Path
	if len(values) > 0 {
		address += "?" + values.Encode()
	}
	return address, ok
}

// pane is the pane of filters.
func (a *asking) pane() *ui.Filters {
	r := a.r
	pane := &ui.Filters{ID: "filters", Action: r.URL.Path, Hidden: a.view.Hidden(), Applies: r.T("browse.apply")}
	if len(a.chips()) > 0 {
		pane.Clear = a.cleared()
	}
	for _, f := range a.offered() {
		field, values := a.field(&f), a.view.All(f.name)
		if f.typed {
			field.Value, field.Width = a.view.Get(f.name), "w4"
			pane.Fields = append(pane.Fields, ui.TextField{Field: field, InputMode: "numeric"})
			continue
		}
		var list []ui.Option
		if f.name != "term" {
			list = append(list, ui.Option{Text: r.T("browse.any")})
		}
		for _, o := range f.options(a) {
			if len(values) > 0 && o.Value == values[0] {
				o.Selected, values = true, values[1:]
			}
			list = append(list, o)
		}
		for _, v := range values {
			if !f.one {
				pane.Hidden = append(pane.Hidden, ui.Option{Text: f.name, Value: v})
			}
		}
		pane.Fields = append(pane.Fields, ui.Select{Field: field, Options: list})
	}
	return pane
}

// field names a filter, and what is wrong with its value.
func (a *asking) field(f *filter) ui.Field {
	field := ui.Field{ID: "filter-" + f.name, Name: f.name, Label: a.r.T("reports." + f.name)}
	switch {
	case a.missing[f.name]:
		field.Error = a.r.T("reports.missing", "Name", field.Label)
	case a.wrong[f.name] && f.typed:
		field.Error = a.r.T("reports.no_year")
	case a.wrong[f.name]:
		field.Error = a.r.T("tasks.unread")
	}
	return field
}

// faults are what keeps the report from being calculated, each by the name of its filter.
func (a *asking) faults() (summary ui.ErrorSummary) {
	for _, f := range filters() {
		if field := a.field(&f); field.Error != "" {
			summary.Faults = append(summary.Faults, ui.Fault{ID: field.ID, Text: field.Error, Label: field.Label})
		}
	}
	return summary
}

// chips are the filters of the address, but for a term that there is and a calendar year: the pane shows those.
func (a *asking) chips() (list []ui.Chip) {
	for _, f := range a.offered() {
		for _, v := range a.view.All(f.name) {
			known := false
			chip := ui.Chip{Name: a.r.T("reports." + f.name), Value: v, Remove: a.view.Without(f.name, v)}
			if f.options != nil {
				for _, o := range f.options(a) {
					if o.Value == v {
						chip.Value, known = o.Text, true
					}
				}
			}
			if f.name == "term" {
				if chip.Remove = a.view.With("term", allTerms); known {
					continue
				}
			}
			if f.name == "calendar" && !a.wrong[f.name] {
				continue
			}
			list = append(list, chip)
		}
	}
	return list
}

// cleared is the address without filters but the term, where that can be read.
func (a *asking) cleared() string {
	var pairs []string
	for _, f := range filters() {
		if f.name != "term" || a.wrong[f.name] {
			pairs = append(pairs, f.name, "")
		}
	}
	return a.view.With(pairs...)
}

// territory is the name of a territory: the world, a region, or a country.
func (a *asking) territory(code string) string {
	if code == admitto.World {
		return a.r.T("reports.world")
	}
	for i := range a.territories {
		if a.territories[i].Code == code {
			return a.territories[i].Name
		}
	}
	return show.Country(a.r, code)
}
