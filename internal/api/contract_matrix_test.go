package api_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/api"
	"github.com/admitto/admitto/internal/apikey"
	"github.com/google/go-cmp/cmp"
)

// matrix is what exists in which versions, written from the specification's tables and changelog, resources.md and its
// section 24, and not from the table that the service answers by. Nothing else exists.
const matrix = `
GET                 /version 1-10
GET                 /ping 1-10
GET                 /journal 1-10

GET POST            /applicants 1-10
GET                 /applicants/{id} 1-10
GET                 /applicants/{id}/photo 1-10
GET                 /applicants/{id}/consents 1-10
GET                 /applicants/{id}/consents/{id} 1-10
GET POST            /applicants/{id}/emails 1-10
GET                 /applicants/{id}/emails/{id} 1-10
GET                 /applicants/{id}/emails/{id}/attachments 1-10
GET                 /applicants/{id}/emails/{id}/attachments/{id} 1-10
GET                 /applicants/{id}/trackers 1-10
GET PUT DELETE      /applicants/{id}/trackers/{id} 1-10
GET POST            /applicants/{id}/invoices 1-10
GET                 /applicants/{id}/invoices/{id} 1-10
GET                 /applicants/{id}/wishes 1-10
GET                 /applicants/{id}/wishes/{id} 1-10
GET                 /applicants/{id}/applications 1-10
POST                /applicants/{id}/applications 8-10
GET                 /applicants/{id}/applications/{id} 1-10
GET PUT             /applicants/{id}/reference 1-10
GET PUT             /applicants/{id}/matriculation 1-10
GET PATCH DELETE    /applicants/{id}/notes 1-10
PUT                 /applicants/{id}/notes 1-5
POST                /applicants/{id}/notes 6-10
GET PUT             /applicants/{id}/notes/{id} 6-10
GET                 /applicants/{id}/documents 1-4
GET                 /applicants/{id}/documents/{id} 1-4
GET                 /applicants/{id}/studyplans 1-7
GET                 /applicants/{id}/studyplans/{id} 1-7
GET                 /applicants/consents 1-10
GET                 /applicants/consents/{id} 1-10
GET POST            /applicants/trackers 1-10
GET DELETE          /applicants/trackers/{id} 1-10

GET                 /applications 1-10
POST                /applications 8-10
GET                 /applications/{id} 1-10
PATCH               /applications/{id} 8-10
POST                /applications/{id}/freeze 1-10
POST                /applications/{id}/unfreeze 1-10
POST                /applications/{id}/close 1-10
GET                 /applications/{id}/courses 1-10
POST                /applications/{id}/courses 8-10
GET                 /applications/{id}/courses/{id} 1-10
DELETE              /applications/{id}/courses/{id} 8-10
GET PUT             /applications/{id}/courses/{id}/priority 8-10
GET                 /applications/{id}/flags 1-10
GET PUT DELETE      /applications/{id}/flags/{id} 1-10
GET                 /applications/{id}/offers 1-10
GET                 /applications/{id}/offers/{id} 1-10
GET PUT             /applications/{id}/offers/{id}/type 1-10
GET PUT             /applications/{id}/offers/{id}/subject 1-10
GET PUT             /applications/{id}/offers/{id}/comments 1-10
GET                 /applications/{id}/offers/{id}/attachments 1-10
GET                 /applications/{id}/offers/{id}/attachments/{id} 1-10
GET                 /applications/{id}/offers/{id}/attachments/{id}/download 1-10
GET POST            /applications/{id}/offers/{id}/letters 1-10
GET                 /applications/{id}/offers/{id}/letters/{id} 1-10
POST                /applications/{id}/offers/{id}/confirm 1-10
GET PUT             /applications/{id}/offers/{id}/decision 1-10
GET PUT             /applications/{id}/offers/{id}/reason/reason 1-10
GET PATCH DELETE    /applications/{id}/offers/{id}/notes 1-10
PUT                 /applications/{id}/offers/{id}/notes 1-5
POST                /applications/{id}/offers/{id}/notes 6-10
GET PUT             /applications/{id}/offers/{id}/notes/{id} 6-10
GET PUT DELETE      /applications/{id}/offers/{id}/score/extra 1-10
GET                 /applications/{id}/tasks 1-10
GET                 /applications/{id}/tasks/{id} 1-10
DELETE              /applications/{id}/tasks/{id} 8-10
GET PUT             /applications/{id}/tasks/{id}/status 1-10
GET POST            /applications/{id}/tasks/{id}/documents 8-10
GET                 /applications/{id}/tasks/{id}/documents/{id} 8-10
GET                 /applications/{id}/tasks/{id}/documents/zip 8-10
GET                 /applications/{id}/exports 1-10
GET                 /applications/{id}/exports/{id} 1-10
GET                 /applications/{id}/exports/{id}/blobs 1-10
GET                 /applications/{id}/exports/{id}/blobs/{blob} 1-10
GET                 /applications/{id}/documents 1-10
POST                /applications/{id}/documents 8-10
GET                 /applications/{id}/documents/{id} 1-10
GET                 /applications/{id}/documents/zip 1-10
GET                 /applications/{id}/scores 1-10
GET                 /applications/{id}/pdf 1-10
GET POST            /applications/{id}/invoices 1-10
GET                 /applications/{id}/invoices/{id} 1-10
GET                 /applications/{id}/studyplans 1-7
GET                 /applications/{id}/studyplans/{id} 1-7
GET POST            /applications/flags 1-10
GET DELETE          /applications/flags/{id} 1-10
GET                 /applications/statuses 1-10
GET                 /applications/offers/types 1-10
GET                 /applications/offers/types/{id} 4-10

GET                 /institutions 1-10
GET                 /institutions/{id} 1-10
GET                 /institutions/{id}/departments 1-10
GET                 /institutions/{id}/departments/{id} 1-10
GET POST            /courses 1-10
GET                 /courses/{id} 1-10
GET                 /intakes 1-10
GET                 /intakes/{id} 1-10
GET                 /invoices 1-10
GET DELETE          /invoices/{id} 1-10
GET POST            /invoices/{id}/transactions 1-10
GET                 /invoices/{id}/transactions/{id} 1-10
GET                 /invoices/series 1-10
GET                 /invoices/transactions 1-10
GET                 /invoices/transactions/{id} 1-10
GET                 /academic-terms 1-10
GET                 /academic-terms/{id} 1-10
GET                 /academic-terms/types 1-10
GET                 /academic-terms/types/{id} 1-10
GET                 /academic-years 1-10
GET                 /academic-years/{year} 1-10
GET                 /classificators 1-10
GET                 /reports 1-10
GET                 /reports/{report_name} 1-10
GET                 /scoresheets 1-10
GET                 /scoresheets/{id} 1-10
GET POST            /scoresheets/{id}/scores 1-10
GET                 /scoresheets/{id}/scores/{id} 1-10
PUT PATCH           /scoresheets/{id}/scores/{id} 8-10
GET PUT DELETE      /scoresheets/{id}/scores/{id}/points 1-10
GET PUT DELETE      /scoresheets/{id}/scores/{id}/comments 1-10
GET PUT DELETE      /scoresheets/{id}/scores/{id}/date 1-10
GET PUT DELETE      /scoresheets/{id}/scores/{id}/reference 1-10
GET PUT DELETE      /scoresheets/{id}/scores/{id}/subject 1-10
GET PUT DELETE      /scoresheets/{id}/scores/{id}/language 1-10
GET                 /tableviews 1-10
GET                 /tableviews/{id} 1-10
GET                 /tableviews/{id}/tabledata 1-10
GET                 /administrators 1-10
GET                 /administrators/{id} 1-10
GET                 /rankings 10-10
GET                 /rankings/{id} 10-10
GET                 /rankings/{id}/entries 10-10
GET                 /letterheads 1-10
GET                 /letterheads/{id} 1-10
GET                 /purged-resources 8-10
GET                 /logins 1-10
GET                 /fees 1-10
GET                 /fees/{id} 1-10
GET                 /fees/{id}/amounts 1-10
GET                 /fees/{id}/amounts/{territory} 1-10
`

// matrixRows reads the matrix: the methods of each path in each version.
func matrixRows(t *testing.T) map[string]map[int][]string {
	t.Helper()
	rows := map[string]map[int][]string{}
	for line := range strings.SplitSeq(strings.TrimSpace(matrix), "\n") {
		words := strings.Fields(line)
		if len(words) == 0 {
			continue
		}
		methods, path, first, last := words[:len(words)-2], words[len(words)-2], 0, 0
		if n, err := fmt.Sscanf(words[len(words)-1], "%d-%d", &first, &last); n != 2 || err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		if rows[path] == nil {
			rows[path] = map[int][]string{}
		}
		for v := first; v <= last; v++ {
			rows[path][v] = append(rows[path][v], methods...)
		}
	}
	return rows
}

// addAliases adds what answers below the copies of a record (resources.md 24).
func addAliases(rows map[string]map[int][]string) {
	for path, versions := range maps.Clone(rows) {
		if strings.HasPrefix(path, "/invoices/{id}/") {
			rows["/applications/{id}"+path], rows["/applicants/{id}"+path] = versions, versions
		}
	}
	for v, methods := range rows["/invoices/{id}"] {
		if slices.Contains(methods, "DELETE") {
			for _, parent := range []string{"/applications/{id}", "/applicants/{id}"} {
				rows[parent+"/invoices/{id}"][v] = append(rows[parent+"/invoices/{id}"][v], "DELETE")
			}
		}
	}
	for path, versions := range maps.Clone(rows) {
		if strings.HasPrefix(path, "/applications/{id}/") {
			rows["/applicants/{id}"+path] = versions
		}
	}
}

// Every row in every version and without one exists or not as the specification says: a key that may only read is told
// so where a write exists, and 404 or 405 where nothing does.
func TestContractMatrix(t *testing.T) {
	rows := matrixRows(t)
	var known []string
	for _, r := range api.Rows() {
		known = append(known, r.Path)
	}
	slices.Sort(known)
	if diff := cmp.Diff(slices.Sorted(maps.Keys(rows)), slices.Compact(known)); diff != "" {
		t.Errorf("paths (-specification +service):\n%s", diff)
	}
	addAliases(rows)
	onAll(t, func(t *testing.T, s *service) {
		_, readOnly := s.newKey(apikey.NewKey{Label: "reader", Scope: admitto.ScopeReadOnly})
		for prefix, v := range prefixes() {
			if !slices.Contains(versions(), v) {
				continue
			}
			for path, versions := range rows {
				for _, method := range []string{"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"} {
					a := s.do(method, prefix+concrete(path), "", key(readOnly))
					got := "exists"
					switch {
					case a.status == 405:
						got = "no method"
					case a.status == 404 && (method == "HEAD" && len(versions[v]) == 0 ||
						strings.Contains(a.body, "/problems/not-in-version")):
						got = "absent"
					case a.status == 404 && strings.Contains(a.body, "/problems/no-such-path"):
						got = "unknown"
					case method != "GET" && method != "HEAD" && a.status != 403:
						got = fmt.Sprintf("status %d", a.status)
					}
					want := "exists"
					switch has := slices.Contains(versions[v], strings.Replace(method, "HEAD", "GET", 1)); {
					case len(versions[v]) == 0:
						want = "absent"
					case !has:
						want = "no method"
					}
					if got != want {
						t.Errorf("%s %s%s: %s (%d), want %s", method, prefix, path, got, a.status, want)
					}
				}
			}
		}
	})
}
