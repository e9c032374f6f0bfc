package ranks

import (
	"net/url"

	"github.com/admitto/admitto/internal/admin/show"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/ui"
)

// rowsOnSheet is how many applications the page of a sheet lists.
const rowsOnSheet = 10

// ofSheet is what stands below the form of a sheet: what is on it, and the lock against changes of its scores.
func (p *pages) ofSheet(r *site.Request, t *sheet) ([]ui.Component, error) {
	version, err := p.Query.RowVersion(r.Context(), r.Reader(), admitto.Row{Kind: admitto.ScoresheetRow, ID: t.ID})
	if err != nil {
		return nil, err
	}
	f, err := r.Form(nil, version)
	if err != nil {
		return nil, err
	}
	parts, err := p.onSheet(r, t)
	if err != nil {
		return nil, err
	}
	hold, err := p.Catalogue.SheetHold(r.Context(), r.Reader(), t.ID)
	if err != nil {
		return nil, err
	}
	text, press := "sheet.open_text", "sheet.confirm"
	if t.Confirmed != 0 {
		text, press = "sheet.confirmed_text", "sheet.unconfirm"
	}
	parts = append(parts, ui.Heading{ID: "lock", Title: r.T("sheet.lock"), Text: r.T(text)}, ui.FormBox{
		Action: r.At("scoresheet-confirm", t.ID), Head: ui.FormHead{Hidden: f.Hidden()},
		Buttons: []ui.Button{{Text: r.T(press), Busy: r.T("form.saving")}}},
		ui.Heading{Title: r.T("action.scoresheet-delete"), Text: r.T("sheet.delete_effect")})
	if hold.Holds() {
		return append(parts, whySheetStays(r, t.ID, hold)), nil
	}
	return append(parts, ui.Acts(r.Buttons(site.Danger("scoresheet-delete", t.ID)))), nil
}

// whySheetStays says why a sheet cannot be deleted, and what can be done, each with the way there.
func whySheetStays(r *site.Request, id int64, hold admitto.SheetHold) ui.Component {
	var facts []ui.KeyValue
	if hold.Given {
		fact := ui.KeyValue{Key: r.T("sheet.stays_points"), Value: r.T("sheet.stays_clear")}
		if r.May("scoring") {
			fact.Href = r.At("scoring", id)
		}
		facts = append(facts, fact)
	}
	if hold.Courses > 0 {
		facts = append(facts, ui.KeyValue{Key: r.Plural("sheet.stays_courses", int(hold.Courses)),
			Value: r.T("sheet.stays_criteria"), Href: r.At("criteria")})
	}
	return ui.KeyValues{Facts: append(facts, ui.KeyValue{Key: r.T("sheet.stays_lock"), Value: r.T("sheet.lock"),
		Href: r.At("scoresheet", id) + "#lock"})}
}

// onSheet says how many applications are on a sheet, and lists the first of them.
func (p *pages) onSheet(r *site.Request, t *sheet) ([]ui.Component, error) {
	uses, err := p.Query.SheetUses(r.Context(), r.Reader(), t.ID)
	if err != nil {
		return nil, err
	}
	lines, more, err := p.Query.ScoringLines(r.Context(), r.Reader(), admitto.ScoreQuery{Scoresheet: t.ID,
		Limit: rowsOnSheet})
	if err != nil {
		return nil, err
	}
	use := uses[t.ID]
	table := ui.Table{Caption: r.T("scoring.on_sheet"), Cards: true, Columns: []ui.Column{
		{Title: r.T("sheet.application"), Place: "main"}, {Title: r.T("scoring.points"), Place: "meta", Num: true},
		{Title: r.T("score.comments"), Place: "mail"}, {Title: r.T("score.scored"), Place: "label"}},
		Empty: ui.Empty{Icon: "clipboard-list", Title: r.T("scoring.none"), Text: r.T("sheet.none_on"),
			Actions: r.Buttons(site.Do("scoresheet-add", t.ID))}}
	for i := range lines {
		line := &lines[i]
		name := ui.Cell{Text: r.T("scoring.application", "ID", number(line.Application)), Below: line.Name.Full()}
		if r.May("application-scores") {
			name.Href = r.At("application-scores", line.Application)
		}
		points := ui.Cell{Tags: []ui.Tag{{Text: r.T("score.waiting"), Icon: "clock"}}}
		if line.Points != nil {
			points = ui.Cell{Text: pointsOf(&line.Score)}
		}
		if line.Course != "" {
			name.Note = line.Course
		}
		table.Rows = append(table.Rows, ui.Row{Label: name.Text, Cells: []ui.Cell{name, points, {Text: line.Comments},
			{Text: show.Day(r, line.Scored), Below: line.Scorer}}})
	}
	parts := []ui.Component{ui.Heading{Title: r.T("scoring.on_sheet")}, ui.KeyValues{Counts: true, Facts: []ui.KeyValue{
		{Key: r.T("sheet.total"), Value: r.Number(int(use.Total))},
		{Key: r.T("sheet.scored"), Value: r.Number(int(use.Scored()))},
		{Key: r.T("sheet.missing"), Value: r.Number(int(use.Left))}}}, table}
	if link, ok := r.Link("scoring", t.ID); ok && more {
		parts = append(parts, ui.Links{Links: []ui.Link{{Text: r.T("sheet.all_on"), Href: link.Href}}})
	}
	return parts, nil
}

// addApplications chooses by filters what is put on a sheet, and leads to the batch that shows what would change.
func (p *pages) addApplications(r *site.Request) error {
	id, err := r.ID()
	if err != nil {
		return err
	}
	t, err := p.Query.Scoresheet(r.Context(), r.Reader(), id)
	if err != nil {
		return err
	}
	terms, err := p.Query.Terms(r.Context(), r.Reader())
	if err != nil {
		return err
	}
	courses, err := p.Query.Courses(r.Context(), r.Reader(), admitto.CourseQuery{})
	if err != nil {
		return err
	}
	byName(courses)
	r.NameCrumb("scoresheet", t.Name)
	inTerm, ofCourse := []ui.Option{{Value: allTerms, Text: r.T("browse.all_terms")}}, []ui.Option{}
	for i := range terms {
		inTerm = append(inTerm, ui.Option{Value: number(terms[i].ID), Text: terms[i].Name})
	}
	for i := range courses {
		ofCourse = append(ofCourse, ui.Option{Value: number(courses[i].ID), Text: courses[i].Name,
			Hint: courses[i].Code})
	}
	var statuses []ui.Option
	for _, s := range admitto.ApplicationStatuses() {
		statuses = append(statuses, ui.Option{Value: string(s), Text: show.Status(r, s).Text})
	}
	f, err := r.Form(site.Values{"status": site.One(string(admitto.Submitted)),
		"term": site.One(number(r.Person.Term))},
		0)
	if err != nil {
		return err
	}
	if r.Posted() {
		values := func(options []ui.Option) (list []string) {
			for i := range options {
				list = append(list, options[i].Value)
			}
			return list
		}
		f.Among("term", values(inTerm)...)
		f.Among("course", values(ofCourse)...)
		f.Among("status", values(statuses)...)
		if !f.Failed() {
			list := url.Values{"term": {f.Get("term")}, "course": f.All("course"), "status": f.All("status")}
			batch := url.Values{"action": {"sheet"}, "source": {string(admitto.OfApplications)}, "all": {"1"},
				"sheet": {number(id)}, "query": {list.Encode()}, "next": {r.At("scoresheet", id)}}
			return r.Redirect(r.At("batch-new") + "?" + batch.Encode())
		}
	}
	course := f.Choices("course", "sheet.courses", true, ofCourse...)
	course.Optional, course.Hint = true, r.T("ranking.courses_hint")
	status := f.Choices("status", "ranking.statuses", true, statuses...)
	return site.Sheet{Title: r.T("sheet.add_title", "Name", t.Name), Intro: []string{r.T("sheet.add_intro")},
		Parts: []ui.Component{f.Box([]ui.Button{r.Save("sheet.add_press"), r.Cancel(r.At("scoresheet", id))},
			f.Select("term", "intake.term", inTerm...), status, course)}}.Show(r)
}

// tell asks before the scorers of a sheet are told that applications wait for points.
func (p *pages) tell(r *site.Request) error {
	id, err := r.ID()
	if err != nil {
		return err
	}
	t, err := p.Query.Scoresheet(r.Context(), r.Reader(), id)
	if err != nil {
		return err
	}
	r.NameCrumb("scoresheet", t.Name)
	list, err := p.Notify.Scorers(r.Context(), r.Reader(), id)
	if err != nil {
		return err
	}
	uses, err := p.Query.SheetUses(r.Context(), r.Reader(), id)
	if err != nil {
		return err
	}
	f, err := r.Form(nil, 0)
	if err != nil {
		return err
	}
	if r.Posted() {
		told, err := p.Notify.TellScorers(r.Context(), r.Caller(), id)
		refused, err := f.Refused(err, nil)
		if err != nil {
			return err
		}
		if !refused {
			r.Notify(ui.OK, r.Plural("sheet.told", told))
			return r.To("scoresheet", id)
		}
	}
	effects := []ui.Effect{{Icon: "clipboard-list", Text: r.Plural("sheet.left", int(uses[id].Left))}}
	if uses[id].Left == 0 {
		list = nil
	}
	for i := range list {
		effects = append(effects, ui.Effect{Icon: "mail", Text: r.T("sheet.tells", "Name", list[i].Name)})
	}
	if len(list) == 0 && uses[id].Left > 0 {
		effects = append(effects, ui.Effect{Icon: "info", Text: r.T("sheet.tells_nobody")})
	}
	return r.Ask(ui.Confirmation{Title: r.T("sheet.tell_title", "Name", t.Name), Fields: []ui.Component{f.Head()},
		Effects: effects, Undo: r.T("sheet.tell_undo"),
		Confirm: ui.Button{Text: r.T("action.scoresheet-tell"), Primary: true, Busy: r.T("form.saving")},
		Back:    ui.Link{Text: r.T("dialog.cancel"), Href: r.At("scoresheet", id)}})
}
