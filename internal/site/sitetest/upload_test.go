package sitetest_test

import (
	"bytes"
	"mime/multipart"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/services/servicestest"
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/site/sitetest"
	"github.com/admitto/admitto/internal/store/storetest"
	"github.com/admitto/admitto/internal/ui"
)

// files is a form with two files, of which one is needed.
func (s *sample) files(r *site.Request) error {
	f, err := r.Form(nil, 0)
	if err != nil {
		return err
	}
	if r.Posted() {
		one, err := f.File("one")
		if err != nil {
			return err
		}
		var content []byte
		if one == nil {
			f.Fail("one", "value.none")
		} else if content, err = one.Bytes(1 << 20); err != nil {
			if err = f.FileRefused("one", err); err != nil {
				return err
			}
		}
		if f.Get("title") == "" {
			f.Fail("title", "value.none")
		}
		refused, err := f.Refused(nil, nil)
		if err != nil {
			return err
		}
		if !refused {
			s.added = append(s.added, one.Name+" "+string(content))
			return r.To("dashboard")
		}
	}
	first, err := f.Upload("one", "sign_in.email", ".pdf")
	if err != nil {
		return err
	}
	second, err := f.Upload("two", "sign_in.email", ".pdf")
	if err != nil {
		return err
	}
	return site.Sheet{Parts: []ui.Component{f.Box([]ui.Button{r.Save("action.sign-in")},
		f.Text("title", "sign_in.email"), first, second)}}.Show(r)
}

// upload sends the form of a page with files: field, name and content by turns.
func upload(t *testing.T, v *sitetest.Visitor, page *sitetest.Page, title string, files ...string) *sitetest.Page {
	t.Helper()
	form := page.Find("form[enctype]")
	if form.Length() != 1 {
		t.Fatalf("%s has no form with files: %s", page.Path, page.Text("main"))
	}
	var body bytes.Buffer
	w := multipart.NewWriter(&body)
	must := func(err error) {
		if err != nil {
			t.Fatal(err)
		}
	}
	must(w.WriteField("of", sitetest.Typed(form).Get("of")))
	must(w.WriteField("title", title))
	for n := 0; n+2 < len(files); n += 3 {
		part, err := w.CreateFormFile(files[n], files[n+1])
		must(err)
		_, err = part.Write([]byte(files[n+2]))
		must(err)
	}
	must(w.Close())
	r := httptest.NewRequestWithContext(t.Context(), "POST", "/admin/files", &body)
	r.Header.Set("Content-Type", w.FormDataContentType())
	r.Header.Set("Sec-Fetch-Site", "same-origin")
	return v.Follow(v.Send(r))
}

// TestFilesAreKept refuses a form with files, and ends the session below it: the files come back with the form, for the
// same account alone, and go with it once it is saved.
func TestFilesAreKept(t *testing.T) {
	servicestest.OnBoth(t, func(t *testing.T, d *servicestest.Desk) {
		s := newSample(t, d)
		mara := s.Staff(1)
		page := upload(t, mara, mara.Open("/admin/files"), "", "one", `C:\my files\name.pdf`, "%PDF one", "two", "", "")
		if page.Status != 422 || !strings.Contains(page.Text(".files"), "name.pdf kept") ||
			page.Find(".files").Length() != 1 {
			t.Fatal(page.Status, page.Text("main"))
		}
		page = upload(t, mara, page, "", "two", "<b>.pdf", "%PDF two")
		if !strings.Contains(page.Text(".files"), "name.pdf") || !strings.Contains(page.Text(".files"), "<b>.pdf") {
			t.Error(page.Text("main"))
		}
		if n := d.Number("SELECT count(*) FROM stash_file"); n != 2 {
			t.Errorf("%d files are kept", n)
		}
		removed := page.Submit("Remove this file <b>.pdf", "title", "Half")
		if !strings.Contains(removed.Text(".files"), "name.pdf") || removed.Find(".files").Length() != 1 ||
			removed.Find("#f-title").AttrOr("value", "") != "Half" || len(s.added) != 0 {
			t.Error(removed.Text("main"))
		}
		if buttons := removed.Find("form[enctype] .acts button"); buttons.Length() != 3 ||
			buttons.First().AttrOr("name", "") != "" {
			t.Error("Enter removes a file")
		}
		page = upload(t, mara, removed, "", "two", "<b>.pdf", "%PDF two")
		if got := s.Staff(2).Open("/admin/files"); got.Find(".files").Length() != 0 {
			t.Error("another account gets the files")
		}
		d.Clock.Add(9 * admitto.Hour)
		if lost := upload(t, mara, page, "Typed", "one", "newer.pdf", "%PDF newer"); !strings.HasPrefix(lost.Path,
			"/admin/sign-in") {
			t.Fatal(lost.Path)
		}
		mara = s.Staff(1)
		page = mara.Open("/admin/files")
		if !strings.Contains(page.Text(".files"), "newer.pdf") || page.Find("#f-title").AttrOr("value", "") != "Typed" {
			t.Error(page.Text("main"))
		}
		if upload(t, mara, page, "Typed"); strings.Join(s.added, " ") != "newer.pdf %PDF newer" {
			t.Error(s.added)
		}
		if n := d.Number("SELECT count(*) FROM stash_file"); n != 0 {
			t.Errorf("%d files are kept after they were saved", n)
		}
	})
}

// TestBadFiles sends forms with files that no page sends.
func TestBadFiles(t *testing.T) {
	t.Parallel()
	s := newSample(t, servicestest.OnFile(t, storetest.Migrated))
	mara := s.Staff(1)
	of := sitetest.Typed(mara.Open("/admin/files").Find("form[enctype]")).Get("of")
	part := func(head, body string) string {
		return "--b\r\nContent-Disposition: form-data; " + head + "\r\n\r\n" + body + "\r\n"
	}
	ours := part(`name="of"`, of)
	file := func(name, body string) string { return part(`name="`+name+`"; filename="a.pdf"`, body) }
	for name, c := range map[string]struct {
		path, body string
		status     int
	}{
		"no end":               {"/admin/files", ours, 400},
		"nothing":              {"/admin/files", "", 400},
		"no name":              {"/admin/files", ours + part(`filename="a"`, "x") + "--b--", 400},
		"bytes in a name":      {"/admin/files", ours + part("name=\"\xff\"", "x") + "--b--", 400},
		"a file without stamp": {"/admin/files", file("one", "x") + ours + "--b--", 400},
		"a forged stamp":       {"/admin/files", part(`name="of"`, "AAAA") + file("one", "x") + "--b--", 400},
		"too large a file": {"/admin/files", ours + file("one", strings.Repeat("x", 102<<20)) + "--b--",
			413},
		"too large a field":     {"/admin/files", ours + part(`name="a"`, strings.Repeat("x", 1<<20)) + "--b--", 413},
		"too many files":        {"/admin/files", ours + strings.Repeat(file("one", "x"), 11) + "--b--", 413},
		"too many fields":       {"/admin/files", ours + strings.Repeat(part(`name="a"`, "x"), 2001) + "--b--", 413},
		"a form without files":  {"/admin/form", ours + "--b--", 400},
		"more than is kept":     {"/admin/files", ours + file("one", strings.Repeat("x", 11<<20)) + "--b--", 422},
		"hostile names are ok":  {"/admin/files", ours + part(`name="one"; filename="../../etc/passwd"`, "x") + "--b--", 422},
		"a folder is no name":   {"/admin/files", ours + part(`name="one"; filename=".."`, "x") + "--b--", 422},
		"a page without stamps": {"/admin/files", part(`name="title"`, "x") + "--b--", 400},
	} {
		r := httptest.NewRequestWithContext(t.Context(), "POST", c.path, strings.NewReader(c.body))
		r.Header.Set("Content-Type", "multipart/form-data; boundary=b")
		r.Header.Set("Sec-Fetch-Site", "same-origin")
		if page := mara.Send(r); page.Status != c.status || strings.Contains(page.Text(".files"), "/") {
			t.Errorf("%s: %d %s", name, page.Status, page.Text("main"))
		}
	}
}

// TestOrigins takes forms from pages of ours alone, whatever the browser says of where they come from.
func TestOrigins(t *testing.T) {
	t.Parallel()
	s := newSample(t, servicestest.OnFile(t, storetest.Migrated))
	mara := s.Staff(1)
	for name, c := range map[string]struct {
		headers map[string]string
		taken   bool
	}{
		"nothing":       {nil, false},
		"same origin":   {map[string]string{"Sec-Fetch-Site": "same-origin"}, true},
		"typed by hand": {map[string]string{"Sec-Fetch-Site": "none"}, true},
		"same site":     {map[string]string{"Sec-Fetch-Site": "same-site"}, false},
		"cross site": {map[string]string{"Sec-Fetch-Site": "cross-site",
			"Referer": "https://example.com/admin/form"}, false},
		"own origin":            {map[string]string{"Origin": "https://example.com"}, true},
		"other origin":          {map[string]string{"Origin": "https://evil.example"}, false},
		"no origin":             {map[string]string{"Origin": "null"}, false},
		"own page":              {map[string]string{"Referer": "https://example.com/admin/form"}, true},
		"own page without TLS":  {map[string]string{"Referer": "http://example.com/admin/form"}, false},
		"other page":            {map[string]string{"Referer": "https://evil.example/?https://example.com/"}, false},
		"other page, our name":  {map[string]string{"Referer": "https://example.com@evil.example/"}, false},
		"no address":            {map[string]string{"Referer": "https://%zz"}, false},
		"an address of no host": {map[string]string{"Referer": "/admin/form"}, false},
	} {
		form := url.Values{"title": {name}, "version": {"0"},
			"of": {sitetest.Typed(mara.Open("/admin/add").Find("form")).Get("of")}}
		r := httptest.NewRequestWithContext(t.Context(), "POST", "/admin/add", strings.NewReader(form.Encode()))
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		for key, value := range c.headers {
			r.Header.Set(key, value)
		}
		before := len(s.added)
		if got := mara.Send(r); (len(s.added) > before) != c.taken || c.taken != (got.Status == 303) {
			t.Errorf("%s: %d", name, got.Status)
		}
	}
}
