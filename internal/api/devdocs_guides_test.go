package api_test

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/apikey"
	"github.com/admitto/admitto/internal/config"
	"github.com/admitto/admitto/internal/demo"
	"github.com/admitto/admitto/internal/devdocs"
	"golang.org/x/net/html"
)

// guideText returns the text of a guide without tags.
func guideText(t *testing.T, s *service, path string) string {
	t.Helper()
	root, err := html.Parse(strings.NewReader(s.get(path, noKey).want(t, 200).body))
	if err != nil {
		t.Fatal(err)
	}
	return textOf(root)
}

// What the guides say in words about files, DELETE, HEAD, separators, null and order is so.
func TestGuideStatements(t *testing.T) {
	onBoth(t, func(t *testing.T, s *service) {
		putContract(s)
		says := func(page string, sentences ...string) {
			text := guideText(t, s, page)
			for _, sentence := range sentences {
				if !strings.Contains(text, sentence) {
					t.Errorf("%s does not say %q", page, sentence)
				}
			}
		}
		says("/developers/guides/files", "Documents and attachments of e-mails: at the path of the list, followed by the ID.",
			"at the path in the field download.",
			"attachment names the attachment that holds the letter", "A report comes as JSON where Accept asks for that.")
		for path, contentType := range map[string]string{
			"/applications/9001/documents/222":                        "application/pdf",
			"/applicants/4713/emails/881/attachments/66":              "application/pdf",
			"/applications/9001/exports/88/blobs/1-5f3c9a2be1d04477":  "application/json",
			"/applications/9001/offers/7001/attachments/1001":         "application/json",
			"/applicants/4711/photo":                                  "image/jpeg",
			"/reports/ReportFunnel?academicTerm=13&commenceYear=2026": "text/csv; charset=utf-8",
		} {
			if a := s.get("/api/v10"+path).want(t, 200); a.header.Get("Content-Type") != contentType {
				t.Errorf("%s is %s", path, a.header.Get("Content-Type"))
			}
		}
		attachment := s.get("/api/v10/applications/9001/offers/7001/attachments/1001").object(t)
		s.get(attachment["download"].(string)).want(t, 200)
		letter := s.get("/api/v10/applications/9001/offers/7001/letters/301").object(t)
		s.get(letter["attachment"].(string)).want(t, 200)
		if a := s.get("/api/v10/reports/ReportFunnel", header("Accept", "application/json")).want(t,
			200); a.header.Get("Content-Type") != "application/json" {
			t.Errorf("the report is %s", a.header.Get("Content-Type"))
		}

		says("/developers/guides/reading",
			"separated by commas or spaces; items that may have spaces themselves, such as events and titles, by commas only",
			"in ascending order of the IDs", "the answer has no Content-Length",
			"Where order matters to your program, sort by id.")
		count := func(query, want string) {
			if got := s.get("/api/v10"+query).want(t, 200).header.Get("X-Count"); got != want {
				t.Errorf("%s has %s, want %s", query, got, want)
			}
		}
		count("/applicants?byCitizenships=HU,NL", s.get("/api/v10/applicants?byCitizenships=HU%20NL").want(t,
			200).header.Get("X-Count"))
		count("/journal?byEvents=Application%20was%20submitted%20Application%20was%20closed", "0")
		for _, list := range []string{"/applicants", "/applications", "/journal"} {
			get, head := s.get("/api/v10"+list), s.do("HEAD", "/api/v10"+list, "").want(t, 200)
			if head.header.Get("Content-Length") != "" || head.header.Get("X-Count") != get.header.Get("X-Count") {
				t.Errorf("HEAD %s: %v", list, head.header)
			}
		}

		says("/developers/guides/journal", "in descending order of their IDs",
			"Other words than newest-first and oldest-first are refused.")
		s.get("/api/v10/journal?order=desc").want(t, 400).problem(t, "invalid-parameter")
		newest := s.get("/api/v10/journal?order=newest-first").want(t, 200).body
		if strings.Index(newest, `"1":{"id":1,`) < strings.Index(newest, `"2":{"id":2,`) {
			t.Error("newest-first is ascending")
		}

		says("/developers/guides/first-call", "A field without a value is null, some texts are empty, and none is left out.",
			"null, an empty text and a parameter that is left out are the same.",
			"Where a value may be cleared, null clears it.")
		omitted := []string{"education", "languages", "career", "activities", "residences"}
		blank := s.get("/api/v10/applications/9004").object(t)
		for name := range s.get("/api/v7/applications/9004").object(t) { // whose link to study plans ended with it
			if _, is := blank[name]; !is && name != "studyplans" && !strings.Contains(strings.Join(omitted, " "), name) {
				t.Errorf("%s is left out of an application without content", name)
			}
		}
		says("/developers/guides/first-call", strings.Join(omitted[:4], ", ")+" and "+omitted[4])
		for _, body := range []string{`{"code":"N-1","notes":null}`, `{"code":"N-2","notes":""}`, `{"code":"N-3"}`} {
			a := s.do("POST", "/api/v10/applicants/trackers", body, header("Content-Type", "application/json")).want(t, 201)
			if notes, is := a.object(t)["notes"]; !is || notes != nil {
				t.Errorf("%s made %s", body, a.body)
			}
		}
		s.do("PUT", "/api/v10/applicants/4713/reference", "null").want(t, 204)
		if a := s.get("/api/v10/applicants/4713/reference").want(t, 200); a.body != "null" {
			t.Errorf("a cleared reference is %s", a.body)
		}

		says("/developers/guides/idempotency", "a DELETE of what is gone by now is 404")
		for _, path := range []string{"/applicants/4711/trackers/14", "/applicants/4711/notes", "/applications/9001/flags/5",
			"/applications/9001/offers/7001/score/extra",
			"/applications/9001/tasks/410", "/scoresheets/6/scores/930/points", "/scoresheets/6/scores/930/reference",
			"/applicants/trackers/16", "/applications/flags/6",
			"/applications/9002/courses/55"} {
			s.do("DELETE", "/api/v10"+path, "").want(t, http.StatusNoContent)
			s.do("DELETE", "/api/v10"+path, "").want(t, http.StatusNotFound).problem(t, "not-found")
		}
	})
}

// shownCalls returns the calls of a guide in their order, each with the status that the page says it has.
func shownCalls(t *testing.T, s *service, slug string) (calls [][2]string) {
	t.Helper()
	root, err := html.Parse(strings.NewReader(s.get("/developers/guides/"+slug, noKey).want(t, 200).body))
	if err != nil {
		t.Fatal(err)
	}
	for n := range root.Descendants() {
		switch {
		case n.Data == "pre" && strings.HasPrefix(textOf(n), "curl"):
			calls = append(calls, [2]string{textOf(n), ""})
		case n.Data == "strong" && n.Parent.Data == "p" && strings.HasPrefix(textOf(n.Parent), "Answer:"):
			calls[len(calls)-1][1] = textOf(n)
		}
	}
	return calls
}

// On an instance with data every call of every guide works as it stands, with its address and its IDs: only the key is
// put in, and the tag that the call before it has shown.
func TestGuidesOnTheDemo(t *testing.T) {
	onEach(t, func(t *testing.T, s *service) {
		s.set(func(c *config.Settings) { c.BaseURL = s.server.URL })
		one, hour := 1, 600
		_, all := s.newKey(apikey.NewKey{Label: "all", Scope: admitto.ScopeAll})
		_, readOnly := s.newKey(apikey.NewKey{Label: "reader", Scope: admitto.ScopeReadOnly})
		_, small := s.newKey(apikey.NewKey{Label: "small", Scope: admitto.ScopeAll, PerMinute: &one, PerHour: &hour})
		keys := strings.NewReplacer(`apikey="KEY"`, `apikey="`+all+`"`, `apikey="READ-ONLY-KEY"`, `apikey="`+readOnly+`"`,
			`apikey="SMALL-KEY"`, `apikey="`+small+`"`)
		tag, sent := "", 0
		for _, guide := range devdocs.Guides() {
			for _, call := range shownCalls(t, s, guide.Slug) {
				command := keys.Replace(call[0])
				if tag != "" {
					command = shownTag.ReplaceAllLiteralString(command, tag)
				}
				r, err := parseCurl(command, fileNextTo)
				if err != nil {
					t.Fatal(err)
				}
				response, err := s.plainHTTP1().Do(r)
				if err != nil {
					t.Fatal(err)
				}
				body, err := io.ReadAll(response.Body)
				response.Body.Close()
				if err != nil {
					t.Fatal(err)
				}
				if got := response.Status; got != call[1] {
					t.Errorf("%s: %s\nanswers %s instead of %s: %s", guide.Slug, call[0], got, call[1], body)
				}
				if shows := response.Header.Get("ETag"); shows != "" && response.StatusCode == http.StatusOK {
					tag = shows
				}
				// What is said to be there is there: no filter by IDs finds nothing.
				if count := response.Header.Get("X-Count"); count == "0" && strings.Contains(call[0], "IDs=") {
					t.Errorf("%s: %s finds nothing", guide.Slug, call[0])
				}
				sent++
			}
		}
		if sent < 35 {
			t.Errorf("only %d calls are shown", sent)
		}
	}, func(o *options) {
		o.fill = func(s *service) {
			if err := demo.Fill(t.Context(), s.store, demo.Options{Applicants: 60, Seed: 3, Files: s.files}); err != nil {
				t.Fatal(err)
			}
		}
	})
}

// Where nobody has applied yet the calls keep the IDs they were written with, until there is an application, and then
// for as long as the pages may be kept by others.
func TestGuidesFindTheirIDs(t *testing.T) {
	onEach(t, func(t *testing.T, s *service) {
		s.set(func(c *config.Settings) { c.BaseURL = "https://apply.example.org" })
		wants := func(path string) {
			t.Helper()
			for _, call := range shownCalls(t, s, "files") {
				if !strings.Contains(call[0], "https://apply.example.org/api/v10"+path) &&
					!strings.Contains(call[0], "tableviews") {
					t.Errorf("want %s in %s", path, call[0])
				}
			}
		}
		wants("/applications/9001/documents")
		putContract(s)
		s.put("UPDATE application SET status = 'Submitted', submitted = 1 WHERE id = 9002",
			"UPDATE document SET trashed = 1 WHERE id = 222")
		wants("/applications/9001/documents")
		s.clock.Add(10 * admitto.Minute)
		wants("/applications/9002/documents")
	})
}
