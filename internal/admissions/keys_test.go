package admissions_test

import (
	"context"
	"testing"

	"github.com/admitto/admitto/internal/admissions"
	"github.com/admitto/admitto/internal/admitto"
)

// Keys are looked up once in a while and not with each request; revoked and expired ones end within
// KeyCacheTime on every instance.
func TestAuthenticate(t *testing.T) {
	onBoth(t, func(t *testing.T, d *desk) {
		ctx := t.Context()
		usable := func(o *admissions.Office, secret string) bool {
			t.Helper()
			k, err := o.Authenticate(ctx, secret)
			if err != nil {
				t.Fatal(err)
			}
			return k != nil
		}
		id, secret, err := d.office.CreateKey(ctx, byKey(), admissions.NewKey{Label: "x", Scope: admitto.ScopeReadOnly})
		if err != nil {
			t.Fatal(err)
		}
		_, brief, err := d.office.CreateKey(ctx, byKey(), admissions.NewKey{Label: "y", Scope: admitto.ScopeAll, Expires: d.clock.Now() + 10*admitto.Second})
		if err != nil {
			t.Fatal(err)
		}
		elsewhere := d.another(d.store, d.post, nil)
		for _, o := range []*admissions.Office{d.office, elsewhere} {
			k, err := o.Authenticate(ctx, secret)
			if err != nil || k == nil || k.ID != id || k.Scope != admitto.ScopeReadOnly || !usable(o, brief) || usable(o, "nonsense") || usable(o, "") {
				t.Fatalf("%+v, %v", k, err)
			}
		}
		statements := d.store.Statements()
		for range 100 {
			if !usable(d.office, secret) || usable(d.office, "nonsense") {
				t.Fatal("the key does not work any more")
			}
		}
		if n := d.store.Statements() - statements; n != 0 {
			t.Errorf("200 requests took %d statements", n)
		}
		if err := d.office.RevokeKey(ctx, byKey(), id); err != nil {
			t.Fatal(err)
		}
		if usable(d.office, secret) {
			t.Error("the key works where it was revoked")
		}
		d.clock.Add(admissions.KeyCacheTime)
		if usable(elsewhere, secret) {
			t.Error("the key works elsewhere after KeyCacheTime")
		}
		if !usable(elsewhere, brief) {
			t.Error("the other key ended as well")
		}
		d.clock.Add(10 * admitto.Second)
		if usable(elsewhere, brief) || usable(d.office, brief) {
			t.Error("the expired key works")
		}
		before := len(d.journal())
		if err := d.office.RevokeKey(ctx, byKey(), id); err != nil || len(d.journal()) != before {
			t.Errorf("revoking again: %v", err)
		}
		if err := d.office.RevokeKey(ctx, byKey(), 999); admitto.KindOf(err) != admitto.NotFound {
			t.Errorf("revoking what is not there: %v", err)
		}
		// A clock that was set back does not make a key live longer.
		d.clock.Add(-admitto.Hour)
		if usable(d.office, secret) {
			t.Error("the revoked key works again")
		}
		if admissions.KeyCacheTime > admitto.Second {
			t.Error("revoking takes more than a second")
		}
		if d.readable(secret) {
			t.Error("the key can be read in the database")
		}
		d.sound(secret, brief)
	})
}

// A key that was unknown just now works soon after it was made.
func TestNewKeyWorks(t *testing.T) {
	onBoth(t, func(t *testing.T, d *desk) {
		elsewhere := d.another(d.store, d.post, nil)
		_, secret, err := d.office.CreateKey(t.Context(), byKey(), admissions.NewKey{Label: "x", Scope: admitto.ScopeAll})
		if err != nil {
			t.Fatal(err)
		}
		if k, err := elsewhere.Authenticate(t.Context(), secret); k == nil || err != nil {
			t.Errorf("%v, %v", k, err)
		}
	})
}

// The times of last use are written together, once in a while; those that could not be written wait.
func TestSaveKeyUse(t *testing.T) {
	onBoth(t, func(t *testing.T, d *desk) {
		ctx := t.Context()
		var secrets []string
		for range 3 {
			_, secret, err := d.office.CreateKey(ctx, byKey(), admissions.NewKey{Label: "x", Scope: admitto.ScopeAll})
			if err != nil {
				t.Fatal(err)
			}
			secrets = append(secrets, secret)
		}
		use := func(list ...string) {
			for _, secret := range list {
				if _, err := d.office.Authenticate(ctx, secret); err != nil {
					t.Fatal(err)
				}
			}
		}
		lastUsed := func() (used [3]admitto.Time) {
			keys, err := d.office.Keys(ctx, admitto.SystemCaller())
			if err != nil {
				t.Fatal(err)
			}
			for i := range keys {
				used[i] = keys[i].LastUsed
			}
			return used
		}
		first := d.clock.Now()
		use(secrets[:2]...)
		d.clock.Add(admitto.Second / 10)
		use(secrets[0])
		if lastUsed() != [3]admitto.Time{} {
			t.Error("a use was written at once")
		}
		statements := d.store.Statements()
		cancelled, cancel := context.WithCancel(ctx)
		cancel()
		if err := d.office.SaveKeyUse(cancelled, admitto.SystemCaller()); err == nil {
			t.Error("it was saved without a database")
		}
		if err := d.office.SaveKeyUse(ctx, admitto.SystemCaller()); err != nil {
			t.Fatal(err)
		}
		if n := d.store.Statements() - statements; n != 1 {
			t.Errorf("saving took %d statements", n)
		}
		want := [3]admitto.Time{first + admitto.Second/10, first}
		if got := lastUsed(); got != want {
			t.Errorf("got %v, want %v", got, want)
		}
		statements = d.store.Statements()
		if err := d.office.SaveKeyUse(ctx, admitto.SystemCaller()); err != nil || d.store.Statements() != statements {
			t.Errorf("nothing to save took statements: %v", err)
		}
		// Another instance that saw an earlier use does not turn the time back.
		d.clock.Add(-admitto.Second)
		elsewhere := d.another(d.store, d.post, nil)
		if _, err := elsewhere.Authenticate(ctx, secrets[0]); err != nil {
			t.Fatal(err)
		}
		if err := elsewhere.SaveKeyUse(ctx, admitto.SystemCaller()); err != nil {
			t.Fatal(err)
		}
		if got := lastUsed(); got != want {
			t.Errorf("the time was turned back: %v", got)
		}
	})
}

// Codes on an applicant: unique where they must be, and writing what is there is no change.
func TestCodes(t *testing.T) {
	onBoth(t, func(t *testing.T, d *desk) {
		ctx := t.Context()
		a := d.create(ilse())
		b := d.create(admissions.NewApplicant{Name: admitto.SplitName("B"), Email: "b@example.org"})
		err := d.office.SetReference(ctx, byKey(), b, "R-1")
		if e := wantKind(t, err, admitto.InvalidBody); e.Faults[0].Code != "reference-in-use" || !e.Faults[0].HasPointer {
			t.Errorf("%+v", e)
		}
		before := len(d.journal())
		for _, step := range []struct {
			set     func(context.Context, admissions.Caller, int64, string) error
			value   string
			pattern admitto.Pattern // "": no record
		}{
			{d.office.SetReference, "R-1", ""}, {d.office.SetReference, "", admitto.ApplicantReferenceCleared},
			{d.office.SetReference, "", ""}, {d.office.SetReference, "R-2", admitto.ApplicantReferenceSet},
			{d.office.SetMatriculation, "M", admitto.ApplicantMatriculationSet}, {d.office.SetMatriculation, "M", ""},
			{d.office.SetMatriculation, "", admitto.ApplicantMatriculationGone},
		} {
			if err := step.set(ctx, byKey(), a, step.value); err != nil {
				t.Fatal(err)
			}
			records := d.journal()[before:]
			switch {
			case step.pattern == "" && len(records) != 0:
				t.Errorf("%q: no change, but %+v", step.value, records)
			case step.pattern != "" && (len(records) != 1 || records[0].Pattern != step.pattern || len(records[0].Bind) != 0):
				t.Errorf("%q: %+v", step.value, records)
			}
			before += len(records)
		}
		if err := d.office.SetReference(ctx, byKey(), b, "R-1"); err != nil {
			t.Errorf("a reference that was given up cannot be taken: %v", err)
		}
		if err := d.office.SetMatriculation(ctx, byKey(), 999, "M"); admitto.KindOf(err) != admitto.NotFound {
			t.Errorf("%v", err)
		}
		d.sound()
	})
}
