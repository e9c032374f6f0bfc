package card

import (
	"slices"
	"strings"

	"github.com/admitto/admitto/internal/admissions"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/form"
	"github.com/admitto/admitto/internal/query"
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/site/formpage"
	"github.com/admitto/admitto/internal/ui"
	"github.com/admitto/admitto/internal/usecase"
)

// formRoutes are the pages on which staff change what an applicant filled in (screens.md A13).
func (p *pages) formRoutes() []site.Route {
	edit := site.Needs(admitto.ApplicationsEdit).And(admitto.ApplicationsView)
	const section = "/admin/applications/{id}/form/{section}"
	row := func(name, path string, handle func(*site.Request, *query.ApplicationHead) error) site.Route {
		return site.Route{Name: name, Path: section + "/rows/{row}" + path, Access: edit, Form: true, Parent: "application",
			Handle: p.ofApplication(handle)}
	}
	up := row("application-form-up", "/up", p.rowUp)
	up.Form, up.Only = false, true
	return []site.Route{
		{Name: "application-form-edit", Path: section + "/edit", Access: edit, Form: true, Parent: "application",
			Handle: p.ofApplication(p.sectionEdit)},
		row("application-form-row", "", p.sectionEdit), row("application-form-row-remove", "/remove", p.rowRemove), up,
		{Name: "application-form-changes", Path: "/admin/applications/{id}/form/changes",
			Access: site.Needs(admitto.ApplicationsView),
			Parent: "application", Handle: p.ofApplication(p.formChanges)},
	}
}

// citizenship is the field that follows the account (lifecycle.md 3.5).
const citizenship = "profile/citizenship"

// sectionOf reads the section or row that a page is about. A row "new" is added; so is one that is gone, when its form
// comes back, so that nothing typed is lost.
func (p *pages) sectionOf(r *site.Request, h *query.ApplicationHead) (s *formpage.Section, version int64, err error) {
	section, at := form.SectionOf(r.Part("section")), r.Part("row")
	if section == nil || section.Rows != (at != "") {
		return nil, 0, &admitto.Error{Kind: admitto.NotFound}
	}
	read, err := p.Query.ApplicationForm(r.Context(), r.Reader(), h.ID)
	if err != nil {
		return nil, 0, err
	}
	s = &formpage.Section{Section: section, Content: &read.Content, Asked: &read.Asked, Questions: read.Questions,
		Groups: formpage.QuestionGroups(r, read.Questions, read.AskedBy, nil), Documents: read.Documents,
		Sees: r.Reader().Has, Locked: func(path string) bool { return path == citizenship }}
	if section.Rows {
		row, ok := s.RowAt(at)
		if !ok {
			return nil, 0, &admitto.Error{Kind: admitto.NotFound}
		}
		s.Row, s.Add = row, r.At("application-form-row", h.ID, section.Key, formpage.NewRow)
	}
	s.Words, err = r.Classes(p.Query.Classificators(r.Context(), r.Reader()))
	return s, read.RowVersion, err
}

// sectionEdit changes a section, or one of its rows. What else of the application changes meanwhile does not matter.
func (p *pages) sectionEdit(r *site.Request, h *query.ApplicationHead) error {
	s, version, err := p.sectionOf(r, h)
	if err != nil {
		return err
	}
	stored := s.Values()
	if followsAccount(h, s) {
		stored[site.OfForm+"citizenship"] = site.One(h.Person.Citizenship)
	}
	f, err := r.Form(stored, version)
	if err != nil {
		return err
	}
	if !s.Came(r, f) {
		return &admitto.Error{Kind: admitto.NotFound}
	}
	if err := f.Since(func() (who, when, what string, err error) {
		who, when, err = p.lastEdit(r, h, s.Key)
		return who, when, "", err
	}); err != nil {
		return err
	}
	r.SetTitle(r.T("card.edit_section", "Section", formpage.SectionName(r, s.Section)))
	if r.Posted() {
		saved, err := p.saveSection(r, h, s, version, f)
		if err != nil {
			return err
		}
		if saved {
			return p.afterSection(r, h, s)
		}
	}
	if s.HasSensitive() {
		if err := p.noteSensitive(r, h); err != nil {
			return err
		}
	}
	back := r.Within("application-form", h.ID, s.Key)
	parts := []ui.Component{s.Box(r, f, r.Save("action.save"), r.Cancel(back))}
	if s.Key == "profile" {
		notice := ui.Notice{Tone: ui.Info, Text: r.T("card.citizenship_of_account")}
		if r.May("applicant-edit") {
			notice.Link = &ui.Link{Text: r.T("card.change_citizenship"), Href: r.At("applicant-edit", h.Person.ID)}
		}
		parts = append([]ui.Component{notice}, parts...)
	}
	return site.Sheet{Intro: []string{r.T("card.edit_intro", "Name", titleOf(r, h))}, Parts: parts}.Show(r)
}

// followsAccount reports whether the section states the citizenship, which the account has.
func followsAccount(h *query.ApplicationHead, s *formpage.Section) bool {
	return s.Key == "profile" && h.Person.Citizenship != ""
}

// saveSection stores what was typed; false where the form has to be shown again.
func (p *pages) saveSection(r *site.Request, h *query.ApplicationHead, s *formpage.Section, version int64,
	f *site.Form) (saved bool, err error) {
	return s.Save(r, f, version, formpage.Saving{
		Store: func(version int64) error {
			caller := r.Caller()
			if version != 0 {
				caller.Version = version
			}
			typed := s.Typed(f)
			if followsAccount(h, s) {
				typed["citizenship"] = site.One(h.Person.Citizenship)
			}
			return p.Admissions.SaveSection(r.Context(), caller, h.ID,
				admissions.SectionEdit{Section: s.Key, Row: s.Row, Typed: typed})
		},
		Again: func() (*formpage.Section, int64, error) { return p.sectionOf(r, h) },
		Who:   func() (who, when string, err error) { return p.lastEdit(r, h, s.Key) },
	})
}

// afterSection says that a section was saved, and shows it; with what needs attention, its form again.
func (p *pages) afterSection(r *site.Request, h *query.ApplicationHead, s *formpage.Section) error {
	now, _, err := p.sectionOf(r, h)
	if err != nil {
		return err
	}
	now.Row = s.Row
	if now.NeedsAttention() == 0 {
		r.Notify(ui.OK, r.T("card.section_saved", "Time", r.Clock(r.Now())))
		return r.To("application-form", h.ID, s.Key)
	}
	r.Notify(ui.Warn, r.T("card.section_attention", "Time", r.Clock(r.Now())))
	if s.Rows {
		return r.To("application-form-row", h.ID, s.Key, s.Row+1)
	}
	return r.To("application-form-edit", h.ID, s.Key)
}

// editsLookedAt is how many changes of the form are looked through for the last one of a section.
const editsLookedAt = 20

// lastEdit is who changed a section last, and when.
func (p *pages) lastEdit(r *site.Request, h *query.ApplicationHead, section string) (who, when string, err error) {
	who, when = r.T("applicant.somebody"), r.Clock(r.Now())
	records, _, err := p.Query.History(r.Context(), r.Reader(), query.HistoryQuery{Application: h.ID, Limit: editsLookedAt,
		Events: []admitto.EventFilter{{Pattern: admitto.ApplicationEdited}}})
	at := slices.IndexFunc(records, func(record admitto.Record) bool {
		return slices.ContainsFunc(record.Details, func(d admitto.Detail) bool {
			return strings.HasPrefix(d.Path, "/"+section+
				"/")
		})
	})
	if err != nil || at < 0 {
		return who, when, err
	}
	staff, err := p.Query.Administrators(r.Context(), r.Reader())
	names, err := usecase.Named(staff, err, func(a *admitto.Administrator) (int64, string) { return a.ID, a.Name })
	if by := records[at].Actor; by.Kind == admitto.ByAdministrator && names[by.ID] != "" {
		who = names[by.ID]
	} else if by.Kind == admitto.ByApplicant {
		who = r.T("card.the_applicant")
	}
	return who, r.Clock(records[at].Logged), err
}

// rowRemove takes a row out of a section.
func (p *pages) rowRemove(r *site.Request, h *query.ApplicationHead) error {
	s, version, err := p.sectionOf(r, h)
	if err != nil {
		return err
	}
	f, err := r.Form(nil, version)
	if err != nil {
		return err
	}
	if r.Posted() {
		removed, err := s.Remove(r, f, func() error {
			caller := r.Caller()
			caller.Version = version
			return p.Admissions.RemoveRow(r.Context(), caller, h.ID, s.Key, s.Row)
		})
		if err != nil {
			return err
		}
		if removed {
			r.Notify(ui.OK, r.T("card.row_removed"))
			return r.To("application-form", h.ID, s.Key)
		}
		f.Version = version
	}
	if s.Row >= len(s.Content.Rows(s.Key)) {
		if !s.Gone {
			return &admitto.Error{Kind: admitto.NotFound}
		}
		f.NotifyFaults()
		return r.To("application-form", h.ID, s.Key)
	}
	return r.Ask(ui.Confirmation{Title: r.T("card.remove_row", "Row", r.Number(s.Row+1), "Section",
		formpage.SectionName(r, s.Section)),
		Effects: []ui.Effect{{Icon: "info", Text: r.T("card.remove_row_effect")}}, Undo: r.T("card.remove_row_undo"),
		Fields: []ui.Component{s.Head(f)}, Confirm: ui.Button{Text: r.T("action.application-form-row-remove"), Danger: true,
			Busy: r.T("form.saving")}, Back: ui.Link{Text: r.T("dialog.cancel"), Href: r.Within("application-form", h.ID,
			s.Key)}})
}

// rowUp moves a row before the one above it.
func (p *pages) rowUp(r *site.Request, h *query.ApplicationHead) error {
	s, version, err := p.sectionOf(r, h)
	if err != nil {
		return err
	}
	f, err := r.Form(nil, version)
	if err != nil {
		return err
	}
	refused, err := f.Refused(p.Admissions.MoveRow(r.Context(), r.Caller(), h.ID, s.Key, s.Row, max(s.Row-1, 0)),
		nil)
	if err != nil {
		return err
	}
	if !refused {
		r.Notify(ui.OK, r.T("card.row_moved"))
	} else {
		f.NotifyFaults()
	}
	return r.To("application-form", h.ID, s.Key)
}
