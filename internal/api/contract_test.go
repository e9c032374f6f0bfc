package api_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/admitto/admitto/internal/api"
	"github.com/google/go-cmp/cmp"
)

// contractOnly are paths in place of those that follow from the pattern.
func contractOnly() map[string][]string {
	only := map[string][]string{
		"/journal": {"/journal?bySince=500", "/journal?order=newest-first&limit=1",
			"/journal?byApplicationIDs=9001&bySince=502"},
		"/applicants/{id}/emails/{id}/attachments": {"/applicants/4713/emails/881/attachments",
			"/applicants/4711/emails/880/attachments"},
		"/applicants/{id}/emails/{id}/attachments/{id}": {"/applicants/4713/emails/881/attachments/66"},
		"/academic-terms/types/{id}":                    {"/academic-terms/types/2"},
		"/applicants/{id}/notes/{id}":                   {"/applicants/4711/notes/31", "/applicants/4713/notes/33"},
		"/applications/{id}/offers/{id}/notes/{id}":     {"/applications/9003/offers/7002/notes/35"},
		"/reports/{report_name}":                        {"/reports/ReportStatus?comparedYear=2025"},
	}
	for _, name := range []string{"ReportStatus", "ReportCourses", "ReportCitizenships", "ReportFunnel", "Registrations",
		"ReportOffers", "ReportInvoices",
		"ReportTrackers", "ReportTrackersApplicantDetails", "ReportTasks", "ReportDeadlines", "ReportScores"} {
		only["/reports/{report_name}"] = append(only["/reports/{report_name}"], "/reports/"+name)
	}
	return only
}

// contractMore are further paths: objects that have what the examples leave unset, expansions, and pages.
func contractMore() map[string][]string {
	return map[string][]string{
		"/applicants":                        {"/applicants?expand=*", "/applicants?limit=1&bySince=4712"},
		"/applicants/{id}":                   {"/applicants/4711?expand=*", "/applicants/4713", "/applicants/4714"},
		"/applicants/{id}/emails/{id}":       {"/applicants/4713/emails/881"},
		"/applicants/{id}/wishes/{id}":       {"/applicants/4713/wishes/62"},
		"/fees/{id}":                         {"/fees/5"},
		"/fees/{id}/amounts":                 {"/fees/5/amounts"},
		"/fees/{id}/amounts/{territory}":     {"/fees/4/amounts/EU"},
		"/applicants/{id}/trackers":          {"/applicants/4713/trackers", "/applicants/4714/trackers"},
		"/applicants/{id}/notes":             {"/applicants/4713/notes", "/applicants/4714/notes"},
		"/applicants/{id}/matriculation":     {"/applicants/4713/matriculation"},
		"/applicants/{id}/applications/{id}": {"/applicants/4713/applications/9002"},
		"/applications": {"/applications?expand=*",
			"/applications?limit=2&byStatuses=Draft,Blank,Reopened"},
		"/applications/{id}": {"/applications/9002", "/applications/9003",
			"/applications/9001?expand=*"},
		"/applications/{id}/courses":                 {"/applications/9002/courses"},
		"/applications/{id}/flags":                   {"/applications/9003/flags", "/applications/9002/flags"},
		"/applications/{id}/offers":                  {"/applications/9003/offers", "/applications/9002/offers"},
		"/applications/{id}/offers/{id}/type":        {"/applications/9003/offers/7002/type"},
		"/applications/{id}/offers/{id}/subject":     {"/applications/9003/offers/7002/subject"},
		"/applications/{id}/offers/{id}/decision":    {"/applications/9003/offers/7002/decision"},
		"/applications/{id}/offers/{id}/letters":     {"/applications/9003/offers/7002/letters"},
		"/applications/{id}/offers/{id}/notes":       {"/applications/9003/offers/7002/notes"},
		"/applications/{id}/tasks":                   {"/applications/9003/tasks"},
		"/applications/{id}/exports":                 {"/applications/9003/exports"},
		"/applications/{id}/exports/{id}/blobs":      {"/applications/9003/exports/89/blobs"},
		"/applications/{id}/documents":               {"/applications/9002/documents"},
		"/applications/{id}/scores":                  {"/applications/9003/scores"},
		"/applications/{id}/studyplans":              {"/applications/9003/studyplans"},
		"/scoresheets/{id}/scores":                   {"/scoresheets/7/scores"},
		"/scoresheets/{id}/scores/{id}/comments":     {"/scoresheets/7/scores/931/comments"},
		"/tableviews/{id}/tabledata":                 {"/tableviews/22/tabledata", "/tableviews/23/tabledata"},
		"/rankings/{id}/entries":                     {"/rankings/3/entries"},
		"/applications/{id}/offers/{id}/score/extra": {"/applications/9003/offers/7002/score/extra"},
	}
}

// family is the golden file a row goes to: the first segment of its path, or the first with what is below one
// object where that would be too much.
func family(pattern string) string {
	parts := strings.Split(strings.TrimPrefix(pattern, "/"), "/")
	switch first := parts[0]; first {
	case "version", "ping", "journal", "letterheads", "administrators":
		return "service"
	case "academic-terms", "academic-years":
		return "academic"
	case "applicants", "applications":
		switch {
		case len(parts) == 1 || parts[1] == "{id}" && (len(parts) == 2 || parts[2] == "applications"):
			return first
		case parts[1] != "{id}":
			return first + "-words"
		case parts[2] == "offers":
			return first + "-offers"
		}
		return first + "-below"
	default:
		return first
	}
}

// deprecation is the link of every answer of a version that is deprecated as a whole; the golden files say so once.
const deprecation = `</developers/changelog>; rel="deprecation"`

// recorded is an answer as it stands in the golden files. The prefix of the request is written /api/vN, so that files
// of two versions differ in what the changelog says and in nothing else.
func recorded(t testing.TB, prefix, path string, a answer) string {
	t.Helper()
	var b strings.Builder
	line := func(name, value string) {
		if value != "" {
			fmt.Fprintf(&b, "%s: %s\n", name, value)
		}
	}
	fmt.Fprintf(&b, "%d\n", a.status)
	kind := a.header.Get("Content-Type")
	line("Content-Type", kind)
	line("X-Count", a.header.Get("X-Count"))
	if a.header.Get("ETag") != "" {
		line("ETag", "yes")
	}
	for _, link := range a.header.Values("Link") {
		if link != deprecation {
			line("Link", strings.Replace(link, "<"+prefix+"/", "</api/vN/", 1))
		}
	}
	line("Content-Disposition", a.header.Get("Content-Disposition"))
	switch {
	case kind == "application/json" && a.header.Get("Content-Disposition") == "":
		body := strings.ReplaceAll(a.body, `"`+prefix+`/`, `"/api/vN/`)
		fmt.Fprintf(&b, "\n%s\n", pretty(t, body))
	case strings.HasPrefix(kind, "text/csv"):
		fmt.Fprintf(&b, "\n%s", strings.ReplaceAll(a.body, "\r\n", "\n"))
	case strings.HasSuffix(path, "/pdf"): // its bytes belong to the printer's own tests
	default:
		fmt.Fprintf(&b, "Content-Length: %s\n\n%d bytes: %q\n", a.header.Get("Content-Length"), len(a.body),
			a.body[:min(len(a.body), 24)])
	}
	return b.String()
}

// pretty writes JSON with one member a line, but whole objects and lists on one line where they are short and
// hold no others.
func pretty(t testing.TB, text string) string {
	t.Helper()
	var indented bytes.Buffer
	if err := json.Indent(&indented, []byte(text), "", " "); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	lines := strings.Split(indented.String(), "\n")
	var out []string
	for i := 0; i < len(lines); i++ {
		open := lines[i]
		if strings.HasSuffix(open, "{") || strings.HasSuffix(open, "[") {
			end := i + 1
			for end < len(lines) && !strings.HasSuffix(lines[end], "{") && !strings.HasSuffix(lines[end], "[") &&
				!strings.HasPrefix(strings.TrimLeft(lines[end], " "), "}") &&
				!strings.HasPrefix(strings.TrimLeft(lines[end], " "), "]") {
				end++
			}
			if closing := strings.TrimLeft(lines[end], " "); closing[0] == '}' || closing[0] == ']' {
				one := open
				for _, l := range lines[i+1 : end] {
					one += strings.TrimLeft(l, " ") + " "
				}
				if one = strings.TrimSuffix(one, " ") + closing; len(one) < 160 {
					open, i = one, end
				}
			}
		}
		out = append(out, open)
	}
	return strings.Join(out, "\n")
}

// versionName names the version of a prefix in file names.
func versionName(prefix string) string {
	if prefix == "/api" {
		return "unversioned"
	}
	return strings.TrimPrefix(prefix, "/api/")
}

// contractAnswers asks for all paths of THE table in a version, and returns the answers by pattern and path.
func contractAnswers(t testing.TB, s *service, prefix string) map[string]map[string]answer {
	t.Helper()
	all, version := map[string]map[string]answer{}, prefixes()[prefix]
	for _, r := range api.Rows() {
		if r.Method != "GET" || version < r.First || r.Last < version {
			continue
		}
		all[r.Path] = map[string]answer{}
		for _, path := range contractPaths(t, r.Path) {
			a := s.get(prefix + path)
			if a.status != http.StatusOK {
				t.Errorf("GET %s%s: %d %s", prefix, path, a.status, a.body)
			}
			if whole := slices.Contains(a.header.Values("Link"), deprecation); whole != (version <= 3) {
				t.Errorf("GET %s%s: Link %q", prefix, path, a.header.Values("Link"))
			}
			all[r.Path][path] = a
		}
	}
	return all
}

// Every GET of THE table in every version: status, the headers of the contract, and the body, the same on both
// engines. Files of neighbouring versions differ in what the changelog says and in nothing else.
func TestContractGolden(t *testing.T) {
	onEach(t, func(t *testing.T, s *service) {
		putContract(s)
		putContractAccess(s)
		writes := *update && !s.store.Shared() // the first engine writes, the other compares
		compared := map[string]bool{}
		for _, prefix := range eachPrefix() {
			answers, files := contractAnswers(t, s, prefix), map[string]*strings.Builder{}
			for _, r := range api.Rows() {
				if r.Method != "GET" || answers[r.Path] == nil {
					continue
				}
				name := family(r.Path)
				if files[name] == nil {
					files[name] = &strings.Builder{}
				}
				for _, path := range contractPaths(t, r.Path) {
					fmt.Fprintf(files[name], "GET %s\n%s\n", path, recorded(t, prefix, path, answers[r.Path][path]))
				}
			}
			for _, name := range slices.Sorted(maps.Keys(files)) {
				file := filepath.Join("testdata", "contract", name+"-"+versionName(prefix)+".golden")
				compared[file] = true
				if writes {
					if err := os.WriteFile(file, []byte(files[name].String()), 0o666); err != nil {
						t.Fatal(err)
					}
				}
				want, err := os.ReadFile(file)
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(files[name].String(), "\n")); diff != "" {
					t.Errorf("%s (-want +got), write it again by go test ./internal/api -run ContractGolden -update:\n%s", file, diff)
				}
			}
		}
		all, err := filepath.Glob(filepath.Join("testdata", "contract", "*"))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range all {
			if !compared[file] {
				t.Errorf("%s: nothing answers that any more; remove it", file)
			}
		}
	})
}
