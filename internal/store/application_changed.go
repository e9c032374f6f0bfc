package store

import (
	"maps"
	"slices"

	"github.com/admitto/admitto/internal/admitto"
)

// noteChange notes when an applicant changes an application, from what is recorded of it; at is 0 for the current time.
func (tx *Tx) noteChange(actor admitto.Actor, e *admitto.Event, at admitto.Time) {
	if actor.Kind != admitto.ByApplicant || e.Links.Application == 0 {
		return
	}
	switch e.Pattern {
	case admitto.ApplicationEdited, admitto.DocumentUploaded, admitto.DocumentUploadedToTask:
	default:
		return
	}
	if at == 0 {
		at = tx.Now()
	}
	if tx.changed == nil {
		tx.changed = map[int64]admitto.Time{}
	}
	tx.changed[e.Links.Application] = max(tx.changed[e.Links.Application], at)
}

// noteChanges writes when applicants changed their applications.
func (tx *Tx) noteChanges() error {
	rows := make([][]any, 0, len(tx.changed))
	for _, id := range slices.Sorted(maps.Keys(tx.changed)) {
		rows = append(rows, []any{id, tx.changed[id]})
	}
	return tx.bulk("UPDATE application SET applicant_changed = $2 WHERE id = $1 AND submitted IS NOT NULL", rows)
}
