// Package ranks has the pages with which staff keep scoresheets, criteria and ranking lists, and on which scorers enter
// points (screens.md A24, A26 to A28).
package ranks

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/admitto/admitto/internal/admin/records"
	"github.com/admitto/admitto/internal/admin/show"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/form"
	"github.com/admitto/admitto/internal/services"
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/site/formpage"
	"github.com/admitto/admitto/internal/ui"
)

type pages struct{ *services.Services }

// Routes are the pages with who may open them.
func Routes(s *services.Services) []site.Route {
	p := &pages{s}
	keep, score := site.Needs(admitto.ScorersEdit), site.Needs(admitto.ApplicationsScore)
	rank := site.Needs(admitto.OffersBulk).And(admitto.OffersView)
	sheets := p.sheets()
	routes := sheets.Routes("/admin/scoresheets", keep)
	for i := range routes {
		if routes[i].Name == "scoresheets" { // scorers find their sheets here
			routes[i].Access = site.Needs(admitto.ScorersEdit, admitto.ApplicationsScore, admitto.ScoresImport)
			routes[i].Handle = p.sheetList(sheets)
		}
	}
	lists := p.rankings()
	rankings := lists.Routes("/admin/rankings", rank)
	for i := range rankings {
		switch rankings[i].Name {
		case "rankings":
			rankings[i].Access, rankings[i].Handle = site.Needs(admitto.OffersView), p.rankingList(lists)
		case "ranking": // its form has a page of its own
			rankings[i].Name, rankings[i].Path, rankings[i].Parent = "ranking-edit", "/admin/rankings/{id}/edit",
				"rankings"
		}
	}
	return slices.Concat(routes, rankings, p.fileRoutes(), []site.Route{
		{Name: "scoresheet-confirm", Path: "/admin/scoresheets/{id}/confirm", Access: keep, Only: true,
			Handle: p.confirmSheet},
		{Name: "scoresheet-add", Path: "/admin/scoresheets/{id}/add", Form: true, Parent: "scoresheet",
			Access: keep.And(admitto.ApplicationsView).And(admitto.ApplicationsScore), Handle: p.addApplications},
		{Name: "scoresheet-tell", Path: "/admin/scoresheets/{id}/tell", Access: keep, Form: true, Parent: "scoresheet",
			Handle: p.tell},
		{Name: "scoresheet-delete", Path: "/admin/scoresheets/{id}/delete", Access: keep, Form: true,
			Parent: "scoresheets", Handle: p.deleteSheet},
		{Name: "scoring", Path: "/admin/scoresheets/{id}/score", Access: score, Form: true, Parent: "scoresheets",
			Handle: p.score},
		{Name: "scoring-document", Path: "/admin/scoresheets/{id}/score/{score}/documents/{document}", Access: score,
			Parent: "scoring", Handle: p.scoringDocument(true)},
		{Name: "scoring-document-download", Path: "/admin/scoresheets/{id}/score/{score}/documents/{document}/download",
			Access: score, Parent: "scoring", Handle: p.scoringDocument(false)},
		{Name: "scoring-photo", Path: "/admin/scoresheets/{id}/score/{score}/photo", Access: score, Parent: "scoring",
			Handle: p.scoringPhoto},
		{Name: "criteria", Path: "/admin/criteria", Access: keep, Handle: p.criteria},
		{Name: "course-criteria", Path: "/admin/courses/{id}/criteria", Access: keep, Form: true, Parent: "criteria",
			Handle: p.courseCriteria},
		{Name: "ranking", Path: "/admin/rankings/{id}", Access: site.Needs(admitto.OffersView), Form: true,
			Parent: "rankings", Handle: p.ranking},
		{Name: "ranking-csv", Path: "/admin/rankings/{id}/csv", Access: site.Needs(admitto.OffersView),
			Parent: "rankings",
			Handle: p.rankingCSV},
		{Name: "ranking-delete", Path: "/admin/rankings/{id}/delete", Access: rank, Form: true, Parent: "rankings",
			Handle: p.deleteRanking},
	})
}

func number(n int64) string { return strconv.FormatInt(n, 10) }

// usualMost are the highest points of a new sheet.
const usualMost admitto.Points = 100_0000

// sheet is a scoresheet with what is typed as text.
type sheet struct {
	admitto.Scoresheet
	min, max string
	wished   string // the range that was typed, where the type has another one of its own
}

func sheetOf(t admitto.Scoresheet) sheet {
	return sheet{Scoresheet: t, min: points(t.Min, t.Scale), max: points(t.Max, t.Scale)}
}

// points are points as they are written on a sheet with so many decimals.
func points(p admitto.Points, scale int) string { return string(p.Append(nil, scale)) }

// sheets are screens.md A26.
func (p *pages) sheets() *records.Family[sheet] {
	type of = sheet
	return &records.Family[of]{
		Query: p.Query, List: "scoresheets", New: "scoresheet-new", One: "scoresheet", Kind: admitto.ScoresheetRow,
		Events: []admitto.Pattern{admitto.ScoresheetCreated, admitto.ScoresheetEdited},
		Texts: records.Texts{Count: "sheet.count", None: "sheet.none", NoneText: "sheet.none_text",
			NewIntro: "sheet.intro",
			Intro:    "sheet.intro", Saved: "sheet.saved"},
		ID: func(t *of) int64 { return t.ID }, Name: func(t *of) string { return t.Name },
		All: func(r *site.Request) (list []of, err error) {
			all, err := p.Query.Scoresheets(r.Context(), r.Reader())
			for i := range all {
				if all[i].TakesFrom(r.Reader()) {
					list = append(list, sheetOf(all[i]))
				}
			}
			return list, err
		},
		Columns: p.sheetColumns,
		Read: func(r *site.Request, id int64) (of, error) {
			t, err := p.Query.Scoresheet(r.Context(), r.Reader(), id)
			return sheetOf(t), err
		},
		Blank: func(*site.Request) (of, error) {
			return of{Scoresheet: admitto.Scoresheet{Type: "Number", Date: "None", Reference: "None", Subject: "None",
				Language: "None", Visibility: admitto.SheetPrivate, Shows: admitto.SheetShows(), Max: usualMost}, min: "0",
				max: points(usualMost, 0)}, nil
		},
		Fields: p.sheetFields,
		Save: func(r *site.Request, t of) (int64, error) {
			id, err := p.Catalogue.SaveScoresheet(r.Context(), r.Caller(), t.Scoresheet)
			if err == nil {
				err = p.Scoring.FollowSheet(r.Context(), r.Reader(), id)
			}
			if err == nil && t.wished != "" {
				r.Notify(ui.Info, r.T("sheet.own_range", "Type", show.SheetType(r, t.Type), "Range",
					show.ScoreRange(r, &t.Scoresheet), "Typed", t.wished))
			}
			return id, err
		},
		Buttons: func(r *site.Request, t *of) []ui.Button {
			return r.Buttons(site.Do("scoring", t.ID), site.Do("scoresheet-add", t.ID), site.Do(importing, t.ID),
				site.Do("scoresheet-tell", t.ID))
		},
		Below: p.ofSheet,
	}
}

// sheetList leads those who only score from the list to the points, or to the import of them.
func (p *pages) sheetList(all *records.Family[sheet]) func(*site.Request) error {
	return func(r *site.Request) error {
		list := *all
		if !r.May("scoresheet") {
			list.One, list.New = "scoring", ""
		}
		if !r.May(list.One) {
			list.One = importing
		}
		return list.Show(r)
	}
}

func (p *pages) sheetColumns(r *site.Request, list []sheet) ([]records.Column[sheet], error) {
	ids := make([]int64, len(list))
	for i := range list {
		ids[i] = list[i].ID
	}
	use, err := p.Query.SheetUses(r.Context(), r.Reader(), ids...)
	return []records.Column[sheet]{
		{Title: "sheet.name", Place: "main", Cell: func(t *sheet) ui.Cell {
			cell := ui.Cell{Text: t.Name}
			if t.Confirmed != 0 {
				cell.Note = r.T("sheet.confirmed")
			}
			return cell
		}},
		{Title: "sheet.type", Place: "label", Cell: func(t *sheet) ui.Cell {
			return ui.Cell{Text: show.SheetType(r, t.Type)}
		}},
		{Title: "sheet.range", Place: "label",
			Cell: func(t *sheet) ui.Cell { return ui.Cell{Text: t.min + " – " + t.max} }},
		{Title: "sheet.due", Place: "label", Cell: func(t *sheet) ui.Cell {
			return ui.Cell{Text: show.Date(r,
				t.Due)}
		}},
		{Title: "sheet.progress", Place: "label", Cell: func(t *sheet) ui.Cell {
			return ui.Cell{Text: scoredOf(r, use[t.ID])}
		}},
	}, err
}

// scoredOf says how far a sheet is.
func scoredOf(r *site.Request, use admitto.SheetUse) string {
	return r.T("sheet.scored_of", "Scored", r.Number(int(use.Scored())), "All", r.Number(int(use.Total)))
}

func (p *pages) sheetFields(m records.Maker[sheet], _ *sheet) ([]records.Field[sheet], error) {
	r := m.R
	staff, err := p.Query.Administrators(r.Context(), r.Reader())
	if err != nil {
		return nil, err
	}
	groups, err := p.Query.SheetGroups(r.Context(), r.Reader())
	if err != nil {
		return nil, err
	}
	type of = sheet
	var types, scorers, needs, visible []ui.Option
	for _, word := range admitto.SheetVisibilities() {
		visible = append(visible, ui.Option{Value: word, Text: r.T("sheet_visibility." + word)})
	}
	for _, t := range admitto.SheetTypes() {
		option := ui.Option{Value: t.Name, Text: show.SheetType(r, t.Name)}
		if !t.IsFree {
			option.Text = r.T("sheet.type_range", "Type", option.Text, "Range", show.ScoreRange(r, sheetOfType(&t)))
		}
		types = append(types, option)
	}
	for i := range staff {
		scorers = append(scorers, ui.Option{Value: number(staff[i].ID), Text: staff[i].Name})
	}
	for _, need := range []string{"None", "Optional", "Required"} {
		needs = append(needs, ui.Option{Value: need, Text: r.T("sheet_need." + strings.ToLower(need))})
	}
	return []records.Field[of]{
		m.Text("name", "sheet.name", func(t *of) *string { return &t.Name }),
		m.Long("instructions", "sheet.instructions", 4, 4000, func(t *of) *string { return &t.Instructions },
			records.Optional, records.Hint("sheet.instructions_hint")),
		m.Choose("type", "sheet.type", types, func(t *of) *string { return &t.Type }, records.Hint("sheet.type_hint")),
		m.Tick("by_offer", "sheet.depth", "sheet.by_offer", func(t *of) *bool { return &t.ByOffer }),
		rangeField(m),
		m.Lines("maps", "sheet.maps", 4, mapLines, func(*of, []string) {}, records.Optional,
			records.Hint("sheet.maps_hint")),
		m.IDs("scorers", "sheet.scorers", scorers, func(t *of) *[]int64 { return &t.Scorers }, records.Optional,
			records.Hint("sheet.scorers_hint")),
		m.Words("shows", "sheet.shows", shown(r), func(t *of) *[]string { return &t.Shows }, records.Optional,
			records.Hint("sheet.shows_hint")),
		m.Day("due", "sheet.due", func(t *of) *admitto.Date { return &t.Due }, records.Optional),
		m.Choose("date", "score.date", needs, func(t *of) *string { return &t.Date }),
		m.Choose("reference", "score.reference", needs, func(t *of) *string { return &t.Reference }),
		m.Choose("subject", "score.subject", needs, func(t *of) *string { return &t.Subject }),
		m.Choose("language", "sheet.language", needs, func(t *of) *string { return &t.Language }),
		m.Text("group", "sheet.group", func(t *of) *string { return &t.GroupName }, records.Optional,
			func(r *site.Request, f *ui.Field) {
				f.Hint = r.T("sheet.group_hint")
				if len(groups) > 0 {
					f.Hint = r.T("sheet.group_some", "Names", strings.Join(groups, r.T("score.and")))
				}
			}),
		m.Choose("visibility", "sheet.visibility", visible, func(t *of) *string { return &t.Visibility },
			records.Hint("sheet.visibility_hint")),
	}, nil
}

// shown are the parts of an application that a sheet can show.
func shown(r *site.Request) []ui.Option {
	options := []ui.Option{{Value: admitto.ShowsName, Text: r.T("sheet.shows_name")},
		{Value: admitto.ShowsPhoto, Text: r.T("sheet.shows_photo")},
		{Value: admitto.ShowsDocuments, Text: r.T("sheet.shows_documents")}}
	for _, s := range form.Sections() {
		options = append(options, ui.Option{Value: s.Key, Text: formpage.SectionName(r, s)})
	}
	return options
}

// sheetOfType has the range of a type that has one of its own.
func sheetOfType(t *admitto.SheetType) *admitto.Scoresheet {
	return &admitto.Scoresheet{Type: t.Name, Min: t.Min, Max: t.Max, Scale: t.Scale}
}

// typeOfSheet is the type that was chosen; one that there is not is free.
func typeOfSheet(name string) admitto.SheetType {
	for _, t := range admitto.SheetTypes() {
		if t.Name == name {
			return t
		}
	}
	return admitto.SheetType{Name: name, IsFree: true}
}

// rangeField are decimals, the lowest and the highest points; it takes the labels, too, which are written with as many
// decimals.
func rangeField(m records.Maker[sheet]) records.Field[sheet] {
	r := m.R
	return records.Field[sheet]{
		Inputs: [][2]string{{"scale", "sheet.scale"}, {"min", "sheet.min"}, {"max", "sheet.max"}},
		Put: func(v site.Values, t *sheet) {
			v["scale"], v["min"], v["max"] = site.One(strconv.Itoa(t.Scale)), site.One(t.min), site.One(t.max)
		},
		Take: func(f *site.Form, t *sheet) {
			if of := typeOfSheet(t.Type); !of.IsFree { // what was typed does not count
				t.Min, t.Max, t.Scale = of.Min, of.Max, of.Scale
				if f.Get("min") != points(t.Min, t.Scale) || f.Get("max") != points(t.Max, t.Scale) {
					t.wished = r.T("score.from_to", "From", f.Get("min"), "To", f.Get("max"))
				}
				takeMaps(r, f, t)
				return
			}
			const mostScale = 4
			scale := f.Number("scale", "record.no_number")
			if scale < 0 || scale > mostScale {
				f.Fail("scale", "sheet.no_scale")
			}
			if t.Scale = int(scale); f.Wrong("scale") {
				t.Scale = mostScale // by which the points can be read
			}
			read := func(name, text string) (value admitto.Points) {
				if text == "" {
					return 0
				}
				value, err := parsePoints(text, t.Scale)
				if err != nil {
					f.FailWords(name, r.Plural("sheet.no_points", t.Scale))
				}
				return value
			}
			low, high := read("min", f.Get("min")), read("max", f.Get("max"))
			if !f.Wrong("min", "max") { // of which each is compared with the other
				t.Min, t.Max = low, high
			}
			takeMaps(r, f, t)
		},
		Draw: func(f *site.Form) []ui.Component {
			line := func(name, label string) ui.TextField {
				c := f.Text(name, label)
				c.Width, c.InputMode, c.Autocomplete = "w4", "decimal", "off"
				return c
			}
			return []ui.Component{line("scale", "sheet.scale"), line("min", "sheet.min"), line("max", "sheet.max")}
		},
	}
}

// takeMaps reads the labels, with as many decimals as the sheet has.
func takeMaps(r *site.Request, f *site.Form, t *sheet) {
	var faults []string
	if t.Maps, faults = readMaps(r, f.Typed("maps"), t.Scale); faults != nil {
		f.FailWords("maps", strings.Join(faults, " "))
	}
}

func (p *pages) confirmSheet(r *site.Request) error {
	id, err := r.ID()
	if err != nil {
		return err
	}
	t, err := p.Query.Scoresheet(r.Context(), r.Reader(), id)
	if err != nil {
		return err
	}
	err = p.Catalogue.ConfirmScoresheet(r.Context(), r.Caller(), id, t.Confirmed == 0)
	if site.Changed(err) {
		r.Notify(ui.Warn, r.T("record.changed"))
		return r.To("scoresheet", id)
	}
	if err != nil {
		return err
	}
	r.Notify(ui.OK, r.T("sheet.saved", "Name", t.Name))
	return r.To("scoresheet", id)
}

func (p *pages) deleteSheet(r *site.Request) error {
	id, err := r.ID()
	if err != nil {
		return err
	}
	t, err := p.Query.Scoresheet(r.Context(), r.Reader(), id)
	if err != nil {
		return err
	}
	hold, err := p.Catalogue.SheetHold(r.Context(), r.Reader(), id)
	if err != nil {
		return err
	}
	if hold.Holds() && !r.Posted() {
		r.NameCrumb("scoresheet", t.Name)
		return site.Sheet{Title: r.T("sheet.stays", "Name", t.Name), Intro: []string{r.T("sheet.stays_intro")},
			Parts:   []ui.Component{whySheetStays(r, id, hold)},
			Buttons: []ui.Button{{Text: r.T("sheet.back"), Href: r.At("scoresheet", id), Primary: true}}}.Show(r)
	}
	return records.Removal{Query: p.Query, Name: t.Name, Row: admitto.Row{Kind: admitto.ScoresheetRow, ID: id},
		List: r.At("scoresheets"), One: r.At("scoresheet", id), Effect: r.T("sheet.delete_effect"),
		Press: "action.scoresheet-delete", Act: func() error {
			return p.Catalogue.DeleteScoresheet(r.Context(), r.Caller(), id)
		}}.Show(r)
}

// byName sorts courses by their names.
func byName(courses []admitto.Course) {
	slices.SortStableFunc(courses, func(a, b admitto.Course) int { return cmp.Compare(a.Name, b.Name) })
}
