package admissions

import (
	"strconv"
	"strings"

	"github.com/admitto/admitto/internal/message"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store"
)

// frozenSet is what the applicant may not change any more (lifecycle.md 3.6): JSON pointers into the content, and
// /documents/222.
type frozenSet map[string]bool

// frozenFor returns what is frozen for the one who changes the application; nothing for anybody but the applicant.
func frozenFor(tx *store.Tx, d *dossier) (frozenSet, error) {
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
func frozenContent(tx *store.Tx, d *dossier, details []admitto.Detail) (faults []admitto.Fault, err error) {
	frozen, err := frozenFor(tx, d)
	if err != nil {
		return nil, err
	}
	for _, change := range details {
		if change.Old != "" && frozen.holds(change.Path) {
			faults = append(faults, admitto.Fault{Pointer: change.Path, Code: admitto.CodeFrozen, Text: message.Of("content-frozen")})
		}
	}
	return faults, nil
}
