package demo

import (
	"github.com/admitto/admitto/internal/admitto"
)

// noteTexts are what the staff of an admissions office writes on a card.
var noteTexts = []string{
	"Called, will send transcript",
	"Asked about scholarships; sent the list",
	"Wants to start in February",
	"Passport expires soon, remind before the visa interview",
	"Met at the fair, very interested in engineering",
	"Parents prefer to be called in the evening",
	"English test booked, result expected next month",
	"Duplicate enquiry by telephone, same person",
	"Asked for a dormitory place",
	"Transcript received",
	"Transcript is a photo, asked for a scan",
	"Do not call before noon",
	"Was admitted elsewhere, still deciding",
	"Prior learning to be recognised, see the letter of the faculty",
	"Fee paid by the agent",
	"Visa refused last year, needs a new letter",
	"Speaks some Hungarian",
	"Sibling studies here",
	"Asked twice about the deadline",
	"Wheelchair access needed for the entrance examination",
	"Talked on the phone:\n- wants economics or law\n- will decide in spring\n- call again after Easter",
	"Documents complete.\nHand over to the faculty.",
}

// noteColours draws as offices use them: mostly the default, the strong colours for what needs attention.
var noteColours = func() (list []admitto.Colour) {
	for i, n := range [...]int{48, 14, 10, 14, 9, 5} {
		for range n {
			list = append(list, admitto.Colours[i])
		}
	}
	return list
}()

// Institution is the name of the invented institution.
const Institution = "Example University"

// The institution of the data, at a domain that nobody can own.
const (
	institution = Institution
	fromName    = "Admissions Office"
	fromEmail   = "admissions@example.edu"
	address     = "https://admissions.example.edu"
)

// The codes of the mail templates (lifecycle.md 8.3).
const (
	welcomeAPI      = "applicant-welcome-api"
	welcomeRegister = "applicant-welcome-register"
)

// What mail servers say of mails that they refuse.
const (
	noMailbox   = "550 5.1.1 No such mailbox here"
	mailboxFull = "552 5.2.2 The mailbox is full"
)

// welcomeMail is the stored copy of a welcome mail, its link removed as it is for real ones (resources.md
// 3.7). The texts are those of the templates a new instance has; package mail is out of reach from here.
func welcomeMail(template string, a *admitto.Applicant, at admitto.Time) admitto.Email {
	e := admitto.Email{Applicant: a.ID, Inserted: at, FromName: fromName, FromEmail: fromEmail, Template: template,
		Recipient: a.Email,
		Tries:     1}
	const removed = "(secret removed)"
	expires := (a.Registered + 14*admitto.Day).Std().Format("2 January 2006, 15:04 MST")
	again := "The link works once, until " + expires + ". After that you can ask for a new one at " + address + ".\n\n"
	hello := "Hello " + a.Name.Full() + ",\n\n"
	const kind = "Kind regards\n" + institution
	login := "Your login name is " + a.Email + ".\n\n"
	if template == welcomeRegister {
		e.Subject = "Please confirm your registration at " + institution
		e.Message = hello + "thank you for registering at " + institution + ".\n\n" +
			"Press this link to confirm your e-mail address and sign in:\n\nConfirm and sign in: " + removed + "\n\n" +
			again + login + "If you did not register, you do not have to do anything.\n\n" + kind
		return e
	}
	e.Subject = "Welcome to " + institution
	e.Message = hello + "we have set up an account for you at " + institution +
		". Here you can complete and follow your application.\n\n" + login +
		"Press this link to sign in for the first time and choose a password:\n\nSign in to your account: " + removed +
		"\n\n" +
		again + "If you did not expect this e-mail, you do not have to do anything.\n\n" + kind
	return e
}
