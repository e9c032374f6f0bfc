package admissions

import (
	"context"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store"
)

// Freeze keeps the applicant from changing what is there now (lifecycle.md T16, 3.6; resources.md 24.3). Doing it
// again adds what was filled in since. Errors: not-found.
func (o *Office) Freeze(ctx context.Context, by Caller, application int64) error {
	if err := by.Needs(admitto.ApplicationsFreeze); err != nil {
		return err
	}
	return o.changeApplication(ctx, by, application, func(tx *store.Tx, d *dossier) error {
		if _, err := o.step(d, by, admitto.ChangeFreeze, ""); err != nil {
			return err
		}
		if err := o.freezeContent(tx, d); err != nil {
			return err
		}
		d.record(tx, admitto.ApplicationFrozen)
		return by.Done(tx)
	})
}

// Unfreeze returns the applicant everything back; without a freeze nothing happens. Errors: not-found.
func (o *Office) Unfreeze(ctx context.Context, by Caller, application int64) error {
	if err := by.Needs(admitto.ApplicationsFreeze); err != nil {
		return err
	}
	return o.changeApplication(ctx, by, application, func(tx *store.Tx, d *dossier) error {
		if _, err := o.step(d, by, admitto.ChangeFreeze, ""); err != nil {
			return err
		}
		if d.Frozen == 0 {
			return by.Done(tx)
		}
		if err := tx.SaveFrozen(application, nil); err != nil {
			return err
		}
		d.Frozen = 0
		d.record(tx, admitto.ApplicationDefrosted)
		if err := tx.SaveApplication(&d.ApplicationCase); err != nil {
			return err
		}
		return by.Done(tx)
	})
}

// freeze is what confirming an offer does whose type freezes; it is recorded unless the application was frozen
// already (resources.md 2.4).
func (o *Office) freeze(tx *store.Tx, d *dossier, actor admitto.Actor) error {
	was := d.Frozen != 0
	if err := o.freezeContent(tx, d); err != nil || was {
		return err
	}
	tx.Record(actor, admitto.Event{Pattern: admitto.ApplicationFrozen, Links: d.links()})
	return nil
}

// freezeContent stores everything that is there as frozen, next to what was frozen before.
func (o *Office) freezeContent(tx *store.Tx, d *dossier) error {
	entries, err := tx.FrozenEntries(d.ID)
	if err != nil {
		return err
	}
	frozen := map[string]bool{}
	for _, entry := range entries {
		frozen[entry] = true
	}
	content, err := tx.ApplicationContent(d.ID)
	if err != nil {
		return err
	}
	for path := range contentPaths(&content) {
		if !strings.HasSuffix(path, "/-") { // the number of rows is free
			frozen[path] = true
		}
	}
	only := []int64{d.ID}
	courses, err := tx.CoursesOfApplications(only)
	if err != nil {
		return err
	}
	for _, c := range courses[d.ID] {
		frozen[frozenCourse(c.Course)] = true
	}
	documents, err := tx.DocumentsOf(only)
	if err != nil {
		return err
	}
	for _, f := range documents[d.ID] {
		frozen["/documents/"+strconv.FormatInt(f.ID, 10)] = true
	}
	scores, err := tx.ScoresOf(only)
	if err != nil {
		return err
	}
	for _, s := range scores[d.ID] {
		frozen["/scores/"+strconv.FormatInt(s.ID, 10)] = true
	}
	if err := tx.SaveFrozen(d.ID, slices.Sorted(maps.Keys(frozen))); err != nil {
		return err
	}
	d.Frozen = tx.Now()
	return tx.SaveApplication(&d.ApplicationCase)
}

// frozenCourse is the entry of a course among what is frozen.
func frozenCourse(id int64) string { return "/courses/" + strconv.FormatInt(id, 10) }
