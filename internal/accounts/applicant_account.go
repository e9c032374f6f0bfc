package accounts

import (
	"context"
	"slices"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/message"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/text"
	"github.com/admitto/admitto/internal/usecase"
)

// ApplicantMember is an applicant as every page of theirs shows them (screens.md 2, portal frame).
type ApplicantMember struct {
	ID                 int64
	Name               admitto.Name
	Language, Scheme   string // "" for what the browser wants
	CitizenshipMissing bool
	ConsentsUndecided  bool // a mandatory one
	ChangePassword     bool // before anything else
	OpenTasks          int64
	UnreadMessages     int64
}

// ApplicantMember reads what the pages of an applicant show on every request. Not-found when the account is not there,
// or may not be signed in to (any more).
func (s *Service) ApplicantMember(ctx context.Context, applicant int64) (m ApplicantMember, err error) {
	err = s.core.Read(ctx, func(tx *store.Tx) error {
		a, err := tx.ApplicantAccount(applicant)
		if err != nil {
			return err
		}
		if a.State != admitto.ApplicantLive {
			return &admitto.Error{Kind: admitto.NotFound}
		}
		m = ApplicantMember{ID: a.ID, Name: a.Name, Language: a.Language, Scheme: a.Scheme,
			CitizenshipMissing: a.Citizenship == "", ChangePassword: a.Temporary}
		asked, err := tx.AskedConsents(applicant)
		if err != nil {
			return err
		}
		m.ConsentsUndecided = slices.ContainsFunc(asked, func(c admitto.AskedConsent) bool {
			return c.IsMandatory() && c.Decision == ""
		})
		if m.OpenTasks, err = tx.OpenTasks(applicant, s.core.Today(tx)); err != nil {
			return err
		}
		m.UnreadMessages, err = tx.UnreadEmails(applicant)
		return err
	})
	return m, err
}

// ApplicantAccount is what an applicant finds on the page of their account (screens.md P24), and staff on their card.
type ApplicantAccount struct {
	admitto.Applicant
	RowVersion            int64
	Language, Scheme      string
	HasPassword           bool
	SignedIn              admitto.Time // the last time; 0: never
	Unconfirmed           bool         // registered, and never used a link
	NewEmail              string       // waits to be confirmed; "" for none
	NewEmailUntil         admitto.Time
	CitizenshipChangeable bool // by the applicant
}

// ApplicantAccount reads the account of an applicant. Not-found without the applicant.
func (s *Service) ApplicantAccount(ctx context.Context, by admitto.Caller, applicant int64) (a ApplicantAccount,
	err error) {
	if err := by.NeedsOrOwns(admitto.ApplicantsView, applicant); err != nil {
		return a, err
	}
	err = s.core.Read(ctx, func(tx *store.Tx) error {
		row, err := tx.ApplicantAccount(applicant)
		if err != nil {
			return err
		}
		a = ApplicantAccount{Applicant: row.Applicant, RowVersion: row.RowVersion, Language: row.Language, Scheme: row.Scheme,
			HasPassword: row.Password != "", SignedIn: row.SignedIn, Unconfirmed: row.Unconfirmed}
		change, err := tx.EmailChangeOf(applicant)
		if err != nil {
			return err
		}
		if change.Expires > tx.Now() {
			a.NewEmail, a.NewEmailUntil = change.Email, change.Expires
		}
		submitted, err := tx.HasSubmitted(applicant, s.core.Today(tx))
		a.CitizenshipChangeable = !submitted
		return err
	})
	return a, err
}

// ApplicantEdit is what is to be changed of an applicant; nil stays.
type ApplicantEdit struct {
	Type                  *admitto.ApplicantType
	Given, Middle, Family *string
	Parent, Legal         *string
	Phone, Skype          *string
	Citizenship           *string
	Address, VATIN        *string
}

// EditApplicant changes what staff and applicants may edit themselves (screens.md A08, P24); the address of e-mails has
// a use case of its own. Applicants change their names and telephone numbers, and the citizenship as SetCitizenship
// says. What is there already changes nothing. Errors: not-found; invalid-parameter; not-permitted for what applicants
// cannot change.
func (s *Service) EditApplicant(ctx context.Context, by usecase.Caller, applicant int64, edit ApplicantEdit) error {
	if err := by.NeedsOrOwns(admitto.ApplicantsEdit, applicant); err != nil {
		return err
	}
	own := by.Owns(applicant) == nil
	if own && (edit.Type != nil || edit.Parent != nil || edit.Legal != nil || edit.Address != nil || edit.VATIN != nil) {
		return admitto.Refused(admitto.NotPermitted, message.Of("staff-only"))
	}
	return s.core.Write(ctx, func(tx *store.Tx) error {
		row, err := tx.LockApplicantAccount(applicant)
		if err != nil {
			return err
		}
		a := row.Applicant
		details, err := edit.apply(&a)
		if err := by.Together(by.Sees(row.RowVersion), err); err != nil || len(details) == 0 {
			return err
		}
		if own && a.Citizenship != row.Citizenship {
			submitted, err := tx.HasSubmitted(applicant, s.core.Today(tx))
			if err != nil {
				return err
			}
			if submitted {
				return admitto.Refused(admitto.NotAllowedNow, message.Of("citizenship-submitted"))
			}
		}
		if err := tx.SaveApplicant(&row.Applicant, &a); err != nil {
			return err
		}
		tx.Record(by.Actor, admitto.Event{Pattern: admitto.ApplicantEdited, Links: admitto.Links{Applicant: applicant},
			Details: details})
		return by.Done(tx)
	})
}

// apply makes the change, and returns old and new values. All faults are found.
func (e *ApplicantEdit) apply(a *admitto.Applicant) (details []admitto.Detail, err error) {
	var faults []admitto.Fault
	set := func(path admitto.Path, field, value *string, rule func(string) (string, error)) {
		if value == nil {
			return
		}
		normal, err := rule(*value)
		if err != nil {
			faults = append(faults, admitto.Fault{Path: path, Text: message.From(err)})
		} else if *field != normal {
			details = append(details, admitto.Detail{Path: string(path)[len("applicant."):], Old: *field, New: normal})
			*field = normal
		}
	}
	if e.Type != nil && *e.Type != a.Type {
		if *e.Type != admitto.Natural && *e.Type != admitto.Child && *e.Type != admitto.Legal {
			faults = append(faults, admitto.Fault{Path: "applicant.type", Text: message.Of("no-applicant-type")})
		}
		details = append(details, admitto.Detail{Path: "type", Old: string(a.Type), New: string(*e.Type)})
		a.Type = *e.Type
	}
	family := 1
	if a.Type == admitto.Legal {
		family = 0
	}
	set("applicant.given", &a.Name.Given, e.Given, nameRule(0))
	set("applicant.middle", &a.Name.Middle, e.Middle, nameRule(0))
	set("applicant.family", &a.Name.Family, e.Family, nameRule(family))
	set("applicant.parent", &a.Name.Parent, e.Parent, lineUpTo(100))
	set("applicant.legal", &a.Name.Legal, e.Legal, lineUpTo(100))
	set("applicant.phone", &a.Phone, e.Phone, text.Phone(a.Phone, 30))
	set("applicant.skype", &a.Skype, e.Skype, lineUpTo(64))
	set("applicant.citizenship", &a.Citizenship, e.Citizenship, text.Country)
	set("applicant.address", &a.Address, e.Address,
		func(value string) (string, error) { return text.Multiline(value, 0, 500) })
	set("applicant.vatin", &a.VATIN, e.VATIN, lineUpTo(30))
	if len(faults) > 0 {
		return nil, &admitto.Error{Kind: admitto.InvalidParameter, Faults: faults}
	}
	return details, nil
}

// lineUpTo is the form of a line that may be empty.
func lineUpTo(most int) func(string) (string, error) {
	return func(value string) (string, error) { return text.Line(value, 0, most) }
}

// SetCitizenship stores the citizenship of an applicant, by which deadlines and fees go. Applicants change it until
// they first submit an application, and again when its term is over (lifecycle.md 3.5); staff always.
func (s *Service) SetCitizenship(ctx context.Context, by usecase.Caller, applicant int64, country string) error {
	if err := by.NeedsOrOwns(admitto.ApplicantsEdit, applicant); err != nil {
		return err
	}
	return s.EditApplicant(ctx, by, applicant, ApplicantEdit{Citizenship: &country})
}

// SetApplicantPreferences stores how pages are shown to the applicant who asks: the language, and light or dark; "" for
// what the browser wants. The journal does not learn of it (lifecycle.md 10.2).
func (s *Service) SetApplicantPreferences(ctx context.Context, by admitto.Caller, language, scheme string) error {
	if err := by.ApplicantOnly(); err != nil {
		return err
	}
	var err error
	if language != "" {
		if language, err = text.Language(language); err != nil {
			return admitto.Refuse(admitto.InvalidParameter, "applicant.language", "", message.From(err))
		}
	}
	if scheme != "" && scheme != SchemeLight && scheme != SchemeDark {
		return admitto.Refuse(admitto.InvalidParameter, "applicant.scheme", "", message.Of("no-scheme"))
	}
	return s.core.Write(ctx, func(tx *store.Tx) error {
		if _, err := tx.LockApplicant(by.Applicant); err != nil {
			return err
		}
		return tx.SetPreferences(by.Applicant, language, scheme)
	})
}

// The schemes that somebody may choose instead of that of the browser.
const (
	SchemeLight = "light"
	SchemeDark  = "dark"
)

// ConsentsAsked returns the active consents with their texts, the mandatory ones first: what the page asks about where
// somebody registers (screens.md P03).
func (s *Service) ConsentsAsked(ctx context.Context) ([]admitto.AskedConsent, error) {
	return usecase.Get(ctx, s.core, func(tx *store.Tx) ([]admitto.AskedConsent, error) { return tx.AskedConsents(0) })
}

// ConsentsOfApplicant is ConsentsAsked with what an applicant has decided about the current texts.
func (s *Service) ConsentsOfApplicant(ctx context.Context, by admitto.Caller, applicant int64) ([]admitto.AskedConsent,
	error) {
	if err := by.NeedsOrOwns(admitto.ApplicantsView, applicant); err != nil {
		return nil, err
	}
	return usecase.Get(ctx, s.core, func(tx *store.Tx) ([]admitto.AskedConsent, error) {
		if err := tx.HasApplicant(applicant); err != nil {
			return nil, err
		}
		return tx.AskedConsents(applicant)
	})
}

// maxConsentHistory is how many decisions a page shows.
const maxConsentHistory = 100

// ConsentHistory returns the decisions of an applicant on consents, the latest first (screens.md P21).
func (s *Service) ConsentHistory(ctx context.Context, by admitto.Caller,
	applicant int64) ([]admitto.ConsentChange, error) {
	if err := by.NeedsOrOwns(admitto.ApplicantsView, applicant); err != nil {
		return nil, err
	}
	return usecase.Get(ctx, s.core, func(tx *store.Tx) ([]admitto.ConsentChange, error) {
		return tx.ConsentHistory(applicant, maxConsentHistory)
	})
}
