package catalogue

import (
	"slices"
	"strings"

	"github.com/admitto/admitto/internal/admin/show"
	"github.com/admitto/admitto/internal/admitto"
	catalog "github.com/admitto/admitto/internal/catalogue"
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/ui"
)

// seasonRoutes are the pages that set up a year at once (screens.md A05, A40, A41).
func (p *pages) seasonRoutes() []site.Route {
	repeat := site.Needs(admitto.AcademicTermsEdit).And(admitto.IntakesEdit)
	return []site.Route{
		{Name: "season-template", Path: "/admin/terms/season", Access: repeat.And(admitto.CoursesEdit), Form: true,
			Parent: "terms", Handle: p.seasonTemplate},
		{Name: "season-later", Path: "/admin/terms/season-later", Access: repeat, Form: true, Parent: "terms",
			Handle: p.seasonLater},
	}
}

// Parts of a season that are chosen by a word.
const (
	autumn, spring   = "autumn", "spring"
	bachelor, master = "bachelor", "master"
)

// seasonTemplate shows what the template of a season makes, and makes it.
func (p *pages) seasonTemplate(r *site.Request) error {
	typed, year := r.View(false).Get("year"), r.View(false).ID("year")
	switch {
	case typed == "":
		year = catalog.ProposedYear(admitto.DateOf(r.Now().Std().In(r.Zone())))
	case year < catalog.FirstYear || year > catalog.LastYear:
		return site.Sheet{Intro: []string{r.T("season.intro")}, Parts: []ui.Component{yearBox(r, typed,
			r.T("season.wrong_year", "Least", number(catalog.FirstYear), "Most", number(catalog.LastYear)))}}.Show(r)
	}
	f, err := r.Form(proposed(r, year), 0)
	if err != nil {
		return err
	}
	season := typedSeason(r, f, year)
	if r.Posted() && !f.Has("look") {
		refused, err := f.Refused(f.Store(func() error {
			return p.Catalogue.CreateSeason(r.Context(), r.Caller(), season)
		}), nil)
		if err != nil {
			return err
		}
		if !refused {
			r.Notify(ui.OK, r.T("season.made"))
			return r.Redirect(r.At("courses"))
		}
	}
	items, err := p.Catalogue.PlanSeason(r.Context(), r.Reader(), season)
	if err != nil {
		return err
	}
	fields, err := p.seasonFields(r, f)
	if err != nil {
		return err
	}
	look := ui.Button{Text: r.T("season.look"), Name: "look", Value: "yes"}
	return site.Sheet{Intro: []string{r.T("season.intro")}, Parts: []ui.Component{
		yearBox(r, number(year), ""),
		f.Box([]ui.Button{r.Save("season.press"), look, r.Cancel(r.At("terms"))}, fields...),
		ui.Heading{ID: "makes", Title: r.T("season.makes"), Text: r.T("season.makes_text")},
		seasonTable(r, items)}}.Show(r)
}

// yearBox asks for the year of the season, and says what is wrong with the one that the address has.
func yearBox(r *site.Request, year, wrong string) ui.FormBox {
	return ui.FormBox{Get: true, Action: r.URL.Path, Parts: []ui.Component{ui.TextField{Field: ui.Field{ID: "year",
		Name: "year", Label: r.T("season.year"), Value: year, Hint: r.T("season.year_hint"), Error: wrong, Width: "w4",
		Autocomplete: "off"}, InputMode: "numeric"}}, Buttons: []ui.Button{{Text: r.T("season.propose")}}}
}

// proposed is what the form has at first: everything, with days from the year.
func proposed(r *site.Request, year int64) site.Values {
	values := site.Values{"terms": {autumn, spring}, "levels": {bachelor, master}, "region": site.One("EU"),
		"consent": site.One("yes")}
	for _, s := range []bool{false, true} {
		world, region := catalog.ProposedDeadlines(year, s)
		name := seasonName(s)
		values.SetDay(name+"_world", world)
		values.SetDay(name+"_region", region)
	}
	for _, part := range []string{"offer_types", "tasks", "consent"} {
		if values[part] = nil; mayPart(r, part) {
			values[part] = site.One("yes")
		}
	}
	return values
}

func seasonName(isSpring bool) string {
	if isSpring {
		return spring
	}
	return autumn
}

// termName is the name of a term of an academic year.
func termName(r *site.Request, isSpring bool, year int64) string {
	return r.T("season_term."+seasonName(isSpring), "Year", number(year)+"/"+number(year + 1)[2:])
}

// mayPart reports whether the reader may have a part of the template made.
func mayPart(r *site.Request, part string) bool {
	return r.May(map[string]string{"offer_types": "offer-types", "tasks": "task-templates",
		"consent": "consents"}[part])
}

// typedSeason is the template as the form says it.
func typedSeason(r *site.Request, f *site.Form, year int64) catalog.SeasonTemplate {
	has := func(field, word string) bool {
		for _, chosen := range f.All(field) {
			if chosen == word {
				return true
			}
		}
		return false
	}
	f.Among("terms", autumn, spring)
	f.Among("levels", bachelor, master)
	season := catalog.SeasonTemplate{Year: year, Region: f.Get("region"),
		OfferTypes: f.Has("offer_types") && mayPart(r, "offer_types"), Tasks: f.Has("tasks") && mayPart(r, "tasks")}
	if f.Has("consent") && mayPart(r, "consent") {
		season.Consent = r.T("season.consent_words")
	}
	levels := []string{bachelor, master}
	for n, level := range levels {
		if has("levels", level) {
			season.Courses[n] = r.T("season_course." + level)
		}
	}
	for _, s := range []bool{false, true} {
		name := seasonName(s)
		if !has("terms", name) {
			continue
		}
		t := catalog.SeasonTerm{Spring: s, Name: termName(r, s, year)}
		t.World, _ = f.Day(name + "_world")
		t.Region, _ = f.Day(name + "_region")
		begins := year
		if s {
			begins++
		}
		for n, level := range levels {
			t.Intakes[n] = r.T("season_intake."+name+"_"+level, "Year", number(begins))
		}
		season.Terms = append(season.Terms, t)
	}
	return season
}

// seasonFields choose what of the template is made, and until when people can apply.
func (p *pages) seasonFields(r *site.Request, f *site.Form) ([]ui.Component, error) {
	regions, err := r.Regions(p.Query.Regions(r.Context(), r.Reader()))
	if err != nil {
		return nil, err
	}
	choices := []ui.Option{{Text: r.T("season.no_region")}}
	for i := range regions {
		choices = append(choices, ui.Option{Value: regions[i].Code, Text: regions[i].Name})
	}
	words := func(list ...string) (options []ui.Option) {
		for _, w := range list {
			options = append(options, ui.Option{Value: w, Text: r.T("season." + w)})
		}
		return options
	}
	parts := []ui.Component{f.Choices("terms", "season.terms", true, words(autumn, spring)...),
		f.Choices("levels", "season.levels", true, words(bachelor, master)...),
		ui.Heading{Title: r.T("season.deadlines"), Text: r.T("season.deadlines_text")},
		f.Select("region", "season.region", choices...)}
	for _, name := range []string{autumn, spring} {
		parts = append(parts, f.Date(name+"_region", "season."+name+"_region"), f.Date(name+"_world",
			"season."+name+"_world"))
	}
	var also []ui.Component
	for _, part := range []string{"offer_types", "tasks", "consent"} {
		if mayPart(r, part) {
			also = append(also, f.Tick(part, "season."+part, "season."+part+"_text"))
		}
	}
	if also != nil {
		parts = append(append(parts, ui.Heading{Title: r.T("season.also")}), also...)
	}
	return parts, nil
}

// seasonTable is what a season consists of, with what is there already.
func seasonTable(r *site.Request, items []catalog.SeasonItem) ui.Table {
	table := ui.Table{Caption: r.T("season.makes"), Cards: true, Columns: []ui.Column{
		{Title: r.T("season.what"), Place: "main"}, {Title: r.T("season.state"), Place: "meta"},
		{Title: r.T("season.details"), Place: "label"}}}
	for i := range items {
		item := &items[i]
		cell := ui.Cell{Text: item.Name, Below: r.T("season_kind." + item.Kind)}
		if item.Name == "" {
			cell = ui.Cell{Text: r.T("season_kind." + item.Kind)}
		}
		table.Rows = append(table.Rows, ui.Row{Label: cell.Text, Cells: []ui.Cell{cell, madeCell(r, item),
			{Text: seasonDetails(r, item)}}})
	}
	return table
}

// madeCell says whether something is made, or there.
func madeCell(r *site.Request, item *catalog.SeasonItem) ui.Cell {
	if item.Exists {
		return ui.Cell{Tags: []ui.Tag{{Text: r.T("season.there"), Icon: "check"}}}
	}
	return ui.Cell{Tags: []ui.Tag{{Text: r.T("season.new"), Icon: "plus", Tone: ui.OK}}}
}

// seasonDetails are the days of a term or an intake, or how much of something changes.
func seasonDetails(r *site.Request, item *catalog.SeasonItem) string {
	switch item.Kind {
	case "term":
		return r.T("season.term_days", "Start", show.Date(r, item.Term.Start), "Finish", show.Date(r, item.Term.Finish),
			"Grace", show.Date(r, item.Term.Grace))
	case "intake":
		words := seasonDeadlines(r, &item.Intake)
		if !item.Intake.Start.IsZero() {
			words = r.T("season.opens", "Day", show.Date(r, item.Intake.Start)) + "; " + words
		}
		return words
	case "course":
		if item.Stays {
			return r.T("season.course_stays")
		}
		return r.T("season.course_draft")
	case "offer_types":
		return r.Plural("season.archived", item.Count)
	case "tasks":
		return r.Plural("season.switched", item.Count)
	}
	return ""
}

// seasonDeadlines are until when people can apply in an intake.
func seasonDeadlines(r *site.Request, intake *admitto.Intake) string {
	const mostNamed = 2 // others are counted
	if len(intake.Deadlines) > mostNamed {
		return deadlineWords(r, intake)
	}
	var words []string
	for _, d := range intake.Deadlines {
		place := d.Territory
		if place == admitto.World {
			place = r.T("intake.world")
		}
		until := show.Date(r, d.Day)
		switch {
		case d.Barred:
			until = r.T("intake.barred")
		case d.Day.IsZero():
			until = r.T("intake.no_deadline")
		}
		words = append(words, place+": "+until)
	}
	return strings.Join(words, "; ")
}

// seasonLater makes the terms and intakes of a year again, a year later.
func (p *pages) seasonLater(r *site.Request) error {
	terms, err := p.Query.Terms(r.Context(), r.Reader())
	if err != nil {
		return err
	}
	year := r.View(false).ID("year")
	var years []int64
	latest := int64(0)
	for i := range terms {
		latest = max(latest, terms[i].Year)
		years = append(years, terms[i].Year)
	}
	var other []ui.Component
	if !slices.Contains(years, year) {
		if year = latest; r.View(false).Get("year") != "" {
			other = []ui.Component{ui.Notice{Tone: ui.Warn, Text: r.T("season.no_such_year", "Typed",
				r.View(false).Get("year"), "Year", number(year))}}
		}
	}
	if len(years) == 0 {
		return site.Sheet{Parts: []ui.Component{ui.Empty{Icon: "calendar", Title: r.T("term.none"),
			Text: r.T("season.no_year"), Actions: r.Buttons(site.Primary("season-template"))}}}.Show(r)
	}
	f, err := r.Form(nil, 0)
	if err != nil {
		return err
	}
	if r.Posted() {
		list, err := p.Catalogue.CreateYearLater(r.Context(), r.Caller(), year)
		refused, err := f.Refused(err, nil)
		if err != nil {
			return err
		}
		if !refused {
			return p.checkLater(r, list)
		}
	}
	list, err := p.Catalogue.PlanYearLater(r.Context(), r.Reader(), year)
	if err != nil {
		return err
	}
	due := 0
	for i := range list {
		if !list[i].Exists {
			due++
		}
	}
	choice := ui.Select{Field: ui.Field{ID: "year", Name: "year", Label: r.T("season.repeat_year")}}
	for y := latest; y >= latest-10; y-- {
		for i := range terms {
			if terms[i].Year == y {
				choice.Options = append(choice.Options, ui.Option{Value: number(y),
					Text:     number(y) + "/" + number(y + 1)[2:],
					Selected: y == year})
				break
			}
		}
	}
	parts := append(other, ui.FormBox{Get: true, Action: r.URL.Path, Parts: []ui.Component{choice},
		Buttons: []ui.Button{{Text: r.T("season.show")}}})
	if due > 0 {
		button := r.Save("season.repeat")
		button.Text = r.Plural("season.repeat", due)
		box := f.Box([]ui.Button{button, r.Cancel(r.At("terms"))})
		box.Action = r.URL.Path + "?year=" + number(year) // the year that is shown, whichever is the last one by then
		parts = append(parts, box)
	} else {
		parts = append(parts, ui.Notice{Tone: ui.Info, Text: r.T("season.nothing")})
	}
	parts = append(parts, ui.Heading{Title: r.T("season.makes")}, laterTable(r, list, false))
	return site.Sheet{Intro: []string{r.T("season.later_intro")}, Parts: parts}.Show(r)
}

// checkLater lists what was made, with what is to be checked of each.
func (p *pages) checkLater(r *site.Request, list []catalog.LaterItem) error {
	notice := ui.Notice{Tone: ui.Info, Text: r.T("season.nothing")}
	if slices.ContainsFunc(list, func(item catalog.LaterItem) bool { return !item.Exists }) {
		notice = ui.Notice{Tone: ui.OK, Text: r.T("season.made_later")}
	}
	return site.Sheet{Intro: []string{r.T("season.check_intro")}, Parts: []ui.Component{notice, laterTable(r, list, true),
		ui.Acts{{Text: r.T("title.terms"), Href: r.At("terms")}}}}.Show(r)
}

// laterTable is what a year has a year later; done links to the records that were made.
func laterTable(r *site.Request, list []catalog.LaterItem, done bool) ui.Table {
	table := ui.Table{Caption: r.T("season.makes"), Cards: true, Columns: []ui.Column{
		{Title: r.T("season.what"), Place: "main"}, {Title: r.T("season.state"), Place: "meta"},
		{Title: r.T("season.details"), Place: "label"}, {Title: r.T("season.check"), Place: "label"}}}
	for i := range list {
		item := &list[i]
		cell := ui.Cell{Text: item.Name, Below: r.T("season_kind." + item.Kind)}
		if name := map[string]string{"term": "academic-term", "intake": "intake"}[item.Kind]; item.ID != 0 &&
			(done || item.Exists) && r.May(name) {
			cell.Href = r.At(name, item.ID)
		}
		var checks []ui.Component
		for _, c := range item.Checks {
			checks = append(checks, ui.Words{Text: r.T("season_check."+c.Kind, "Day", show.Date(r, c.Day))})
		}
		table.Rows = append(table.Rows, ui.Row{Label: item.Name, Cells: []ui.Cell{cell, madeCell(r, &item.SeasonItem),
			{Text: seasonDetails(r, &item.SeasonItem)}, {Parts: checks}}})
	}
	return table
}
