package admissions

import (
	"strconv"
	"strings"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/message"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/usecase"
)

// contentSaved does what follows every saved change of an application's content (lifecycle.md T3, T4, T6): revised is
// now, the change is recorded with its old and new values, and Blank or Inactive becomes Draft.
func (s *Service) contentSaved(tx *store.Tx, d *usecase.LockedApplication, details []admitto.Detail) error {
	tx.Record(d.Actor, admitto.Event{Pattern: admitto.ApplicationEdited, Links: d.Links(), Details: details})
	return s.contentRevised(tx, d)
}

// contentRevised is contentSaved for a change that has an event of its own, which was recorded before.
func (s *Service) contentRevised(tx *store.Tx, d *usecase.LockedApplication) error {
	step, err := admitto.ApplicationStep(admitto.ContentSaved, d.Status, d.Actor.Kind)
	if err != nil {
		return err
	}
	if err := tx.ContentRevised(d.ID, step.To); err != nil {
		return err
	}
	d.Revised = tx.Now()
	d.RowVersion++
	if step.To != d.Status {
		d.Status = step.To
		d.Record(tx, admitto.ApplicationStatusChanged, string(step.To))
	}
	return nil
}

// mayChangeContent refuses a change of content that the status forbids to the actor. The applicant is also bound by
// G9; what else stands against the change is told together with that.
func (s *Service) mayChangeContent(tx *store.Tx, d *usecase.LockedApplication,
	more func() ([]admitto.Fault, error)) error {
	if _, err := admitto.ApplicationStep(admitto.ContentSaved, d.Status, d.Actor.Kind); err != nil {
		return err
	}
	faults, err := more()
	if err != nil {
		return err
	}
	if d.Actor.Kind == admitto.ByApplicant {
		closed, err := s.ClosedFaults(tx, d)
		if err != nil {
			return err
		}
		faults = append(closed, faults...)
	}
	return notNow(faults)
}

// frozenSet is what the applicant may not change any more (lifecycle.md 3.6): JSON pointers into the content, and
// /documents/222.
type frozenSet map[string]bool

// frozenFor returns what is frozen for the one who changes the application; nothing for anybody but the applicant.
func frozenFor(tx *store.Tx, d *usecase.LockedApplication) (frozenSet, error) {
	if d.Actor.Kind != admitto.ByApplicant || d.Frozen == 0 {
		return nil, nil
	}
	entries, err := tx.FrozenEntries(d.ID)
	frozen := frozenSet{}
	for _, entry := range entries {
		frozen[entry] = true
	}
	return frozen, err
}

// holds reports whether the path, or something that it lies in, is frozen.
func (f frozenSet) holds(path string) bool {
	for path != "" {
		if f[path] {
			return true
		}
		path = path[:strings.LastIndexByte(path, '/')]
	}
	return false
}

func (f frozenSet) holdsDocument(id int64) bool { return f["/documents/"+strconv.FormatInt(id, 10)] }

// frozenContent tells what of a change the applicant may not do (G13): empty fields may be filled in, and rows be
// added at the end.
func frozenContent(tx *store.Tx, d *usecase.LockedApplication, details []admitto.Detail) (faults []admitto.Fault,
	err error) {
	frozen, err := frozenFor(tx, d)
	if err != nil {
		return nil, err
	}
	for _, change := range details {
		if change.Old != "" && frozen.holds(change.Path) {
			faults = append(faults, admitto.Fault{Path: "content" + admitto.Path(change.Path), Code: admitto.CodeFrozen,
				Text: message.Of("content-frozen")})
		}
	}
	return faults, nil
}
