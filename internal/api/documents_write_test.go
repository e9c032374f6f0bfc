package api_test

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"net/textproto"
	"os"
	"strings"
	"testing"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/apikey"
	"github.com/admitto/admitto/internal/store"
)

// part is a field of a form; file "" is a plain field.
type part struct{ name, file, value string }

// formOf puts a multipart form together.
func formOf(parts ...part) (contentType, body string) {
	var b bytes.Buffer
	w := multipart.NewWriter(&b)
	for _, p := range parts {
		h := textproto.MIMEHeader{}
		disposition := `form-data; name="` + p.name + `"`
		if p.file != "" {
			disposition += `; filename="` + p.file + `"`
			h.Set("Content-Type", "application/x-lies")
		}
		h.Set("Content-Disposition", disposition)
		field, err := w.CreatePart(h)
		if err == nil {
			_, err = io.WriteString(field, p.value)
		}
		if err != nil {
			panic(err)
		}
	}
	w.Close()
	return w.FormDataContentType(), b.String()
}

// upload sends a form.
func (s *service) upload(path string, parts []part, changes ...with) answer {
	s.t.Helper()
	kind, body := formOf(parts...)
	return s.do("POST", path, body, append([]with{contentType(kind)}, changes...)...)
}

// overHTTP1 makes the client of the test speak HTTP/1.1 from here on.
func (s *service) overHTTP1() {
	s.t.Helper()
	client := s.server.Client()
	config := client.Transport.(*http.Transport).TLSClientConfig.Clone()
	config.NextProtos = nil
	client.CloseIdleConnections()
	client.Transport = &http.Transport{TLSClientConfig: config, DisableCompression: true}
}

// skipDocuments lets new documents have IDs above those of the contract on both engines.
func (s *service) skipDocuments() {
	s.t.Helper()
	if err := s.store.Write(s.t.Context(), func(tx *store.Tx) error { return tx.SkipIDs("document", 501) }); err != nil {
		s.t.Fatal(err)
	}
}

// archiveOf makes a zip archive; name, content, name, content …
func archiveOf(pairs ...string) string {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for i := 0; i < len(pairs); i += 2 {
		f, err := w.CreateHeader(&zip.FileHeader{Name: pairs[i], Method: zip.Store})
		if err == nil {
			_, err = io.WriteString(f, pairs[i+1])
		}
		if err != nil {
			panic(err)
		}
	}
	w.Close()
	return b.String()
}

// compoundOf makes the bones of an old office file whose directory has the streams.
func compoundOf(streams ...string) string {
	file := make([]byte, 512*4)
	copy(file, "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1")
	copy(file[0x18:], "\x3e\x00\x03\x00\xfe\xff\x09\x00\x06\x00")
	binary.LittleEndian.PutUint32(file[0x30:], 1)
	for i, name := range append([]string{"Root Entry"}, streams...) {
		entry := file[1024+128*i:]
		for n, b := range []byte(name) {
			entry[2*n] = b
		}
		entry[64], entry[66] = byte(2*len(name)+2), 2
	}
	return string(file)
}

const (
	somePDF  = "%PDF-1.7\n1 0 obj\nendobj\ntrailer\n%%EOF\n"
	someText = "Dear sirs,\nI am Pécs-born.\n"
	somePNG  = "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x00\x01\x00\x00\x00\x01\x08\x02\x00\x00\x00\x90wS\xde"
)

func TestUploadDocument(t *testing.T) {
	const uploaded, toDraft = "Document was uploaded", "Application status was changed: Draft"
	docx := archiveOf("[Content_Types].xml", strings.Repeat("x", 9000), "_rels/.rels", "", "word/document.xml", "<w/>")
	onEach(t, func(t *testing.T, s *service) {
		putContract(s)
		putQuestions(s)
		s.skipDocuments()
		id := 501
		for _, c := range []struct {
			links  admitto.Links
			path   string // below the application
			parts  []part
			name   string
			mime   string
			events string
		}{
			{admitto.Links{Applicant: 4711, Application: 9001}, "", []part{{"file", "pass.pdf", somePDF}}, "pass.pdf",
				"application/pdf", uploaded},
			{admitto.Links{Applicant: 4711, Application: 9001}, "", []part{{"upload", "pass.exe", somePDF}}, "pass.exe",
				"application/pdf", uploaded},
			{admitto.Links{Applicant: 4711, Application: 9001}, "", []part{{"file", `C:\\temp\\le\u0301tter.png`, somePNG}},
				"letter.png", "image/png", uploaded},
			{admitto.Links{Applicant: 4711, Application: 9001, Task: 410}, "/tasks/410",
				[]part{{"name", "", " Proof.txt "}, {"file", "../x", someText}}, "Proof.txt", "text/plain",
				"Document was uploaded to a task"},
			{admitto.Links{Applicant: 4711, Application: 9001}, "", []part{{"file", "photo",
				"\xff\xd8\xff\xe0\x00\x10JFIF\x00"}}, "photo", "image/jpeg", uploaded},
			{admitto.Links{Applicant: 4711, Application: 9001}, "", []part{{"file", "..", "RIFF\x24\x00\x00\x00WEBPVP8 "}},
				"document.webp", "image/webp", uploaded},
			{admitto.Links{Applicant: 4711, Application: 9001}, "", []part{{"file", "a.doc", compoundOf("WordDocument")}},
				"a.doc", "application/msword", uploaded},
			{admitto.Links{Applicant: 4711, Application: 9001}, "", []part{{"file", "a.xls", compoundOf("x", "Workbook")}},
				"a.xls", "application/vnd.ms-excel", uploaded},
			{admitto.Links{Applicant: 4711, Application: 9001}, "", []part{{"file", "a.ppt", compoundOf("PowerPoint Document")}},
				"a.ppt", "application/vnd.ms-powerpoint", uploaded},
			{admitto.Links{Applicant: 4711, Application: 9001}, "", []part{{"file", "a.docx", docx}}, "a.docx",
				"application/vnd.openxmlformats-officedocument.wordprocessingml.document", uploaded},
			{admitto.Links{Applicant: 4711, Application: 9001}, "", []part{{"file", "a.xlsx",
				archiveOf("[Content_Types].xml", "", "xl/workbook.xml", "")}}, "a.xlsx",
				"application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", uploaded},
			{admitto.Links{Applicant: 4711, Application: 9001}, "", []part{{"file", "a.pptx",
				archiveOf("ppt/presentation.xml", "")}}, "a.pptx",
				"application/vnd.openxmlformats-officedocument.presentationml.presentation", uploaded},
			{admitto.Links{Applicant: 4711, Application: 9001}, "", []part{{"file", "a.odt",
				archiveOf("mimetype", "application/vnd.oasis.opendocument.text", "content.xml", "")}}, "a.odt",
				"application/vnd.oasis.opendocument.text", uploaded},
			{admitto.Links{Applicant: 4711, Application: 9001}, "", []part{{"file", "a.ods",
				archiveOf("mimetype", "application/vnd.oasis.opendocument.spreadsheet")}}, "a.ods",
				"application/vnd.oasis.opendocument.spreadsheet", uploaded},
			{admitto.Links{Applicant: 4711, Application: 9001}, "", []part{{"file", "a.odp",
				archiveOf("mimetype", "application/vnd.oasis.opendocument.presentation")}}, "a.odp",
				"application/vnd.oasis.opendocument.presentation", uploaded},
			{admitto.Links{Applicant: 4711, Application: 9001}, "", []part{{"file", "a.rtf", `{\rtf1\ansi hello}`}}, "a.rtf",
				"application/rtf", uploaded},
			{admitto.Links{Applicant: 4711, Application: 9001}, "", []part{{"file", strings.Repeat("é", 300) + ".csv",
				"a,b\n1,2\n3,4\n"}}, strings.Repeat("é", 251) + ".csv", "text/plain", uploaded},
			{admitto.Links{Applicant: 4713, Application: 9004}, "", []part{{"file", "a.txt", someText}}, "a.txt", "text/plain",
				uploaded + "; " + toDraft},
			{admitto.Links{Applicant: 4713, Application: 9004}, "", []part{{"file", "a.txt", someText}, {"whatever", "", "x"}},
				"a.txt", "text/plain", uploaded},
			{admitto.Links{Applicant: 4711, Application: 9010}, "", []part{{"file", "a.txt", someText}}, "a.txt", "text/plain",
				uploaded + "; " + toDraft},
			{admitto.Links{Applicant: 4714, Application: 9003}, "", []part{{"file", "a.txt", someText}}, "a.txt", "text/plain",
				uploaded},
		} {
			s.clock.Add(admitto.Second)
			id++
			last := s.lastEvent(t)
			application := v10(fmt.Sprintf("/applications/%d", c.links.Application))
			c.parts[0].file = strings.ReplaceAll(c.parts[0].file, `\u0301`, "") // the form has the name in ASCII
			a := s.upload(application+c.path+"/documents", c.parts)
			if a.status != 201 {
				t.Fatalf("%s: %d %s", c.name, a.status, a.body)
			}
			at := fmt.Sprintf("%s%s/documents/%d", application, c.path, id)
			data := ""
			for _, p := range c.parts {
				if p.file != "" {
					data = p.value
				}
			}
			want := fmt.Sprintf(`{"id":%d,"uploaded":"%s","name":"%s","mime":"%s","size":"%d","expires":null}`, id,
				s.clock.Now(), c.name, c.mime, len(data))
			if a.header.Get("Location") != at || a.body != want || a.header.Get("Content-Type") != "application/json" {
				t.Fatalf("%v %s, want %s %s", a.header, a.body, at, want)
			}
			for _, path := range []string{at, fmt.Sprintf("%s/documents/%d", application, id)} {
				if got := s.get(path).want(t, 200); got.body != data || got.header.Get("Content-Type") != c.mime {
					t.Fatalf("%s: %v", path, got.header)
				}
			}
			c.links.Document = int64(id)
			s.wantRecords(t, last, c.links, strings.Split(c.events, "; ")...)
			if revised := atPointer(t, s.get(application).body, "/revised"); revised != s.clock.Now().String() {
				t.Errorf("revised %v", revised)
			}
			if rows := s.rows(t)["loose_file"]; rows != "" {
				t.Errorf("loose: %s", rows)
			}
		}
		if got := s.upload(v10("/applications/9004/documents?name=Other&x=1"),
			[]part{{"file", "a.txt", someText}, {"y", "", "1"}}).want(t, 201); atPointer(t, got.body, "/name") != "Other" ||
			got.header.Get("Ignored-Parameters") != "x, y" {
			t.Errorf("%v %s", got.header, got.body)
		}
	})
}

// badUploads are forms that are refused: with a status, a problem and the faulty parameters.
func badUploads() []struct {
	parts  []part
	status int
	slug   string
	faults string
} {
	return []struct {
		parts  []part
		status int
		slug   string
		faults string
	}{
		{nil, 400, "invalid-parameter", "file"},
		{[]part{{"name", "", "x"}}, 400, "invalid-parameter", "file"},
		{[]part{{"other", "a.pdf", somePDF}}, 400, "invalid-parameter", "file"},
		{[]part{{"file", "a.pdf", ""}}, 400, "invalid-parameter", "file"},
		{[]part{{"file", "a.pdf", somePDF}, {"file", "b.pdf", somePDF}}, 400, "invalid-parameter", "file"},
		{[]part{{"file", "a.pdf", somePDF}, {"upload", "b.pdf", somePDF}}, 400, "invalid-parameter", "file"},
		{[]part{{"file", "a.pdf", somePDF}, {"name", "", strings.Repeat("x", 256)}}, 400, "invalid-parameter", "name"},
		{[]part{{"file", "a.pdf", somePDF}, {"name", "", "a\x00b"}}, 400, "invalid-parameter", "name"},
		{[]part{{"file", "a.pdf", somePDF}, {"name", "", "a"}, {"name", "", "b"}}, 400, "invalid-parameter", "name"},
		{[]part{{"file", "a.pdf", somePDF}, {"x", "", strings.Repeat("x", 70_000)}}, 400, "invalid-parameter", "x"},
		{[]part{{"name", "", strings.Repeat("x", 256)}}, 400, "invalid-parameter", "file name"},
		{[]part{{"file", "a.pdf", "MZ\x90\x00\x03\x00\x00\x00"}}, 415, "unsupported-media-type", ""},
		{[]part{{"file", "a.pdf", "\x7fELF\x02\x01\x01\x00"}}, 415, "unsupported-media-type", ""},
		{[]part{{"file", "a.txt", "<!DOCTYPE html><html><script>alert(1)</script></html>"}}, 415, "unsupported-media-type",
			""},
		{[]part{{"file", "a.png", `<svg xmlns="http://www.w3.org/2000/svg"/>`}}, 415, "unsupported-media-type", ""},
		{[]part{{"file", "a.txt", `<?xml version="1.0"?><x/>`}}, 415, "unsupported-media-type", ""},
		{[]part{{"file", "a.gif", "GIF89a\x01\x00\x01\x00"}}, 415, "unsupported-media-type", ""},
		{[]part{{"file", "a.zip", archiveOf("a.txt", "x")}}, 415, "unsupported-media-type", ""},
		{[]part{{"file", "a.docx", archiveOf("[Content_Types].xml", "", "word/document.xml", "", "word/vbaProject.bin",
			"x")}}, 415, "unsupported-media-type", ""},
		{[]part{{"file", "a.docx", archiveOf("word/document.xml", "")[:60]}}, 415, "unsupported-media-type", ""},
		{[]part{{"file", "a.doc", compoundOf("EncryptedPackage")}}, 415, "unsupported-media-type", ""},
		{[]part{{"file", "a.txt", someText + strings.Repeat("x", 5000) + "\x00\x01"}}, 415, "unsupported-media-type", ""},
		{[]part{{"file", "a.pdf", somePDF + strings.Repeat("x", 200_000)}}, 413, "too-large", ""},
		{[]part{{"file", "a.pdf", somePDF + strings.Repeat("x", 2_000_000)}}, 413, "too-large", ""},
		{[]part{{"x", "", strings.Repeat("x", 2_000_000)}, {"file", "a.pdf", somePDF}}, 413, "too-large", ""},
	}
}

func smallDocuments(o *options) { o.settings.Documents.MaxBytes = 200_000 }

func TestUploadDocumentRefused(t *testing.T) {
	onEach(t, func(t *testing.T, s *service) {
		putContract(s)
		putQuestions(s)
		_, readOnly := s.newKey(apikey.NewKey{Label: "reader", Scope: admitto.ScopeReadOnly})
		kind, body := formOf(part{"file", "a.txt", someText})
		documents, parts := v10("/applications/9001/documents"), []part{{"file", "refused.txt", someText}}
		s.leavesNoTrace(t, func() {
			for i, c := range badUploads() {
				a := s.upload(documents, c.parts)
				if a.status != c.status {
					t.Fatalf("%d: %d %s", i, a.status, a.body)
				}
				a.problem(t, c.slug)
				if c.faults != "" {
					a.wantFaults(t, c.faults)
				}
			}
			for _, c := range []struct {
				path    string
				status  int
				slug    string
				code    any
				changes []with
			}{
				{v10("/applications/9999/documents"), 404, "not-found", nil, []with{contentType("text/plain")}},
				{v10("/applications/9001/tasks/411/documents"), 404, "not-found", nil, nil},
				{v10("/applications/9001/tasks/9/documents"), 404, "not-found", nil, nil},
				{v10("/applications/9002/tasks/410/documents"), 404, "not-found", nil, nil},
				{v10("/applications/9999/tasks/410/documents"), 404, "not-found", nil,
					[]with{header("Idempotency-Key", "k"), contentType("text/plain")}},
				{v10("/applications/x/documents"), 400, "invalid-id", nil, nil},
				{v10("/applications/9011/documents"), 400, "not-allowed-now", "application-withdrawn", nil},
				{v10("/applications/9012/documents"), 400, "not-allowed-now", "application-closed", nil},
				{"/api/v7/applications/9001/documents", 405, "method-not-allowed", nil, nil},
				{"/api/v7/applications/9001/tasks/410/documents", 404, "not-in-version", nil, nil},
				{documents, 415, "unsupported-media-type", nil, []with{contentType("application/json")}},
				{documents, 415, "unsupported-media-type", nil, []with{contentType("application/pdf"),
					header("Idempotency-Key", "k")}},
				{documents, 415, "unsupported-media-type", nil, []with{func(r *http.Request) { r.Header.Del("Content-Type") }}},
				{documents, 400, "invalid-body", nil, []with{contentType("multipart/form-data")}},
				{documents, 400, "invalid-body", nil, []with{contentType("multipart/form-data; boundary=other")}},
				{documents, 400, "invalid-parameter", nil, []with{header("Idempotency-Key", "")}},
				{documents + "?x=1", 400, "invalid-parameter", nil, []with{header("Prefer", "handling=strict")}},
				{documents, 403, "not-permitted", nil, []with{key(readOnly)}},
			} {
				a := s.upload(c.path, parts, c.changes...)
				if a.status != c.status {
					t.Fatalf("%s: %d %s", c.path, a.status, a.body)
				}
				if p := a.problem(t, c.slug); p["code"] != c.code {
					t.Errorf("%s: %v", c.path, p)
				}
			}
			for _, broken := range []string{body[:len(body)/2], "garbage", strings.Repeat("x", 1<<20), body[:len(body)-10]} {
				s.do("POST", documents, broken, contentType(kind)).want(t, 400).problem(t, "invalid-body")
			}
		})
		if there, err := s.files.Exists(t.Context(), hashOf(someText)); err != nil || there {
			t.Errorf("the bytes of a refused upload are still there: %v", err)
		}
		// What is referred to stays when the same bytes are refused elsewhere.
		s.upload(documents, parts).want(t, 201)
		s.upload(v10("/applications/9012/documents"), parts).want(t, 400)
		if there, err := s.files.Exists(t.Context(), hashOf(someText)); err != nil || !there {
			t.Errorf("the bytes of a document are gone: %v", err)
		}
		s.putAt(`INSERT INTO document (id, application_id, uploaded, name, mime, size, hash) SELECT 10000 + n, 9001, @2026-02-01T00:00:00, 'x', 'text/plain', 1, 'x'
			FROM (WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 198) SELECT n FROM c) numbers`)
		s.leavesNoTrace(t, func() {
			if p := s.upload(documents, parts).want(t, 400).problem(t, "not-allowed-now"); p["code"] != "too-many-documents" {
				t.Error(p)
			}
		})
	}, smallDocuments)
}

// A folder for temporary files that takes nothing is a fault that passes.
func TestUploadWithoutRoom(t *testing.T) {
	eachInTurn(t, func(t *testing.T, s *service) {
		putContract(s)
		parts := []part{{"file", "a.txt", someText}}
		usual := os.TempDir()
		t.Setenv("TMPDIR", t.TempDir()+"/gone")
		s.leavesNoTrace(t, func() {
			a := s.upload(v10("/applications/9001/documents"), parts).want(t, 503)
			if a.problem(t, "unavailable"); a.header.Get("Retry-After") == "" {
				t.Error(a.header)
			}
			// A client of HTTP/1.1 sends all of a big file before it looks for the answer.
			s.overHTTP1()
			s.upload(v10("/applications/9001/documents"), []part{{"file", "a.txt",
				strings.Repeat("a line\n", 1_200_000)}}).want(t, 503)
		})
		t.Setenv("TMPDIR", usual)
		s.upload(v10("/applications/9001/documents"), parts).want(t, 201)
	})
}

// The same upload with the same Idempotency-Key makes one document, whatever the client puts between the fields.
func TestUploadDocumentOnce(t *testing.T) {
	onBoth(t, func(t *testing.T, s *service) {
		putContract(s)
		path, once := v10("/applications/9001/documents"), header("Idempotency-Key", "one")
		first := s.upload(path, []part{{"file", "a.txt", someText}}, once).want(t, 201)
		again := s.upload(path, []part{{"file", "a.txt", someText}}, once).want(t, 201) // the boundary is another one
		if again.body != first.body || again.header.Get("Location") != first.header.Get("Location") {
			t.Errorf("%s %s", first.body, again.body)
		}
		for _, other := range [][]part{{{"file", "a.txt", someText + "!"}}, {{"file", "b.txt", someText}},
			{{"file", "a.txt", someText}, {"name", "", "x"}}} {
			s.upload(path, other, once).want(t, 409).problem(t, "idempotency-conflict")
		}
		big := numbered("big", 3<<20)
		made := s.upload(path, []part{{"file", "big.txt", big}}, header("Idempotency-Key", "big")).want(t, 201)
		if got := s.upload(path, []part{{"file", "big.txt", big}}, header("Idempotency-Key", "big")).want(t,
			201); got.body != made.body {
			t.Error(got.body)
		}
		// The words of the answer were lost in a crash: they are made again.
		s.put("UPDATE idempotency SET body = NULL")
		if got := s.upload(path, []part{{"file", "big.txt", big}}, header("Idempotency-Key", "big")).want(t,
			201); got.body != made.body {
			t.Errorf("%q", got.body)
		}
		if n := len(s.get(path).ids(t)); n != 3 {
			t.Errorf("%d documents", n)
		}
	})
}

func TestDocumentsZip(t *testing.T) {
	onEach(t, func(t *testing.T, s *service) {
		putContract(s)
		s.skipDocuments()
		s.upload(v10("/applications/9001/documents"), []part{{"file", "évil/../x.txt", someText}}).want(t, 201)
		for _, c := range []struct {
			path  string
			files map[string]string
		}{
			{oldestPath("/applications/9001/documents/zip?skip-extracted-pages=1"),
				map[string]string{"222-Passport.pdf": passport, "502-x.txt": someText}},
			{v10("/applications/9002/documents/zip"), map[string]string{`501-Zürich _ё_.pdf`: letterPDF}},
			{v10("/applications/9001/tasks/410/documents/zip"), map[string]string{"222-Passport.pdf": passport}},
		} {
			a := s.get(c.path).want(t, 200)
			archive, err := zip.NewReader(strings.NewReader(a.body), int64(len(a.body)))
			if err != nil || len(archive.File) != len(c.files) {
				t.Fatalf("%s: %v", c.path, err)
			}
			for i, f := range archive.File {
				r, err := f.Open()
				if err != nil {
					t.Fatal(err)
				}
				data, err := io.ReadAll(r)
				if err != nil || string(data) != c.files[f.Name] || i > 0 && archive.File[i-1].Name > f.Name {
					t.Errorf("%s: %s %v", c.path, f.Name, err)
				}
				if f.Name[:3] == "222" && !f.Modified.Equal(instant("2026-01-20T10:00:00").Std()) {
					t.Errorf("%s was uploaded %s", f.Name, f.Modified)
				}
			}
			head := s.do("HEAD", c.path, "").want(t, 200)
			for _, h := range []http.Header{a.header, head.header} {
				if h.Get("Content-Type") != "application/zip" || h.Get("ETag") != "" || h.Get("Content-Length") != "" ||
					h.Get("Accept-Ranges") != "" ||
					!strings.Contains(h.Get("Content-Disposition"), "-documents.zip") || h.Get("Ignored-Parameters") != "" {
					t.Errorf("%s: %v", c.path, h)
				}
			}
		}
		for path, status := range map[string]int{v10("/applications/9004/documents/zip"): 404,
			v10("/applications/9999/documents/zip"):           404,
			v10("/applications/9003/tasks/411/documents/zip"): 404, v10("/applications/9001/tasks/411/documents/zip"): 404,
			"/api/v7/applications/9001/tasks/410/documents/zip": 404, v10("/applications/x/documents/zip"): 400} {
			s.get(path).want(t, status)
			s.do("HEAD", path, "").want(t, status)
		}
		if err := s.files.Remove(t.Context(), hashOf(someText)); err != nil {
			t.Fatal(err)
		}
		r, err := http.NewRequestWithContext(t.Context(), "GET", s.server.URL+v10("/applications/9001/documents/zip"), nil)
		if err != nil {
			t.Fatal(err)
		}
		key(s.key)(r)
		response, err := s.server.Client().Do(r)
		if err == nil {
			_, err = io.ReadAll(response.Body)
			response.Body.Close()
		}
		if err == nil {
			t.Error("an archive without one of its files looked whole")
		}
	})
}
