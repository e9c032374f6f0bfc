// Package mails has the pages about e-mails to applicants: those about an application with what became of each, and
// the message that staff write to one applicant (screens.md A21).
package mails

import (
	"strconv"

	"github.com/admitto/admitto/internal/admin/card"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/services"
	"github.com/admitto/admitto/internal/site"
)

type pages struct {
	*services.Services
	card *card.Card
}

// Routes are the pages of e-mails with who may open them.
func Routes(s *services.Services, c *card.Card) []site.Route {
	p := &pages{s, c}
	view, general := site.Needs(admitto.ApplicationsView), site.Needs(admitto.ApplicantsView)
	mail := c.Below("application-email", "application-emails", "/emails/{email}", view, p.ofApplication)
	file := c.Below("application-email-file", "application-email", "/emails/{email}/files/{file}", view,
		p.fileOfApplication)
	mail.Form, file.Form = false, false
	return append(p.messageRoutes(), c.Tab("application-emails", "/emails", view, p.tab), mail, file,
		site.Route{Name: "applicant-email", Path: "/admin/applicants/{id}/emails/{email}", Access: general, InList: true,
			Parent: "applicant-emails", Handle: p.ofApplicant},
		site.Route{Name: "applicant-email-file", Path: "/admin/applicants/{id}/emails/{email}/files/{file}", Access: general,
			InList: true, Parent: "applicant-email", Handle: p.fileOfApplicant},
		site.Route{Name: "email-again", Path: "/admin/emails/{email}/again", Access: site.Needs(admitto.MessagesSend),
			Only:   true,
			Handle: p.again},
		site.Route{Name: "emails", Path: "/admin/emails", Access: general, Handle: p.failed})
}

func number(n int64) string { return strconv.FormatInt(n, 10) }
