package catalogue

import (
	"slices"
	"strings"

	"github.com/admitto/admitto/internal/admin/records"
	"github.com/admitto/admitto/internal/admin/show"
	"github.com/admitto/admitto/internal/admitto"
	catalog "github.com/admitto/admitto/internal/catalogue"
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/ui"
)

// intake is an intake with the courses that it is for.
type intake struct {
	admitto.Intake
	courses []int64
}

// intakeRoutes are screens.md A40.
func (p *pages) intakeRoutes(access site.Access) []site.Route {
	return append(p.intakes().Routes("/admin/intakes", access),
		p.intakeSheets().routes("/admin/intakes", access)...)
}

func (p *pages) intakes() *records.Family[intake] {
	return &records.Family[intake]{
		Query: p.Query, List: "intakes", New: "intake-new", One: "intake", Kind: admitto.IntakeRow,
		Events: []admitto.Pattern{admitto.IntakeCreated, admitto.IntakeEdited},
		Texts: records.Texts{Count: "intake.count", None: "intake.none", NoneText: "intake.none_text",
			Intro: "intake.intro", NewIntro: "intake.intro", Saved: "intake.saved"},
		ID:      func(i *intake) int64 { return i.ID },
		Name:    func(i *intake) string { return i.Name },
		All:     p.allIntakes,
		Columns: p.intakeColumns,
		Read: func(r *site.Request, id int64) (i intake, err error) {
			if i.Intake, err = p.Query.Intake(r.Context(), r.Reader(), id); err == nil {
				i.courses, err = p.coursesOf(r, id)
			}
			return i, err
		},
		Blank:  p.newIntake,
		Fields: p.intakeFields,
		Save: func(r *site.Request, i intake) (int64, error) {
			return p.Catalogue.SaveIntake(r.Context(), r.Caller(), i.Intake, i.courses)
		},
		Below:   p.ofIntake,
		Actions: p.intakeSheets().buttons,
		Buttons: func(r *site.Request, i *intake) []ui.Button {
			return []ui.Button{{Text: r.T("action.intake-later"), Href: r.At("intake-new") + "?from=" + number(i.ID)}}
		},
	}
}

// coursesOf are the courses of an intake.
func (p *pages) coursesOf(r *site.Request, id int64) (list []int64, err error) {
	courses, err := p.Query.Courses(r.Context(), r.Reader(), admitto.CourseQuery{})
	for i := range courses {
		if slices.Contains(courses[i].Intakes, id) {
			list = append(list, courses[i].ID)
		}
	}
	return list, err
}

// allIntakes are the intakes, those that begin last first.
func (p *pages) allIntakes(r *site.Request) (list []intake, err error) {
	intakes, err := p.Query.Intakes(r.Context(), r.Reader())
	if err != nil {
		return nil, err
	}
	courses, err := p.Query.Courses(r.Context(), r.Reader(), admitto.CourseQuery{})
	if err != nil {
		return nil, err
	}
	of := map[int64][]int64{}
	for i := range courses {
		for _, id := range courses[i].Intakes {
			of[id] = append(of[id], courses[i].ID)
		}
	}
	for i := range intakes {
		list = append(list, intake{intakes[i], of[intakes[i].ID]})
	}
	slices.SortStableFunc(list, func(a, b intake) int { return b.Term.Start.Compare(a.Term.Start) })
	return list, nil
}

func (p *pages) intakeColumns(r *site.Request, _ []intake) ([]records.Column[intake], error) {
	return []records.Column[intake]{
		{Title: "intake.name", Place: "main", Cell: func(i *intake) ui.Cell { return ui.Cell{Text: i.Name} }},
		{Title: "intake.term", Place: "label", Cell: func(i *intake) ui.Cell { return ui.Cell{Text: i.Term.Name} }},
		{Title: "intake.start", Place: "label", Cell: func(i *intake) ui.Cell {
			return ui.Cell{Text: show.Date(r, i.Start)}
		}},
		{Title: "intake.deadlines", Place: "label", Cell: func(i *intake) ui.Cell {
			return ui.Cell{Text: deadlineWords(r, &i.Intake)}
		}},
		{Title: "intake.policy", Place: "label", Cell: func(i *intake) ui.Cell {
			return ui.Cell{Text: r.T(policyKey(i.Policy))}
		}},
		{Title: "intake.courses", Place: "label", Num: true, Cell: func(i *intake) ui.Cell {
			return ui.Cell{Text: r.Number(len(i.courses))}
		}},
	}, nil
}

// deadlineWords are the deadline of the world, and how many territories have others.
func deadlineWords(r *site.Request, i *admitto.Intake) string {
	var words []string
	others := 0
	for _, d := range i.Deadlines {
		switch {
		case d.Territory != admitto.World:
			others++
		case d.Barred:
			words = append(words, r.T("intake.barred"))
		case d.Day.IsZero():
			words = append(words, r.T("intake.no_deadline"))
		default:
			words = append(words, show.Date(r, d.Day))
		}
	}
	if others > 0 {
		words = append(words, r.Plural("intake.others", others))
	}
	return strings.Join(words, ", ")
}

// policyKey is the message that names a policy.
func policyKey(policy string) string { return "intake_policy." + wordsOf(policy) }

// wordsOf is a word of the API as a part of the key of a message.
func wordsOf(word string) string {
	return strings.ToLower(strings.NewReplacer(" (", "_", ", ", "_", ")", "", " ", "_").Replace(word))
}

// newIntake is a new intake: that which the address names, a year later in the term of the same kind; the first of a
// term that has none yet; or an empty one.
func (p *pages) newIntake(r *site.Request) (i intake, err error) {
	terms, err := p.Query.Terms(r.Context(), r.Reader())
	if err != nil {
		return i, err
	}
	id := r.View(false).ID("from")
	if id == 0 {
		i.Policy, i.DecisionPolicy = string(admitto.StrictSubmit), "None"
		i.Deadlines = []admitto.Deadline{{Territory: admitto.World}}
		intakes, err := p.Query.Intakes(r.Context(), r.Reader())
		slices.SortFunc(terms, func(a, b admitto.Term) int { return a.Start.Compare(b.Start) })
		for n := range terms {
			if !terms[n].Expired(r.Now(), 0, r.Zone()) && !slices.ContainsFunc(intakes, func(old admitto.Intake) bool {
				return old.Term.ID == terms[n].ID
			}) {
				i.Intake = catalog.ProposedIntake(admitto.DateOf(r.Now().Std().In(r.Zone())), &terms[n])
				break
			}
		}
		return i, err
	}
	if i.Intake, err = p.Query.Intake(r.Context(), r.Reader(), id); err != nil {
		return i, err
	}
	if i.courses, err = p.coursesOf(r, id); err != nil {
		return i, err
	}
	for _, t := range terms {
		if t.Type == i.Term.Type && t.Year == i.Term.Year+1 {
			i.Term = t
			break
		}
	}
	i.Intake = catalog.LaterIntake(i.Intake)
	return i, err
}

func (p *pages) intakeFields(m records.Maker[intake], v *intake) ([]records.Field[intake], error) {
	r := m.R
	terms, err := p.Query.Terms(r.Context(), r.Reader())
	if err != nil {
		return nil, err
	}
	courses, err := p.Query.Courses(r.Context(), r.Reader(), admitto.CourseQuery{})
	if err != nil {
		return nil, err
	}
	territories, err := p.territories(r)
	if err != nil {
		return nil, err
	}
	slices.SortFunc(terms, func(a, b admitto.Term) int { return b.Start.Compare(a.Start) })
	termList := []ui.Option{{Text: r.T("value.choose")}}
	for _, t := range terms {
		termList = append(termList, ui.Option{Value: number(t.ID), Text: t.Name})
	}
	var policies []ui.Option
	for _, policy := range admitto.DeadlinePolicies() {
		policies = append(policies, ui.Option{Value: string(policy), Text: r.T(policyKey(string(policy))),
			Hint: r.T("intake_policy_text." + wordsOf(string(policy)))})
	}
	var decisions []ui.Option
	for _, policy := range []string{"None", "Advisory", "Required"} {
		decisions = append(decisions, ui.Option{Value: policy, Text: r.T("intake_decision." + wordsOf(policy)),
			Hint: r.T("intake_decision_text." + wordsOf(policy))})
	}
	type of = intake
	texts := []records.Version{{Name: "name", Label: r.T("intake.name"), First: v.Name},
		{Name: "pre_info", Label: r.T("intake.pre_info_of"), First: v.PreInfo}}
	for _, d := range v.Deadlines {
		if d.Info != "" {
			texts = append(texts, records.Version{Name: admitto.DeadlineVersion(d.Territory), First: d.Info,
				Label: r.T("intake.deadline_info_of", "Territory", titled(territories, d.Territory))})
		}
	}
	return []records.Field[of]{
		m.Text("name", "intake.name", func(i *of) *string { return &i.Name }, records.Hint("intake.name_hint")),
		m.ChooseID("term", "intake.term", termList, func(i *of) *int64 { return &i.Term.ID }),
		m.Lacking(len(terms) > 0, "intake.lacks_terms", "term-new"),
		m.Day("start", "intake.start", func(i *of) *admitto.Date { return &i.Start }, records.Optional,
			records.Hint("intake.start_hint")),
		m.Day("commence", "intake.commence", func(i *of) *admitto.Date { return &i.Commence }, records.Optional),
		m.Day("arrival", "intake.arrival", func(i *of) *admitto.Date { return &i.Arrival }, records.Optional),
		m.Head("intake.deadlines", "intake.deadlines_text"),
		deadlineField(m, territories, len(v.Deadlines), v.ID == 0),
		m.Radio("policy", "intake.policy", policies, func(i *of) *string { return &i.Policy }),
		m.Head("intake.pre", "intake.pre_text"),
		m.Day("pre_deadline", "intake.pre_deadline", func(i *of) *admitto.Date { return &i.PreDeadline },
			records.Optional),
		m.Text("pre_info", "intake.pre_info", func(i *of) *string { return &i.PreInfo }, records.Optional),
		m.Tick("pre_mask", "intake.pre_mask", "intake.pre_mask_text", func(i *of) *bool { return &i.PreMask }),
		m.Versions(texts, func(i *of) *admitto.Versions { return &i.Versions }),
		m.Head("intake.decision", "intake.decision_text"),
		m.Radio("decision_policy", "intake.decision_policy", decisions,
			func(i *of) *string { return &i.DecisionPolicy }),
		m.Number("decision_days", "intake.decision_days", func(i *of) **int64 { return &i.DecisionDays },
			records.Optional, records.Hint("intake.decision_days_hint")),
		m.Day("decision_date", "intake.decision_date", func(i *of) *admitto.Date { return &i.DecisionDate },
			records.Optional),
		m.Head("intake.courses", "intake.courses_text"),
		m.IDs("courses", "intake.courses", courseOptions(r, courses), func(i *of) *[]int64 { return &i.courses },
			records.Optional),
	}, nil
}

func courseOptions(r *site.Request, courses []admitto.Course) (options []ui.Option) {
	for i := range courses {
		c := &courses[i]
		if c.Status == "Archived" || c.Status == "Closed" {
			continue
		}
		options = append(options, ui.Option{Value: number(c.ID), Text: c.Name,
			Hint: r.Listed(c.Code, r.T("catalogue_status."+c.Status))})
	}
	return options
}

// territories are the world, the regions and the countries, with none at first.
func (p *pages) territories(r *site.Request) ([]ui.Option, error) {
	regions, err := r.Regions(p.Query.Regions(r.Context(), r.Reader()))
	options := []ui.Option{{Text: r.T("value.none")}, {Value: admitto.World, Text: r.T("intake.world")}}
	for i := range regions {
		options = append(options, ui.Option{Value: regions[i].Code, Text: r.T("intake.region", "Name",
			regions[i].Name)})
	}
	return append(options, r.Countries()...), err
}

// moreDeadlines is how many empty lines the form has for further deadlines.
const moreDeadlines = 3

// deadlineField has the deadlines, a line each, and empty ones below.
func deadlineField(m records.Maker[intake], territories []ui.Option, stored int,
	isNew bool) records.Field[intake] {
	r := m.R
	names := func(n int) (territory, day, info, barred string) {
		at := number(int64(n))
		return "territory-" + at, "deadline-" + at, "deadline_info-" + at, "barred-" + at
	}
	lines := stored + moreDeadlines
	field := records.Field[intake]{
		Put: func(v site.Values, of *intake) {
			for n, d := range of.Deadlines {
				territory, day, info, barred := names(n)
				v[territory], v[info] = site.One(d.Territory), site.One(d.Info)
				v.SetDay(day, d.Day)
				if d.Barred {
					v[barred] = site.One("yes")
				}
			}
		},
		Take: func(f *site.Form, into *intake) {
			into.Deadlines = nil
			for n := range lines {
				territory, day, info, barred := names(n)
				d := admitto.Deadline{Territory: f.Get(territory), Info: f.Get(info), Barred: f.Has(barred)}
				var ok bool
				if d.Day, ok = f.Day(day); !ok { // the line is filled in, and asks for a territory
					d.Day = admitto.Date{Year: catalog.FirstYear, Month: 1, Day: 1}
				}
				into.Deadlines = append(into.Deadlines, d)
			}
		},
		Draw: func(f *site.Form) (parts []ui.Component) {
			for n := range lines {
				territory, day, info, barred := names(n)
				place := f.Select(territory, "", territories...)
				until := f.Date(day, "")
				until.Optional = true
				words := f.Text(info, "")
				words.Optional, words.Autocomplete = true, "off"
				title := r.T("intake.line", "Number", n+1)
				if name := titled(territories, f.Get(territory)); name != "" {
					title = strings.Trim(name+": "+f.DayWords(day), ": ")
					if f.Has(barred) {
						title = name + ": " + r.T("intake.barred")
					}
				}
				parts = append(parts, ui.Fold{Title: title, Open: n == 0 && isNew || f.Wrong(territory, day, info),
					Parts: []ui.Component{place, until, words, f.Tick(barred, "", "intake.barred_text")}})
			}
			return []ui.Component{ui.Stack{Tight: true, Parts: parts}}
		},
	}
	for n := range lines {
		territory, day, info, barred := names(n)
		field.Inputs = append(field.Inputs, [2]string{territory, "intake.territory"}, [2]string{day, "intake.deadline"},
			[2]string{info, "intake.deadline_info"}, [2]string{barred, "intake.barred"})
	}
	draw := field.Draw
	field.Draw = func(f *site.Form) []ui.Component {
		for _, input := range field.Inputs {
			f.SetLabel(input[0], r.T(input[1]))
		}
		return draw(f)
	}
	return field
}

// ofIntake shows what applicants of a country would see, and leads to the same intake a year later.
func (p *pages) ofIntake(r *site.Request, i *intake) ([]ui.Component, error) {
	view := r.View(false)
	country := strings.ToUpper(view.Get("country"))
	field := ui.Country{Field: ui.Field{ID: "country", Name: "country", Label: r.T("intake.checker_country"),
		Value: country}}
	for _, o := range append([]ui.Option{{Text: r.T("intake.any_country")}}, r.Countries()...) {
		o.Selected = o.Value == country
		field.Options = append(field.Options, o)
	}
	parts := []ui.Component{ui.Heading{ID: "checker", Title: r.T("intake.checker"), Text: r.T("intake.checker_text")},
		ui.FormBox{Get: true, Action: r.URL.Path + "#checker", Parts: []ui.Component{field},
			Buttons: []ui.Button{{Text: r.T("intake.checker_show")}}}}
	regions, err := r.Regions(p.Query.Regions(r.Context(), r.Reader()))
	if err != nil {
		return nil, err
	}
	territories, err := p.territories(r)
	if err != nil {
		return nil, err
	}
	state, deadline := i.StateFor(country, regions, r.Now(), r.Zone())
	facts := []ui.KeyValue{{Key: r.T("intake.territory"), Value: r.T("value.none")},
		{Key: r.T("intake.state"), Value: r.T("intake_now." + string(state))},
		{Key: r.T("intake.deadline"), Value: r.T("intake.no_deadline")}}
	if territory := i.TerritoryOf(country, regions); territory != "" {
		facts[0].Value = titled(territories, territory)
	}
	if deadline.Until != 0 {
		facts[2].Value = r.Clock(deadline.Until - 1)
	}
	facts = append(facts, ui.KeyValue{Key: r.T("intake.policy"),
		Value: r.T("intake_policy_text." + wordsOf(i.Policy))})
	if entry := i.EntryFor(country, regions); entry != nil && entry.Info != "" {
		facts = append(facts, ui.KeyValue{Key: r.T("intake.deadline_info"), Value: entry.Info})
	}
	if i.IsEarly(r.Now(), r.Zone()) && !deadline.Barred {
		key := "intake.pre_shown"
		if i.PreMask {
			key = "intake.pre_masks"
		}
		facts = append(facts, ui.KeyValue{Key: r.T("intake.pre_deadline"),
			Value: strings.TrimSpace(r.T(key, "Day", show.Date(r, i.PreDeadline)) + " " + i.PreInfo)})
	}
	return append(parts, ui.KeyValues{Facts: facts}), nil
}
