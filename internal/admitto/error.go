package admitto

import (
	"errors"
	"fmt"
	"strconv"

	"github.com/admitto/admitto/internal/message"
)

// Kind says what went wrong in the words of the contract. Each kind is the last segment of a problem
// type (conventions.md 6); package api maps it to a status code and a title.
type Kind string

// The kinds a use case may answer with. Faults of the transport (versions, methods, media types) are
// declared where they arise, in package api.
const (
	InvalidParameter  Kind = "invalid-parameter"
	InvalidBody       Kind = "invalid-body"
	NotAllowedNow     Kind = "not-allowed-now"
	NotFound          Kind = "not-found"
	AlreadyExists     Kind = "already-exists"
	RepeatConflict    Kind = "idempotency-conflict"
	RepeatInProgress  Kind = "idempotency-in-progress"
	MailRefused       Kind = "mail-refused"
	Unavailable       Kind = "unavailable"
	Internal          Kind = "internal"
	NotPermitted      Kind = "not-permitted"
	ChangedMeanwhile  Kind = "changed-meanwhile"
	TooLarge          Kind = "too-large"
	UnsupportedFormat Kind = "unsupported-media-type"
)

// The codes of MailRefused: the address is wrong; the mail server takes no mail to it now, but may later; the mail
// itself is refused for good; the mail server cannot be used.
const (
	CodeAddressRefused  = "address-refused"
	CodeAddressDeferred = "address-deferred"
	CodeMessageRefused  = "message-refused"
	CodeMailServer      = "mail-server-unavailable"
)

// Error is a refusal that is safe to show: its sentence and Faults go to the client word by word. What caused
// it is private, it is logged once with the request ID and never sent.
type Error struct {
	Kind   Kind
	Text   message.Text // one sentence for the client; none when Faults say everything
	Faults []Fault      // one entry for each faulty parameter or failed guard, all of them at once
	// Existing is the ID of the object that stands in the way of a creation (kind AlreadyExists).
	Existing int64
	// RetryAfter is how many seconds to wait before sending the call again; 0 when waiting does not help.
	RetryAfter int
	cause      error
}

// Fault is one faulty value, or one thing that speaks against what was asked for. Path says which value, in words of
// the domain; "" names none. Interfaces translate it to the name of a parameter or a field of a page. Code is the error
// code of RefusalCodes, if there is one.
type Fault struct {
	Path Path
	Text message.Text
	Code string
}

// Path names a value: the record and its field ("invoice.series"), or where it stands in a tree
// ("content/education/0/country", "criteria/1"). An interface may make paths of its own for values that it refuses
// itself.
type Path string

// CriterionPath is the path of a line of the criteria of a course, from 0.
func CriterionPath(line int) Path { return "criteria/" + Path(strconv.Itoa(line)) }

// Error joins the message and all faults; it is meant for logs.
func (e *Error) Error() string {
	text := string(e.Kind)
	if !e.Text.IsZero() {
		text += ": " + e.Text.String()
	}
	for _, f := range e.Faults {
		text += "; " + string(f.Path) + ": " + f.Text.String()
	}
	if e.cause != nil {
		text += ": " + e.cause.Error()
	}
	return text
}

// Unwrap returns the private cause.
func (e *Error) Unwrap() error { return e.cause }

// Refused makes an Error with a sentence for the client. Never format a cause into it; attach it with
// Because, so that it stays inside.
func Refused(kind Kind, text message.Text) *Error { return &Error{Kind: kind, Text: text} }

// Errorf is Refused for a sentence that only operators read, in English.
func Errorf(kind Kind, format string, args ...any) *Error {
	return Refused(kind, message.Plain(fmt.Sprintf(format, args...)))
}

// Because attaches the private cause and returns e.
func (e *Error) Because(cause error) *Error {
	e.cause = cause
	return e
}

// Refuse makes an Error of the kind with one fault for a value and an optional code of RefusalCodes.
func Refuse(kind Kind, path Path, code string, text message.Text) *Error {
	return &Error{Kind: kind, Faults: []Fault{{Path: path, Code: code, Text: text}}}
}

// KindOf returns the kind of err, Internal for an error that is not an *Error, and "" for nil.
func KindOf(err error) Kind {
	if err == nil {
		return ""
	}
	var e *Error
	if errors.As(err, &e) {
		return e.Kind
	}
	return Internal
}
