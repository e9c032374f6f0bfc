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

// Empty lines at the end of the forms, for what is new.
const (
	moreCodes   = 3
	moreRegions = 1
)

// mostMembers is how many characters the members of a region may have.
const mostMembers = 2000

// listRoutes are screens.md A42.
func (p *pages) listRoutes(access site.Access) []site.Route {
	return []site.Route{
		{Name: "lists", Path: "/admin/lists", Access: access, Handle: p.lists},
		{Name: "list-statuses", Path: "/admin/lists/statuses", Access: access, Form: true, Parent: "lists",
			Handle: p.statusTexts},
		{Name: "list-regions", Path: "/admin/lists/regions", Access: access, Form: true, Parent: "lists",
			Handle: p.regions},
		{Name: "list-class", Path: "/admin/lists/classes/{id}", Access: access, Form: true, Parent: "lists",
			Handle: p.class},
	}
}

// lists shows the words of the instance, each list with the way to its form.
func (p *pages) lists(r *site.Request) error {
	statuses, err := p.Query.StatusTexts(r.Context(), r.Reader())
	if err != nil {
		return err
	}
	regions, err := p.Query.Regions(r.Context(), r.Reader())
	if err != nil {
		return err
	}
	classes, err := p.Query.Classificators(r.Context(), r.Reader())
	if err != nil {
		return err
	}
	edit := func(name string) ui.Acts {
		return ui.Acts{{Text: r.T("action." + name), Href: r.At(name)}}
	}
	return site.Sheet{Intro: []string{r.T("lists.intro")}, Parts: []ui.Component{
		ui.Heading{ID: "regions", Title: r.T("lists.regions"), Text: r.T("lists.regions_text")},
		regionTable(r, regions), edit("list-regions"),
		ui.Heading{ID: "statuses", Title: r.T("lists.statuses"), Text: r.T("lists.statuses_text")},
		statusTable(r, statuses), edit("list-statuses"),
		ui.Heading{ID: "classes", Title: r.T("lists.classes"), Text: r.T("lists.classes_text")},
		classTable(r, classes)}}.Show(r)
}

func regionTable(r *site.Request, regions []admitto.Region) ui.Table {
	table := ui.Table{Caption: r.T("lists.regions"), Cards: true, Columns: []ui.Column{
		{Title: r.T("lists.name"), Place: "main"}, {Title: r.T("lists.code"), Place: "label"},
		{Title: r.T("lists.members"), Place: "label"}},
		Empty: ui.Empty{Icon: "list", Title: r.T("lists.no_regions")}}
	for i := range regions {
		table.Rows = append(table.Rows, ui.Row{Label: regions[i].Name, Cells: []ui.Cell{{Text: regions[i].Name},
			{Text: regions[i].Code}, {Parts: []ui.Component{membersFold(r, &regions[i])}}}})
	}
	return table
}

// membersFold has the names of the countries of a region; its title says how many there are.
func membersFold(r *site.Request, region *admitto.Region) ui.Component {
	var options []ui.Option
	for _, code := range region.Members {
		options = append(options, ui.Option{Text: show.Country(r, code)})
	}
	var names []string
	for _, o := range r.ByText(options) {
		names = append(names, o.Text)
	}
	return ui.Fold{Title: r.Plural("lists.countries", len(names)),
		Parts: []ui.Component{ui.Words{Text: strings.Join(names, " · "), Muted: true}}}
}

func statusTable(r *site.Request, statuses []admitto.StatusText) ui.Table {
	table := ui.Table{Caption: r.T("lists.statuses"), Cards: true, Columns: []ui.Column{
		{Title: r.T("lists.status"), Place: "main"}, {Title: r.T("lists.title"), Place: "label"},
		{Title: r.T("lists.colour"), Place: "label"}}}
	for _, s := range statuses {
		tag := show.Status(r, s.Name)
		table.Rows = append(table.Rows, ui.Row{Label: tag.Text, Cells: []ui.Cell{{Tags: []ui.Tag{tag}}, {Text: s.Title},
			{Parts: []ui.Component{ui.Dot{Text: s.Colour, Colour: s.Colour}}}}})
	}
	return table
}

func classTable(r *site.Request, classes []admitto.Classificator) ui.Table {
	table := ui.Table{Caption: r.T("lists.classes"), Cards: true, Columns: []ui.Column{
		{Title: r.T("lists.class"), Place: "main"}, {Title: r.T("lists.used"), Place: "label", Num: true},
		{Title: r.T("lists.off"), Place: "label", Num: true}}}
	for i := range classes {
		c := &classes[i]
		used, off := 0, 0
		for _, code := range c.Codes {
			if code.Off {
				off++
			} else {
				used++
			}
		}
		name := ui.Cell{Text: className(r, c), Href: r.At("list-class", c.Number)}
		table.Rows = append(table.Rows, ui.Row{Label: name.Text, Cells: []ui.Cell{name, {Text: r.Number(used)},
			{Text: r.Number(off)}}})
	}
	return table
}

// className is what a class is called in the language of the reader; the API calls it as it is stored.
func className(r *site.Request, c *admitto.Classificator) string {
	if key := "list_class." + number(c.Number); r.Has(key) {
		return r.T(key)
	}
	return c.Class
}

// listForm is the form of one of the lists.
func listForm[T any](p *pages, r *site.Request, kind admitto.RowKind, id int64, events string) records.Form[T] {
	form := records.Form[T]{Query: p.Query, Kind: kind, ID: id, Events: []admitto.Pattern{admitto.ClassEdited},
		Bound: events, Back: r.At("lists"), Saved: "lists.saved", Name: func(*T) string { return r.Title() }}
	if kind == admitto.RegionsRow {
		form.Events = []admitto.Pattern{admitto.RegionEdited}
		form.About = func(*T, admitto.Links) bool { return true }
	}
	return form
}

// statusList are the application statuses as they are typed, with all titles in other languages by name of the status.
type statusList struct {
	list   []admitto.StatusText
	titles admitto.Versions
}

func statusListOf(list []admitto.StatusText) statusList {
	s := statusList{list, admitto.Versions{}}
	for i := range list {
		for lang, texts := range list[i].Versions {
			s.titles.Set(lang, string(list[i].Name), texts["title"])
		}
	}
	return s
}

func (s *statusList) texts() []admitto.StatusText {
	list := slices.Clone(s.list)
	for i := range list {
		list[i].Versions = admitto.Versions{}
		for lang, titles := range s.titles {
			list[i].Versions.Set(lang, "title", titles[string(list[i].Name)])
		}
	}
	return list
}

// statusTexts is the form of the titles and colours of the application statuses.
func (p *pages) statusTexts(r *site.Request) error {
	type of = statusList
	form := listForm[of](p, r, admitto.StatusTextsRow, 1, "Application status")
	form.Intro = "lists.statuses_text"
	form.Read = func() (of, error) {
		list, err := p.Query.StatusTexts(r.Context(), r.Reader())
		return statusListOf(list), err
	}
	form.Fields = func(m records.Maker[of], stored *of) (fields []records.Field[of], _ error) {
		var titles []records.Version
		for n := range stored.list {
			at := func(s *of) *admitto.StatusText { return &s.list[n] }
			tag := show.Status(r, stored.list[n].Name).Text
			titles = append(titles, records.Version{Name: string(stored.list[n].Name), Label: tag, First: stored.list[n].Title})
			fields = append(fields, words[of](tag),
				m.Text(lineName("title", n), "lists.title", func(l *of) *string { return &at(l).Title }),
				m.Text(lineName("colour", n), "lists.colour", func(l *of) *string { return &at(l).Colour },
					short))
		}
		return append(fields, m.Versions(titles, func(s *of) *admitto.Versions { return &s.titles })), nil
	}
	form.Save = func(s of) (string, error) {
		return r.At("lists"), p.Catalogue.SaveStatusTexts(r.Context(), r.Caller(), s.texts())
	}
	return form.Show(r)
}

// short makes a field as wide as a colour or a code.
func short(_ *site.Request, f *ui.Field) { f.Width = "w10" }

// words is a heading between fields, in words that are made already.
func words[T any](title string) records.Field[T] {
	return records.Field[T]{Put: func(site.Values, *T) {}, Take: func(*site.Form, *T) {},
		Draw: func(*site.Form) []ui.Component { return []ui.Component{ui.Heading{Title: title}} }}
}

// lineName is the name of a field of a line.
func lineName(field string, n int) string { return field + "-" + number(int64(n)) }

// placed is the field with the place of a line in its list.
func placed(f *site.Form, n int) ui.TextField {
	field := f.Text(lineName("place", n), "lists.place")
	field.Optional, field.Autocomplete, field.InputMode, field.Width = true, "off", "numeric", "w4"
	return field
}

// placeOf is the place that was typed; lines without one stand last.
func placeOf(f *site.Form, n int) int64 {
	const last = 1_000_000
	if f.Get(lineName("place", n)) == "" {
		return last
	}
	return f.Number(lineName("place", n), "record.no_number")
}

// folded are lines of a form, each of which opens; the fields of the line n are made by draw.
func folded[T any](inputs [][2]string, lines int, put func(v site.Values, of *T), take func(f *site.Form, of *T),
	draw func(f *site.Form, n int) ui.Fold) records.Field[T] {
	field := records.Field[T]{Put: put, Take: take}
	for n := range lines {
		for _, input := range inputs {
			field.Inputs = append(field.Inputs, [2]string{lineName(input[0], n), input[1]})
		}
	}
	field.Draw = func(f *site.Form) []ui.Component {
		var parts []ui.Component
		for n := range lines {
			fold := draw(f, n)
			for _, input := range inputs {
				fold.Open = fold.Open || f.Wrong(lineName(input[0], n))
			}
			parts = append(parts, fold)
		}
		return []ui.Component{ui.Stack{Tight: true, Parts: parts}}
	}
	return field
}

// regions is the form of all regions.
func (p *pages) regions(r *site.Request) error {
	type of = []catalog.RegionLine
	form := listForm[of](p, r, admitto.RegionsRow, 1, "")
	form.Intro = "lists.regions_text"
	form.Read = func() (list of, err error) {
		regions, err := p.Query.Regions(r.Context(), r.Reader())
		for i := range regions {
			list = append(list, catalog.RegionLine{Region: regions[i], Place: int64(i + 1)})
		}
		return list, err
	}
	form.Fields = func(_ records.Maker[of], stored *of) ([]records.Field[of], error) {
		return []records.Field[of]{regionLines(r, *stored)}, nil
	}
	form.Save = func(list of) (string, error) {
		return r.At("lists"), p.Catalogue.SaveRegions(r.Context(), r.Caller(), list)
	}
	return form.Show(r)
}

// regionLines are the regions, a line each, and an empty one.
func regionLines(r *site.Request, stored []catalog.RegionLine) records.Field[[]catalog.RegionLine] {
	type of = []catalog.RegionLine
	lines := len(stored) + moreRegions
	inputs := [][2]string{{"code", "lists.code"}, {"name", "lists.name"}, {"members", "lists.members"},
		{"place", "lists.place"}}
	return folded(inputs, lines, func(v site.Values, list *of) {
		for n, region := range *list {
			v[lineName("name", n)] = site.One(region.Name)
			v[lineName("members", n)] = site.One(strings.Join(region.Members, " "))
			v[lineName("place", n)] = site.One(number(region.Place))
		}
	}, func(f *site.Form, list *of) {
		*list = nil
		for n := range lines {
			line := catalog.RegionLine{Region: admitto.Region{Code: strings.ToUpper(f.Get(lineName("code", n))),
				Name:    f.Get(lineName("name", n)),
				Members: strings.FieldsFunc(f.Get(lineName("members", n)), isBetween)}, Place: placeOf(f, n)}
			if n < len(stored) {
				line.Code = stored[n].Code
			}
			*list = append(*list, line)
		}
	}, func(f *site.Form, n int) ui.Fold {
		fold := ui.Fold{Title: r.T("lists.another_region")}
		if n < len(stored) {
			members := strings.FieldsFunc(f.Get(lineName("members", n)), isBetween)
			fold.Title = r.T("lists.region_line", "Code", stored[n].Code, "Name", f.Get(lineName("name", n)),
				"Countries",
				r.Plural("lists.countries", len(members)))
		} else {
			code := f.Text(lineName("code", n), "lists.code")
			code.Optional, code.Autocomplete, code.Hint = true, "off", r.T("lists.region_code_hint")
			fold.Parts = append(fold.Parts, code)
		}
		name := f.Text(lineName("name", n), "lists.name")
		name.Autocomplete, name.Optional = "off", n >= len(stored)
		members := f.Long(lineName("members", n), "lists.members", 3, mostMembers)
		members.Optional, members.Hint = true, r.T("lists.members_hint")
		fold.Parts = append(fold.Parts, name, members, placed(f, n))
		return fold
	})
}

// isBetween reports whether a character stands between two codes.
func isBetween(c rune) bool { return c == ' ' || c == ',' || c == ';' || c == '\n' || c == '\t' }

// class is the form of the codes of a class; those of institutions lead to these.
func (p *pages) class(r *site.Request) error {
	id, err := r.ID()
	if err != nil {
		return err
	}
	c, err := p.classOf(r, id)
	if err != nil {
		return err
	}
	r.SetTitle(className(r, &c))
	if c.IsComputed() {
		return p.computedClass(r, &c)
	}
	return p.classForm(r, &c)
}

// classOf reads a class by its number.
func (p *pages) classOf(r *site.Request, id int64) (admitto.Classificator, error) {
	classes, err := p.Query.Classificators(r.Context(), r.Reader())
	for _, c := range classes {
		if c.Number == id {
			return c, nil
		}
	}
	if err == nil {
		err = &admitto.Error{Kind: admitto.NotFound}
	}
	return admitto.Classificator{}, err
}

// computedClass shows a class whose codes stand for the institutions.
func (p *pages) computedClass(r *site.Request, c *admitto.Classificator) error {
	table := ui.Table{Caption: r.Title(), Cards: true, Columns: []ui.Column{{Title: r.T("lists.title"), Place: "main"},
		{Title: r.T("lists.code"), Place: "label"}}, Empty: ui.Empty{Icon: "list", Title: r.T("lists.no_codes")}}
	for _, code := range c.Codes {
		table.Rows = append(table.Rows, ui.Row{Label: code.Title, Cells: []ui.Cell{{Text: code.Title},
			{Text: code.Code}}})
	}
	page := site.Sheet{Title: r.Title(), Intro: []string{r.T("lists.computed")}, Parts: []ui.Component{table}}
	if link, ok := r.Link("institutions"); ok {
		page.Buttons = []ui.Button{{Text: link.Text, Href: link.Href}}
	}
	return page.Show(r)
}

func (p *pages) classForm(r *site.Request, c *admitto.Classificator) error {
	type of = []catalog.CodeLine
	form := listForm[of](p, r, admitto.ClassRow, c.Number, c.Class)
	form.Intro = "lists.class_text"
	form.Read = func() (list of, err error) {
		current, err := p.classOf(r, c.Number)
		for i, code := range current.Codes {
			list = append(list, catalog.CodeLine{ClassificatorCode: code, Place: int64(i + 1)})
		}
		return list, err
	}
	form.Fields = func(_ records.Maker[of], stored *of) ([]records.Field[of], error) {
		return []records.Field[of]{codeLines(r, *stored)}, nil
	}
	form.Save = func(list of) (string, error) {
		return r.At("list-class", c.Number), p.Catalogue.SaveCodes(r.Context(), r.Caller(), c.Number, list)
	}
	return form.Show(r)
}

// codeLines are the codes of a class, a line each, and empty ones.
func codeLines(r *site.Request, stored []catalog.CodeLine) records.Field[[]catalog.CodeLine] {
	type of = []catalog.CodeLine
	lines := len(stored) + moreCodes
	inputs := [][2]string{{"code", "lists.code"}, {"title", "lists.title"}, {"place", "lists.place"},
		{"used", "lists.used"}}
	return folded(inputs, lines, func(v site.Values, list *of) {
		for n, code := range *list {
			v[lineName("title", n)], v[lineName("place", n)] = site.One(code.Title), site.One(number(code.Place))
			if !code.Off {
				v[lineName("used", n)] = site.One("yes")
			}
		}
		for n := len(*list); n < lines; n++ {
			v[lineName("used", n)] = site.One("yes")
		}
	}, func(f *site.Form, list *of) {
		*list = nil
		for n := range lines {
			line := catalog.CodeLine{ClassificatorCode: admitto.ClassificatorCode{Code: f.Get(lineName("code", n)),
				Title: f.Get(lineName("title", n)), Off: !f.Has(lineName("used", n))}, Place: placeOf(f, n)}
			if n < len(stored) {
				line.Code = stored[n].Code
			}
			*list = append(*list, line)
		}
	}, func(f *site.Form, n int) ui.Fold {
		fold := ui.Fold{Title: r.T("lists.another_code")}
		if n < len(stored) {
			fold.Title = r.T("lists.code_line", "Code", stored[n].Code, "Title", f.Get(lineName("title", n)))
			if !f.Has(lineName("used", n)) {
				fold.Title = r.T("lists.code_line_off", "Code", stored[n].Code, "Title", f.Get(lineName("title", n)))
			}
		} else {
			code := f.Text(lineName("code", n), "lists.code")
			code.Optional, code.Autocomplete, code.Width, code.Hint = true, "off", "w10", r.T("lists.code_hint")
			fold.Parts = append(fold.Parts, code)
		}
		title := f.Text(lineName("title", n), "lists.title")
		title.Autocomplete, title.Optional = "off", n >= len(stored)
		fold.Parts = append(fold.Parts, title, placed(f, n), f.Tick(lineName("used", n), "lists.used",
			"lists.used_text"))
		return fold
	})
}
