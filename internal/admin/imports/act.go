package imports

import (
	"errors"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/leads"
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/ui"
)

// start begins the import, or goes on with it.
func (p *pages) start(r *site.Request) error {
	id, err := r.ID()
	if err != nil {
		return err
	}
	return p.ended(r, p.Leads.Start(r.Context(), r.Caller(), id), "imports.said_started", "import", id)
}

// stop ends the import between two rows. What was done meanwhile does not keep it from that.
func (p *pages) stop(r *site.Request) error {
	id, err := r.ID()
	if err != nil {
		return err
	}
	by := r.Caller()
	by.Version = 0
	return p.ended(r, p.Leads.Stop(r.Context(), by, id), "imports.said_stopped", "import", id)
}

// ended leads on after an action, or says on the same page why it was not done.
func (p *pages) ended(r *site.Request, err error, said, next string, values ...any) error {
	var refusal *admitto.Error
	switch kind := admitto.KindOf(err); {
	case err == nil:
		r.Notify(ui.OK, r.T(said))
		return r.To(next, values...)
	case kind == admitto.ChangedMeanwhile:
		r.Notify(ui.Warn, r.T("imports.changed"))
	case kind == admitto.NotAllowedNow && errors.As(err, &refusal):
		r.Notify(ui.Warn, r.Say(refusal.Text))
	default:
		return err
	}
	id, _ := r.ID()
	return r.To("import", id)
}

// shown reads the import of the address, and names the page on the way to this one.
func (p *pages) shown(r *site.Request) (v leads.View, err error) {
	id, err := r.ID()
	if err != nil {
		return v, err
	}
	v, err = p.Leads.Show(r.Context(), r.Reader(), id)
	r.NameCrumb("import", r.T("imports.page_title", "ID", id))
	return v, err
}

// ask shows what an action does before it is done.
func (p *pages) ask(r *site.Request, v *leads.View, undo string, effects ...ui.Effect) error {
	return r.Ask(ui.Confirmation{Title: r.Title(), Text: fileName(r, &v.LeadImport), Effects: effects, Undo: undo,
		Confirm: ui.Button{Text: r.Title(), Danger: true},
		Back:    ui.Link{Text: r.T("dialog.cancel"), Href: r.At("import", v.ID)}})
}

// discard removes an import of which nothing was done.
func (p *pages) discard(r *site.Request) error {
	v, err := p.shown(r)
	if err != nil {
		return err
	}
	if r.Posted() {
		return p.ended(r, p.Leads.Discard(r.Context(), r.Caller(), v.ID), "imports.said_discarded", "imports")
	}
	return p.ask(r, &v, r.T("imports.discard_undo"), ui.Effect{Icon: "trash-2",
		Text: r.Plural("imports.discard_rows", int(v.Rows))}, ui.Effect{Icon: "user", Text: r.T("imports.discard_nobody")})
}

// undo deletes the leads whom the import has created.
func (p *pages) undo(r *site.Request) error {
	v, err := p.shown(r)
	if err != nil {
		return err
	}
	if r.Posted() {
		return p.ended(r, p.Leads.Undo(r.Context(), r.Caller(), v.ID), "imports.said_undoing", "import", v.ID)
	}
	if !v.MayUndo {
		return r.To("import", v.ID)
	}
	effects := []ui.Effect{{Icon: "undo-2", Text: r.Plural("imports.undo_leads", int(v.Counts[admitto.LeadCreated]))},
		{Icon: "user", Text: r.T("imports.undo_kept")}, {Icon: "megaphone", Text: r.T("imports.undo_trackers")}}
	if v.Options.Welcome {
		effects = append(effects, ui.Effect{Icon: "mail", Text: r.T("imports.undo_mails")})
	}
	return p.ask(r, &v, r.T("imports.undo_undo"), effects...)
}
