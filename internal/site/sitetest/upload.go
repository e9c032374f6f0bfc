package sitetest

import (
	"bytes"
	"mime/multipart"
	"net/http"
	"net/http/httptest"

	"github.com/PuerkitoBio/goquery"
)

// Keep lets the instance keep files.
func (i *Instance) Keep() {
	i.T.Helper()
	i.Shelf.Backend = shelf
}

// SubmitFile is Submit for the form with files: one file is chosen in a field. There is one such form on a page.
func (p *Page) SubmitFile(field, name, content string, fields ...string) *Page {
	p.v.i.T.Helper()
	return p.SubmitFiles(field, []string{name, content}, fields...)
}

// SubmitFiles is SubmitFile with several files: name and content by turns.
func (p *Page) SubmitFiles(field string, files []string, fields ...string) *Page {
	t := p.v.i.T
	t.Helper()
	form := p.Find("form[enctype]")
	if form.Length() != 1 {
		t.Fatalf("%s has no form with files: %.1500s", p.Path, p.Text("main"))
	}
	var body bytes.Buffer
	w := multipart.NewWriter(&body)
	values := with(Typed(form), fields)
	must(t, w.WriteField("of", values.Get("of")))
	values.Del("of")
	for key, list := range values {
		for _, v := range list {
			must(t, w.WriteField(key, v))
		}
	}
	for n := 0; n+1 < len(files); n += 2 {
		part, err := w.CreateFormFile(field, files[n])
		must(t, err)
		_, err = part.Write([]byte(files[n+1]))
		must(t, err)
	}
	must(t, w.Close())
	return p.v.sendBody(form, p.Path, w.FormDataContentType(), &body)
}

func (v *Visitor) sendBody(form *goquery.Selection, path, kind string, body *bytes.Buffer) *Page {
	r := httptest.NewRequestWithContext(v.i.T.Context(), http.MethodPost, form.AttrOr("action", path), body)
	r.Header.Set("Accept", "text/html")
	r.Header.Set("Accept-Language", v.Lang)
	r.Header.Set("Content-Type", kind)
	r.Header.Set("Sec-Fetch-Site", "same-origin")
	return v.Follow(v.Send(r))
}
