package main

import (
	"archive/zip"
	"bytes"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/admitto/admitto/internal/apptest"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/store/sqltest"
)

// demoService is a service with invented data and without quotas, in whose terms one may apply for ever: the demo's
// end one after the other.
func demoService(t *testing.T) *service {
	p := newPlace(t)
	p.must("demo", "--applicants=60")
	s, err := store.Open(t.Context(), p.database, p.opts)
	if err != nil {
		t.Fatal(err)
	}
	err = s.Write(t.Context(), func(tx *store.Tx) error {
		_, err := sqltest.In(tx).Exec("UPDATE academic_term SET grace = '9998-10-31', finish = '9999-01-31'")
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	key := p.must("keys", "create", "--name=Examples")
	running := p.serve("--quota.per-minute=0", "--quota.per-hour=0")
	running.key = key
	return running
}

// program finds a program of the system that the examples need.
func program(t *testing.T, name string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err == nil {
		return path
	}
	missing := fmt.Sprintf("%s is missing: install it (apt-get install %s)", name, name)
	if os.Getenv("ADMITTO_TEST_NOSKIP") == "1" {
		t.Fatal(missing)
	}
	t.Skip(missing)
	return ""
}

// example is one of the programs in examples/.
type example struct {
	t       *testing.T
	service *service
	command []string
	folder  string // for what it writes
}

// run runs the program with a page size that makes many pages, and returns its output without the last line break.
func (e *example) run(args ...string) string {
	e.t.Helper()
	stdout, stderr, err := e.try(args...)
	if err != nil {
		e.t.Fatalf("%v: %v\n%s%s", args, err, stdout, stderr)
	}
	return strings.TrimSuffix(stdout, "\n")
}

func (e *example) try(args ...string) (stdout, stderr string, err error) {
	var out, errs bytes.Buffer
	cmd := exec.CommandContext(e.t.Context(), e.command[0], append(e.command[1:len(e.command):len(e.command)], args...)...)
	cmd.Env = append(os.Environ(), "ADMITTO_URL="+e.service.url, "ADMITTO_KEY="+e.service.key,
		"ADMITTO_CA="+filepath.Join(e.service.place.folder,
			"tls-cert.pem"), "PAGE=50", "PYTHONDONTWRITEBYTECODE=1", "NO_PROXY=*", "no_proxy=*")
	cmd.Stdout, cmd.Stderr = &out, &errs
	err = cmd.Run()
	return out.String(), errs.String(), err
}

// Each program in examples/ does its work against the real service, and again when it is called again. In the long size
// only: TestExamplesByCurl of internal/api tries the requests of the documents in both.
func TestExamples(t *testing.T) {
	if !apptest.Long() {
		return
	}
	t.Parallel()
	s := demoService(t)
	offers := s.offers(3)
	for i, language := range []string{"shell", "python", "go"} {
		t.Run(language, func(t *testing.T) {
			e := &example{t: t, service: s, folder: t.TempDir()}
			switch language {
			case "shell":
				e.command = []string{program(t, "sh"), "../../examples/shell/integrate.sh"}
				program(t, "curl")
			case "python":
				e.command = []string{program(t, "python3"), "../../examples/python/integrate.py"}
			case "go":
				e.command = []string{filepath.Join(e.folder, "example")}
				if out, err := exec.Command("go", "build", "-o", e.command[0], "../../examples/go").CombinedOutput(); err != nil {
					t.Fatalf("%v\n%s", err, out)
				}
			}
			if _, stderr, err := e.try("fly"); err == nil || !strings.Contains(stderr, "register NAME EMAIL TRACKER-CODE") {
				t.Errorf("wrong usage: %v %s", err, stderr)
			}
			e.syncs()
			e.registers("ilse+" + language + "@example.org")
			e.syncs()
			e.documents(language == "shell")
			e.confirms(offers[i])
			e.follows()
		})
	}
}

// offers finds offers of submitted applications, each of another one.
func (s *service) offers(n int) (list []string) {
	s.t.Helper()
	var found map[string]struct {
		Offers map[string]struct {
			Confirmed *string `json:"type-confirmed"`
		}
	}
	if err := json.Unmarshal([]byte(s.want(200, "GET", "/api/v10/applications?byStatuses=Submitted&expand=offers",
		nil).body), &found); err != nil {
		s.t.Fatal(err)
	}
	for _, application := range slices.Sorted(maps.Keys(found)) {
		for offer, o := range found[application].Offers {
			if o.Confirmed == nil || !strings.HasSuffix(*o.Confirmed, "/"+confirmedType) {
				list = append(list, application+" "+offer)
				break
			}
		}
		if len(list) == n {
			return list
		}
	}
	s.t.Fatalf("only %d offers", len(list))
	return nil
}

// confirmedType is a type of the seed with a letter: "Feedback by sending".
const confirmedType = "2"

// registers makes a person known twice, who is there once and has the tracker.
func (e *example) registers(email string) {
	e.t.Helper()
	id := e.run("register", "Ilse Őri", email, "FAIR-27")
	if again := e.run("register", "Ilse Őri", email, "FAIR-27"); again != id {
		e.t.Errorf("registered as %s and as %s", id, again)
	}
	found := e.service.want(200, "GET", "/api/v10/applicants?byTrackerCodes=FAIR-27&byEmails="+url.QueryEscape(email), nil)
	if found.header.Get("X-Count") != "1" || !strings.HasPrefix(found.body, `{"`+id+`":`) ||
		!strings.Contains(found.body, `"full":"Ilse Őri"`) {
		e.t.Errorf("%s: %s", id, found.body)
	}
}

// syncs reads what is new: afterwards everybody is there, and nobody twice.
func (e *example) syncs() {
	e.t.Helper()
	target := filepath.Join(e.folder, "applicants")
	last := e.run("sync", target)
	all := e.service.want(200, "GET", "/api/v10/applicants", nil)
	var read []string
	if pages, err := filepath.Glob(filepath.Join(target, "applicants-*.json")); err == nil &&
		len(pages) > 0 { // shell: a file a page
		for _, page := range pages {
			var people map[string]any
			text, err := os.ReadFile(page)
			if err != nil || json.Unmarshal(text, &people) != nil {
				e.t.Fatal(page, err)
			}
			read = slices.AppendSeq(read, maps.Keys(people))
		}
	} else {
		read = e.firstFields(target)
	}
	if n := strconv.Itoa(len(read)); n != all.header.Get("X-Count") ||
		len(read) != len(slices.Compact(slices.Sorted(slices.Values(read)))) {
		e.t.Errorf("%d applicants were read, there are %s", len(read), all.header.Get("X-Count"))
	}
	if !slices.Contains(read, last) || !strings.Contains(all.body, `"`+last+`":{"id":`+last) {
		e.t.Errorf("the last one is %q", last)
	}
}

// firstFields returns what the lines of a file begin with.
func (e *example) firstFields(file string) (list []string) {
	e.t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		e.t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		first, _, _ := strings.Cut(line, "\t")
		list = append(list, first)
	}
	return list
}

// documents fetches the documents of some applications; the second time there is nothing to do.
func (e *example) documents(zipped bool) {
	e.t.Helper()
	const since = "2026-03-01"
	var want map[string]struct {
		Documents map[string]struct{ Size string }
	}
	if err := json.Unmarshal([]byte(e.service.want(200, "GET",
		"/api/v10/applications?byStatuses=Submitted&expand=documents&bySubmittedSince="+since, nil).body),
		&want); err != nil {
		e.t.Fatal(err)
	}
	folder := filepath.Join(e.folder, "documents")
	said := e.run("documents", folder, since)
	if again := e.run("documents", folder, since); again != "" || said == "" {
		e.t.Errorf("fetched %q, and then %q", said, again)
	}
	files := 0
	for application, a := range want {
		for document, d := range a.Documents {
			size := e.sizeOf(folder, application, document, zipped)
			if strconv.FormatInt(size, 10) != d.Size {
				e.t.Errorf("document %s of application %s has %d bytes, not %s", document, application, size, d.Size)
			}
			files++
		}
	}
	if files < 10 {
		e.t.Errorf("only %d documents", files)
	}
}

// sizeOf finds a fetched document, in a folder or in the archive of its application, and returns its size.
func (e *example) sizeOf(folder, application, document string, zipped bool) int64 {
	e.t.Helper()
	if !zipped {
		matches, err := filepath.Glob(filepath.Join(folder, application, document+"-*"))
		if err != nil || len(matches) != 1 {
			return -1
		}
		info, err := os.Stat(matches[0])
		if err != nil {
			return -1
		}
		return info.Size()
	}
	archive, err := zip.OpenReader(filepath.Join(folder, "application-"+application+".zip"))
	if err != nil {
		return -1
	}
	defer archive.Close()
	for _, f := range archive.File {
		if strings.HasPrefix(f.Name, document+"-") {
			return int64(f.UncompressedSize64)
		}
	}
	return -1
}

// confirms confirms an offer, given as its application and it; a type without a letter is refused with the reason.
func (e *example) confirms(offer string) {
	e.t.Helper()
	args := append([]string{"confirm"}, strings.Fields(offer)...)
	_, stderr, err := e.try(append(args, "1")...)
	if err == nil || !strings.Contains(stderr, "400") || !strings.Contains(stderr, "Unreplied") {
		e.t.Errorf("%v %s", err, stderr)
	}
	e.run(append(args, confirmedType)...)
	path := fmt.Sprintf("/api/v10/applications/%s/offers/%s", args[1], args[2])
	if got := e.service.want(200, "GET", path, nil).body; !strings.Contains(got,
		`"type-confirmed":"/api/v10/applications/offers/types/`+confirmedType+`"`) {
		e.t.Error(got)
	}
}

// follows reads the journal to its end, and then what has come since: no record is missing and none is there twice.
func (e *example) follows() {
	e.t.Helper()
	file := filepath.Join(e.folder, "journal")
	for range 2 {
		e.service.want(201, "POST", "/api/v10/applications/flags", url.Values{"name": {rand.Text()}})
		e.run("journal", file)
		newest := e.service.want(200, "GET", "/api/v10/journal?order=newest-first&limit=1", nil).body
		ids := e.firstFields(file)
		for i, id := range ids {
			if id != strconv.Itoa(i+1) {
				e.t.Fatalf("line %d has %s", i+1, id)
			}
		}
		if !strings.HasPrefix(newest, fmt.Sprintf(`{"%d":`, len(ids))) {
			e.t.Errorf("%d records were read, the newest is %.20s", len(ids), newest)
		}
	}
}
