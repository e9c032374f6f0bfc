package api_test

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"compress/gzip"
	"fmt"
	"io"
	"mime"
	"net/http"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/apikey"
	"github.com/admitto/admitto/internal/apptest"
	"github.com/klauspost/compress/zstd"
)

// A stolen key that may only read changes nothing, whatever is sent with it, in any version.
func TestReadOnlyKeyChangesNothing(t *testing.T) {
	plan := newFuzzPlan(t)
	onEach(t, func(t *testing.T, s *service) {
		putContract(s)
		_, stolen := s.newKey(apikey.NewKey{Label: "reader", Scope: admitto.ScopeReadOnly})
		s.leavesNoTrace(t, func() {
			writes := 0
			for _, target := range plan.targets {
				path, _, _ := strings.Cut(target.paths[0], "?")
				for _, body := range target.bodies {
					for v := target.row.First; v <= target.row.Last; v++ {
						for _, prefix := range []string{fmt.Sprintf("/api/v%d", v), "/api"}[:1+v/target.row.Last] {
							a := s.do(target.row.Method, prefix+path, body.body, key(stolen), header("Content-Type", body.kind),
								header("X-HTTP-Method-Override", "GET"), header("Idempotency-Key", fmt.Sprint(writes)))
							if a.status != 403 && prefix != "/api" || a.status < 403 || a.status > 405 {
								t.Errorf("%s %s%s: %d %s", target.row.Method, prefix, path, a.status, a.body)
							}
							writes++
						}
					}
				}
			}
			if writes < 1000 {
				t.Errorf("only %d writes were tried", writes)
			}
		})
	})
}

// packed returns text in a coding of HTTP.
func packed(t *testing.T, coding string, text []byte) string {
	t.Helper()
	var b bytes.Buffer
	var w io.WriteCloser
	var err error
	switch coding {
	case "gzip":
		w = gzip.NewWriter(&b)
	case "deflate":
		w, err = flate.NewWriter(&b, flate.BestSpeed)
	case "zstd":
		w, err = zstd.NewWriter(&b)
	}
	if err == nil {
		_, err = w.Write(text)
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// Bodies are never unpacked, so that none can become larger than what was sent: what is packed is refused as what it
// is, text that nobody can read.
func TestPackedBodies(t *testing.T) {
	onEach(t, func(t *testing.T, s *service) {
		putContract(s)
		s.leavesNoTrace(t, func() {
			for _, coding := range []string{"gzip", "deflate", "zstd"} {
				for _, body := range []string{packed(t, coding, []byte(`{"code":"packed"}`)),
					packed(t, coding, make([]byte, 64<<20))} {
					for path, method := range map[string]string{"/applicants/trackers": "POST", "/applicants": "POST",
						"/applicants/4711/reference": "PUT",
						"/applications/9001":         "PATCH", "/applicants/4711/notes": "POST", "/applications/9001/documents": "POST"} {
						for _, kind := range []string{"application/json", "application/x-www-form-urlencoded",
							"multipart/form-data; boundary=b", ""} {
							a := s.do(method, v10(path), body, header("Content-Encoding", coding), header("Content-Type", kind))
							if a.status != 400 && a.status != 413 && a.status != 415 {
								t.Errorf("%s %s as %s, %s: %d %s", method, path, kind, coding, a.status, a.body)
							}
						}
					}
				}
			}
		})
	})
}

// JSON may be as deep as it likes: it is refused before anything is built of it.
func TestDeepJSON(t *testing.T) {
	const deep = 250_000
	bodies := map[string]string{
		"lists":         strings.Repeat("[", deep),
		"closed lists":  strings.Repeat("[", deep) + strings.Repeat("]", deep),
		"objects":       strings.Repeat(`{"a":`, deep/3),
		"a member":      `{"notes":` + strings.Repeat("[", deep) + strings.Repeat("]", deep) + `}`,
		"a known place": `{"items":[{"item":` + strings.Repeat(`{"a":`, deep/6) + "1" + strings.Repeat("}", deep/6) + `}]}`,
		"content": `{"motivation":` + strings.Repeat(`{"general":`, deep/12) + `""` + strings.Repeat("}",
			deep/12) + `}`,
		"very many":       `{"a":[` + strings.Repeat("1,", deep) + `1]}`,
		"very many names": `{` + strings.Repeat(`"a":1,`, deep/3) + `"b":1}`,
	}
	onEach(t, func(t *testing.T, s *service) {
		putContract(s)
		s.leavesNoTrace(t, func() {
			for name, body := range bodies {
				for path, method := range map[string]string{"/applicants/trackers": "POST", "/applications/9001/invoices": "POST",
					"/applicants/4711/reference": "PUT",
					"/applications/9001":         "PATCH", "/applicants/4711/notes": "POST", "/scoresheets/6/scores/930": "PATCH"} {
					if a := s.do(method, v10(path), body, header("Content-Type", "application/json")); a.status != 400 {
						t.Errorf("%s %s, %s: %d %.300s", method, path, name, a.status, a.body)
					}
				}
			}
		})
	})
}

// Numbers that do not fit, or are none to everybody, are refused wherever a number is taken, as number and as text.
func TestHugeNumbers(t *testing.T) {
	numbers := []string{"1e400", "-1e400", "1e308", "1E+9", "1e-400", strings.Repeat("9", 400),
		"-" + strings.Repeat("9", 400), "0." + strings.Repeat("9", 400),
		"9223372036854775807", "9223372036854775808", "-9223372036854775809", "18446744073709551616"}
	texts := []string{"NaN", "Infinity", "-Infinity", "0x1F", "1_000", "1,000", "١٢", "１２", "½", "1\u200b2", "+", "1 2",
		"1e", "--1"}
	texts = append(texts, numbers...)
	targets := []struct{ method, path, form string }{
		{"POST", "/applications/9001/invoices", `{"items":[{"item":"x","price":%s}],"send":false}`},
		{"POST", "/applications/9001/invoices", `{"items":[{"item":"x","price":"1.00","qty":%s}],"send":false}`},
		{"POST", "/invoices/2002/transactions", `{"amount":%s}`},
		{"POST", "/scoresheets/6/scores", `{"application":9001,"points":%s}`},
		{"POST", "/scoresheets/6/scores", `{"application":%s,"points":"5"}`},
		{"PUT", "/scoresheets/6/scores/930/points", `%s`},
		{"PUT", "/applications/9001/offers/7001/score/extra", `%s`},
		{"PUT", "/applications/9001/offers/7001/type", `%s`},
		{"PUT", "/applications/9002/courses/56/priority", `%s`},
		{"POST", "/applicants/trackers", `{"code":"huge","reduction":{"reduction":"Percent","percent":%s}}`},
		{"POST", "/applicants", `{"email":"a@example.org","name":"A B","tracker_ID":%s}`},
	}
	onEach(t, func(t *testing.T, s *service) {
		putContract(s)
		s.leavesNoTrace(t, func() {
			for _, target := range targets {
				for i := range len(numbers) + len(texts) {
					value := ""
					if i < len(numbers) {
						value = numbers[i]
					} else {
						value = `"` + texts[i-len(numbers)] + `"`
					}
					a := s.do(target.method, v10(target.path), fmt.Sprintf(target.form, value),
						header("Content-Type", "application/json"))
					if a.status != 400 {
						t.Errorf("%s %s with %.60s: %d %.300s", target.method, target.path, value, a.status, a.body)
					}
				}
			}
			for _, query := range []string{"/applicants?limit=", "/applicants?after=", "/journal?bySince=", "/invoices?bySince=",
				"/applicants?byTrackerIDs=", "/applicants/"} {
				for _, n := range numbers {
					a := s.get(v10(query + strings.ReplaceAll(n, "+", "%2B")))
					if isID := n == "9223372036854775807"; a.status != 400 && !(isID && (a.status == 200 || a.status == 404)) {
						t.Errorf("%s%.60s: %d %.300s", query, n, a.status, a.body)
					}
				}
			}
		})
	})
}

// Whatever a document is called, its name leads nowhere: not out of a folder, not into another header, not into another
// entry of an archive.
func TestHostileFileNames(t *testing.T) {
	names := []string{"../../etc/passwd", `..\..\boot.ini`, "/etc/shadow", `C:\autoexec.bat`, "....//....//x",
		"a/../../b.pdf", "..", ".", "~root/.ssh/id", "con", "nul.txt",
		"a;filename=b.exe", "a\"; filename=\"b.exe", "%2e%2e%2fx", "..%c0%afx", "photo\u202egpj.exe", "a\u2028b", "x\u0000y",
		"=cmd|'/c calc'!A1", "-rf", "a\tb",
		strings.Repeat("../", 300) + "x", strings.Repeat("é", 2000), "a\u200b.pdf", "🎓.pdf"}
	onEach(t, func(t *testing.T, s *service) {
		putContract(s)
		s.skipDocuments()
		count := 0
		for _, name := range names {
			escaped := strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\u0000", "").Replace(name)
			for _, change := range [][]part{{{"file", escaped, someText}}, {{"name", "", name}, {"file", "x.txt", someText}}} {
				a := s.upload(v10("/applications/9004/documents"), change)
				if a.status == 400 {
					continue // a name that is none
				}
				got := s.get(a.want(t, 201).header.Get("Location")).want(t, 200)
				_, params, err := mime.ParseMediaType(got.header.Get("Content-Disposition"))
				if err != nil || !filepath.IsLocal(params["filename"]) || strings.ContainsAny(params["filename"],
					"/\\\r\n\x00\u202e\u2028") {
					t.Errorf("%q: %q, %v", name, got.header.Get("Content-Disposition"), err)
				}
				for _, h := range []string{"X-Evil", "Set-Cookie"} {
					if got.header.Get(h) != "" {
						t.Errorf("%q: %v", name, got.header)
					}
				}
				if got.header.Get("X-Content-Type-Options") != "nosniff" {
					t.Errorf("%q: %v", name, got.header)
				}
				count++
			}
		}
		a := s.get(v10("/applications/9004/documents/zip")).want(t, 200)
		archive, err := zip.NewReader(strings.NewReader(a.body), int64(len(a.body)))
		if err != nil || len(archive.File) != count || count < len(names) {
			t.Fatalf("%d entries of %d: %v", len(archive.File), count, err)
		}
		seen := map[string]bool{}
		for _, f := range archive.File {
			if !filepath.IsLocal(f.Name) || strings.ContainsAny(f.Name, "/\\:\r\n\x00\u202e\u2028") || seen[f.Name] ||
				!f.Mode().IsRegular() {
				t.Errorf("entry %q %v", f.Name, f.Mode())
			}
			seen[f.Name] = true
		}
	})
}

// Archives that become enormous when they are unpacked, or whose directory never ends, cost no more than their size
// tells: nothing of them is unpacked but the 128 bytes that name an OpenDocument.
func TestArchiveBombs(t *testing.T) {
	bomb := func(name string, size int, entries int) string {
		var b bytes.Buffer
		w := zip.NewWriter(&b)
		for i := range entries {
			f, err := w.Create(strings.Repeat("x", i%2) + fmt.Sprint(i))
			if err == nil && i == 0 {
				f, err = w.Create(name)
			}
			if err == nil && i == 0 {
				_, err = f.Write(make([]byte, size))
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		w.Close()
		return b.String()
	}
	archives := map[string]struct {
		content string
		status  int
	}{
		"a mimetype of 64 MiB": {bomb("mimetype", 64<<20, 1), http.StatusUnsupportedMediaType},
		"a text of 64 MiB":     {bomb("word/document.xml", 64<<20, 1), http.StatusCreated},
		"many entries":         {bomb("word/document.xml", 1, apptest.Size(20_000, 80_000)), http.StatusCreated},
	}
	eachInTurn(t, func(t *testing.T, s *service) {
		putContract(s)
		s.skipDocuments()
		for name, c := range archives {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			s.upload(v10("/applications/9004/documents"), []part{{"file", "a.docx", c.content}}).want(t, c.status)
			runtime.ReadMemStats(&after)
			if grown := after.TotalAlloc - before.TotalAlloc; grown > 20*uint64(len(c.content))+(32<<20) {
				t.Errorf("%s: %d bytes of memory for %d bytes of archive", name, grown, len(c.content))
			} else {
				t.Logf("%s: %d bytes of memory for %d bytes of archive", name, grown, len(c.content))
			}
		}
	})
}
