package application

import (
	"slices"
	"strconv"
	"strings"

	"github.com/admitto/admitto/internal/admissions"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/form"
	"github.com/admitto/admitto/internal/services"
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/site/formpage"
	"github.com/admitto/admitto/internal/ui"
)

// contact is the section that stays open after the submission (lifecycle.md T21).
const contact = "contact"

// mayFill reports whether the applicant can change a section now.
func (a *own) mayFill(section string) bool {
	return a.may(admitto.ContentSaved) || section == contact && a.Status == admitto.Submitted && !a.Expired
}

// asks is the section of the form with a key; nil where the courses ask for nothing of it and nothing is filled in.
func (a *own) asks(key string) *form.Section {
	for _, p := range a.parts() {
		if p.Key == key {
			return p.Section
		}
	}
	return nil
}

// courseNames are the names of the courses by their IDs.
func (a *own) courseNames() map[int64]string {
	names := map[int64]string{}
	for i := range a.Courses {
		names[a.Courses[i].Course] = a.Courses[i].Named.Name
	}
	return names
}

// sectionOf is the section of the page, ready to be filled in. row is "" for one without rows.
func (a *own) sectionOf(r *site.Request, key, row string) (*formpage.Section, error) {
	section := a.asks(key)
	if section == nil || section.Rows != (row != "") {
		return nil, &admitto.Error{Kind: admitto.NotFound}
	}
	groups := formpage.QuestionGroups(r, a.Form.Questions, a.Form.AskedBy, a.courseNames())
	s := &formpage.Section{Section: section, Content: &a.Form.Content, Asked: &a.Form.Asked,
		Questions: a.Form.Questions, Groups: groups, Documents: a.Form.Documents, Words: a.words, Own: true,
		Locked: func(path string) bool { return a.Form.IsFrozen(path) || path == citizenship }}
	if !section.Rows {
		return s, nil
	}
	at, ok := s.RowAt(row)
	if !ok {
		return nil, &admitto.Error{Kind: admitto.NotFound}
	}
	s.Row, s.Add = at, r.At("my-row", a.ID, key, formpage.NewRow)
	return s, nil
}

// citizenship is the field that the account has.
const citizenship = "profile/citizenship"

// section is screens.md P09: a section of the form, or the list of its rows.
func (p *pages) section(r *site.Request, a *own) error {
	a.crumb(r)
	key := r.Part("section")
	section := a.asks(key)
	if section == nil {
		return &admitto.Error{Kind: admitto.NotFound}
	}
	a.setSteps(r, key)
	r.SetTitle(formpage.SectionName(r, section))
	if section.Rows {
		return p.rows(r, a, section)
	}
	if !a.mayFill(key) && !r.Posted() {
		return p.readOnly(r, a, section)
	}
	return p.fill(r, a, "")
}

// readOnly shows what stands in a section that cannot be changed now, and why.
func (p *pages) readOnly(r *site.Request, a *own, s *form.Section) error {
	return site.Sheet{Parts: append([]ui.Component{a.whyClosed(r)}, a.shown(r, s)...)}.Show(r)
}

// whyClosed says why the form cannot be changed.
func (a *own) whyClosed(r *site.Request) ui.Component {
	text := r.T("my_form.closed")
	switch {
	case a.Status == admitto.Withdrawn && a.UndoUntil != 0:
		text = r.T("my_form.withdrawn_undo", "Time", r.Clock(a.UndoUntil))
	case a.Status == admitto.Withdrawn:
		text = r.T("my_form.withdrawn")
	case a.Expired:
		text = r.T("my_form.expired")
	case a.Status == admitto.Submitted:
		text = r.T("my_form.submitted")
	case a.isOpen():
		text = r.T("my_form.fixed")
	}
	return ui.Notice{Tone: ui.Info, Text: text, Link: &ui.Link{Text: r.T("my_form.to_overview"),
		Href: r.At("my-application", a.ID)}}
}

// fill is the form of a section, or of one of its rows.
func (p *pages) fill(r *site.Request, a *own, row string) error {
	key := r.Part("section")
	s, err := a.sectionOf(r, key, row)
	if err != nil {
		return err
	}
	stored, prefilled := a.prefill(s)
	f, err := r.Form(stored, a.Form.RowVersion)
	if err != nil {
		return err
	}
	if !s.Came(r, f) {
		return &admitto.Error{Kind: admitto.NotFound}
	}
	if err := f.Since(func() (who, when, what string, err error) {
		who, when, err = LastEdit(r, p.Services, a.ID, key)
		return who, when, "", err
	}); err != nil {
		return err
	}
	if before := *a; r.Posted() {
		saved, err := p.save(r, a, s, f, row)
		if err != nil {
			return err
		}
		if saved {
			return p.afterSaving(r, &before, s, f)
		}
	}
	before, _ := a.around(key)
	buttons := []ui.Button{r.Save("my_form.save_next"), {Text: r.T("my_form.save"), Name: thenField, Value: "stay"}}
	if before != "" && row == "" {
		buttons = append(buttons, ui.Button{Text: r.T("my_form.back"), Name: thenField, Value: "back", Plain: true})
	}
	if row != "" {
		buttons = []ui.Button{r.Save("my_form.save_row"), r.Cancel(r.At("my-section", a.ID, key))}
	}
	page := site.Sheet{Intro: []string{r.T("my_form_intro." + key)}, Parts: []ui.Component{s.Box(r, f, buttons...)}}
	if s.Asked.RequiresOf(a.asks(key)) {
		page.Intro = append(page.Intro, r.T("my_form.needed"))
	}
	if prefilled {
		page.Parts = append([]ui.Component{ui.Notice{Tone: ui.Info, Text: r.T("my_form.prefilled")}}, page.Parts...)
	}
	if a.Frozen != 0 && key != contact { // which is never frozen (lifecycle.md 3.6)
		page.Parts = append([]ui.Component{ui.Notice{Tone: ui.Info, Text: r.T("my_form.frozen"),
			Link: a.help(r, "answers")}}, page.Parts...)
	}
	page.Parts = append(a.also(r), page.Parts...)
	return page.Show(r)
}

// thenField is the button that was pressed.
const thenField = "then"

// save stores what was typed; false where the form has to be shown again.
func (p *pages) save(r *site.Request, a *own, s *formpage.Section, f *site.Form, row string) (bool, error) {
	if s.Rows && isEmpty(s.Typed(f)) {
		f.Fail("", "my_form.empty_row")
		return false, nil
	}
	return s.Save(r, f, a.Form.RowVersion, formpage.Saving{
		Store: func(version int64) error {
			caller := r.Caller()
			if version != 0 {
				caller.Version = version
			}
			typed := s.Typed(f)
			if s.Key == "profile" && a.Person.Citizenship != "" {
				typed["citizenship"] = site.One(a.Person.Citizenship)
			}
			return p.Admissions.SaveSection(r.Context(), caller, a.ID, admissions.SectionEdit{Section: s.Key, Row: s.Row,
				Typed: typed})
		},
		Again: func() (*formpage.Section, int64, error) {
			now, err := p.read(r, a.ID)
			if err != nil {
				return nil, 0, err
			}
			*a = *now
			again, err := a.sectionOf(r, s.Key, row)
			return again, a.Form.RowVersion, err
		},
		Who: func() (who, when string, err error) { return LastEdit(r, p.Services, a.ID, s.Key) },
	})
}

// LastEdit says who changed a section of an application of the reader last, and when; application 0 is their account.
func LastEdit(r *site.Request, services *services.Services, application int64,
	section string) (who, when string, err error) {
	last, err := services.Query.LastEditOfOwn(r.Context(), r.Reader(), application, section)
	switch {
	case last.At == 0:
		return r.T("my_form.somebody"), r.Clock(r.Now()), err
	case last.ByStaff:
		who = r.T("my_form.office")
	default:
		who = r.T("my_form.own_hand")
	}
	return who, r.Clock(last.At), err
}

// isEmpty reports whether nothing was typed.
func isEmpty(typed map[string][]string) bool {
	for _, texts := range typed {
		if strings.TrimSpace(strings.Join(texts, "")) != "" {
			return false
		}
	}
	return true
}

// afterSaving says that it was saved, and goes where the button leads.
func (p *pages) afterSaving(r *site.Request, before *own, s *formpage.Section, f *site.Form) error {
	now, err := p.read(r, before.ID)
	if err != nil {
		return err
	}
	now.askAccount(r, s.Key, before)
	wrong, inRow := now.attention(s.Key+"/"), 0
	if s.Rows {
		if inRow = now.attention(s.Key + "/" + strconv.Itoa(s.Row) + "/"); inRow > 0 {
			wrong = inRow // the others are not on the page of this one
		}
	}
	time := r.TimeOfDay(r.Now())
	if wrong > 0 {
		r.Notify(ui.Warn, r.Plural("my_form.saved_attention", wrong, "Time", time))
	} else {
		r.Notify(ui.OK, r.T("my_form.saved", "Time", time))
	}
	previous, after := now.around(s.Key)
	then := f.Get(thenField)
	switch {
	case inRow > 0:
		return r.To("my-row", now.ID, s.Key, s.Row+1)
	case s.Rows:
		return r.To("my-section", now.ID, s.Key)
	case then == "back" && previous != "":
		return r.To("my-section", now.ID, previous)
	case then == "stay" || wrong > 0 && then != "back":
		return r.To("my-section", now.ID, s.Key)
	case !now.isOpen(): // nothing else can be filled in
		return r.To("my-application", now.ID)
	case after != "":
		return r.To("my-section", now.ID, after)
	}
	return r.To("my-check", now.ID)
}

// attention counts the values below a path that need it.
func (a *own) attention(below string) (n int) {
	for path := range a.Form.Content.Attention {
		if strings.HasPrefix(path, below) {
			n++
		}
	}
	return n
}

// rows are the entries of a section that has several.
func (p *pages) rows(r *site.Request, a *own, s *form.Section) error {
	may := a.mayFill(s.Key)
	page := site.Sheet{Intro: []string{r.T("my_form_intro." + s.Key)}, Parts: a.also(r)}
	if !may {
		page.Parts = append(page.Parts, a.whyClosed(r))
	}
	f, err := r.Form(nil, a.Form.RowVersion)
	if err != nil {
		return err
	}
	rows := a.Form.Content.Rows(s.Key)
	var boxes ui.Sortable
	for n, row := range rows {
		name := formpage.RowName(r, s, row, n, a.words)
		box := ui.Box{Title: name, Parts: a.facts(r, s, s.Key+"/"+strconv.Itoa(n), row)}
		if may {
			box.Actions = []ui.Button{{Text: r.T("my_form.edit"), About: name, Icon: "pencil", Small: true,
				Href: r.At("my-row", a.ID, s.Key, n+1)}, {Text: r.T("my_form.remove"), About: name, Icon: "trash-2", Small: true,
				Danger: true, Href: r.At("my-row-remove", a.ID, s.Key, n+1)}}
			to := func(way string) string { return r.At("my-row-move", a.ID, s.Key, n+1, way) }
			if len(rows) > 1 {
				box.Move = to("")
			}
			box.Parts = append(box.Parts, moveButtons(r, f.Head(), name, n, len(rows), to)...)
		}
		boxes.Boxes = append(boxes.Boxes, box)
	}
	if len(rows) > 0 {
		page.Parts = append(page.Parts, boxes)
	}
	if len(rows) == 0 && (!may || len(a.offeredRows(s)) == 0) {
		page.Parts = append(page.Parts, ui.Empty{Icon: "list", Title: r.T("my_form.no_rows"),
			Text: r.T("my_form.no_rows_text")})
	}
	var offered []ui.Component
	if may {
		offered = a.offer(r, s)
		page.Parts = append(page.Parts, offered...)
	}
	before, after := a.around(s.Key)
	next := ui.Button{Text: r.T("my_form.next"), Primary: true, Href: r.At("my-check", a.ID)}
	if after != "" {
		next.Href = r.At("my-section", a.ID, after)
	}
	acts := ui.Acts{next}
	if may && len(rows) < admitto.MaxContentEntries {
		add := ui.Button{Text: r.T("my_form.add"), Icon: "plus", Href: r.At("my-row", a.ID, s.Key, formpage.NewRow)}
		begins := len(rows) == 0 && (a.lacks(s.Key) || offered != nil)
		add.Primary, acts[0].Primary = begins && offered == nil, !begins
		acts = ui.Acts{add, acts[0]}
	}
	if before != "" {
		acts = append(acts, ui.Button{Text: r.T("my_form.back"), Plain: true, Href: r.At("my-section", a.ID, before)})
	}
	page.Parts = append(page.Parts, acts)
	return page.Show(r)
}

// lacks reports whether a section lacks something.
func (a *own) lacks(section string) bool {
	return slices.ContainsFunc(a.Form.Missing, func(path string) bool { return strings.HasPrefix(path, section+"/") })
}

// row is the form of one entry.
func (p *pages) row(r *site.Request, a *own) error {
	a.crumb(r)
	key := r.Part("section")
	section := a.asks(key)
	if section == nil || !section.Rows {
		return &admitto.Error{Kind: admitto.NotFound}
	}
	if !a.mayFill(key) && !r.Posted() {
		return r.To("my-section", a.ID, key)
	}
	a.setSteps(r, key)
	r.SetTitle(formpage.SectionName(r, section))
	return p.fill(r, a, r.Part("row"))
}

// rowRemove takes an entry out.
func (p *pages) rowRemove(r *site.Request, a *own) error {
	a.crumb(r)
	s, err := a.sectionOf(r, r.Part("section"), r.Part("row"))
	if err != nil {
		return err
	}
	f, err := r.Form(nil, a.Form.RowVersion)
	if err != nil {
		return err
	}
	list := r.At("my-section", a.ID, s.Key)
	if r.Posted() {
		removed, err := s.Remove(r, f, func() error {
			caller := r.Caller()
			caller.Version = a.Form.RowVersion
			return p.Admissions.RemoveRow(r.Context(), caller, a.ID, s.Key, s.Row)
		})
		if err != nil {
			return err
		}
		if removed {
			r.Notify(ui.OK, r.T("my_form.removed"))
			return r.Redirect(list)
		}
		f.Version = a.Form.RowVersion
	}
	rows := a.Form.Content.Rows(s.Key)
	if s.Row >= len(rows) {
		if s.Gone {
			f.NotifyFaults()
		}
		return r.Redirect(list)
	}
	name := formpage.RowName(r, s.Section, rows[s.Row], s.Row, a.words)
	return r.Ask(ui.Confirmation{Title: r.T("my_form.remove_title", "Name", name),
		Effects: []ui.Effect{{Icon: "info", Text: r.T("my_form.remove_effect")}},
		Fields:  []ui.Component{s.Head(f)}, Confirm: ui.Button{Text: r.T("my_form.remove"), Danger: true,
			Busy: r.T("form.saving")}, Back: ui.Link{Text: r.T("dialog.cancel"), Href: list}})
}

// moveButtons move the entry number n of so many, which has a name, one place up or down. The button that has brought
// it here keeps the focus, and says where it is now (screens.md P13); at an end that is the other one.
func moveButtons(r *site.Request, head ui.FormHead, name string, n, all int,
	address func(way string) string) (parts []ui.Component) {
	pressed, place := "", r.Number(n+1)
	switch r.URL.Query().Get(movedTo) {
	case placed(n+1, up):
		if pressed = up; n == 0 {
			pressed = down
		}
	case placed(n+1, down):
		if pressed = down; n+1 == all {
			pressed = up
		}
	}
	add := func(way, text string) {
		button := ui.Button{Text: text, About: name, Icon: "arrow-" + way, Small: true, Focus: way == pressed}
		if button.Focus {
			button.About += ". " + r.T("my_form.now_at", "Place", place, "All", r.Number(all))
		}
		parts = append(parts, ui.FormBox{Action: address(way), Head: head, Buttons: []ui.Button{button}})
	}
	if n > 0 {
		add(up, r.T("my_form.up"))
	}
	if n+1 < all {
		add(down, r.T("my_form.down"))
	}
	if len(parts) > 1 {
		return []ui.Component{ui.Columns{Parts: parts}}
	}
	return parts
}

// movedTo is the parameter of an address that says where an entry was moved to, and which way.
const movedTo = "moved"

func placed(place int, way string) string { return strconv.Itoa(place) + "-" + way }

// toMoved leads to the page of what was moved from a place to another.
func toMoved(r *site.Request, page string, from, to int) error {
	way := up
	if to > from {
		way = down
	}
	return r.Redirect(page + "?" + movedTo + "=" + placed(to, way))
}

// up and down are the ways of a move in an address; a number is the place itself.
const up, down = "up", "down"

// placeOf returns where a way leads from a place; there may be no such place.
func placeOf(way string, from int) int {
	switch way {
	case up:
		return from - 1
	case down:
		return from + 1
	}
	to, err := strconv.Atoi(way)
	if err != nil {
		return 0
	}
	return to
}

// rowMove moves an entry one place up or down, or to the place where it was dragged.
func (p *pages) rowMove(r *site.Request, a *own) error {
	s, err := a.sectionOf(r, r.Part("section"), r.Part("row"))
	if err != nil {
		return err
	}
	from, to := s.Row+1, placeOf(r.Part("way"), s.Row+1)
	if rows := len(a.Form.Content.Rows(s.Key)); from > rows || to < 1 || to > rows { // there is no such place
		return r.To("my-section", a.ID, s.Key)
	}
	f, err := r.Form(nil, a.Form.RowVersion)
	if err != nil {
		return err
	}
	refused, err := f.Refused(p.Admissions.MoveRow(r.Context(), r.Caller(), a.ID, s.Key, s.Row, to-1), nil)
	if err != nil {
		return err
	}
	if refused {
		f.NotifyFaults()
		return r.To("my-section", a.ID, s.Key)
	}
	said := "my_form.moved"
	switch to {
	case from + 1:
		said = "my_form.moved_down"
	case from - 1:
	default:
		said = "my_form.moved_to"
	}
	r.Notify(ui.OK, r.T(said, "Place", r.Number(to)))
	return toMoved(r, r.At("my-section", a.ID, s.Key), from, to)
}
