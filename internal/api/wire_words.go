package api

import (
	"encoding/json"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/api/wire"
)

// consentWire is a consent (resources.md 4).
type consentWire struct {
	ID   int64         `wire:"id"`
	Type string        `wire:"type"`
	Text string        `wire:"text"`
	Link wire.Nullable `wire:"link"`
}

func consentRecord(c *admitto.Consent) any {
	return &consentWire{c.ID, c.Type, c.Text, wire.Nullable(c.Link)}
}

// flagWire is a flag (resources.md 6.1).
type flagWire struct {
	ID      int64        `wire:"id"`
	Created admitto.Time `wire:"created"`
	Name    string       `wire:"name"`
}

func flagRecord(f *admitto.Flag) any { return &flagWire{f.ID, f.Created, f.Name} }

// statusTextWire is how an application status is shown (resources.md 6.2).
type statusTextWire struct {
	Title   string `wire:"title"`
	Colour  string `wire:"colour"`
	Verbose string `wire:"verbose"`
}

func statusTextRecord(s *admitto.StatusText) any {
	return &statusTextWire{s.Title, s.Colour, s.Verbose}
}

// offerTypeWire is an offer type (resources.md 6.3).
type offerTypeWire struct {
	ID       int64             `wire:"id"`
	Status   string            `wire:"status"`
	Title    string            `wire:"title"`
	Colour   string            `wire:"colour"`
	Ranking  string            `wire:"ranking"`
	BCC      []string          `wire:"bcc"`
	Confirm  bool              `wire:"confirm"`
	Freeze   bool              `wire:"freeze"`
	Decide   bool              `wire:"decide"`
	Decline  bool              `wire:"decline"`
	Reopen   bool              `wire:"reopen"`
	Silence  bool              `wire:"silence"`
	Subject  wire.Nullable     `wire:"subject"`
	Comments wire.Nullable     `wire:"comments"`
	Reasons  *[]typeReasonWire `wire:"reasons"` // null when none
}

type typeReasonWire struct {
	ID     int64  `wire:"id"`
	Reason string `wire:"reason"`
}

func offerTypeRecord(t *admitto.OfferType) any {
	w := &offerTypeWire{ID: t.ID, Status: "Online", Title: t.Title, Colour: t.Colour, Ranking: string(t.Ranking),
		BCC:     t.BCC,
		Confirm: t.Confirm, Freeze: t.Freeze, Decide: t.Decide, Decline: t.Decline, Reopen: t.Reopen, Silence: t.Silence,
		Subject: wire.Nullable(t.Subject), Comments: wire.Nullable(t.Comments)}
	if t.Archived {
		w.Status = "Archived"
	}
	if len(t.Reasons) > 0 {
		reasons := make([]typeReasonWire, len(t.Reasons))
		for i, r := range t.Reasons {
			reasons[i] = typeReasonWire{r.ID, r.Reason}
		}
		w.Reasons = &reasons
	}
	return w
}

// classificatorRecord makes the object of a class: codes and titles in their order (resources.md 18).
func classificatorRecord(class *admitto.Classificator) any {
	object := json.RawMessage{'{'}
	for i, c := range class.Codes {
		if i > 0 {
			object = append(object, ',')
		}
		object = wire.AppendString(append(wire.AppendString(object, c.Code), ':'), c.Title)
	}
	object = append(object, '}')
	return &object
}

// administratorWire is a member of staff (resources.md 22).
type administratorWire struct {
	ID           int64         `wire:"id"`
	Name         string        `wire:"name"`
	Email        string        `wire:"email"`
	OutgoingName wire.Nullable `wire:"outgoing_name"`
	OutgoingMail wire.Nullable `wire:"outgoing_email"`
	Phone        wire.Nullable `wire:"phone"`
	Function     wire.Nullable `wire:"function"`
	Roles        []roleWire    `wire:"roles"`
}

type roleWire struct {
	ID   int64  `wire:"id"`
	Name string `wire:"name"`
}

func administratorRecord(a *admitto.Administrator) any {
	w := &administratorWire{ID: a.ID, Name: a.Name, Email: a.Email, OutgoingName: wire.Nullable(a.OutgoingName),
		OutgoingMail: wire.Nullable(a.OutgoingMail), Phone: wire.Nullable(a.Phone), Function: wire.Nullable(a.Function)}
	for _, r := range a.Roles {
		w.Roles = append(w.Roles, roleWire{r.ID, r.Name})
	}
	return w
}
