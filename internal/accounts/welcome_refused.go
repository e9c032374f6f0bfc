package accounts

import (
	"errors"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/mail"
	"github.com/admitto/admitto/internal/message"
	"github.com/admitto/admitto/internal/notify"
)

// How many seconds to wait before a creation is sent again that failed at the mail server itself, or because the server
// does not take mail to the address yet: those that greylist want some minutes between two tries.
const (
	mailRetryAfter    = 30
	addressRetryAfter = 300
)

// mailHangsUp is the reply of a mail server that ends the connection, whatever it was asked (RFC 5321 3.8).
const mailHangsUp = 421

// welcomeCode tells whom a refusal is about (lifecycle.md 8.2, W5): the mail server or the settings for it, the
// address, or the mail itself.
func welcomeCode(refused error) string {
	var refusal *mail.Refusal
	switch {
	case !errors.As(refused, &refusal):
		return admitto.CodeMailServer
	case refusal.Temporary && refusal.Step == "RCPT" && refusal.Code != 0 && refusal.Code != mailHangsUp:
		return admitto.CodeAddressDeferred
	case notify.IsTemporary(refused), refusal.Step == "MAIL": // which names the sender, this service
		return admitto.CodeMailServer
	case refusal.Step == "RCPT":
		return admitto.CodeAddressRefused
	}
	return admitto.CodeMessageRefused
}

// welcomeNotTaken makes the refusal of a creation whose mail was not taken: only what the client can mend, or what
// passes, asks for another try.
func welcomeNotTaken(refused error) error {
	code := welcomeCode(refused)
	e := &admitto.Error{Kind: admitto.MailRefused}
	var detail message.Text
	switch code {
	case admitto.CodeMailServer:
		e.Text = message.Of("mail-server-away")
		e.RetryAfter, detail = mailRetryAfter, message.Of("mail-server-not-to-blame")
	case admitto.CodeAddressDeferred:
		e.Text = message.Of("address-deferred")
		e.RetryAfter, detail = addressRetryAfter, message.Of("mail-deferred")
	case admitto.CodeMessageRefused:
		e.Text = message.Of("mail-refused")
		detail = message.Of("mail-refused-for-good")
	default:
		e.Text = message.Of("address-refused")
		detail = message.Of("mail-to-address-refused")
	}
	e.Faults = []admitto.Fault{{Code: code, Text: detail}}
	return e.Because(refused)
}
