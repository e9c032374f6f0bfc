package api_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/api"
	"github.com/admitto/admitto/internal/apikey"
	"github.com/admitto/admitto/internal/config"
)

// shownOnly are permissions of rows that say how much an answer shows, or of which report: without them the row that is
// asked here answers all the same. TestPermissionsOfAnswers sees what they are for.
var shownOnly = map[string][]admitto.Permission{
	"createApplicant":            {admitto.ApplicantsView}, // the answer, after the creation
	"getApplication":             {admitto.ApplicationsSensitive},
	"getApplicantApplication":    {admitto.ApplicationsSensitive},
	"getApplicationPdf":          {admitto.ApplicationsSensitive},
	"createApplication":          {admitto.ApplicationsSensitive},
	"createApplicantApplication": {admitto.ApplicationsSensitive},
	"getReport":                  {admitto.ApplicantsView, admitto.AccountingView},
}

// Every row names the permissions that its use cases ask for: a key that may call nothing else succeeds, and without
// any one of them the call is refused and says which one is missing.
func TestRowsNameTheirPermissions(t *testing.T) {
	onEach(t, func(t *testing.T, s *service) {
		putContract(s)
		s.put(`UPDATE scoresheet SET subject = 'Optional', language = 'Optional', reference = 'Optional', date = 'Optional'`)
		freeSequences(s)
		done, made := map[string]bool{}, map[string]string{}
		for v := config.OldestVersion; v <= 10; v++ {
			document := documentOf(t, v)
			check, operations := newValidator(document), operationsOf(t, document)
			for _, r := range requestOrder(v) {
				_, secret := s.newKey(apikey.NewKey{Label: r.Name, Scope: admitto.ScopeOperations,
					Operations: []string{r.Method + " " + r.Path}})
				path := fmt.Sprintf("/api/v%d%s", v, requestPath(t, s, r, made))
				last := ""
				for _, request := range requestsOf(t, check, operations[r.Name].op) {
					send := func() answer {
						return s.do(r.Method, path, request.body, key(secret), header("Content-Type", request.kind))
					}
					passed := []string{}
					for _, p := range r.Needs.List() {
						if slices.Contains(shownOnly[r.Name], p) {
							continue
						}
						s.lacking.Permission.Store(uint32(p))
						// Some look at the record only to say that it is missing before what is wrong with the parameters.
						if s.do(r.Method, path+"?nonsense=1", request.body, key(secret), header("Content-Type", request.kind),
							header("Prefer", "handling=strict")).status == 403 {
							s.lacking.Permission.Store(0)
							continue
						}
						if a := send(); a.status != 403 || !strings.Contains(a.body, p.String()) {
							passed = append(passed, fmt.Sprintf("%s: %d %.200s", p, a.status, a.body))
						}
						s.lacking.Permission.Store(0)
					}
					a := send()
					last = a.body
					if a.status == 403 {
						t.Errorf("%s %s needs more than %v: %s", r.Method, path, r.Needs.List(), a.body)
					}
					if a.status >= 300 {
						continue // refused for what it says; another request is better
					}
					done[r.Name] = true
					if place := a.header.Get("Location"); place != "" {
						made[r.Name] = place
					}
					if len(passed) > 0 {
						t.Errorf("%s %s does not need %q", r.Method, path, passed)
					}
				}
				if !done[r.Name] {
					t.Logf("%s was refused each time, at last with %s", r.Name, last)
				}
			}
		}
		for _, r := range api.Rows() {
			if !done[r.Name] && !r.Open && !slices.Contains(refusedHere, r.Name) {
				t.Errorf("%s never succeeded", r.Name)
			}
		}
	}, func(o *options) { o.lacking = &api.Lacking{} })
}

// What the permissions are for that no row is refused without.
func TestPermissionsOfAnswers(t *testing.T) {
	onEach(t, func(t *testing.T, s *service) {
		putContract(s)
		without := func(p admitto.Permission, path string) answer {
			s.lacking.Permission.Store(uint32(p))
			defer s.lacking.Permission.Store(0)
			return s.get(path)
		}
		s.do("PATCH", "/api/v10/applications/9001", `{"misc":{"medical":"Asthma","additional":"Plays the oboe"}}`,
			header("Content-Type", "application/merge-patch+json")).want(t, 204)
		for _, path := range []string{"/api/v10/applications/9001", "/api/v10/applicants/4711/applications/9001"} {
			all, less := s.get(path).want(t, 200).object(t), without(admitto.ApplicationsSensitive, path).want(t, 200).object(t)
			misc, _ := all["misc"].(map[string]any)
			rest, _ := less["misc"].(map[string]any)
			if misc["medical"] != "Asthma" || rest["medical"] != nil || misc["additional"] == nil ||
				misc["additional"] != rest["additional"] {
				t.Errorf("%s shows %v, and without the permission %v", path, misc, rest)
			}
		}
		if full, less := s.get("/api/v10/applications/9001/pdf").want(t, 200), without(admitto.ApplicationsSensitive,
			"/api/v10/applications/9001/pdf").want(t, 200); full.body == less.body {
			t.Error("the printout shows what is sensitive")
		}
		for report, p := range map[string]admitto.Permission{"ReportInvoices": admitto.AccountingView,
			"ReportTrackersApplicantDetails": admitto.ApplicantsView} {
			for path, want := range map[string]int{"/api/v10/reports/" + report: 403, "/api/v10/reports/ReportTasks": 200} {
				if a := without(p, path); a.status != want {
					t.Errorf("%s without %s: %d %s", path, p, a.status, a.body)
				}
			}
		}
		for part, p := range map[string]admitto.Permission{"trackers": admitto.ApplicantsView,
			"invoices": admitto.AccountingView, "documents": admitto.ApplicationsView} {
			a := without(p, "/api/v10/applicants/4711?expand="+part)
			if p == admitto.ApplicantsView {
				a.want(t, 403)
				continue
			}
			if held, whole := a.want(t, 200).object(t)[part], s.get("/api/v10/applicants/4711?expand=" +
				part).object(t)[part]; fmt.Sprint(held) == fmt.Sprint(whole) {
				t.Errorf("%s are shown without %s: %v", part, p, held)
			}
		}
	}, func(o *options) { o.lacking = &api.Lacking{} })
}
