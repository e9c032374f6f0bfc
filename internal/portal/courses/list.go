package courses

import (
	"slices"
	"strconv"
	"time"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/query"
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/ui"
)

// listPage is the catalogue: template "courses".
type listPage struct {
	Title   string
	Intro   []string
	Buttons []ui.Button
	Action  string
	Country ui.Component
	Text    ui.TextField
	More    ui.Fold
	Count   string
	Chips   ui.Chips
	Courses []courseCard
	Empty   ui.Empty
	Pager   *ui.Pager
	After   []ui.Component
}

// courseCard is a course of the list.
type courseCard struct {
	Name, Href string
	Lang       string // of the name, where it is not that of the page
	Text       string // award and institution
	TextLang   string // of it
	State      ui.Tag
	Facts      ui.KeyValues
	Keep       ui.Button // for later
}

// front is the catalogue with who one is with here, and what one can do.
func (p *pages) front(r *site.Request) error {
	page := listPage{Title: r.T("front.title", "Institution", r.Instance()), Intro: []string{r.T("front.text")}}
	if r.Person.Account != 0 {
		page.Buttons = r.Buttons(site.Primary("applications"))
	} else {
		page.Buttons = r.Buttons(site.Primary("register"), site.Do("sign-in"))
		page.After = []ui.Component{ui.Box{Title: r.T("front.how"), Parts: []ui.Component{ui.Timeline{Events: []ui.Event{
			{Title: r.T("front.register"), Text: r.T("front.register_text")},
			{Title: r.T("front.fill"), Text: r.T("front.fill_text")},
			{Title: r.T("front.answer"), Text: r.T("front.answer_text")},
		}}}}}
	}
	r.SetTitle(page.Title)
	return p.show(r, page)
}

// list is screens.md P01.
func (p *pages) list(r *site.Request) error { return p.show(r, listPage{Title: r.Title()}) }

// listing is a list of courses as its address asks for it.
type listing struct {
	r       *site.Request
	view    *site.View
	country string
	page    query.OfferedPage
	titles  map[string]map[string]string
}

// filter is one name of the address with several values. The message courses.<name> names it.
type filter struct {
	name    string
	options func(l *listing) []ui.Option
	set     func(q *query.OfferedList, values []string)
}

// filters are those below "More filters", in order.
func filters() []filter {
	return []filter{
		{"type", func(l *listing) []ui.Option { return l.coded("Course type", l.page.Choices.Types) },
			func(q *query.OfferedList, values []string) { q.Types = values }},
		{"mode", func(l *listing) []ui.Option { return l.coded("Course mode", l.page.Choices.Modes) },
			func(q *query.OfferedList, values []string) { q.Modes = values }},
		{"language", (*listing).languages, func(q *query.OfferedList, values []string) { q.Languages = values }},
		{"country", (*listing).countries, func(q *query.OfferedList, values []string) { q.Countries = values }},
		{"institution", (*listing).institutions,
			func(q *query.OfferedList, values []string) { q.OfferedQuery.Institutions = ids(values) }},
		{"term", (*listing).terms, func(q *query.OfferedList, values []string) { q.Term = ids(values)[0] }},
		{"open", func(l *listing) []ui.Option { return []ui.Option{{Value: "yes", Text: l.r.T("catalogue.open_yes")}} },
			func(q *query.OfferedList, values []string) { q.Open = values[0] == "yes" }},
	}
}

// ids are the IDs that values say; what says none is -1, which nothing has.
func ids(values []string) (list []int64) {
	for _, v := range values {
		id, err := strconv.ParseInt(v, 10, 64)
		if err != nil || id < 1 {
			id = -1
		}
		list = append(list, id)
	}
	return list
}

// show fills the list and answers with it.
func (p *pages) show(r *site.Request, page listPage) error {
	l := &listing{r: r, view: r.View(false), country: Citizenship(r)}
	if r.Person.Account != 0 {
		account, err := p.Accounts.ApplicantAccount(r.Context(), r.Reader(), r.Person.Account)
		if err != nil {
			return err
		}
		l.country = account.Citizenship
	}
	q := query.OfferedList{Text: l.view.Get("q"), Language: r.Lang, Citizenship: l.country, Offset: l.view.Offset(),
		Limit: l.view.Size}
	for _, f := range filters() {
		if values := l.view.All(f.name); len(values) > 0 {
			f.set(&q, values)
		}
	}
	var err error
	if l.page, err = p.Query.OfferedCourses(r.Context(), q); err != nil {
		return err
	}
	if last, beyond := l.view.Beyond(len(l.page.Courses), l.page.Total); beyond {
		return r.Redirect(last)
	}
	l.titles = titlesOf(r, l.page.Words)
	page.Action = r.URL.Path
	page.Text = ui.TextField{Field: ui.Field{ID: "q", Name: "q", Label: r.T("catalogue.search"), Value: l.view.Get("q")},
		Type: "search"}
	page.Country = citizenField(r, l.country)
	page.More, page.Chips = l.more()
	page.Count = r.Plural("catalogue.count", l.page.Total)
	for i := range l.page.Courses {
		page.Courses = append(page.Courses, l.card(&l.page.Courses[i]))
	}
	page.Pager = l.view.Pager(l.page.Total)
	page.Empty = l.none()
	r.SetSearch(ui.Search{Canonical: r.Settings().BaseURL + r.URL.Path, Description: r.T("catalogue.summary",
		"Institution", r.Instance()), Hidden: r.URL.RawQuery != ""})
	return r.Show("courses", page)
}

// Name of the cookie that keeps the citizenship a visitor has chosen, and of the value of the address.
const (
	countryCookie = "admitto_citizenship"
	citizen       = "citizenship"
)

// Citizenship is what a visitor has chosen, now or before; "" for nothing.
func Citizenship(r *site.Request) string {
	chosen := r.URL.Query()
	if !chosen.Has(citizen) {
		kept := r.Remembered(countryCookie)
		if r.Country(kept) == "" {
			return ""
		}
		return kept
	}
	code := chosen.Get(citizen)
	if code != "" && r.Country(code) == "" {
		return ""
	}
	if code != r.Remembered(countryCookie) {
		r.Remember(countryCookie, code)
	}
	return code
}

// citizenField asks a visitor where they are a citizen, and says it to applicants.
func citizenField(r *site.Request, country string) ui.Component {
	if r.Person.Account != 0 {
		if country == "" {
			return ui.Words{Muted: true, Text: r.T("catalogue.citizen_unknown")}
		}
		return ui.Words{Muted: true, Text: r.T("catalogue.citizen_own", "Country", r.Country(country))}
	}
	field := ui.Country{Field: ui.Field{ID: citizen, Name: citizen, Label: r.T("catalogue.citizenship"),
		Hint: r.T("catalogue.citizenship_hint")}, Options: append([]ui.Option{{Text: r.T("country.none")}}, r.Countries()...)}
	for i := range field.Options {
		field.Options[i].Selected = field.Options[i].Value == country
	}
	return field
}

// more are the filters that are folded, open while one of them is set, and the chips of what is set.
func (l *listing) more() (fold ui.Fold, chips ui.Chips) {
	r := l.r
	fold.Title = r.T("catalogue.more")
	if q := l.view.Get("q"); q != "" {
		chips.Chips = append(chips.Chips, ui.Chip{Name: r.T("catalogue.search"), Value: q, Remove: l.view.With("q", "")})
	}
	for _, f := range filters() {
		options, chosen := f.options(l), l.view.All(f.name)
		if len(options) < 2 && f.name != "open" && len(chosen) == 0 {
			continue
		}
		for i := range options {
			options[i].Selected = slices.Contains(chosen, options[i].Value)
		}
		for _, value := range chosen {
			text := value
			if at := slices.IndexFunc(options, func(o ui.Option) bool { return o.Value == value }); at >= 0 {
				text = options[at].Text
			}
			chips.Chips = append(chips.Chips, ui.Chip{Name: r.T("catalogue." + f.name), Value: text,
				Remove: l.view.Without(f.name, value)})
		}
		field := ui.Field{ID: f.name, Name: f.name, Label: r.T("catalogue." + f.name)}
		if f.name == "open" {
			fold.Parts = append(fold.Parts, ui.Choices{Field: field, Multiple: true, Options: options})
			continue
		}
		fold.Parts = append(fold.Parts, ui.Select{Field: field,
			Options: append([]ui.Option{{Text: r.T("catalogue.any")}}, options...)})
	}
	fold.Open = len(chips.Chips) > 0
	if fold.Open {
		chips.Clear = r.URL.Path
	}
	return fold, chips
}

// card is a course of the list, with the intake that can be applied for first.
func (l *listing) card(c *query.OfferedCourse) courseCard {
	r := l.r
	card := courseCard{Href: r.At("course", c.ID)}
	card.Text, card.TextLang = award(r, c)
	card.Name, card.Lang = r.Said(c.NameIn(r.Lang))
	for _, word := range []string{l.titles["Course type"][c.Type], r.Language(c.Language)} {
		if word != "" {
			card.Text += " · " + word
		}
	}
	card.Keep = ui.Button{Text: r.T("action.wish-add"), About: card.Name, Href: r.At("wish-add", c.ID), Small: true}
	facts := func(key, value string) {
		if value != "" {
			card.Facts.Facts = append(card.Facts.Facts, ui.KeyValue{Key: r.T(key), Value: value})
		}
	}
	if len(c.Starts) == 0 {
		card.State = ui.Tag{Text: r.T("intake_state.none"), Icon: ui.Info.Icon(), Tone: ui.Info}
	} else {
		in := &c.Starts[0]
		card.State = stateTag(r, in)
		facts("catalogue.begins", r.Date(in.Begins().In(time.UTC)))
		facts("catalogue.deadline", deadlineText(r, in, l.country))
	}
	facts("catalogue.fee", feeText(r, c.Fees))
	return card
}

// none is what stands in the place of an empty list.
func (l *listing) none() ui.Empty {
	r := l.r
	e := ui.Empty{Icon: "graduation-cap", Title: r.T("catalogue.none"), Text: r.T("catalogue.none_text")}
	if l.view.Query() != "" {
		e.Title, e.Text = r.T("catalogue.none_match"), r.T("catalogue.none_match_text")
		e.Actions = []ui.Button{{Text: r.T("catalogue.all"), Href: r.URL.Path}}
	}
	if !l.page.NextStart.IsZero() {
		e.Text = r.T("catalogue.next_opens", "Day", r.Date(l.page.NextStart.In(time.UTC)))
	}
	if len(e.Actions) == 0 {
		e.Actions = []ui.Button{{Text: r.T("title.help"), Href: r.At("help") + "?about=course"}}
	}
	return e
}

// titlesOf are the titles of codes by class, in the language of the reader.
func titlesOf(r *site.Request, words []admitto.Classificator) map[string]map[string]string {
	titles := map[string]map[string]string{}
	for i := range words {
		byCode := map[string]string{}
		for _, c := range words[i].Codes {
			byCode[c.Code] = r.Word(words[i].Class, c.Title)
		}
		titles[words[i].Class] = byCode
	}
	return titles
}

func (l *listing) coded(class string, codes []string) (options []ui.Option) {
	for _, code := range codes {
		title := l.titles[class][code]
		if title == "" {
			title = code
		}
		options = append(options, ui.Option{Value: code, Text: title})
	}
	return l.r.ByText(options)
}

func (l *listing) languages() (options []ui.Option) {
	for _, code := range l.page.Choices.Languages {
		options = append(options, ui.Option{Value: code, Text: l.r.Language(code)})
	}
	return l.r.ByText(options)
}

func (l *listing) countries() (options []ui.Option) {
	for _, code := range l.page.Choices.Countries {
		options = append(options, ui.Option{Value: code, Text: l.r.Country(code)})
	}
	return l.r.ByText(options)
}

// institutions are those that offer a course, and those that are chosen.
func (l *listing) institutions() (options []ui.Option) {
	chosen := l.view.All("institution")
	for i := range l.page.Institutions {
		of := &l.page.Institutions[i]
		id := strconv.FormatInt(of.ID, 10)
		if slices.Contains(l.page.Choices.Institutions, of.ID) || slices.Contains(chosen, id) {
			options = append(options, ui.Option{Value: id, Text: of.Name})
		}
	}
	return l.r.ByText(options)
}

func (l *listing) terms() (options []ui.Option) {
	for i := range l.page.Terms {
		name, _ := l.page.Terms[i].NameIn(l.r.Lang)
		options = append(options, ui.Option{Value: strconv.FormatInt(l.page.Terms[i].ID, 10), Text: name})
	}
	return options
}
