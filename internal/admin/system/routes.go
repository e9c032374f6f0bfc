// Package system has the page of the health of the instance: one line for each part, what is wrong first, each with
// what to do (screens.md A57).
package system

import (
	"slices"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/jobs"
	"github.com/admitto/admitto/internal/maintenance"
	"github.com/admitto/admitto/internal/services"
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/ui"
)

// Ends returns the month in which something ends that keys of the API use, "" for nothing that is decided.
type Ends func(operation string, version int, what string) string

type pages struct {
	*services.Services
	ends Ends
}

// Routes are the page of the health and its actions with who may open them.
func Routes(s *services.Services, ends Ends) []site.Route {
	p := &pages{s, ends}
	instance := site.Needs(admitto.InstanceAdmin)
	return []site.Route{
		{Name: "system", Path: "/admin/system", Access: instance, Handle: p.system},
		{Name: "system-retry", Path: "/admin/system/mails", Access: instance, Form: true, Parent: "system",
			Handle: p.retry},
		{Name: "system-run", Path: "/admin/system/jobs/{job}", Access: instance, Form: true, Parent: "system",
			Handle: p.run},
		{Name: "system-diagnostics", Path: "/admin/system/diagnostics", Access: instance, Handle: p.diagnostics},
	}
}

// system is the page.
func (p *pages) system(r *site.Request) error {
	h, err := p.Maintenance.Health(r.Context(), r.Reader(), jobs.SharedNames())
	if err != nil {
		return err
	}
	parts := p.parts(r, &h)
	wrong := 0
	for i := range parts {
		if parts[i].tone == ui.Bad {
			wrong++
		}
	}
	summary := ui.Notice{Tone: ui.OK, Text: r.T("system.all_well", "Time", r.Clock(h.Now))}
	if wrong > 0 {
		summary = ui.Notice{Tone: ui.Bad, Text: r.Plural("system.wrong", wrong, "Time", r.Clock(h.Now))}
	} else if parts[0].tone == ui.Warn {
		summary = ui.Notice{Tone: ui.Warn, Text: r.T("system.look", "Time", r.Clock(h.Now))}
	}
	table := ui.Table{Caption: r.Title(), Cards: true, Columns: []ui.Column{{Title: r.T("system.part"), Place: "main"},
		{Title: r.T("system.state"), Place: "meta"}, {Title: r.T("system.is"), Place: "mail"},
		{Title: r.T("system.to_do"), Place: "mail"}}}
	for i := range parts {
		table.Rows = append(table.Rows, parts[i].row(r))
	}
	shown := []ui.Component{summary, table, p.instanceBox(r, &h)}
	if len(h.Mails.Failed) > 0 {
		shown = append(shown, failedBox(r, h.Mails.Failed))
	}
	shown = append(shown, p.jobsBox(r, &h), p.keysBox(r, &h), pagesBox(r, &h))
	return site.Sheet{Intro: []string{r.T("system.intro")}, Buttons: append([]ui.Button{{Text: r.T("system.again"),
		Icon: "rotate-cw", Href: r.At("system")}}, r.Buttons(site.Do("system-diagnostics"))...), Parts: shown}.Show(r)
}

// retry asks whether all failed mails are to be sent again, and does it.
func (p *pages) retry(r *site.Request) error {
	if r.Posted() {
		sent, left, err := p.Notify.SendFailedAgain(r.Context(), r.Reader())
		if err != nil {
			return err
		}
		r.Notify(ui.OK, r.Plural("system.retried", sent))
		if left > 0 {
			r.Notify(ui.Warn, r.Plural("system.not_retried", left))
		}
		return r.To("system")
	}
	h, err := p.Maintenance.Health(r.Context(), r.Reader(), nil)
	if err != nil {
		return err
	}
	n := failures(&h)
	if n == 0 {
		r.Notify(ui.OK, r.T("system.none_failed"))
		return r.To("system")
	}
	return r.Ask(ui.Confirmation{Title: r.Plural("system.retry_title", n), Effects: []ui.Effect{
		{Icon: "mail", Text: r.T("system.retry_effect")}, {Icon: "lock", Text: r.T("system.retry_secret")}},
		Undo:    r.T("system.retry_undo"),
		Confirm: ui.Button{Text: r.T("action.system-retry"), Primary: true, Busy: r.T("form.saving")},
		Back:    ui.Link{Text: r.T("dialog.cancel"), Href: r.At("system")}})
}

// run asks for a run of a job.
func (p *pages) run(r *site.Request) error {
	job := r.Part("job")
	if !slices.Contains(jobs.SharedNames(), job) {
		return &admitto.Error{Kind: admitto.NotFound}
	}
	name := jobName(r, job)
	if r.Posted() {
		if err := p.Automation.AskJob(r.Context(), r.Reader(), job); err != nil {
			return err
		}
		r.Notify(ui.OK, r.T("system.asked", "Job", name))
		return r.Redirect(r.At("system") + "#jobs")
	}
	r.SetTitle(r.T("system.run_title", "Job", name))
	return r.Ask(ui.Confirmation{Title: r.Title(), Effects: []ui.Effect{
		{Icon: "clock", Text: r.T("system.run_effect")}, {Icon: "check", Text: r.T("system.run_once")}},
		Undo:    r.T("system.run_undo"),
		Confirm: ui.Button{Text: r.T("action.system-run"), Primary: true, Busy: r.T("form.saving")},
		Back:    ui.Link{Text: r.T("dialog.cancel"), Href: r.At("system") + "#jobs"}})
}

// failures counts the failed mails.
func failures(h *maintenance.Health) (n int) {
	for i := range h.Mails.Failed {
		n += int(h.Mails.Failed[i].Count)
	}
	return n
}
