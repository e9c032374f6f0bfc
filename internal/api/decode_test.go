package api

import (
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/api/params"
	"github.com/admitto/admitto/internal/api/version"
	"github.com/admitto/admitto/internal/config"
	"github.com/admitto/admitto/internal/web"
	"golang.org/x/text/unicode/norm"
)

// bare is an interface that no office is behind: only reading and refusing works.
var bare = sync.OnceValue(func() *API {
	return New(nil, nil, config.NewLive(config.Defaults()), slog.New(slog.DiscardHandler))
})

func newCall(method, target, contentType, body string) (*call, *httptest.ResponseRecorder) {
	r := httptest.NewRequest(method, "/api/v10/applicants", strings.NewReader(body))
	r.URL.RawQuery = target
	if contentType != "" {
		r.Header.Set("Content-Type", contentType)
	}
	w := httptest.NewRecorder()
	return &call{api: bare(), w: w, r: r, ctx: r.Context(), info: &web.Info{RequestID: "test"}, version: version.Latest,
		prefix: "/api/v10"}, w
}

// checkRefusal fails unless the error is one that a client is to blame for, and has a whole problem document.
func checkRefusal(t *testing.T, c *call, w *httptest.ResponseRecorder, err error) {
	t.Helper()
	for _, value := range w.Header()[http.CanonicalHeaderKey("Ignored-Parameters")] {
		if strings.ContainsFunc(value, func(r rune) bool { return r < ' ' || r > '~' }) || strings.Count(value, ",") > 19 {
			t.Fatalf("Ignored-Parameters: %q", value)
		}
	}
	if err == nil {
		return
	}
	var refusal *admitto.Error
	if !errors.As(err, &refusal) {
		t.Fatalf("%T: %v", err, err)
	}
	p := c.problemFor(err)
	body, _ := p.encode(c.r)
	if p.Status < 400 || p.Status >= 500 || p.Detail == "" || !json.Valid(body) || !utf8.Valid(body) {
		t.Fatalf("status %d: %s", p.Status, body)
	}
	for _, f := range p.Errors {
		if (f.Parameter != "") == (f.Pointer != nil) && f.Parameter != "" || f.Detail == "" ||
			!utf8.ValidString(f.Parameter) {
			t.Fatalf("%s", body)
		}
	}
}

// checkTexts fails unless the texts are in their normal form and have at most the length given.
func checkTexts(t *testing.T, most int, list ...string) {
	t.Helper()
	for _, s := range list {
		if !utf8.ValidString(s) || !norm.NFC.IsNormalString(s) || utf8.RuneCountInString(s) > most ||
			strings.TrimSpace(s) != s ||
			strings.ContainsFunc(s, func(r rune) bool { return unicode.IsControl(r) && !strings.ContainsRune("\r\n\t", r) }) {
			t.Fatalf("%q got through", s)
		}
	}
}

// createFrom decodes a request as each creation does, and checks what comes out.
func createFrom(t *testing.T, query, contentType, body string) {
	t.Helper()
	for _, prefer := range []string{"", "handling=strict"} {
		c, w := newCall("POST", query, contentType, body)
		c.r.Header.Set("Prefer", prefer)
		list, err := c.creationArgs()
		checkRefusal(t, c, w, err)
		if err != nil {
			return
		}
		var a newApplicantInput
		err = faultsOf(c.decode(list, &a), c.checkNames(list))
		checkRefusal(t, c, w, err)
		checkTexts(t, 50, string(a.Name), string(a.Given), string(a.Family), string(a.Middle))
		checkTexts(t, 254, string(a.Email), string(a.Phone), string(a.Skype), string(a.Reference), string(a.Matriculation),
			string(a.Citizenship))
		checkTexts(t, 2048, string(a.Notes))
		if err == nil && (a.Email == "" || a.Name == "" && (a.Given == "" || a.Family == "") || a.Tracker < 0) {
			t.Fatalf("%+v", a)
		}
		var k newTrackerInput
		err = faultsOf(c.decode(list, &k), c.checkReduction(list, &k))
		checkRefusal(t, c, w, err)
		checkTexts(t, 16, string(k.Code), string(k.Kind))
		if err == nil && (utf8.RuneCountInString(string(k.Code)) < 2 || strings.ContainsAny(string(k.Code), ", ") ||
			k.Kind == "Percent" && (k.Percent.Value < 1 || k.Percent.Value > 10000 || k.Currency != "") ||
			k.Kind == "Amount" && (k.Amount.Value < 1 || k.Currency == "") || k.Kind == "" &&
			(k.Percent.Given || k.Amount.Given)) {
			t.Fatalf("%+v", k)
		}
	}
}

func FuzzForm(f *testing.F) {
	for _, s := range []string{"email=a%40example.org&name=Ann+Lee&tracker_ID=5",
		"code=ab&reduction[reduction]=Percent&reduction[percent]=10",
		"name[]=a&name[1]=b&name=c", "a[b][c][d][e][f][g]=1", "%zz", "a=%ff&b%00=\x01", "notes=a%0D%0Ab", ";", "&&=&",
		"name_given=e%CC%81", "reduction[cents]=1&reduction=2",
		strings.Repeat("é", params.MaxName) + "=1&" + strings.Repeat("[", params.MaxName+1) + "=2"} {
		f.Add(s, s)
	}
	f.Fuzz(func(t *testing.T, query, body string) {
		createFrom(t, query, "application/x-www-form-urlencoded", body)
		createFrom(t, "", "", query)
	})
}

func FuzzJSONBody(f *testing.F) {
	for _, s := range []string{`{"email":"a@example.org","name":"Ann Lee","tracker_ID":5}`,
		`{"code":"ab","reduction":{"reduction":"Amount","amount":1.5,"currency":"EUR"}}`,
		`{"a":[{"b":[1,true,null,"x"]}]}`, `{"a":{"a":{"a":{"a":{"a":{"a":1}}}}}}`, `{"name":"\ud800","name":2}`,
		`{"a~b/c":1}`, `{`, `{"a":1,}`, `{"a" 1}`, `[]`, `{}{}`, "{\"\xff\":1}", `{"a":[1 2]}`, `{"a":01}`,
		`{"` + strings.Repeat("k", params.MaxName+1) + `":{"a":1}}`, `{"` + strings.Repeat("~",
			params.MaxName) + `":{"a":1,"a":[{},[{"b":2}]]}}`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, body string) {
		createFrom(t, "", "application/json", body)
		createFrom(t, "", "text/plain", body)
		if list, err := params.JSONArgs([]byte(body)); err == nil && (list == nil || !json.Valid([]byte(body))) {
			t.Fatalf("taken for JSON: %s", body)
		}
	})
}

func FuzzMultipart(f *testing.F) {
	part := func(name, value string) string {
		return "--x\r\nContent-Disposition: form-data; name=\"" + name + "\"\r\n\r\n" + value + "\r\n"
	}
	for _, s := range []string{part("email", "a@example.org") + part("name", "Ann") + "--x--\r\n",
		part("name[]", "a") + part("name[0]", "b") + "--x--",
		part("name", "a"), "--x\r\n\r\n\r\n--x--", "--x--", "", "{}", part("a\xff",
			"\xff") + "--x--", "--x\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n=zz\r\n--x--"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, body string) {
		createFrom(t, "", "multipart/form-data; boundary=x", body)
	})
}

func FuzzJSONValue(f *testing.F) {
	for _, s := range []string{`"CRM-1"`, "null", "1.50", "true", "", " ", `""`, `"a" "b"`, `{}`, `[`, `]`, `"a"]`, `"`,
		"\"\xff\"", `"\u0000"`, `"\ud83d\ude00"`, `"\ud83d"`, `"\\ud83d"`, `"\ude00\ud83d"`, "01", "-", "1 2", ",", ":",
		"nul", `"a",`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, body string) {
		var want any
		valid := json.Unmarshal([]byte(body), &want) == nil && params.CheckCharacters([]byte(body)) == nil
		switch want.(type) {
		case map[string]any, []any:
			valid = false
		}
		value, err := params.JSONValue([]byte(body))
		if (err == nil) != valid {
			t.Fatalf("%q: %v, %v", body, value, err)
		}
		if number, ok := value.(json.Number); ok {
			if _, err := number.Float64(); err != nil && !strings.Contains(err.Error(), "range") {
				t.Fatalf("%q: %v", body, err)
			}
		} else if err == nil && fmt.Sprint(value) != fmt.Sprint(want) {
			t.Fatalf("%q: %v, want %v", body, value, want)
		}
		c, w := newCall("PUT", "", "", body)
		text, err := c.textOrNull(codeOf(c.api.settings().Applicants.ReferencePattern))
		checkRefusal(t, c, w, err)
		checkTexts(t, 64, text)
		if err == nil && text == "" && value != nil {
			t.Fatalf("%q clears", body)
		}
	})
}

func FuzzQuery(f *testing.F) {
	for _, s := range []string{"bySince=2026-03-01T09:00:00+02:00&byUntil=5&byEmails=a@b.org,c@d.org",
		"byCitizenships[]=EE&byCitizenships[1]=lv&expand=*&limit=5&after=7",
		"byEvents=Offer was edited: 7,E-mail was sent: ?&order=newest-first", "byTrackerIDs=1,,2 3&byTrackerCodes=a",
		"byAcademicYear=2026&limit=99999999999999999999", "byEmails=%ff&%00=1", "byUntil=0001-01-01"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, query string) {
		c, w := newCall("GET", query, "", "")
		list, err := c.queryArgs()
		checkRefusal(t, c, w, err)
		if err != nil {
			return
		}
		var in applicantsInput
		err = faultsOf(c.decode(list, &in), c.checkExpand(&in.Expand, applicantExpansions))
		checkRefusal(t, c, w, err)
		if err == nil && (in.Since.ID < 0 || in.Until.ID < 0 || in.After < 0 || len(in.Emails) > params.MaxItems) {
			t.Fatalf("%+v", in)
		}
		checkTexts(t, 64, in.Citizenships...)
		checkTexts(t, 64, in.TrackerCodes...)
		var j journalInput
		err = c.decode(list, &j)
		_, eventErr := c.eventFilters(j.Events)
		checkRefusal(t, c, w, faultsOf(err, eventErr))
		// The next page asks for the same.
		c.linkNext(42)
		link := w.Header().Get("Link")
		next, err := url.Parse(strings.TrimSuffix(strings.TrimPrefix(link, "<"), `>; rel="next"`))
		if err != nil || next.Path != "/api/v10/applicants" || next.Query().Get("after") != "42" {
			t.Fatalf("%q: %v", link, err)
		}
		want := c.r.URL.Query()
		want.Set("after", "42")
		if fmt.Sprint(next.Query()) != fmt.Sprint(want) {
			t.Fatalf("%v, want %v", next.Query(), want)
		}
	})
}
