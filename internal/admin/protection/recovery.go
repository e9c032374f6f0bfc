package protection

import (
	"strconv"
	"strings"

	"github.com/admitto/admitto/internal/admin/show"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/jobs"
	"github.com/admitto/admitto/internal/privacy"
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/ui"
)

// recovery lists the applicants who were deleted, with when they are erased.
func (p *pages) recovery(r *site.Request) error {
	list, err := p.Privacy.RecoveryList(r.Context(), r.Reader())
	if err != nil {
		return err
	}
	t := ui.Table{Cards: true, Caption: r.T("protection.tab_recovery"), Columns: []ui.Column{
		{Title: r.T("protection.applicant"), Place: "main"}, {Title: r.T("protection.left"), Place: "meta"},
		{Title: r.T("protection.erased_at"), Place: "label"}, {Title: r.T("protection.deleted_at"), Place: "label"},
		{Title: r.T("protection.request"), Place: "label"}, {Title: r.T("protection.actions")}},
		Empty: ui.Empty{Icon: "trash-2", Title: r.T("protection.none_deleted"),
			Text: r.T("protection.none_deleted_text")}}
	for i := range list {
		d := &list[i]
		name := show.Name(r, &d.Applicant)
		left, at := p.erasing(r, d)
		deleted := ui.Cell{Text: r.Clock(d.Deleted.Deleted)}
		if d.By != "" {
			deleted.Note = d.By
		}
		asked := ui.Cell{Text: r.T("protection.no_request")}
		if d.ForgetRequested != 0 {
			asked.Text = r.Day(d.ForgetRequested)
		}
		var acts ui.Acts
		for _, b := range r.Buttons(site.Do("recovery-restore", d.ID), site.Danger("recovery-erase", d.ID)) {
			b.Small, b.About = true, name
			acts = append(acts, b)
		}
		t.Rows = append(t.Rows, ui.Row{ID: strconv.FormatInt(d.ID, 10), Label: name, Cells: []ui.Cell{
			{Text: name, Note: strconv.FormatInt(d.ID, 10)}, left, at, deleted, asked, {Parts: []ui.Component{acts}}}})
	}
	return p.show(r, "recovery", "protection.recovery_text", nil, t)
}

// erasing is how long there is to bring somebody back, and when the nightly run erases them.
func (p *pages) erasing(r *site.Request, d *privacy.Recoverable) (left, at ui.Cell) {
	if d.Erase == 0 {
		return ui.Cell{Text: r.T("protection.not_by_itself")}, ui.Cell{}
	}
	due := jobs.Next(p.Services, "erase", max(d.Erase-1, r.Now()))
	hours := int((due - r.Now() + admitto.Hour - 1) / admitto.Hour)
	words := r.Plural("unit.hours", hours)
	if hours >= 48 {
		words = r.Plural("unit.days", hours/24)
	}
	return ui.Cell{Tags: []ui.Tag{{Text: words, Icon: "clock", Tone: ui.Warn}}}, ui.Cell{Text: r.Clock(due)}
}

// deleted reads the applicant of the recovery list that a page is about.
func (p *pages) deleted(r *site.Request) (d privacy.Recoverable, err error) {
	id, err := r.ID()
	if err != nil {
		return d, err
	}
	list, err := p.Privacy.RecoveryList(r.Context(), r.Reader())
	for i := range list {
		if list[i].ID == id {
			return list[i], err
		}
	}
	if err == nil {
		err = &admitto.Error{Kind: admitto.NotFound}
	}
	return d, err
}

// restore brings a deleted applicant back, with a new address where theirs is taken.
func (p *pages) restore(r *site.Request) error {
	d, err := p.deleted(r)
	if err != nil {
		return err
	}
	f, err := r.Form(nil, 0)
	if err != nil {
		return err
	}
	if r.Posted() {
		err := p.Privacy.RestoreApplicant(r.Context(), r.Caller(), d.ID, f.Get("email"))
		fields := map[admitto.Path]string{}
		if admitto.KindOf(err) == admitto.AlreadyExists {
			fields[""] = "email"
		}
		refused, err := f.Refused(err, fields)
		if err != nil {
			return err
		}
		if !refused {
			r.Notify(ui.OK, r.T("protection.restored", "Name", show.Name(r, &d.Applicant)))
			if r.May("applicant") {
				return r.To("applicant", d.ID)
			}
			return r.To("recovery")
		}
	}
	r.SetTitle(r.T("protection.restore_title", "Name", show.Name(r, &d.Applicant)))
	email := f.Email("email", "protection.new_email", "off")
	email.Optional, email.Hint = true, r.T("protection.new_email_hint", "Email", d.Email)
	return site.Sheet{Intro: []string{r.T("protection.restore_text")}, Parts: []ui.Component{f.Box([]ui.Button{
		r.Save("action.recovery-restore"), r.Cancel(r.At("recovery"))}, email)}}.Show(r)
}

// erase erases a deleted applicant at once, for those who type the ID.
func (p *pages) erase(r *site.Request) error {
	d, err := p.deleted(r)
	if err != nil {
		return err
	}
	f, err := r.Form(nil, 0)
	if err != nil {
		return err
	}
	id := strconv.FormatInt(d.ID, 10)
	if r.Posted() {
		if strings.TrimSpace(f.Get("id")) != id {
			f.Fail("id", "protection.type_id", "ID", id)
		}
		if !f.Failed() {
			refused, err := f.Refused(p.Privacy.EraseNow(r.Context(), r.Caller(), d.ID), nil)
			if err != nil {
				return err
			}
			if !refused {
				r.Notify(ui.OK, r.T("protection.erased", "ID", id))
				return r.To("recovery")
			}
		}
	}
	typed := f.Text("id", "protection.typed_id")
	typed.InputMode, typed.Width, typed.Autocomplete = "numeric", "w10", "off"
	typed.Hint = r.T("protection.type_id", "ID", id)
	return r.Ask(ui.Confirmation{Title: r.T("protection.erase_title", "Name", show.Name(r, &d.Applicant), "ID", id),
		Effects: []ui.Effect{{Icon: "trash-2", Text: r.T("protection.erase_effect")},
			{Icon: "receipt", Text: r.T("protection.erase_invoices")}, {Icon: "history",
				Text: r.T("protection.erase_journal")}},
		Undo: r.T("protection.erase_undo"), Fields: []ui.Component{f.Head(), typed},
		Confirm: ui.Button{Text: r.T("action.recovery-erase"), Danger: true, Busy: r.T("form.saving")},
		Back:    ui.Link{Text: r.T("dialog.cancel"), Href: r.At("recovery")}})
}
