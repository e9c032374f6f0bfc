package apikey_test

import (
	"context"
	"testing"

	"github.com/admitto/admitto/internal/accounts"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/apikey"
	"github.com/admitto/admitto/internal/services"
	"github.com/admitto/admitto/internal/services/servicestest"
	"github.com/admitto/admitto/internal/usecase"
)

// Keys are looked up once in a while and not with each request; revoked and expired ones end within
// KeyCacheTime on every instance.
func TestAuthenticate(t *testing.T) {
	servicestest.OnBoth(t, func(t *testing.T, d *servicestest.Desk) {
		ctx := t.Context()
		usable := func(o *services.Services, secret string) bool {
			t.Helper()
			k, err := o.Keys.Authenticate(ctx, secret)
			if err != nil {
				t.Fatal(err)
			}
			return k != nil
		}
		id, secret, err := d.Services.Keys.CreateKey(ctx, servicestest.ByKey(),
			apikey.NewKey{Label: "x", Scope: admitto.ScopeReadOnly})
		if err != nil {
			t.Fatal(err)
		}
		_, brief, err := d.Services.Keys.CreateKey(ctx, servicestest.ByKey(),
			apikey.NewKey{Label: "y", Scope: admitto.ScopeAll, Expires: d.Clock.Now() + 10*admitto.Second})
		if err != nil {
			t.Fatal(err)
		}
		elsewhere := d.Another(d.Store, d.Post, nil)
		for _, o := range []*services.Services{d.Services, elsewhere} {
			k, err := o.Keys.Authenticate(ctx, secret)
			if err != nil || k == nil || k.ID != id || k.Scope != admitto.ScopeReadOnly || !usable(o, brief) ||
				usable(o, "nonsense") || usable(o, "") {
				t.Fatalf("%+v, %v", k, err)
			}
		}
		statements := d.Store.Statements()
		for range 100 {
			if !usable(d.Services, secret) || usable(d.Services, "nonsense") {
				t.Fatal("the key does not work any more")
			}
		}
		if n := d.Store.Statements() - statements; n != 0 {
			t.Errorf("200 requests took %d statements", n)
		}
		if err := d.Services.Keys.RevokeKey(ctx, servicestest.ByKey(), id); err != nil {
			t.Fatal(err)
		}
		if usable(d.Services, secret) {
			t.Error("the key works where it was revoked")
		}
		d.Clock.Add(apikey.KeyCacheTime)
		if usable(elsewhere, secret) {
			t.Error("the key works elsewhere after KeyCacheTime")
		}
		if !usable(elsewhere, brief) {
			t.Error("the other key ended as well")
		}
		d.Clock.Add(10 * admitto.Second)
		if usable(elsewhere, brief) || usable(d.Services, brief) {
			t.Error("the expired key works")
		}
		before := len(d.Journal())
		if err := d.Services.Keys.RevokeKey(ctx, servicestest.ByKey(), id); err != nil || len(d.Journal()) != before {
			t.Errorf("revoking again: %v", err)
		}
		if err := d.Services.Keys.RevokeKey(ctx, servicestest.ByKey(), 999); admitto.KindOf(err) != admitto.NotFound {
			t.Errorf("revoking what is not there: %v", err)
		}
		// A clock that was set back does not make a key live longer.
		d.Clock.Add(-admitto.Hour)
		if usable(d.Services, secret) {
			t.Error("the revoked key works again")
		}
		if apikey.KeyCacheTime > admitto.Second {
			t.Error("revoking takes more than a second")
		}
		if d.Readable(secret) {
			t.Error("the key can be read in the database")
		}
		d.Sound(secret, brief)
	})
}

// A key that was unknown just now works soon after it was made.
func TestNewKeyWorks(t *testing.T) {
	servicestest.OnBoth(t, func(t *testing.T, d *servicestest.Desk) {
		elsewhere := d.Another(d.Store, d.Post, nil)
		_, secret, err := d.Services.Keys.CreateKey(t.Context(), servicestest.ByKey(),
			apikey.NewKey{Label: "x", Scope: admitto.ScopeAll})
		if err != nil {
			t.Fatal(err)
		}
		if k, err := elsewhere.Keys.Authenticate(t.Context(), secret); k == nil || err != nil {
			t.Errorf("%v, %v", k, err)
		}
	})
}

// The times of last use are written together, once in a while; those that could not be written wait.
func TestSaveKeyUse(t *testing.T) {
	servicestest.OnBoth(t, func(t *testing.T, d *servicestest.Desk) {
		ctx := t.Context()
		var secrets []string
		for range 3 {
			_, secret, err := d.Services.Keys.CreateKey(ctx, servicestest.ByKey(),
				apikey.NewKey{Label: "x", Scope: admitto.ScopeAll})
			if err != nil {
				t.Fatal(err)
			}
			secrets = append(secrets, secret)
		}
		use := func(list ...string) {
			for _, secret := range list {
				if _, err := d.Services.Keys.Authenticate(ctx, secret); err != nil {
					t.Fatal(err)
				}
			}
		}
		lastUsed := func() (used [3]admitto.Time) {
			keys, err := d.Services.Keys.Keys(ctx, admitto.SystemCaller())
			if err != nil {
				t.Fatal(err)
			}
			for i := range keys {
				used[i] = keys[i].LastUsed
			}
			return used
		}
		first := d.Clock.Now()
		use(secrets[:2]...)
		d.Clock.Add(admitto.Second / 10)
		use(secrets[0])
		if lastUsed() != [3]admitto.Time{} {
			t.Error("a use was written at once")
		}
		statements := d.Store.Statements()
		cancelled, cancel := context.WithCancel(ctx)
		cancel()
		if err := d.Services.Keys.SaveKeyUse(cancelled, admitto.SystemCaller()); err == nil {
			t.Error("it was saved without a database")
		}
		if err := d.Services.Keys.SaveKeyUse(ctx, admitto.SystemCaller()); err != nil {
			t.Fatal(err)
		}
		if n := d.Store.Statements() - statements; n != 1 {
			t.Errorf("saving took %d statements", n)
		}
		want := [3]admitto.Time{first + admitto.Second/10, first}
		if got := lastUsed(); got != want {
			t.Errorf("got %v, want %v", got, want)
		}
		statements = d.Store.Statements()
		if err := d.Services.Keys.SaveKeyUse(ctx, admitto.SystemCaller()); err != nil || d.Store.Statements() != statements {
			t.Errorf("nothing to save took statements: %v", err)
		}
		// Another instance that saw an earlier use does not turn the time back.
		d.Clock.Add(-admitto.Second)
		elsewhere := d.Another(d.Store, d.Post, nil)
		if _, err := elsewhere.Keys.Authenticate(ctx, secrets[0]); err != nil {
			t.Fatal(err)
		}
		if err := elsewhere.Keys.SaveKeyUse(ctx, admitto.SystemCaller()); err != nil {
			t.Fatal(err)
		}
		if got := lastUsed(); got != want {
			t.Errorf("the time was turned back: %v", got)
		}
	})
}

// Codes on an applicant: unique where they must be, and writing what is there is no change.
func TestCodes(t *testing.T) {
	servicestest.OnBoth(t, func(t *testing.T, d *servicestest.Desk) {
		ctx := t.Context()
		a := d.Create(servicestest.Ilse())
		b := d.Create(accounts.NewApplicant{Name: admitto.SplitName("B"), Email: "b@example.org"})
		err := d.Services.Admissions.SetReference(ctx, servicestest.ByKey(), b, "R-1")
		if e := servicestest.WantKind(t, err, admitto.InvalidParameter); e.Faults[0].Code != "reference-in-use" ||
			e.Faults[0].Path != "applicant.reference" {
			t.Errorf("%+v", e)
		}
		before := len(d.Journal())
		for _, step := range []struct {
			set     func(context.Context, usecase.Caller, int64, string) error
			value   string
			pattern admitto.Pattern // "": no record
		}{
			{d.Services.Admissions.SetReference, "R-1", ""}, {d.Services.Admissions.SetReference, "",
				admitto.ApplicantReferenceCleared},
			{d.Services.Admissions.SetReference, "", ""}, {d.Services.Admissions.SetReference, "R-2",
				admitto.ApplicantReferenceSet},
			{d.Services.Admissions.SetMatriculation, "M",
				admitto.ApplicantMatriculationSet}, {d.Services.Admissions.SetMatriculation, "M", ""},
			{d.Services.Admissions.SetMatriculation, "", admitto.ApplicantMatriculationGone},
		} {
			if err := step.set(ctx, servicestest.ByKey(), a, step.value); err != nil {
				t.Fatal(err)
			}
			records := d.Journal()[before:]
			switch {
			case step.pattern == "" && len(records) != 0:
				t.Errorf("%q: no change, but %+v", step.value, records)
			case step.pattern != "" && (len(records) != 1 || records[0].Pattern != step.pattern || len(records[0].Bind) != 0):
				t.Errorf("%q: %+v", step.value, records)
			}
			before += len(records)
		}
		if err := d.Services.Admissions.SetReference(ctx, servicestest.ByKey(), b, "R-1"); err != nil {
			t.Errorf("a reference that was given up cannot be taken: %v", err)
		}
		if err := d.Services.Admissions.SetMatriculation(ctx, servicestest.ByKey(), 999,
			"M"); admitto.KindOf(err) != admitto.NotFound {
			t.Errorf("%v", err)
		}
		d.Sound()
	})
}
