package sitetest_test

import (
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/admitto/admitto/internal/accounts"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/message"
	"github.com/admitto/admitto/internal/services/servicestest"
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/site/sitetest"
	"github.com/admitto/admitto/internal/store/storetest"
	"github.com/admitto/admitto/internal/ui"
	"github.com/admitto/admitto/internal/web"
)

// sample is a site with a form, for the machinery that all pages stand on.
type sample struct {
	*sitetest.Instance
	title   string // what the form saved
	version int64
	broken  error
	saving  func() // called while a form is saved
	rest    func(ctx context.Context, n int) (more bool, err error)
	added   []string
}

func newSample(t *testing.T, d *servicestest.Desk) *sample {
	t.Helper()
	s := &sample{title: "First", version: 1}
	catalogue, err := ui.NewCatalogue()
	if err != nil {
		t.Fatal(err)
	}
	assets, err := ui.NewAssets()
	if err != nil {
		t.Fatal(err)
	}
	made, err := site.New(site.Config{
		Area: accounts.Administration, Prefixes: []string{"/admin"}, Home: "/admin/", Cookie: "__Host-admitto-staff",
		SignIn: "sign-in", Confirm: "confirm", Stay: "stay", Files: fstest.MapFS{}, Catalogue: catalogue, Assets: assets,
		Accounts: d.Services.Accounts, Key: servicestest.Key(), Settings: d.Services.Core.Settings,
		Budget: web.NewBudget(1<<20, 2, 0), Clock: d.Clock.Now,
		Rest: func(ctx context.Context, n int) (bool, error) { return s.rest(ctx, n) },
		Person: func(_ context.Context, account int64, request string) (site.Person, error) {
			var may admitto.Permissions
			if account == 1 {
				may = admitto.PermissionsOf(admitto.ApplicantsView)
			}
			return site.Person{Account: account, Name: "Mara", Caller: admitto.AdministratorCaller(account, may, request)}, nil
		},
		Frame: func(r *site.Request) ui.Frame { return &ui.Entry{Home: "/admin/"} },
		Grantors: func(context.Context, admitto.Caller, admitto.Permission) ([]string, error) {
			return []string{"Ada Boss"}, nil
		},
		Routes: []site.Route{
			{Name: "dashboard", Path: "/admin/{$}", Access: site.SignedIn(), Handle: s.show},
			{Name: "sign-in", Path: "/admin/sign-in", Access: site.Everyone(), Handle: s.show},
			{Name: "confirm", Path: "/admin/confirm", Access: site.SignedIn(), Form: true, Handle: s.confirm},
			{Name: "stay", Path: "/admin/stay", Access: site.SignedIn(), Only: true, Handle: site.Stay},
			{Name: "draft", Path: "/admin/draft", Access: site.SignedIn(), Only: true, Handle: site.KeepDraft},
			{Name: "form", Path: "/admin/form", Access: site.Needs(admitto.ApplicantsView), Form: true, Handle: s.form},
			{Name: "sensitive", Path: "/admin/sensitive", Access: site.SignedIn().Proved(), Form: true, Handle: s.form},
			{Name: "choose", Path: "/admin/choose/{kind}/{value}", Access: site.Everyone(), Handle: site.Choose},
			{Name: "broken", Path: "/admin/broken", Access: site.Everyone(),
				Handle: func(*site.Request) error { return s.broken }},
			{Name: "add", Path: "/admin/add", Access: site.SignedIn(), Form: true, Handle: s.add},
			{Name: "secret", Path: "/admin/secret", Access: site.SignedIn(), Form: true, Handle: s.secret},
			{Name: "files", Path: "/admin/files", Access: site.SignedIn(), Form: true, Files: true, Handle: s.files},
		},
		Log: slog.New(slog.NewTextHandler(d.Log, nil)),
	})
	if err != nil {
		t.Fatal(err)
	}
	s.Instance = sitetest.Of(d, made.Sites()...)
	if one, two := s.Administrator("Mara Lind"), s.Administrator("Ada Boss"); one != 1 || two != 2 {
		t.Fatal(one, two)
	}
	return s
}

func (s *sample) show(r *site.Request) error { return site.Sheet{}.Show(r) }

func (s *sample) confirm(r *site.Request) error {
	if r.Posted() {
		if err := r.Prove(); err != nil {
			return err
		}
		return r.Redirect(r.Next("/admin/"))
	}
	return site.Sheet{Parts: []ui.Component{ui.FormBox{Head: ui.FormHead{Hidden: []ui.Option{{Text: "next",
		Value: r.Next("/")}}}, Buttons: []ui.Button{r.Save("action.sign-in")}}}}.Show(r)
}

func (s *sample) form(r *site.Request) error {
	f, err := r.Form(site.Values{"title": site.One(s.title)}, s.version)
	if err != nil {
		return err
	}
	if r.Posted() {
		refused, err := f.Refused(s.save(r, f), nil)
		if err != nil {
			return err
		}
		if !refused {
			r.Notify(ui.OK, "Saved.")
			return r.To("dashboard")
		}
		if s.version != r.Caller().Version {
			f.Meanwhile(site.Values{"title": site.One(s.title)}, s.version, "Ada", "14:32", [2]string{"title",
				"sign_in.email"})
		}
	}
	title := f.Text("title", "sign_in.email")
	return site.Sheet{Parts: []ui.Component{f.Box([]ui.Button{r.Save("action.sign-in")}, title)}}.Show(r)
}

func (s *sample) save(r *site.Request, f *site.Form) error {
	by := r.Caller()
	if err := by.Sees(s.version); err != nil {
		return err
	}
	if f.Get("title") == "" {
		return admitto.Refuse(admitto.InvalidParameter, "offer.title", "", message.Of("no-string"))
	}
	s.title, s.version = f.Get("title"), s.version+1
	return nil
}

// TestForms saves, is refused with what was typed still there, and asks which value stays after a conflict.
func TestForms(t *testing.T) {
	servicestest.OnBoth(t, func(t *testing.T, d *servicestest.Desk) {
		s := newSample(t, d)
		mara := s.Staff(1)
		page := mara.Open("/admin/form").Submit("Sign in", "title", "  ")
		if page.Status != 422 || len(page.Errors()) != 1 || !strings.HasPrefix(page.Find("title").Text(), "Error:") ||
			page.Find("#f-title").AttrOr("aria-invalid", "") != "true" || page.Find("#f-title").AttrOr("value", "") != "  " {
			t.Errorf("%d %v %s", page.Status, page.Errors(), page.Body)
		}
		if page = page.Submit("Sign in", "title", "Second"); page.Text(".notice") != "Saved." || s.title != "Second" {
			t.Errorf("%d %s %q", page.Status, page.Path, s.title)
		}
		if page = mara.Open("/admin/"); page.Find(".notice").Length() != 0 {
			t.Error("the notice comes twice")
		}
		page = mara.Open("/admin/form")
		s.title, s.version = "Theirs", 9
		page = page.Submit("Sign in", "title", "Mine")
		if page.Status != 422 || !strings.Contains(page.Text("form"), "Yours: Mine") ||
			!strings.Contains(page.Text("form"), "Saved meanwhile: Theirs") || s.title != "Theirs" {
			t.Errorf("%d %s", page.Status, page.Text("form"))
		}
		if page.Submit("Sign in", "keep.title", "theirs"); s.title != "Theirs" || s.version != 10 {
			t.Errorf("%q %d", s.title, s.version)
		}
		if page.Submit("Sign in"); s.title != "Theirs" {
			t.Error("an old row version was taken")
		}
		// What was typed into the old one is kept (screens.md U8).
		page = mara.Open("/admin/form")
		if page.Find("#f-title").AttrOr("value", "") != "Mine" || !strings.Contains(page.Text(".notice"), "Not saved yet") {
			t.Errorf("a refused version is not kept: %s", page.Text("form"))
		}
		page.Submit("Discard what I typed")
		// What somebody saved meanwhile is shown and stays where the reader has not touched it, and does not stand in the
		// way of what is typed over it.
		for want, typed := range map[string][]string{"Newer": nil, "Typed now": {"title", "Typed now"},
			"Older": {"keep.title", "mine"}} {
			s.title, s.version = "Older", 10
			page = mara.Open("/admin/form")
			s.title, s.version = "Newer", 20
			page = page.Submit("Sign in")
			if page.Status != 422 || page.Find("#f-title").AttrOr("value", "") != "Newer" {
				t.Errorf("%d %s", page.Status, page.Text("form"))
			}
			if page.Submit("Sign in", typed...); s.title != want || s.version != 21 {
				t.Errorf("%q instead of %q, %d", s.title, want, s.version)
			}
		}
	})
}

// TestNothingTypedIsLost ends the session between typing and saving, sends a form from another site, and asks for a
// proof of identity in between: what was typed comes back, for the same account alone.
func TestNothingTypedIsLost(t *testing.T) {
	servicestest.OnBoth(t, func(t *testing.T, d *servicestest.Desk) {
		s := newSample(t, d)
		mara := s.Staff(1)
		page := mara.Open("/admin/form")
		d.Clock.Add(9 * admitto.Hour)
		lost := page.Submit("Sign in", "title", "Typed long ago", "password", "secret")
		if lost.Path != "/admin/sign-in?next=%2Fadmin%2Fform" || s.title != "First" {
			t.Fatal(lost.Path, s.title)
		}
		other := s.Staff(1)
		page = other.Open("/admin/form")
		if page.Find("#f-title").AttrOr("value", "") != "Typed long ago" || !strings.Contains(page.Text(".notice"),
			"Not saved yet") || strings.Contains(page.Body, "secret") {
			t.Error(page.Body)
		}
		page.Submit("Sign in")
		if page = other.Open("/admin/form"); s.title != "Typed long ago" || page.Find(".notice").Length() != 0 {
			t.Error("it is kept after it was saved: ", page.Text("form"))
		}

		// What is kept can be discarded.
		page = other.Open("/admin/form")
		form := sitetest.Typed(page.Find("form"))
		form.Set("title", "Half a th")
		if kept := other.Post("/admin/draft", form); kept.Status != 204 {
			t.Fatal(kept.Status)
		}
		page = other.Open("/admin/form").Submit("Discard what I typed")
		if page.Path != "/admin/form" || page.Find("#f-title").AttrOr("value", "") != "Typed long ago" ||
			!strings.Contains(page.Text(".notice"), "is discarded") || s.title != "Typed long ago" {
			t.Error(page.Path, page.Text("main"))
		}

		// A form of somebody else's, and one that another site sends.
		form.Set("title", "Of Mara")
		if got := s.Staff(2).Post("/admin/sensitive", form); got.Status != http.StatusForbidden {
			t.Error(got.Status)
		}
		if got := s.Staff(2).Open("/admin/sensitive"); got.Find("#f-title").AttrOr("value", "") == "Of Mara" {
			t.Error("another account gets what was typed")
		}
		r := httptest.NewRequestWithContext(t.Context(), "POST", "/admin/form", strings.NewReader(form.Encode()))
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		r.Header.Set("Sec-Fetch-Site", "cross-site")
		if got := other.Send(r); got.Status != http.StatusForbidden || s.title == "Of Mara" {
			t.Error(got.Status)
		}

		// A proof of identity that is too old is asked for, and the form comes back afterwards.
		page = other.Open("/admin/sensitive")
		d.Clock.Add(11 * admitto.Minute)
		page = page.Submit("Sign in", "title", "After the proof")
		if page.Path != "/admin/confirm?next=%2Fadmin%2Fsensitive" {
			t.Fatal(page.Path)
		}
		if page = page.Submit("Sign in"); page.Path != "/admin/sensitive" ||
			page.Find("#f-title").AttrOr("value", "") != "After the proof" {
			t.Error(page.Path, page.Text("main"))
		}
	})
}

// TestTypedBeforeOthersSaved ends the session between typing and saving, and somebody else saves before the form comes
// back: it asks which value stays, and takes nothing back that was not touched.
func TestTypedBeforeOthersSaved(t *testing.T) {
	servicestest.OnBoth(t, func(t *testing.T, d *servicestest.Desk) {
		s := newSample(t, d)
		page := s.Staff(1).Open("/admin/form")
		lost := func(typed ...string) *sitetest.Page {
			t.Helper()
			d.Clock.Add(9 * admitto.Hour)
			if to := page.Submit("Sign in", typed...); to.Path != "/admin/sign-in?next=%2Fadmin%2Fform" {
				t.Fatal(to.Path)
			}
			s.title, s.version = s.title+" of Ada", s.version+1
			return s.Staff(1).Open("/admin/form")
		}
		back := lost("title", "Typed by Mara")
		if back.Find("#f-title").AttrOr("value", "") != "Typed by Mara" || !strings.Contains(back.Text(".notice"),
			"is not saved. Somebody else saved other values since") {
			t.Fatal(back.Text("main"))
		}
		if back.Status != 200 || s.title != "First of Ada" || !strings.Contains(back.Text("form"), "Yours: Typed by Mara") ||
			!strings.Contains(back.Text("form"), "Saved meanwhile: First of Ada") {
			t.Fatalf("%d %q %s", back.Status, s.title, back.Text("form"))
		}
		if back.Submit("Sign in", "keep.title", "mine"); s.title != "Typed by Mara" {
			t.Errorf("%q", s.title)
		}
		page = s.Staff(1).Open("/admin/form")
		back = lost()
		if back.Submit("Sign in"); s.title != "Typed by Mara of Ada" {
			t.Errorf("what was not touched is taken back: %q", s.title)
		}
	})
}

// TestRefusals are the pages for what is refused (screens.md U19).
func TestRefusals(t *testing.T) {
	t.Parallel()
	s := newSample(t, servicestest.OnFile(t, storetest.Migrated))
	for _, c := range []struct {
		name    string
		visitor *sitetest.Visitor
		method  string
		path    string
		form    url.Values
		fault   error
		status  int
		says    string
	}{
		{"missing", s.Staff(1), "GET", "/admin/nothing", nil, nil, 404, "There is no such page"},
		{"lacking", s.Staff(2), "GET", "/admin/form", nil, nil, 403,
			"(applicants-view).These people can give it to you: Ada Boss."},
		{"lacking, posted", s.Staff(2), "POST", "/admin/form", url.Values{}, nil, 403, "(applicants-view)"},
		{"method", s.Staff(1), "POST", "/admin/", url.Values{}, nil, 405, "cannot be asked"},
		{"read an action", s.Staff(1), "GET", "/admin/stay", nil, nil, 405, "cannot be asked"},
		{"fault", s.Staff(1), "GET", "/admin/broken", nil, context.DeadlineExceeded, 500, "Your data up to 09:00 are safe"},
		{"busy", s.Staff(1), "GET", "/admin/broken", nil, &admitto.Error{Kind: admitto.Unavailable}, 503, "in a minute"},
		{"rule", s.Staff(1), "GET", "/admin/broken", nil, admitto.Refused(admitto.NotAllowedNow,
			message.Of("consents-by-applicant")), 409, "Applicants decide"},
		{"language", s.Staff(1), "GET", "/admin/choose/language/xx", nil, nil, 404, "There is no such page"},
	} {
		s.broken = c.fault
		page := c.visitor.Do(c.method, c.path, c.form)
		if page.Status != c.status || !strings.Contains(page.Text("main"), c.says) || page.Find("main a").Length() == 0 {
			t.Errorf("%s: %d %s", c.name, page.Status, page.Text("main"))
		}
	}
}

// TestChoose keeps language and scheme in cookies, and leads back to pages of ours alone.
func TestChoose(t *testing.T) {
	t.Parallel()
	s := newSample(t, servicestest.OnFile(t, storetest.Migrated))
	mara := s.Staff(1)
	if page := mara.Open("/admin/choose/language/ar?next=%2Fadmin%2Fform"); page.Path != "/admin/form" ||
		page.Find("html").AttrOr("dir", "") != "rtl" {
		t.Error(page.Path)
	}
	if page := mara.Open("/admin/choose/scheme/dark"); page.Path != "/admin/" ||
		page.Find("html").AttrOr("data-scheme", "") != "dark" {
		t.Error(page.Path)
	}
	for _, bad := range []string{"https://evil.example/", "//evil.example", `/\evil.example`, "javascript:alert(1)",
		"/a\r\nb", "admin", ""} {
		if site.Local(bad) {
			t.Errorf("%q leads elsewhere", bad)
		}
		if page := mara.Do("GET", "/admin/choose/scheme/light?next="+url.QueryEscape(bad),
			nil); page.Header.Get("Location") != "/admin/" {
			t.Errorf("%q: %s", bad, page.Header.Get("Location"))
		}
	}
}

// TestSessionsEnd lets a session end by its limits, and by its account.
func TestSessionsEnd(t *testing.T) {
	servicestest.OnBoth(t, func(t *testing.T, d *servicestest.Desk) {
		s := newSample(t, d)
		mara := s.Staff(1)
		for range 5 { // used, it goes on, but not for ever
			if page := mara.Open("/admin/"); page.Path != "/admin/" {
				t.Fatal(page.Path)
			}
			d.Clock.Add(5 * admitto.Hour)
		}
		if page := mara.Open("/admin/"); page.Path == "/admin/" {
			t.Error("the session lasts for ever")
		}
	})
}

// TestBadForms sends what no page sends.
func TestBadForms(t *testing.T) {
	t.Parallel()
	s := newSample(t, servicestest.OnFile(t, storetest.Migrated))
	mara := s.Staff(1)
	for name, c := range map[string]struct {
		kind, body string
		status     int
	}{
		"another type":    {"application/json", "{}", 400},
		"no type":         {"", "title=x", 400},
		"a broken escape": {"application/x-www-form-urlencoded", "title=%zz", 400},
		"no text in name": {"application/x-www-form-urlencoded", "%ff=1", 400},
		"too large":       {"application/x-www-form-urlencoded", "title=" + strings.Repeat("x", 1<<20), 413},
		"too many fields": {"application/x-www-form-urlencoded", strings.Repeat("a=1&", 2001), 413},
		"no such version": {"application/x-www-form-urlencoded", "version=-7&title=", 400},
		"a forged stamp":  {"application/x-www-form-urlencoded", "of=AAAA&title=x", 400},
		"no stamp":        {"application/x-www-form-urlencoded", "title=x", 400},
		"nothing":         {"application/x-www-form-urlencoded", "", 400},
	} {
		r := httptest.NewRequestWithContext(t.Context(), "POST", "/admin/form", strings.NewReader(c.body))
		r.Header.Set("Content-Type", c.kind)
		r.Header.Set("Sec-Fetch-Site", "same-origin")
		page := mara.Send(r)
		if name != "no such version" && page.Find("main a[href='/admin/form']").Length() != 1 {
			t.Errorf("%s: nothing leads back to the form: %s", name, page.Text("main"))
		}
		if page.Status != c.status || s.title != "First" {
			t.Errorf("%s: %d %s", name, page.Status, page.Text("main"))
		}
	}
}
