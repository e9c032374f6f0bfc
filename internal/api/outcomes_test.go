package api_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/admitto/admitto/internal/config"
)

// In the versions 4 and 5 an application reads what its offers came to; record, filter and list of statuses agree
// (resources.md 6.2).
func TestStatusByOutcome(t *testing.T) {
	// The applications by what they read as there. Types 17 and 4 are ranked In quota and Eliminated.
	type offer struct {
		decision      string
		as, confirmed int // type; 0: not confirmed
	}
	applications := []struct {
		stored, reads string
		offers        []offer
	}{
		{"Submitted", "Submitted", nil},
		{"Submitted", "Submitted", []offer{{"None", 17, 17}}},
		{"Submitted", "Accepted", []offer{{"Final", 17, 17}}},
		{"Submitted", "Accepted", []offer{{"Declined", 17, 17}, {"Final", 17, 0}}},
		{"Submitted", "Accepted", []offer{{"Final", 4, 4}}}, // Accepted wins
		{"Submitted", "Rejected", []offer{{"None", 4, 4}}},
		{"Submitted", "Rejected", []offer{{"None", 4, 4}, {"Declined", 17, 4}}}, // what was confirmed counts
		{"Submitted", "Submitted", []offer{{"None", 4, 4}, {"None", 4, 0}}},
		{"Submitted", "Submitted", []offer{{"None", 4, 4}, {"None", 17, 17}}},
		{"Closed", "Closed", nil},
		{"Closed", "Closed", []offer{{"Final", 17, 17}}},
		{"Closed", "Rejected", []offer{{"None", 4, 4}}},
		{"Closed", "Rejected", []offer{{"Final", 4, 4}}},
		{"Withdrawn", "Withdrawn", []offer{{"Declined", 4, 4}}},
		{"Reopened", "Reopened", []offer{{"Final", 17, 17}, {"None", 4, 4}}},
		{"Draft", "Draft", nil},
	}
	onEach(t, func(t *testing.T, s *service) {
		statements := []string{
			`INSERT INTO applicant (id, state, lead, registered, email, email_key) VALUES (1, 'live', FALSE, 1, 'a@example.org', 'a@example.org')`,
			`INSERT INTO course (id, status, updated, institution_id, name) VALUES (1, 'Online', 1, 1, 'A'), (2, 'Online', 1, 1, 'B')`}
		stored, byOutcome := map[string][]int64{}, map[string][]int64{}
		for i, app := range applications {
			id := int64(i + 1)
			statements = append(statements, fmt.Sprintf(`INSERT INTO academic_term (id, year, name, type, start, grace, finish)
				VALUES (%d, 2026, 'T', 1, '2026-01-01', '2026-12-01', '2026-12-31')`, 100+id), fmt.Sprintf(
				`INSERT INTO application (id, applicant_id, academic_term_id, status, created, revised, submitted) VALUES (%d, 1, %d, '%s', 1, 1, 1)`, id, 100+id, app.stored))
			for n, o := range app.offers {
				confirmed, as := "NULL", "NULL"
				if o.confirmed != 0 {
					confirmed, as = "1", fmt.Sprint(o.confirmed)
				}
				statements = append(statements, fmt.Sprintf(`INSERT INTO offer (application_id, applicant_id, course_id, institution_id, priority, inserted, type_id,
					decision, confirmed, type_confirmed_id) VALUES (%d, 1, %d, 1, 1, 1, %d, '%s', %s, %s)`, id, n+1, o.as, o.decision, confirmed, as))
			}
			stored[app.stored] = append(stored[app.stored], id)
			byOutcome[app.reads] = append(byOutcome[app.reads], id)
		}
		s.put(statements...)
		for version := config.OldestVersion; version <= 10; version++ {
			prefix, want := fmt.Sprintf("/api/v%d", version), stored
			if version == 4 || version == 5 {
				want = byOutcome
			}
			names := s.get(prefix+"/applications/statuses").want(t, 200)
			if _, known := names.object(t)["Accepted"]; known != (version == 4 || version == 5) ||
				names.header.Get("X-Count") != fmt.Sprint(len(names.object(t))) {
				t.Errorf("version %d: the statuses are %s", version, names.body)
			}
			for status := range byOutcome {
				for _, query := range []string{status, status + ",Blank"} {
					a := s.get(prefix+"/applications?byStatuses="+query).want(t, 200)
					if diff := cmp.Diff(append([]int64{}, want[status]...), a.ids(t)); diff != "" ||
						a.header.Get("X-Count") != fmt.Sprint(len(want[status])) {
						t.Errorf("version %d, byStatuses=%s: X-Count %s (-want +got)\n%s", version, query, a.header.Get("X-Count"), diff)
					}
				}
			}
			for id, record := range s.get(prefix+"/applications").want(t, 200).object(t) {
				expected := ""
				for status, list := range want {
					if slices.ContainsFunc(list, func(one int64) bool { return fmt.Sprint(one) == id }) {
						expected = status
					}
				}
				got := []any{record.(map[string]any)["status"]}
				for _, path := range []string{"/applications/" + id, "/applicants/1/applications/" + id} {
					got = append(got, s.get(prefix+path).want(t, 200).object(t)["status"])
				}
				got = append(got, s.get(prefix+"/applicants/1/applications").want(t, 200).object(t)[id].(map[string]any)["status"])
				if diff := cmp.Diff([]any{expected, expected, expected, expected}, got); diff != "" {
					t.Errorf("version %d, application %s (-want +got)\n%s", version, id, diff)
				}
			}
			// Everything that is submitted is counted once.
			if a := s.get(prefix+"/applications?byStatuses=Submitted,Accepted,Rejected,Closed&limit=1").want(t,
				200); a.header.Get("X-Count") != "13" {
				t.Errorf("version %d: %s of 13", version, a.header.Get("X-Count"))
			}
		}
	})
}
