package admissions

import (
	"errors"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/mail"
)

// How many seconds to wait before a creation is sent again that failed at the mail server itself, or because the server
// does not take mail to the address yet: those that greylist want some minutes between two tries.
const (
	mailRetryAfter    = 30
	addressRetryAfter = 300
)

// mailHangsUp is the reply of a mail server that ends the connection, whatever it was asked (RFC 5321 3.8).
const mailHangsUp = 421

// welcomeCode tells whom a refusal is about (lifecycle.md 8.2, W5): the mail server or the settings for it, the address,
// or the mail itself.
func welcomeCode(refused error) string {
	var refusal *mail.Refusal
	switch {
	case !errors.As(refused, &refusal):
		return admitto.CodeMailServer
	case refusal.Temporary && refusal.Step == "RCPT" && refusal.Code != 0 && refusal.Code != mailHangsUp:
		return admitto.CodeAddressDeferred
	case isTemporary(refused), refusal.Step == "MAIL": // which names the sender, this service
		return admitto.CodeMailServer
	case refusal.Step == "RCPT":
		return admitto.CodeAddressRefused
	}
	return admitto.CodeMessageRefused
}

// welcomeNotTaken makes the refusal of a creation whose mail was not taken: only what the client can mend, or what passes,
// asks for another try.
func welcomeNotTaken(refused error) error {
	code := welcomeCode(refused)
	e := &admitto.Error{Kind: admitto.MailRefused}
	var detail string
	switch code {
	case admitto.CodeMailServer:
		e.Message = "The mail server of this service could not be reached, or takes no mail from it now, so nothing was stored. " +
			"Send the same call again later; when it keeps failing, tell the operator."
		e.RetryAfter, detail = mailRetryAfter, "The mail server cannot be used at this time; the address is not to blame."
	case admitto.CodeAddressDeferred:
		e.Message = "The mail server does not take mail to this address at this time, so nothing was stored. Send the same call again later."
		e.RetryAfter, detail = addressRetryAfter, "The mail server does not take mail to this address at this time."
	case admitto.CodeMessageRefused:
		e.Message = "The mail server refused the welcome mail itself, whomever it is to, so nothing was stored. Tell the operator, " +
			"since the template of the mail or the mail server has to be changed first."
		detail = "The mail server refused the mail itself for good."
	default:
		e.Message = "The mail server refused the welcome mail to this address, so nothing was stored. Check the address and send the call again."
		detail = "The mail server refused the mail to this address."
	}
	e.Faults = []admitto.Fault{{Code: code, Detail: detail}}
	return e.Because(refused)
}
