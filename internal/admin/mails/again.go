package mails

import (
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/notify"
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/ui"
)

// next is what can be done about a mail that was given up: it is sent again, or in the place of one whose text is gone
// a new link to sign in is.
func next(r *site.Request, m *stored) []ui.Component {
	if !m.IsGivenUp() {
		return nil
	}
	if notify.HasSecrets(&m.Email) {
		notice := ui.Notice{Tone: ui.Info, Text: r.T("mails.secret_gone")}
		if r.May("applicant-sign-in-link") {
			notice.Link = &ui.Link{Text: r.T("action.applicant-sign-in-link"), Href: r.At("applicant-sign-in-link", m.Applicant)}
		}
		return []ui.Component{notice}
	}
	if !r.May("email-again") {
		return nil
	}
	box := againBox(r, m.ID, r.Within(m.page, m.owner, m.ID))
	box.Buttons[0].Primary, box.Buttons[0].Small = true, false
	box.Parts = []ui.Component{ui.Words{Text: r.T("mails.again_to", "Email", m.address), Muted: true}}
	return []ui.Component{box}
}

// againBox is the button that sends a mail again; then comes the page at an address.
func againBox(r *site.Request, id int64, then string) ui.FormBox {
	return ui.FormBox{Action: site.Add(r.At("email-again", id), "next", then),
		Buttons: []ui.Button{{Text: r.T("action.email-again"), Icon: "rotate-cw", Small: true, Busy: r.T("form.saving")}}}
}

// again sends a mail that was given up once more.
func (p *pages) again(r *site.Request) error {
	id, err := r.IDAt("email")
	if err != nil {
		return err
	}
	err = p.Notify.SendAgain(r.Context(), r.Caller(), id)
	if admitto.KindOf(err) == admitto.NotFound {
		return err
	}
	f, wrong := r.Form(nil, 0)
	if wrong != nil {
		return wrong
	}
	refused, err := f.Refused(err, nil)
	switch {
	case err != nil:
		return err
	case !refused:
		r.Notify(ui.OK, r.T("mails.again_done"))
	default:
		f.NotifyFaults()
	}
	return r.Redirect(r.Next(r.At("dashboard")))
}
