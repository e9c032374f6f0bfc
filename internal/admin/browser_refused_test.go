package admin_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/PuerkitoBio/goquery"

	"github.com/admitto/admitto/internal/accounts"
	"github.com/admitto/admitto/internal/site/sitetest"
	"github.com/admitto/admitto/internal/uitest"
)

// asPosted answers a page that is opened as after its form was sent, so that a browser can look at what is refused.
type asPosted struct {
	http.Handler
	forms map[string]url.Values // by path
	sent  *atomic.Int64
}

func (h asPosted) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	typed, known := h.forms[r.URL.Path]
	if !known || r.Method != http.MethodGet {
		h.Handler.ServeHTTP(w, r)
		return
	}
	page, plain := httptest.NewRecorder(), r.Clone(r.Context())
	plain.Header.Del("Accept-Encoding")
	h.Handler.ServeHTTP(page, plain)
	doc, err := goquery.NewDocumentFromReader(page.Body)
	if err != nil {
		panic(err)
	}
	form := url.Values{}
	for name, list := range typed {
		form[name] = list
	}
	if stamp, found := doc.Find("main form [name=of]").Attr("value"); found {
		form.Set("of", stamp)
	}
	post := r.Clone(r.Context())
	post.Method, post.Body = http.MethodPost, http.NoBody
	sent := httptest.NewRequest(http.MethodPost, r.URL.RequestURI(), strings.NewReader(form.Encode()))
	post.Body, post.ContentLength = sent.Body, sent.ContentLength
	post.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	post.Header.Set("Sec-Fetch-Site", "same-origin")
	n := h.sent.Add(1) // each from another network, or they would be throttled
	post.RemoteAddr = fmt.Sprintf("10.%d.%d.1:1", n/250, n%250)
	refused := &watched{ResponseWriter: w}
	if h.Handler.ServeHTTP(refused, post); refused.status != http.StatusUnprocessableEntity {
		panic(fmt.Sprintf("%s is answered with %d", r.URL.Path, refused.status)) // not the page that is to be looked at
	}
}

// watched keeps the status of an answer.
type watched struct {
	http.ResponseWriter
	status int
}

func (w *watched) WriteHeader(status int) {
	w.status = status
	w.ResponseWriter.WriteHeader(status)
}

// TestRefusedPages looks at forms of staff that were refused.
func TestRefusedPages(t *testing.T) {
	t.Parallel()
	if !uitest.Wanted() {
		return
	}
	i := sitetest.Filled(t)
	staff := i.Cookie(accounts.Administration, i.Superuser("Mara Lind"))
	site := asPosted{i, map[string]url.Values{
		"/admin/applicants/new": {"email": {"bo.lind@"}, "phone": {"abc"}, "given": {"Bo"}, "tracker": {"x"}},
		"/admin/sign-in":        {"email": {"nobody-here"}, "password": {"wrong"}},
		"/admin/administrators/invite": {"email": {"x"}, "name": {strings.Repeat("Maximiliane ", 10)}, "until-day": {"1"},
			"until-month": {"1"}, "until-year": {"2020"}},
	}, &atomic.Int64{}}
	uitest.Check(t, site,
		uitest.Page{Name: "applicant-add-refused", Path: "/admin/applicants/new", Cookie: staff, Fails: true},
		uitest.Page{Name: "sign-in-refused", Path: "/admin/sign-in", Fails: true},
		uitest.Page{Name: "invite-refused", Path: "/admin/administrators/invite", Cookie: staff, Fails: true})
}
