package admitto

import (
	"errors"

	"github.com/admitto/admitto/internal/message"
)

// Caller is who calls a use case, and what they may do (lifecycle.md 12). The zero Caller may do nothing. Every use
// case begins with one of its checks.
type Caller struct {
	Actor       Actor       // who it is in the journal
	Permissions Permissions // of staff and keys
	Applicant   int64       // whose own records they are, for applicants; 0 for everybody else
}

// AdministratorCaller is a member of staff who is signed in, with the permissions of all their roles.
func AdministratorCaller(id int64, may Permissions, requestID string) Caller {
	return Caller{Actor: Actor{Kind: ByAdministrator, ID: id, RequestID: requestID}, Permissions: may}
}

// ApplicantCaller is an applicant who is signed in. They have no permissions, but the rights of their own records.
func ApplicantCaller(id int64, requestID string) Caller {
	return Caller{Actor: Actor{Kind: ByApplicant, ID: id, RequestID: requestID}, Applicant: id}
}

// KeyCaller is an API key, with the permissions of the operations in its scope (lifecycle.md 12.2).
func KeyCaller(id int64, may Permissions, requestID string) Caller {
	return Caller{Actor: Actor{Kind: ByKey, ID: id, RequestID: requestID}, Permissions: may}
}

// SystemCaller is the service itself, with all permissions: jobs, time rules, the command line, what is sent or
// documented. Nothing that comes from a request may become it.
func SystemCaller() Caller {
	return Caller{Actor: System(), Permissions: AllPermissions()}
}

// Has reports whether the caller has the permission.
func (by Caller) Has(p Permission) bool { return by.Actor.Kind != "" && by.Permissions.Has(p) }

// Needs refuses callers without the permission.
func (by Caller) Needs(p Permission) error {
	if by.Has(p) {
		return nil
	}
	return Refused(NotPermitted, message.Of("permission-needed", p)).Because(&lacking{p})
}

// NeedsAny refuses callers who have none of the permissions.
func (by Caller) NeedsAny(first Permission, others ...Permission) error {
	for _, p := range others {
		if by.Has(p) {
			return nil
		}
	}
	return by.Needs(first)
}

// Owns refuses everybody but the applicant.
func (by Caller) Owns(applicant int64) error {
	if by.owns(applicant) {
		return nil
	}
	return Refused(NotPermitted, message.Of("applicant-only"))
}

// NeedsOrOwns refuses callers who neither have the permission nor are the applicant.
func (by Caller) NeedsOrOwns(p Permission, applicant int64) error {
	if by.owns(applicant) {
		return nil
	}
	return by.Needs(p)
}

// StaffOrOwns refuses applicants other than the one, and who Staff refuses.
func (by Caller) StaffOrOwns(applicant int64) error {
	if by.owns(applicant) {
		return nil
	}
	return by.Staff()
}

// ApplicantOnly refuses everybody who is no applicant. The records that follow are found by their ID.
func (by Caller) ApplicantOnly() error { return by.Owns(by.Applicant) }

// NeedsOrApplicant refuses callers who neither have the permission nor are an applicant. It is for records whose
// applicant is known inside the transaction only: there what is not theirs is answered as what does not exist.
func (by Caller) NeedsOrApplicant(p Permission) error {
	return by.NeedsOrOwns(p, by.Applicant)
}

// SignedIn refuses callers who are nobody. It suffices for what an applicant finds on the pages of courses and forms:
// institutions, courses, intakes, terms, lists of words, the names of statuses, the texts of consents.
func (by Caller) SignedIn() error {
	if by.Actor.Kind != "" {
		return nil
	}
	return Refused(NotPermitted, message.Of("sign-in-first"))
}

// Staff refuses callers who are neither staff, nor a key, nor the service. It suffices for the names that lists and
// filters of staff show whatever the permissions: flags, trackers, offer types, letterheads, administrators.
func (by Caller) Staff() error {
	if err := by.SignedIn(); err != nil {
		return err
	}
	if by.Actor.Kind == ByApplicant {
		return Refused(NotPermitted, message.Of("staff-only"))
	}
	return nil
}

// AdministratorOnly refuses everybody who is no administrator: it is for what belongs to the own account.
func (by Caller) AdministratorOnly() error {
	if by.Actor.Kind == ByAdministrator && by.Actor.ID != 0 {
		return nil
	}
	return Refused(NotPermitted, message.Of("administrator-only"))
}

// System refuses everybody but the service itself, and who works with it on the command line.
func (by Caller) System() error {
	if by.Actor.Kind == BySystem {
		return nil
	}
	return Refused(NotPermitted, message.Of("system-only"))
}

func (by Caller) owns(applicant int64) bool {
	return applicant != 0 && by.Applicant == applicant && by.Actor.Kind == ByApplicant && by.Actor.ID == applicant
}

// lacking is the private cause of a refusal for want of a permission.
type lacking struct{ permission Permission }

func (l *lacking) Error() string { return "the caller lacks " + l.permission.String() }

// Lacking is the permission for want of which a use case refused, so that a page can name it.
func Lacking(err error) (p Permission, ok bool) {
	var l *lacking
	if errors.As(err, &l) {
		return l.permission, true
	}
	return 0, false
}
