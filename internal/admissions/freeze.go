package admissions

import (
	"context"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/usecase"
)

// Freeze keeps the applicant from changing what is there now (lifecycle.md T16, 3.6; resources.md 24.3). Doing it
// again adds what was filled in since. Errors: not-found.
func (s *Service) Freeze(ctx context.Context, by usecase.Caller, application int64) error {
	if err := by.Needs(admitto.ApplicationsFreeze); err != nil {
		return err
	}
	return s.core.ChangeApplication(ctx, by, application, func(tx *store.Tx, d *usecase.LockedApplication) error {
		if _, err := s.step(d, by, admitto.ChangeFreeze, ""); err != nil {
			return err
		}
		if err := s.freezeContent(tx, d); err != nil {
			return err
		}
		d.Record(tx, admitto.ApplicationFrozen)
		return by.Done(tx)
	})
}

// Unfreeze lets the applicant change everything again; without a freeze nothing happens. Errors: not-found.
func (s *Service) Unfreeze(ctx context.Context, by usecase.Caller, application int64) error {
	if err := by.Needs(admitto.ApplicationsFreeze); err != nil {
		return err
	}
	return s.core.ChangeApplication(ctx, by, application, func(tx *store.Tx, d *usecase.LockedApplication) error {
		if _, err := s.step(d, by, admitto.ChangeFreeze, ""); err != nil {
			return err
		}
		if d.Frozen == 0 {
			return by.Done(tx)
		}
		if err := tx.SaveFrozen(application, nil); err != nil {
			return err
		}
		d.Frozen = 0
		d.Record(tx, admitto.ApplicationDefrosted)
		if err := tx.SaveApplication(&d.ApplicationCase); err != nil {
			return err
		}
		return by.Done(tx)
	})
}

// freeze is what confirming an offer does whose type freezes; it is recorded unless the application was frozen
// already (resources.md 2.4).
func (s *Service) freeze(tx *store.Tx, d *usecase.LockedApplication, actor admitto.Actor) error {
	was := d.Frozen != 0
	if err := s.freezeContent(tx, d); err != nil || was {
		return err
	}
	tx.Record(actor, admitto.Event{Pattern: admitto.ApplicationFrozen, Links: d.Links()})
	return nil
}

// freezeContent stores everything that is there as frozen, next to what was frozen before.
func (s *Service) freezeContent(tx *store.Tx, d *usecase.LockedApplication) error {
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
	for _, score := range scores[d.ID] {
		frozen["/scores/"+strconv.FormatInt(score.ID, 10)] = true
	}
	if err := tx.SaveFrozen(d.ID, slices.Sorted(maps.Keys(frozen))); err != nil {
		return err
	}
	d.Frozen = tx.Now()
	return tx.SaveApplication(&d.ApplicationCase)
}

// frozenCourse is the entry of a course among what is frozen.
func frozenCourse(id int64) string { return "/courses/" + strconv.FormatInt(id, 10) }

// SilenceApplication stops reminders about an application, or lets them go out again (lifecycle.md 3.1). What an offer
// type silences stays silenced. Setting what is set already changes nothing. Errors: not-found.
func (s *Service) SilenceApplication(ctx context.Context, by usecase.Caller, application int64, silenced bool) error {
	if err := by.Needs(admitto.ApplicationsEdit); err != nil {
		return err
	}
	return s.core.ChangeApplication(ctx, by, application, func(tx *store.Tx, d *usecase.LockedApplication) error {
		if _, err := s.step(d, by, admitto.ChangeSilence, ""); err != nil || d.Silenced == silenced {
			return err
		}
		if err := tx.SetSilenced(application, silenced); err != nil {
			return err
		}
		event := admitto.ApplicationSilenceLifted
		if silenced {
			event = admitto.ApplicationSilenced
		}
		d.Record(tx, event)
		return nil
	})
}
