package admissions_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/seal"
	"github.com/admitto/admitto/internal/services/servicestest"
	"github.com/admitto/admitto/internal/store"
)

// Applicants decide about consents themselves; a new text has to be decided on again (lifecycle.md 2.4, G10).
func TestConsents(t *testing.T) {
	servicestest.OnBoth(t, func(t *testing.T, d *servicestest.Desk) {
		d.Fair()
		d.Write("INSERT INTO consent (id, type, text, active) VALUES (11, 'Mandatory', 'Rules', TRUE), (12, 'Mandatory', 'Old rules', FALSE)")
		missing := func(want ...int64) {
			t.Helper()
			list, err := d.Services.Admissions.Undecided(t.Context(), 1)
			if err != nil || !slices.Equal(list, want) {
				t.Errorf("missing %v, want %v (%v)", list, want, err)
			}
		}
		ann := servicestest.As(admitto.ByApplicant, 1)
		missing(1, 11)
		last := len(d.Journal())
		for _, c := range []struct {
			consent int64
			accept  bool
			before  string
			missing []int64
			history int64
		}{
			{1, true, "", []int64{11}, 1},
			{1, true, "", []int64{11}, 1}, // again
			{2, false, "", []int64{11}, 2},
			{11, false, "", []int64{11}, 3}, // rejected is not accepted
			{11, true, "", nil, 4},
			{2, true, "", nil, 5},
			{1, true, "UPDATE consent SET version = 2 WHERE id = 1", nil, 6},
		} {
			if c.before != "" {
				d.Write(c.before)
				missing(1)
			}
			d.Clock.Add(admitto.Second)
			if err := d.Services.Admissions.DecideConsent(t.Context(), ann, 1, c.consent, c.accept); err != nil {
				t.Fatal(err)
			}
			missing(c.missing...)
			if n := d.Count("consent_history"); n != c.history {
				t.Errorf("%+v: %d in the history", c, n)
			}
		}
		d.WantSince(last, "Consent was accepted: 1", "Consent was rejected: 2", "Consent was rejected: 11",
			"Consent was accepted: 11",
			"Consent was accepted: 2", "Consent was accepted: 1")
		decision, err := d.Services.Query.ConsentOf(t.Context(), admitto.SystemCaller(), 1, 2)
		if err != nil || !decision.Accepted {
			t.Error(decision, err)
		}
		for _, c := range []struct {
			kind               admitto.ActorKind
			id, applicant, con int64
			want               admitto.Kind
		}{
			{admitto.ByApplicant, 1, 1, 12, admitto.NotFound}, {admitto.ByApplicant, 1, 1, 99,
				admitto.NotFound}, {admitto.ByApplicant, 2, 1, 1, admitto.NotPermitted},
			{admitto.ByKey, 7, 1, 1, admitto.NotPermitted}, {admitto.BySystem, 0, 1, 1,
				admitto.NotPermitted}, {admitto.ByAdministrator, 3, 99, 1, admitto.NotFound},
			{admitto.ByAdministrator, 3, 2, 1, ""},
		} {
			if err := d.Services.Admissions.DecideConsent(t.Context(), servicestest.As(c.kind, c.id), c.applicant, c.con,
				true); admitto.KindOf(err) != c.want {
				t.Errorf("%+v: %v", c, err)
			}
		}
	})
}

// A wish is there once; it may be changed and removed by whose it is.
func TestWishes(t *testing.T) {
	servicestest.OnBoth(t, func(t *testing.T, d *servicestest.Desk) {
		d.Fair()
		ann, ctx := servicestest.As(admitto.ByApplicant, 1), t.Context()
		last := len(d.Journal())
		first, err := d.Services.Admissions.AddWish(ctx, ann, 55, 8, " Maybe ")
		if err != nil || first.Notes != "Maybe" || first.ID == 0 {
			t.Fatal(first, err)
		}
		for _, c := range []struct {
			course, intake int64
			notes          string
			same           bool
		}{{55, 8, "Maybe", true}, {55, 0, "", false}, {56, 0, strings.Repeat("é", 500), false}, {55, 8, "Sure", true}} {
			w, err := d.Services.Admissions.AddWish(ctx, ann, c.course, c.intake, c.notes)
			if err != nil || (w.ID == first.ID) != c.same || w.Notes != c.notes {
				t.Errorf("%+v: %+v, %v", c, w, err)
			}
		}
		d.WantSince(last, "Wish was added", "Wish was added", "Wish was added", "Wish was added")
		var all sync.WaitGroup
		for range 8 {
			all.Go(func() {
				if _, err := d.Services.Admissions.AddWish(context.Background(), servicestest.As(admitto.ByApplicant, 2), 55, 8,
					""); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		if list, err := d.Services.Query.Wishes(ctx, admitto.SystemCaller(), 2); err != nil || len(list) != 1 {
			t.Error(list, err)
		}
		for range 2 { // the second time nothing is new
			w, there, err := d.Services.Admissions.AddWishNote(ctx, ann, 55, 8, " Housing? ")
			if err != nil || !there || w.ID != first.ID || w.Notes != "Sure\nHousing?" {
				t.Error(w, there, err)
			}
		}
		for n := range 8 { // at the same time: none is lost
			all.Go(func() {
				if _, _, err := d.Services.Admissions.AddWishNote(context.Background(), ann, 55, 8,
					strings.Repeat("ab", n)); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		w, err := d.Services.Query.Wish(ctx, ann.Caller, 1, first.ID)
		lines := strings.Split(w.Notes, "\n")
		slices.Sort(lines)
		if want := strings.Fields("Housing? Sure ab abab ababab abababab ababababab abababababab ababababababab"); err != nil ||
			!slices.Equal(lines, want) {
			t.Error(lines, err)
		}
		_, _, err = d.Services.Admissions.AddWishNote(ctx, ann, 55, 8, strings.Repeat("x", 450))
		refused := servicestest.WantKind(t, err, admitto.InvalidParameter)
		if f := refused.Faults[0]; f.Path != "wish.notes" || f.Text.Code != "wish-notes-full" {
			t.Error(refused)
		}
		for want, c := range map[string]struct {
			course, intake int64
			notes          string
		}{"course": {57, 0, ""}, "course notes": {99, 8, strings.Repeat("x", 501)}, "intake": {56, 8, ""}} {
			_, err := d.Services.Admissions.AddWish(ctx, ann, c.course, c.intake, c.notes)
			var names []string
			for _, f := range servicestest.WantKind(t, err, admitto.InvalidParameter).Faults {
				names = append(names, strings.TrimPrefix(string(f.Path), "wish."))
			}
			if got := strings.Join(names, " "); got != want {
				t.Errorf("faults %s, want %s", got, want)
			}
		}
		_, err = d.Services.Admissions.AddWish(ctx, servicestest.As(admitto.ByKey, 7), 55, 8, "")
		servicestest.WantKind(t, err, admitto.NotPermitted)
		servicestest.WantKind(t, d.Services.Admissions.RemoveWish(ctx, servicestest.As(admitto.ByAdministrator, 3), first.ID),
			admitto.NotPermitted)
		servicestest.WantKind(t, d.Services.Admissions.RemoveWish(ctx, servicestest.As(admitto.ByApplicant, 2), first.ID),
			admitto.NotFound)
		d.Write("UPDATE course SET status = 'Closed' WHERE id = 55") // the wish stays
		last = len(d.Journal())
		if err := d.Services.Admissions.RemoveWish(ctx, ann, first.ID); err != nil {
			t.Error(err)
		}
		servicestest.WantKind(t, d.Services.Admissions.RemoveWish(ctx, ann, first.ID), admitto.NotFound)
		d.WantSince(last, "Wish was removed")
	})
}

// The first sign-in makes an applicant of a lead; a link works once, until it expires, for accounts that may sign in.
func TestUseSignInLink(t *testing.T) {
	servicestest.OnBoth(t, func(t *testing.T, d *servicestest.Desk) {
		id := d.Create(servicestest.Ilse())
		link := servicestest.Token(t, d.Post.Taken()[0])
		servicestest.WantKind(t, func() error {
			_, err := d.Services.Accounts.UseSignInLink(t.Context(), "nonsense",
				"r9")
			return err
		}(), admitto.NotFound)
		last := len(d.Journal())
		// Many press the button at once: one is let in.
		var all sync.WaitGroup
		results := make([]error, 8)
		for i := range results {
			all.Go(func() {
				a, err := d.Services.Accounts.UseSignInLink(context.Background(), link, "r9")
				if results[i] = err; err == nil && (a.ID != id || a.Lead) {
					t.Errorf("%+v", a)
				}
			})
		}
		all.Wait()
		in := 0
		for _, err := range results {
			if err == nil {
				in++
			} else if !strings.Contains(servicestest.WantKind(t, err, admitto.NotFound).Text.String(), "does not work") {
				t.Error(err)
			}
		}
		if in != 1 || d.Number("SELECT count(*) FROM applicant WHERE lead") != 0 {
			t.Errorf("%d were let in", in)
		}
		d.WantSince(last, "Lead was activated")
		if r := d.Journal()[last]; r.Actor.Kind != admitto.ByApplicant || r.Actor.ID != id || r.Links.Applicant != id ||
			r.Actor.RequestID != "r9" {
			t.Errorf("%+v", r)
		}
		issue := func() string {
			secret, hash := seal.NewToken()
			err := d.Store.Write(t.Context(), func(tx *store.Tx) error {
				return tx.InsertSignInToken(id, hash,
					tx.Now()+admitto.Hour)
			})
			if err != nil {
				t.Fatal(err)
			}
			return secret
		}
		// Later sign-ins record nothing; a blocked or deleted account is not let in and the link is not used up.
		last = len(d.Journal())
		for i, c := range []struct {
			state string
			later admitto.Time
			works bool
		}{{"live", 0, true}, {"live", admitto.Hour - 1, true}, {"live", admitto.Hour, false}, {"blocked", 0,
			false}, {"recovery", 0, false}} {
			secret := issue()
			d.Write(fmt.Sprintf("UPDATE applicant SET state = '%s'", c.state))
			d.Clock.Add(c.later)
			if _, err := d.Services.Accounts.UseSignInLink(t.Context(), secret, "r9"); (err == nil) != c.works {
				t.Errorf("%d: %v", i, err)
			}
			d.Write("UPDATE applicant SET state = 'live'")
		}
		if n := d.Number("SELECT count(*) FROM sign_in_token WHERE used IS NULL"); n != 3 {
			t.Errorf("%d links are left", n)
		}
		d.WantSince(last)
		d.Sound()
	})
}
