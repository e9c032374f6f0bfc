package api_test

import (
	"bytes"
	"fmt"
	"image"
	"image/jpeg"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/admitto/admitto/internal/pdf/pdftest"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/store/sqltest"
)

func portraitJPEG(t testing.TB) string {
	t.Helper()
	var b bytes.Buffer
	if err := jpeg.Encode(&b, image.NewGray(image.Rect(0, 0, 30, 40)), nil); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestPrintout(t *testing.T) {
	inTallinn := func(o *options) { o.settings.Instance.Timezone = time.FixedZone("EET", 7200) }
	onEach(t, func(t *testing.T, s *service) {
		putApplications(s)
		photo := portraitJPEG(t)
		s.put(`UPDATE applicant SET given = 'Ilse Жанна', family = 'Οδυσσέα' WHERE id = 10`,
			`INSERT INTO applicant_photo (applicant_id, uploaded, size, hash) VALUES (10, 1773046810000000, `+
				fmt.Sprint(len(photo))+`, `+s.keep(photo)+`)`)
		const path = "/api/v10/applications/1/pdf"
		a := s.get(path).want(t, 200)
		for name, want := range map[string]string{
			"Content-Type":           "application/pdf",
			"Content-Disposition":    `inline; filename="application-1.pdf"; filename*=UTF-8''application-1.pdf`,
			"Content-Length":         fmt.Sprint(len(a.body)),
			"Last-Modified":          "Mon, 09 Mar 2026 09:00:10 GMT",
			"ETag":                   `"` + hashOf(a.body)[:32] + `"`,
			"Accept-Ranges":          "bytes",
			"Cache-Control":          "private, no-cache",
			"X-Content-Type-Options": "nosniff",
			"X-Count":                "1",
			"Content-Encoding":       "",
		} {
			if got := a.header.Get(name); got != want {
				t.Errorf("%s: %q, want %q", name, got, want)
			}
		}
		text := pdftest.Text(t, []byte(a.body))
		for _, want := range []string{"Northfield University", "Ilse Жанна Οδυσσέα", "Application 1", "Status Submitted",
			"E-mail a@example.org",
			"Citizenship Hungary", "Academic term Autumn semester 2026/27", "Submitted 2026-03-09 11:00 EET", "Courses",
			"Energy Systems",
			"Intake Autumn 2026", "Type Undergraduate", "Personal data", "Documents", "D.pdf (application/pdf, 7 bytes)",
			"Generated from the data of 2026-03-09 11:00:10 EET", "Page 1 of "} {
			if !strings.Contains(text, want) {
				t.Errorf("%q is not in the printout", want)
			}
		}
		if t.Failed() {
			t.Log(text)
		}
		if again := s.get("/api/applications/1/pdf").want(t, 200); again.body != a.body {
			t.Error("the same application has other bytes")
		}
		head := s.do("HEAD", path, "").want(t, 200)
		if head.header.Get("Content-Length") != fmt.Sprint(len(a.body)) || head.header.Get("X-Count") != "1" ||
			head.header.Get("ETag") != a.header.Get("ETag") {
			t.Errorf("HEAD says %v", head.header)
		}
		if part := s.get(path, header("Range", "bytes=0-4")).want(t, 206); part.body != "%PDF-" {
			t.Errorf("the first bytes are %q", part.body)
		}
		s.get(path, header("If-None-Match", a.header.Get("ETag"))).want(t, http.StatusNotModified)
		s.get(path, header("If-Modified-Since", a.header.Get("Last-Modified"))).want(t, http.StatusNotModified)
		s.get(path, header("Range", "bytes=99999999-")).want(t, 416).problem(t, "range-not-satisfiable")

		// A document that is uploaded later is in it, and is the last change.
		s.put(`INSERT INTO document (id, application_id, uploaded, name, mime, size, hash) VALUES (599, 1, 1773046899700000, 'Later.pdf', 'application/pdf', 1536000, 'ab')`)
		later := s.get(path, header("If-None-Match", a.header.Get("ETag"))).want(t, 200)
		if later.header.Get("Last-Modified") != "Mon, 09 Mar 2026 09:01:39 GMT" ||
			!strings.Contains(pdftest.Text(t, []byte(later.body)), "Later.pdf (application/pdf, 1.5 MB)") {
			t.Errorf("a later document is not shown: %v", later.header)
		}
	}, inTallinn)
}

func TestPrintoutOfLittle(t *testing.T) {
	onEach(t, func(t *testing.T, s *service) {
		putApplications(s)
		text := pdftest.Text(t, []byte(s.get("/api/v10/applications/5/pdf").want(t, 200).body))
		for _, want := range []string{"Family name", "Postal code", "Motivation"} {
			if !strings.Contains(text, want) {
				t.Errorf("%q is not in the empty form: %s", want, text)
			}
		}
		for _, prefix := range []string{"/api", oldestPath(""), "/api/v7"} {
			s.get(prefix+"/applications/3/pdf").want(t, 200)
		}
		s.get("/api/v10/applications/6/pdf").want(t, 404).problem(t, "not-found")
		s.get("/api/v10/applications/777/pdf").want(t, 404).problem(t, "not-found")
		s.get("/api/v10/applications/x/pdf").want(t, 400).problem(t, "invalid-id")
		if a := s.get("/api/v10/applications/3/pdf?colour=blue").want(t,
			200); a.header.Get("Ignored-Parameters") != "colour" {
			t.Errorf("Ignored-Parameters: %q", a.header.Get("Ignored-Parameters"))
		}
		// A photo whose bytes are lost, or are no picture, does not keep the rest from being printed.
		s.put(`INSERT INTO applicant_photo (applicant_id, uploaded, size, hash) VALUES (11, 1, 4, '` + hashOf("lost") +
			`'), (10, 1, 4, ` + s.keep("text") + `)`)
		for id, want := range map[int]string{3: "Photo It is missing", 1: "Photo It cannot be read"} {
			if text := pdftest.Text(t, []byte(s.get(fmt.Sprintf("/api/v10/applications/%d/pdf", id)).want(t,
				200).body)); !strings.Contains(text, want) {
				t.Errorf("application %d: %q is not in %s", id, want, text)
			}
		}
	})
}

// Whatever applicants fill in is printed.
func TestPrintoutOfHostileContent(t *testing.T) {
	onEach(t, func(t *testing.T, s *service) {
		putApplications(s)
		long := strings.Repeat("Wir ", 1000)
		err := s.store.Write(t.Context(), func(tx *store.Tx) error {
			_, err := sqltest.In(tx).Exec("UPDATE application_content SET content = $1 WHERE application_id = 3",
				`{"profile":{"name":{"given":"你 😀 и שלום","family":"`+strings.Repeat("x", 255)+`"}},"motivation":{"general":"`+long+
					`"},
				"extras":[{"id":1,"name":"Q\\ ( {nb}","type":"file","document":999}]}`)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		text := pdftest.Text(t, []byte(s.get("/api/v10/applications/3/pdf").want(t, 200).body))
		for _, want := range []string{"[U+4F60]", "[U+1F600]", "Wir Wir", `Q\ ( {nb} document 999`} {
			if !strings.Contains(text, want) {
				t.Errorf("%q is not in %s", want, text)
			}
		}
	})
}

// Letterheads, which letters link to (resources.md 24.10).
func TestLetterheads(t *testing.T) {
	onEach(t, func(t *testing.T, s *service) {
		const plain = `{"id":1,"name":"Plain","created":"2026-03-09T09:00:00+00:00","modified":"2026-03-09T09:00:00+00:00"}`
		if got := s.get("/api/v10/letterheads").want(t, 200); got.body != `{"1":`+plain+`}` ||
			got.header.Get("X-Count") != "1" {
			t.Errorf("%s %v", got.body, got.header)
		}
		if got := s.get(oldestPath("/letterheads/1")).want(t, 200); got.body != plain {
			t.Errorf("%s", got.body)
		}
		s.get("/api/v10/letterheads/2").want(t, 404).problem(t, "not-found")
		s.get("/api/v10/letterheads/x").want(t, 400).problem(t, "invalid-id")
	})
}

// Documents of a task (resources.md 24.6): those attached to it, of its own application only.
func TestTaskDocuments(t *testing.T) {
	onEach(t, func(t *testing.T, s *service) {
		err := s.store.Write(t.Context(), func(tx *store.Tx) error {
			return sqltest.In(tx).Script(`INSERT INTO applicant (id, state, lead, registered, email, email_key) VALUES (1, 'live', FALSE, 1, 'a@example.org', 'a@example.org');
				INSERT INTO academic_term (id, year, name, type, start, grace, finish) VALUES (1, 2026, 'T', 1, '2026-08-31', '2026-10-31', '2027-01-31');
				INSERT INTO application (id, applicant_id, academic_term_id, status, created, revised) VALUES (1, 1, 1, 'Draft', 1, 1);
				INSERT INTO task (id, application_id, template_id, created, status) VALUES (1, 1, 1, 1, 'Waiting'), (2, 1, 1, 1, 'Waiting');
				INSERT INTO document (id, application_id, task_id, uploaded, name, mime, size, hash) VALUES
				(5, 1, 1, 1000000, 'a.pdf', 'application/pdf', 3, '00'), (6, 1, NULL, 1000000, 'b.pdf', 'application/pdf', 3, '00')`)
		})
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range []struct {
			path   string
			status int
			body   string
		}{
			{"/api/v10/applications/1/tasks/1/documents", 200,
				`{"5":{"id":5,"uploaded":"1970-01-01T00:00:01+00:00","name":"a.pdf","mime":"application/pdf","size":"3","expires":null}}`},
			{"/api/v8/applications/1/tasks/2/documents", 200, `{}`},
			{"/api/v10/applications/1/tasks/3/documents", 404, ""},
			{"/api/v10/applications/2/tasks/1/documents", 404, ""},
			{"/api/v7/applications/1/tasks/1/documents", 404, ""},
			{"/api/v10/applications/1/tasks/1/documents/6", 404, ""},
			{"/api/v10/applications/1/tasks/1/documents/5", 404, ""}, // its bytes are missing
		} {
			if got := s.get(c.path).want(t, c.status); c.body != "" && got.body != c.body {
				t.Errorf("%s: %s", c.path, got.body)
			}
		}
	})
}
