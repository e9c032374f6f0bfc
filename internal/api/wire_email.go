package api

import (
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/api/wire"
)

// emailWire is a mail to an applicant (resources.md 3.7).
type emailWire struct {
	ID          int64        `wire:"id"`
	Inserted    admitto.Time `wire:"inserted"`
	Delivered   admitto.Time `wire:"delivered"`
	Failed      admitto.Time `wire:"failed"`
	Opened      admitto.Time `wire:"opened"`
	From        emailSender  `wire:"from"`
	Subject     string       `wire:"subject"`
	Message     string       `wire:"message"`
	Attachments wire.Link    `wire:"attachments"`
}

type emailSender struct {
	Email string `wire:"email"`
	Name  string `wire:"name"`
}

func emailRecord(e *admitto.Email) any {
	w := &emailWire{ID: e.ID, Inserted: e.Inserted, Delivered: e.Delivered, Failed: e.Failed, Opened: e.Opened,
		From: emailSender{e.FromEmail, e.FromName}, Subject: e.Subject, Message: e.Message}
	if e.HasAttachments {
		w.Attachments = wire.LinkTo("/applicants/{}/emails/{}/attachments", e.Applicant, e.ID)
	}
	return w
}
