package api_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"strings"
	"testing"

	"github.com/admitto/admitto/internal/admitto"
)

// The bytes of the fixture: big enough for several writes, compressible, and not the same anywhere.
var (
	passport  = numbered("passport", 196_695)
	portrait  = numbered("portrait", 300)
	letterPDF = numbered("letter", 48_213)
	package1  = numbered("package", 2_000)
)

// numbered is a text in which every line says where it is.
func numbered(word string, size int) string {
	var b strings.Builder
	for b.Len() < size {
		fmt.Fprintf(&b, "%s %d\n", word, b.Len())
	}
	return b.String()[:size]
}

func hashOf(data string) string {
	sum := sha256.Sum256([]byte(data))
	return hex.EncodeToString(sum[:])
}

// keep stores bytes and returns their hash in quotes for SQL.
func (s *service) keep(data string) string {
	s.t.Helper()
	if err := s.files.PutFile(s.t.Context(), hashOf(data), []byte(data)); err != nil {
		s.t.Fatal(err)
	}
	return "'" + hashOf(data) + "'"
}

// putFiles makes applicants and applications with everything that hangs on them; applicant 4712 and application
// 9003 are invisible, 4713 and 9002 have nothing.
func putFiles(s *service) {
	putCatalogue(s)
	lost := "'" + hashOf("lost") + "'"
	pass, photo, letter, pack, empty := s.keep(passport), s.keep(portrait), s.keep(letterPDF), s.keep(package1), s.keep("")
	s.put(
		`INSERT INTO applicant (id, state, lead, registered, email, email_key, citizenship) VALUES
			(4711, 'live', FALSE, 1773046800000000, 'a@example.org', 'a@example.org', 'HU'),
			(4712, 'recovery', FALSE, 1773046800000000, 'b@example.org', 'b@example.org', ''),
			(4713, 'blocked', FALSE, 1773046800000000, 'c@example.org', 'c@example.org', ''),
			(4714, 'live', FALSE, 1773046800000000, 'd@example.org', 'd@example.org', '')`,
		`INSERT INTO application (id, applicant_id, academic_term_id, status, created, revised, submitted, visible) VALUES
			(9001, 4711, 13, 'Submitted', 1773046800000000, 1773046801000000, 1773046801000000, TRUE),
			(9002, 4713, 13, 'Draft', 1773046800000000, 1773046800000000, NULL, TRUE),
			(9003, 4712, 13, 'Submitted', 1773046800000000, 1773046801000000, 1773046801000000, FALSE),
			(9004, 4711, 2, 'Draft', 1773046800000000, 1773046801000000, NULL, TRUE)`,
		`INSERT INTO offer (id, application_id, applicant_id, course_id, institution_id, priority, inserted, type_id, reason) VALUES
			(7001, 9001, 4711, 55, 1, 1, 1773046801000000, 17, '')`,
		`INSERT INTO task_template (id, class, title) VALUES (901, 'proof', 'Proof of "skills"'), (902, 'visit', 'Visit')`,
		`INSERT INTO task (id, application_id, template_id, created, reminded, committed, resolved, status, notes_applicant, notes_administrator, trashed) VALUES
			(410, 9001, 901, 1773046801000000, 1773046802000000, 1773046803000000, 1773046804999999, 'Submitted', 'See page 2', 'Fine', NULL),
			(411, 9001, 902, 1773046801000000, NULL, NULL, NULL, 'Waiting', '', '', NULL),
			(412, 9001, 902, 1773046801000000, NULL, NULL, NULL, 'Waiting', '', '', 1773046805000000),
			(413, 9003, 902, 1773046801000000, NULL, NULL, NULL, 'Waiting', '', '', NULL)`,
		`INSERT INTO document (id, application_id, task_id, uploaded, name, mime, size, hash, expires, trashed) VALUES
			(222, 9001, 410, 1773046800999999, 'Passport.pdf', 'application/pdf', 196695, `+pass+`, NULL, NULL),
			(221, 9004, NULL, 1773046800000000, 'Zürich "ё" / 日本.png', 'image/png', 0, `+empty+`, 1773946800000000, NULL),
			(223, 9001, NULL, 1773046800000000, 'Gone.pdf', 'application/pdf', 5, `+pass+`, NULL, 1773046805000000),
			(224, 9001, NULL, 1773046800000000, 'Lost.pdf', 'application/pdf', 4, `+lost+`, NULL, NULL),
			(225, 9003, NULL, 1773046800000000, 'Other.pdf', 'application/pdf', 196695, `+pass+`, NULL, NULL)`,
		`INSERT INTO applicant_photo (applicant_id, uploaded, size, hash) VALUES (4711, 1773046810000000, 300, `+photo+`),
			(4712, 1773046810000000, 300, `+photo+`)`,
		`INSERT INTO offer_attachment (id, offer_id, uploaded, name, mime, size, hash) VALUES
			(1001, 7001, 1773046802000000, 'Admission letter.pdf', 'application/pdf', 48213, `+letter+`)`,
		`INSERT INTO email (id, applicant_id, inserted, delivered, failed, opened, from_name, from_email, subject, message) VALUES
			(880, 4711, 1773046806000000, 1773046809000000, NULL, 1773046810000000, 'Admissions Office', 'admissions@example.edu', 'Welcome', 'Dear Ilse,
(secret removed)'),
			(881, 4711, 1773046807000000, NULL, 1773046809000000, NULL, '', 'ann@example.edu', 'Letter', 'Hello'),
			(882, 4712, 1773046806000000, NULL, NULL, NULL, '', 'ann@example.edu', 'Other', 'Hello')`,
		`INSERT INTO email_attachment (id, email_id, uploaded, name, mime, size, hash, expires) VALUES
			(66, 881, 1773046806000000, 'Letter.pdf', 'application/pdf', 48213, `+letter+`, NULL),
			(65, 881, 1773046806000000, 'notes', '', 0, `+empty+`, 1773946800000000),
			(67, 882, 1773046806000000, 'Other.pdf', 'application/pdf', 48213, `+letter+`, NULL)`,
		`INSERT INTO export_profile (code, name, adapter, fields) VALUES ('sis', 'To the "SIS"', 'archive', '{"target":"a/<b>","mode":""}'),
			('bare', 'Bare', 'archive', '{}')`,
		`INSERT INTO export (id, application_id, offer_id, profile_code, exported, processed, cancelled) VALUES
			(88, 9001, 7001, 'sis', 1773046810000000, 1773046811000000, NULL), (89, 9001, NULL, 'bare', 1773046810000000, NULL, NULL),
			(90, 9003, NULL, 'bare', 1773046810000000, 1773046811000000, NULL), (91, 9001, NULL, 'bare', 1773046810000000, NULL, 1773046811000000)`,
		`INSERT INTO export_blob (export_id, n, token, uploaded, name, mime, size, hash, expires) VALUES
			(88, 10, '00000000000000aa', 1773046811000000, 'ten.json', 'application/json', 2000, `+pack+`, NULL),
			(88, 2, '00000000000000bb', 1773046811000000, 'two.json', 'application/json', 2000, `+pack+`, 1773050400000000),
			(88, 3, '00000000000000cc', 1773046811000000, 'old.json', 'application/json', 2000, `+pack+`, 1773046799000000),
			(89, 1, '00000000000000dd', 1773046811000000, 'early.json', 'application/json', 2000, `+pack+`, NULL),
			(90, 1, '00000000000000ee', 1773046811000000, 'other.json', 'application/json', 2000, `+pack+`, NULL)`,
		`INSERT INTO consent (id, type, text) VALUES (12, 'Mandatory', 'May we?'), (13, 'Voluntary', 'And this?'), (14, 'Voluntary', 'Or that?')`,
		`INSERT INTO consent_decision (applicant_id, consent_id, decided, decision) VALUES (4711, 14, 1773046802000000, 'Reject'),
			(4711, 12, 1773046801000000, 'Accept'), (4712, 13, 1773046801000000, 'Accept')`,
		`INSERT INTO invoice (id, type, nr, series_id, applicant_id, application_id, issued, deadline, currency, total, payer_name)
			SELECT 501, 'Fee', 'A-1', min(id), 4711, 9001, 1773046801000000, '2026-04-01', 'EUR', 5000, 'Ilse Varga' FROM invoice_series`,
		`INSERT INTO invoice_item (invoice_id, n, item, price, qty) VALUES (501, 1, 'Fee', 5000, 100)`,
		`INSERT INTO wish (id, applicant_id, course_id, intake_id, wished, notes) VALUES (61, 4711, 55, NULL, 1773046801000000, ''),
			(60, 4711, 7, 8, 1773046802000000, 'Maybe "this"'), (62, 4712, 55, 8, 1773046801000000, '')`,
	)
}

// filePaths are the binaries of the fixture and what must be told of each.
func filePaths() []struct{ path, data, mime, disposition, modified string } {
	const before = "Mon, 09 Mar 2026 09:00:"
	return []struct{ path, data, mime, disposition, modified string }{
		{"/applicants/4711/photo", portrait, "image/jpeg",
			`inline; filename="photo-4711.jpg"; filename*=UTF-8''photo-4711.jpg`, before + "10 GMT"},
		{"/applications/9001/documents/222", passport, "application/pdf",
			`attachment; filename="Passport.pdf"; filename*=UTF-8''Passport.pdf`, before + "00 GMT"},
		{"/applications/9004/documents/221", "", "image/png",
			`attachment; filename="Z_rich ___ _ __.png"; filename*=UTF-8''Z%C3%BCrich%20_%D1%91_%20_%20%E6%97%A5%E6%9C%AC.png`,
			before + "00 GMT"},
		{"/applications/9001/offers/7001/attachments/1001/download", letterPDF, "application/pdf",
			`attachment; filename="Admission letter.pdf"; filename*=UTF-8''Admission%20letter.pdf`, before + "02 GMT"},
		{"/applicants/4711/emails/881/attachments/66", letterPDF, "application/pdf",
			`attachment; filename="Letter.pdf"; filename*=UTF-8''Letter.pdf`, before + "06 GMT"},
		{"/applicants/4711/emails/881/attachments/65", "", "application/octet-stream",
			`attachment; filename="notes"; filename*=UTF-8''notes`, before + "06 GMT"},
		{"/applications/9001/exports/88/blobs/10-00000000000000aa", package1, "application/json",
			`attachment; filename="ten.json"; filename*=UTF-8''ten.json`, before + "11 GMT"},
		{"/applications/9001/exports/88/blobs/2-00000000000000bb", package1, "application/json",
			`attachment; filename="two.json"; filename*=UTF-8''two.json`, before + "11 GMT"},
	}
}

// Every binary in full, by GET and HEAD, with all its headers, whatever Accept and Accept-Encoding say.
func TestFileWhole(t *testing.T) {
	onEach(t, func(t *testing.T, s *service) {
		putFiles(s)
		for _, f := range filePaths() {
			for _, prefix := range []string{oldestPath(""), "/api/v10", "/api"} {
				for _, method := range []string{"GET", "HEAD"} {
					a := s.do(method, prefix+f.path, "", header("Accept-Encoding", "gzip, zstd"),
						header("Accept", "application/json")).want(t, 200)
					want := map[string]string{"Content-Type": f.mime, "Content-Disposition": f.disposition,
						"Last-Modified":  f.modified,
						"Content-Length": fmt.Sprint(len(f.data)), "ETag": `"` + hashOf(f.data)[:32] + `"`, "Accept-Ranges": "bytes",
						"Cache-Control": "private, no-cache", "X-Content-Type-Options": "nosniff", "Content-Encoding": "", "X-Count": ""}
					for name, value := range want {
						if got := a.header.Get(name); got != value {
							t.Errorf("%s %s%s: %s is %q, want %q", method, prefix, f.path, name, got, value)
						}
					}
					if method == "GET" && a.body != f.data || method == "HEAD" && a.body != "" {
						t.Errorf("%s %s%s: %d bytes", method, prefix, f.path, len(a.body))
					}
				}
			}
		}
		if a := s.get("/api/v4/applicants/4711/documents/222").want(t, 200); a.body != passport {
			t.Errorf("%d bytes", len(a.body))
		}
	})
}

// Ranges: one, several, from the end, outside, with If-Range, and what is no range.
func TestFileRanges(t *testing.T) {
	onEach(t, func(t *testing.T, s *service) {
		putFiles(s)
		path, size := v10("/applications/9001/documents/222"), len(passport)
		tag := `"` + hashOf(passport)[:32] + `"`
		const modified, other = "Mon, 09 Mar 2026 09:00:00 GMT", `"00000000000000000000000000000000"`
		for _, c := range []struct {
			ranges, ifRange string
			status          int
			from, to        int // of one range
		}{
			{"bytes=0-0", "", 206, 0, 0}, {"bytes=1000-1999", "", 206, 1000, 1999}, {"bytes=-100", "", 206, size - 100,
				size - 1},
			{"bytes=196600-", "", 206, 196600, size - 1}, {"bytes=196600-9999999", "", 206, 196600, size - 1}, {"bytes=-9999999",
				"", 206, 0, size - 1},
			{"Bytes = 5-6", "", 206, 5, 6}, {"bytes=5-99999999999999999999999", "", 206, 5, size - 1},
			{"bytes=196695-", "", 416, 0, 0}, {"bytes=99999999999999999999999-", "", 416, 0, 0}, {"bytes=-0", "", 416, 0, 0},
			{"bytes=196695-196700, 200000-", "", 416, 0, 0},
			{"bytes=5-2", "", 200, 0, 0}, {"bytes=a-b", "", 200, 0, 0}, {"bytes=-", "", 200, 0, 0}, {"bytes=", "", 200, 0,
				0}, {"items=0-5", "", 200, 0, 0},
			{"bytes=1-2,", "", 206, 1, 2}, {"bytes=0-9" + strings.Repeat(",20-29", 100), "", 200, 0, 0},
			{"bytes=7-8", tag, 206, 7, 8}, {"bytes=7-8", modified, 206, 7, 8}, {"bytes=7-8", other, 200, 0, 0}, {"bytes=7-8",
				"W/" + tag, 200, 0, 0},
			{"bytes=7-8", "Mon, 09 Mar 2026 08:00:00 GMT", 200, 0, 0}, {"bytes=196695-", other, 200, 0, 0},
		} {
			changes := []with{header("Range", c.ranges)}
			if c.ifRange != "" {
				changes = append(changes, header("If-Range", c.ifRange))
			}
			for _, method := range []string{"GET", "HEAD"} {
				a := s.do(method, path, "", changes...).want(t, c.status)
				want, contentRange := passport, ""
				switch c.status {
				case 206:
					want, contentRange = passport[c.from:c.to+1], fmt.Sprintf("bytes %d-%d/%d", c.from, c.to, size)
				case 416:
					contentRange = fmt.Sprintf("bytes */%d", size)
				}
				if a.header.Get("Content-Range") != contentRange || a.header.Get("Cache-Control") != "private, no-cache" {
					t.Errorf("%s %v: %v", method, c, a.header)
				}
				switch {
				case c.status == 416 && method == "GET":
					a.problem(t, "range-not-satisfiable")
					if a.header.Get("Content-Disposition") != "" || a.header.Get("ETag") != "" {
						t.Errorf("%v", a.header)
					}
				case c.status != 416 &&
					(method == "GET" && a.body != want || a.header.Get("Content-Length") != fmt.Sprint(len(want)) ||
						a.header.Get("ETag") != tag):
					t.Errorf("%s %v: %d bytes, %v", method, c, len(a.body), a.header)
				}
			}
		}
		// An empty file has no range that could be asked for; the whole is right.
		s.get(v10("/applications/9004/documents/221"), header("Range", "bytes=0-")).want(t, 200)
	})
}

// Several ranges come in parts, of a length told before.
func TestFileSeveralRanges(t *testing.T) {
	onEach(t, func(t *testing.T, s *service) {
		putFiles(s)
		a := s.get(v10("/applications/9001/documents/222"), header("Range", "bytes=0-9, 100000-100009, -5, 900000-")).want(t,
			206)
		kind, params, err := mime.ParseMediaType(a.header.Get("Content-Type"))
		if err != nil || kind != "multipart/byteranges" || a.header.Get("Content-Length") != fmt.Sprint(len(a.body)) {
			t.Fatalf("%v, %v", a.header, err)
		}
		parts := multipart.NewReader(strings.NewReader(a.body), params["boundary"])
		for _, want := range [][2]int{{0, 9}, {100000, 100009}, {196690, 196694}} {
			part, err := parts.NextPart()
			if err != nil {
				t.Fatal(err)
			}
			data, err := io.ReadAll(part)
			if err != nil || string(data) != passport[want[0]:want[1]+1] ||
				part.Header.Get("Content-Type") != "application/pdf" ||
				part.Header.Get("Content-Range") != fmt.Sprintf("bytes %d-%d/196695", want[0], want[1]) {
				t.Fatalf("%q %v %v", data, part.Header, err)
			}
		}
		if _, err := parts.NextPart(); err != io.EOF {
			t.Fatal(err)
		}
	})
}

// Conditions: what the client has already is not sent again, and what it does not want is refused.
func TestFileConditions(t *testing.T) {
	onEach(t, func(t *testing.T, s *service) {
		putFiles(s)
		path := v10("/applications/9001/documents/222")
		tag := `"` + hashOf(passport)[:32] + `"`
		const modified, before, later = "Mon, 09 Mar 2026 09:00:00 GMT", "Mon, 09 Mar 2026 08:59:59 GMT",
			"Tue, 10 Mar 2026 09:00:00 GMT"
		for _, c := range []struct {
			name, value string
			status      int
		}{
			{"If-None-Match", tag, 304}, {"If-None-Match", `"x", W/` + tag, 304}, {"If-None-Match", "*", 304}, {"If-None-Match",
				`"x"`, 200},
			{"If-Modified-Since", modified, 304}, {"If-Modified-Since", later, 304}, {"If-Modified-Since", before,
				200}, {"If-Modified-Since", "soon", 200},
			{"If-Match", tag, 200}, {"If-Match", "*", 200}, {"If-Match", `"x"`, 412}, {"If-Unmodified-Since", before,
				412}, {"If-Unmodified-Since", modified, 200},
		} {
			for _, method := range []string{"GET", "HEAD"} {
				a := s.do(method, path, "", header(c.name, c.value)).want(t, c.status)
				switch c.status {
				case 304:
					if a.body != "" || a.header.Get("ETag") != tag || a.header.Get("Cache-Control") != "private, no-cache" ||
						a.header.Get("Content-Type") != "" {
						t.Errorf("%s %v: %q %v", method, c, a.body, a.header)
					}
				case 412:
					if method == "GET" {
						a.problem(t, "changed-meanwhile")
					}
				}
			}
		}
		// The tag decides when both are there.
		s.get(path, header("If-None-Match", `"x"`), header("If-Modified-Since", later)).want(t, 200)
	})
}

// What is not there, or not under this parent, is 404; so are bytes that are missing, but the operator is told.
func TestFileAbsent(t *testing.T) {
	onEach(t, func(t *testing.T, s *service) {
		putFiles(s)
		strict := header("Prefer", "handling=strict")
		for _, path := range []string{"/applicants/4713/photo", "/applicants/4712/photo", "/applicants/1/photo",
			"/applications/9001/documents/223",
			"/applications/9001/documents/221", "/applications/9001/documents/225", "/applications/9003/documents/225",
			"/applications/9002/documents/222",
			"/applicants/4713/emails/881/attachments/66", "/applicants/4711/emails/880/attachments/66",
			"/applicants/4711/emails/881/attachments/67",
			"/applicants/4712/emails/882/attachments/67", "/applications/9001/offers/7001/attachments/1/download",
			"/applications/9002/offers/7001/attachments/1001/download", "/applications/9001/exports/88/blobs/3-00000000000000cc",
			"/applications/9001/exports/88/blobs/10-00000000000000bb", "/applications/9001/exports/88/blobs/1-00000000000000aa",
			"/applications/9001/exports/89/blobs/1-00000000000000dd", "/applications/9003/exports/90/blobs/1-00000000000000ee",
			"/applications/9001/exports/90/blobs/1-00000000000000ee"} {
			s.get(v10(path)).want(t, 404).problem(t, "not-found")
			s.get(v10(path)+"?x=1", strict).want(t, 404).problem(t, "not-found")
			s.do("HEAD", v10(path), "").want(t, 404)
		}
		for _, path := range []string{"/applicants/4713/documents/222", "/applicants/4711/documents/223",
			"/applicants/4712/documents/225", "/applicants/4711/documents/225"} {
			s.get("/api/v4"+path).want(t, 404).problem(t, "not-found")
		}
		s.get(v10("/applications/9001/exports/88/blobs/x")).want(t, 400).problem(t, "invalid-id")
		s.get(v10("/applications/9001/exports/88/blobs/10-00000000000000AA")).want(t, 400).problem(t, "invalid-id")
		if strings.Contains(s.log.String(), "missing") {
			t.Error("a wrong path was logged as missing bytes")
		}
		a := s.get(v10("/applications/9001/documents/224")).want(t, 404)
		a.problem(t, "not-found")
		if log := s.log.String(); a.header.Get("Content-Disposition") != "" || !strings.Contains(log, hashOf("lost")) ||
			!strings.Contains(log, a.header.Get("X-Request-Id")) {
			t.Errorf("%v, log: %s", a.header, log)
		}
		for _, f := range filePaths() {
			if a := s.get(v10(f.path)+"?x=1").want(t, 200); a.header.Get("Ignored-Parameters") != "x" {
				t.Errorf("%s: %v", f.path, a.header)
			}
			s.get(v10(f.path)+"?x=1", strict).want(t, 400).problem(t, "invalid-parameter")
			s.do("DELETE", v10(f.path), "").want(t, 405)
		}
		// Once the time of a blob has come, it is gone.
		s.clock.Add(2 * admitto.Hour)
		s.get(v10("/applications/9001/exports/88/blobs/2-00000000000000bb")).want(t, 404)
		s.get(v10("/applications/9001/exports/88/blobs/10-00000000000000aa")).want(t, 200)
		if a := s.get(v10("/applications/9001/exports/88/blobs")).want(t, 200); a.header.Get("X-Count") != "1" {
			t.Error(a.body)
		}
	})
}

// brokenFiles is a store of files whose bytes end in an error, or that cannot be reached.
type brokenFiles struct{ open error }

func (b brokenFiles) Open(context.Context, string) (io.ReadSeekCloser, int64, error) {
	if b.open != nil {
		return nil, 0, b.open
	}
	return &brokenFile{Reader: strings.NewReader(passport)}, int64(len(passport)), nil
}

// brokenFile returns the first bytes of the passport and then none.
type brokenFile struct{ *strings.Reader }

func (b *brokenFile) Read(p []byte) (int, error) {
	if b.Len() < len(passport)-50_000 {
		return 0, errors.New("the disk is broken")
	}
	return b.Reader.Read(p)
}

func (b *brokenFile) Close() error { return nil }

func (brokenFiles) Keep(context.Context, string, int64, io.Reader) error {
	return errors.New("the disk is full")
}
func (brokenFiles) Remove(context.Context, string) error { return errors.New("the disk is broken") }

// A store that fails midway gives an answer that does not look whole, one that cannot be reached a 503.
func TestFileStoreFails(t *testing.T) {
	onEach(t, func(t *testing.T, s *service) {
		putFiles(s)
		path := s.server.URL + v10("/applications/9001/documents/222")
		s.shelf.Backend = brokenFiles{}
		for name, client := range map[string]*http.Client{"HTTP/1.1": s.plainHTTP1(), "HTTP/2": s.server.Client()} {
			for _, ranges := range []string{"", "bytes=0-99999,100001-190000"} {
				r, err := http.NewRequestWithContext(t.Context(), "GET", path, nil)
				if err != nil {
					t.Fatal(err)
				}
				key(s.key)(r)
				if ranges != "" {
					r.Header.Set("Range", ranges)
				}
				response, err := client.Do(r)
				if err != nil {
					t.Fatalf("%s: %v", name, err)
				}
				_, err = io.ReadAll(response.Body)
				response.Body.Close()
				if err == nil {
					t.Errorf("%s %q: the answer looked whole", name, ranges)
				}
			}
		}
		s.shelf.Backend = brokenFiles{admitto.Errorf(admitto.Unavailable,
			"No answer.").Because(errors.New("timeout at bucket"))}
		a := s.get(v10("/applications/9001/documents/222")).want(t, 503)
		a.problem(t, "unavailable")
		if a.header.Get("Retry-After") == "" || strings.Contains(a.body, "bucket") {
			t.Errorf("%v %s", a.header, a.body)
		}
		if log := s.log.String(); !strings.Contains(log, "the disk is broken") ||
			!strings.Contains(log, "timeout at bucket") {
			t.Error(log)
		}
	})
}
