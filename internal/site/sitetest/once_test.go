package sitetest_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/message"
	"github.com/admitto/admitto/internal/services/servicestest"
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/site/sitetest"
	"github.com/admitto/admitto/internal/store/storetest"
	"github.com/admitto/admitto/internal/ui"
)

// add is a form that adds something each time it is saved.
func (s *sample) add(r *site.Request) error {
	f, err := r.Form(nil, 0)
	if err != nil {
		return err
	}
	if r.Posted() {
		if s.saving != nil {
			s.saving()
		}
		if s.broken != nil {
			return s.broken
		}
		if f.Get("title") == "" {
			f.Fail("title", "value.none")
		} else {
			s.added = append(s.added, f.Get("title"))
			if f.Has("renew") {
				if err := r.Renew(); err != nil {
					return err
				}
			}
			r.Notify(ui.OK, "Added.")
			return r.To("dashboard")
		}
	}
	return site.Sheet{Parts: []ui.Component{f.Box([]ui.Button{r.Save("action.sign-in")},
		f.Text("title", "sign_in.email"))}}.Show(r)
}

// secret is a form whose answer shows what nobody can see again.
func (s *sample) secret(r *site.Request) error {
	f, err := r.Form(nil, 0)
	if err != nil {
		return err
	}
	if r.Posted() {
		s.added = append(s.added, "secret")
		r.ShownOnce("/admin/")
		return site.Sheet{Parts: []ui.Component{ui.Secret{ID: "s", Label: "Secret", Code: "open sesame"}}}.Show(r)
	}
	return site.Sheet{Parts: []ui.Component{f.Box([]ui.Button{r.Save("action.sign-in")})}}.Show(r)
}

// TestFormsCountOnce sends forms twice: again from the same page, changed, after a refusal, and after the session
// ended.
func TestFormsCountOnce(t *testing.T) {
	servicestest.OnBoth(t, func(t *testing.T, d *servicestest.Desk) {
		s := newSample(t, d)
		mara := s.Staff(1)
		page := mara.Open("/admin/add")
		for n, c := range []struct{ title, notices, added string }{
			{"", "", ""},
			{"", "", ""}, // refused before, and again
			{"One", "Added.", "One"},
			{"One", "This was already saved.", "One"},
			{"Two", "Added.", "One Two"}, // changed after Back: another form
			{"One", "This was already saved.", "One Two"},
		} {
			got := page.Submit("Sign in", "title", c.title)
			if added := strings.Join(s.added, " "); got.Text(".notice") != c.notices || added != c.added {
				t.Errorf("%d: %d %s: %q, %s", n, got.Status, got.Path, got.Text(".notice"), added)
			}
			if c.notices != "" && got.Path != "/admin/" {
				t.Errorf("%d leads to %s", n, got.Path)
			}
		}
		if mara.Open("/admin/add").Submit("Sign in", "title", "One"); len(s.added) != 3 {
			t.Error("the same words on a new page are the same form")
		}
		d.Clock.Add(9 * admitto.Hour) // the session ends
		mara = s.Staff(1)
		if got := mara.Post("/admin/add", sitetest.TypedWith(page, "title", "One")); len(s.added) != 3 ||
			got.Text(".notice") != "This was already saved." {
			t.Error(s.added, got.Text(".notice"))
		}

		page = mara.Open("/admin/secret")
		if got := page.Submit("Sign in"); !strings.Contains(got.Body, "open sesame") {
			t.Error(got.Text("main"))
		}
		if got := page.Submit("Sign in"); strings.Contains(got.Body, "sesame") || got.Path != "/admin/" ||
			len(s.added) != 4 ||
			!strings.Contains(got.Text(".notice"), "cannot be shown again") {
			t.Error(got.Path, got.Text("main"), s.added)
		}
		if n := d.Number("SELECT count(*) FROM sent_form"); n != 4 {
			t.Errorf("%d forms are kept", n)
		}
		d.Clock.Add(25 * admitto.Hour)
		d.Must(d.Services.Accounts.TidyAccounts(t.Context(), admitto.SystemCaller()))
		if n := d.Number("SELECT count(*) FROM sent_form"); n != 0 {
			t.Errorf("%d forms are kept for ever", n)
		}
	})
}

// TestWhoSentItHasGone ends the connection while a form is saved: that is no fault, nobody is answered, and the same
// form sent again says what is known of it.
func TestWhoSentItHasGone(t *testing.T) {
	t.Parallel()
	s := newSample(t, servicestest.OnFile(t, storetest.Migrated))
	mara := s.Staff(1)
	form := sitetest.TypedWith(mara.Open("/admin/add"), "title", "One")
	ctx, leave := context.WithCancel(t.Context())
	s.saving, s.broken = leave, context.Canceled
	r := httptest.NewRequestWithContext(ctx, http.MethodPost, "/admin/add", strings.NewReader(form.Encode()))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.Header.Set("Sec-Fetch-Site", "same-origin")
	func() {
		defer func() {
			if p := recover(); p != http.ErrAbortHandler {
				t.Errorf("it ended by %v", p)
			}
		}()
		t.Error(mara.Send(r).Status)
	}()
	s.saving, s.broken = nil, nil
	if said := mara.Post("/admin/add", form).Text("main"); !strings.Contains(said, "not known whether this was saved") {
		t.Error(said)
	}
}

// TestFormsAreBounded keeps no more forms of an account than it may.
func TestFormsAreBounded(t *testing.T) {
	t.Parallel()
	s := newSample(t, servicestest.OnFile(t, storetest.Migrated))
	page := s.Staff(1).Open("/admin/add")
	for n := range 105 {
		page.Submit("Sign in", "title", strings.Repeat("x", n+1))
	}
	if n := s.Number("SELECT count(*) FROM sent_form"); n != 100 || len(s.added) != 105 {
		t.Errorf("%d forms are kept of %d", n, len(s.added))
	}
}

// TestFormsAtOnce sends one form twice at the same time to two instances: one saves it, the other waits for that, and
// leads to the same place; where the first is refused, the second says why, too.
func TestFormsAtOnce(t *testing.T) {
	servicestest.OnBoth(t, func(t *testing.T, d *servicestest.Desk) {
		one := newSample(t, d)
		page := one.Staff(1).Open("/admin/add")
		for _, c := range []struct {
			title, renew, says string
			fault              error
			saved              int
		}{
			{title: "Title", says: "This was already saved.", saved: 1},
			{title: "Renewed", renew: "yes", saved: 1},
			{says: "There is a problem", saved: 0},
			{title: "A rule", fault: admitto.Refused(admitto.NotAllowedNow, message.Of("consents-by-applicant")),
				says: "Applicants decide", saved: 0},
			{title: "Broken", fault: errors.New("broken"), says: "It is not known whether this was saved", saved: 0},
		} {
			one.added, one.broken = nil, c.fault
			saving, waits := make(chan struct{}), make(chan struct{})
			var first, again sync.Once
			one.saving = func() {
				first.Do(func() {
					close(saving)
					<-waits
				})
			}
			one.rest = func(ctx context.Context, _ int) (bool, error) {
				again.Do(func() { close(waits) })
				return true, ctx.Err()
			}
			form := sitetest.TypedWith(page, "title", c.title, "renew", c.renew)
			mara := one.Staff(1)
			other := mara.Copied()
			done := make(chan struct{})
			go func() {
				defer close(done)
				mara.Do(http.MethodPost, "/admin/add", form)
			}()
			<-saving
			got := other.Post("/admin/add", form)
			<-done
			if !strings.Contains(got.Text("main"), c.says) || len(one.added) != c.saved {
				t.Errorf("%s: %v, %s: %s", c.title, one.added, got.Path, got.Text("main"))
			}
		}
	})
}

// TestFormsOfADeadProcess sends a form again that a process died with: it is not saved a second time, and what was
// typed comes back with the question.
func TestFormsOfADeadProcess(t *testing.T) {
	servicestest.OnBoth(t, func(t *testing.T, d *servicestest.Desk) {
		s := newSample(t, d)
		looks := 0
		s.rest = func(_ context.Context, n int) (bool, error) { looks = n; return n < 3, nil }
		mara := s.Staff(1)
		page := mara.Open("/admin/add")
		s.saving = func() { panic("the process dies") }
		func() {
			defer func() { _ = recover() }()
			page.Submit("Sign in", "title", "Once")
		}()
		s.saving = nil
		if got := page.Submit("Sign in", "title", "Once"); got.Status != http.StatusConflict || looks != 3 ||
			!strings.Contains(got.Text("main"), "This is being saved") {
			t.Error(got.Status, looks, got.Text("main"))
		}
		d.Clock.Add(3 * admitto.Minute)
		got := page.Submit("Sign in", "title", "Once")
		if got.Status != http.StatusConflict || !strings.Contains(got.Text("main"), "It is not known") {
			t.Error(got.Status, got.Text("main"))
		}
		form := mara.Open(got.Find("main a.btn").First().AttrOr("href", ""))
		if form.Path != "/admin/add" || form.Find("#f-title").AttrOr("value", "") != "Once" ||
			!strings.Contains(form.Text(".notice"), "It is not known") {
			t.Error(form.Path, form.Text("main"))
		}
		if form.Submit("Sign in"); strings.Join(s.added, " ") != "Once" {
			t.Error(s.added)
		}
	})
}
