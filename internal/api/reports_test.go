package api_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/google/go-cmp/cmp"
)

// micros is a time for SQL.
func micros(s string) int64 {
	t, err := time.Parse(time.RFC3339, s)
	if err != nil {
		panic(err)
	}
	return t.UnixMicro()
}

// putTables makes what reports and tableviews are tested on. Applicant 5 is deleted, so application 106 and what
// hangs on it count nowhere; applicant 3 is a lead, applicant 6 was collected and has signed in.
func putTables(s *service) {
	putCatalogue(s)
	m := func(sql string, instants ...string) string {
		args := make([]any, len(instants))
		for i, at := range instants {
			args[i] = micros(at)
		}
		return fmt.Sprintf(sql, args...)
	}
	s.put(
		m(`INSERT INTO applicant (id, state, lead, registered, given, family, email, email_key, citizenship, phone, reference, matriculation) VALUES
			(1, 'live', FALSE, %d, 'Ilse', 'Varga', 'ilse@example.org', 'ilse@example.org', 'HU', '+36 1', 'CRM-1', 'M-1'),
			(2, 'blocked', FALSE, %d, 'Ken', 'Ito, "K"', 'ken@example.org', 'ken@example.org', 'JP', '', '', ''),
			(3, 'live', TRUE, %d, '', '=1+1', 'lead@example.org', 'lead@example.org', '', '', '', ''),
			(4, 'live', FALSE, %d, 'Ann', 'Lee', 'ann@example.org', 'ann@example.org', 'US', '', '', ''),
			(5, 'recovery', FALSE, %d, 'Gone', 'Gone', 'gone@example.org', 'gone@example.org', 'EE', '', '', ''),
			(6, 'live', FALSE, %d, 'Pál', 'Kis', 'pal@example.org', 'pal@example.org', 'HU', '', '', '')`,
			"2026-03-08T10:00:00Z", "2026-03-09T08:00:00Z", "2026-03-09T08:30:00Z", "2025-12-31T23:30:00Z",
			"2026-03-09T08:00:00Z", "2026-03-08T12:00:00Z"),
		m(`INSERT INTO journal (id, logged, pattern, actor, applicant_id, hash) VALUES (1001, %d, 'Applicant was collected', 'api', 6, 'x')`, "2026-03-08T12:00:00Z"),
		m(`INSERT INTO application (id, applicant_id, academic_term_id, status, created, revised, submitted, frozen, visible) VALUES
			(101, 1, 13, 'Submitted', %[1]d, %[2]d, %[2]d, %[2]d, TRUE), (102, 2, 13, 'Submitted', %[1]d, %[1]d, %[1]d, NULL, TRUE),
			(103, 3, 13, 'Draft', %[1]d, %[1]d, NULL, NULL, TRUE), (104, 4, 2, 'Closed', %[3]d, %[3]d, %[3]d, NULL, TRUE),
			(105, 1, 2, 'Withdrawn', %[3]d, %[3]d, NULL, NULL, TRUE), (106, 5, 13, 'Submitted', %[1]d, %[1]d, %[1]d, NULL, FALSE)`,
			"2026-03-02T12:00:00Z", "2026-03-05T16:20:11Z", "2025-08-05T12:13:02Z"),
		m(`INSERT INTO application_course (application_id, course_id, intake_id, institution_id, course_type, priority, added, submitted) VALUES
			(101, 55, 8, 1, 'UG', 1, 1, %[2]d), (101, 100, 8, 2, 'PG', 2, 1, %[2]d), (102, 55, 8, 1, 'UG', 1, 1, %[1]d), (103, 55, 8, 1, 'UG', 1, 1, NULL),
			(104, 7, 9, 1, '', 1, 1, %[3]d), (105, 7, NULL, 1, '', 1, 1, NULL), (106, 55, 8, 1, 'UG', 1, 1, %[1]d)`,
			"2026-03-02T12:00:00Z", "2026-03-05T16:20:11Z", "2025-08-05T12:13:02Z"),
		m(`INSERT INTO offer (id, application_id, applicant_id, course_id, institution_id, intake_id, priority, inserted, confirmed, decided, type_id,
			type_confirmed_id, decision, decision_deadline, score_auto, score_extra) VALUES
			(201, 101, 1, 55, 1, 8, 1, 1, %[1]d, %[2]d, 17, 17, 'Final', '2026-04-01', 8250, -200), (202, 101, 1, 100, 2, 8, 2, 1, NULL, NULL, 1, NULL, 'None', NULL, NULL, NULL),
			(203, 102, 2, 55, 1, 8, 1, 1, %[1]d, %[2]d, 4, 4, 'Declined', NULL, 7000, NULL), (204, 104, 4, 7, 1, 9, 1, 1, %[1]d, NULL, 17, 14, 'None', NULL, NULL, 100),
			(205, 106, 5, 55, 1, 8, 1, 1, %[1]d, NULL, 17, 17, 'Final', NULL, NULL, NULL)`, "2026-03-06T09:05:12Z", "2026-03-07T10:00:00Z"),
		`INSERT INTO tracker (id, created, code, code_key) VALUES (1, 1, 'fair', 'fair'), (2, 1, 'web', 'web'), (3, 1, 'none', 'none')`,
		m(`INSERT INTO applicant_tracker (tracker_id, applicant_id, assigned) VALUES (1, 1, %[1]d), (1, 2, %[1]d), (2, 2, %[1]d), (2, 3, %[1]d), (1, 5, %[1]d)`, "2026-03-09T08:45:00Z"),
		m(`INSERT INTO invoice (id, type, nr, series_id, applicant_id, application_id, issued, deadline, collected, lapsed, currency, total, paid, payer_name) VALUES
			(301, 'Invoice', '1', 1, 1, 101, %d, '2026-02-20', NULL, NULL, 'EUR', 10000, 4000, 'I'), (302, 'Invoice', '2', 1, 1, 101, %d, '2026-03-10', %d, NULL, 'EUR', 5000, 5000, 'I'),
			(303, 'Invoice', '3', 1, 4, 104, %d, '2026-03-02', NULL, %d, 'USD', 1000, 0, 'A'), (304, 'Invoice', '4', 1, 1, 101, %d, '2026-03-09', NULL, NULL, 'USD', 123, 0, 'I')`,
			"2026-02-10T10:00:00Z", "2026-02-28T23:30:00Z", "2026-03-05T10:00:00Z", "2026-03-01T10:00:00Z",
			"2026-03-03T10:00:00Z", "2025-03-03T10:00:00Z"),
		`INSERT INTO invoice_transaction (id, invoice_id, amount, inserted, collected) VALUES (1, 301, 4000, 1, '2026-02-15'), (2, 302, 5000, 1, '2026-03-05')`,
		m(`INSERT INTO task (id, application_id, template_id, created, resolved, status, trashed) VALUES (1, 101, 2, %[1]d, NULL, 'Pending', NULL),
			(2, 102, 2, %[2]d, NULL, 'Pending', NULL), (3, 102, 2, %[2]d, %[2]d, 'Accepted', NULL), (4, 101, 3, %[2]d, NULL, 'Pending', %[2]d),
			(5, 106, 3, %[2]d, NULL, 'Pending', NULL)`, "2026-03-01T23:30:00Z", "2026-03-02T10:00:00Z"),
		`INSERT INTO scoresheet (id, created, name, type, depth, range_min, range_max, scale) VALUES (6, 1, 'English', 'IELTS', 'Application', 0, 90000, 1),
			(7, 1, 'Interview', 'Number', 'Offer', -1000000, 1000000, 0), (8, 1, 'Empty', 'Number', 'Application', 0, 10, 2)`,
		`INSERT INTO score (id, scoresheet_id, application_id, offer_id, points) VALUES (1, 6, 101, NULL, 75000), (2, 6, 102, NULL, 60000), (3, 6, 103, NULL, NULL),
			(4, 6, 106, NULL, 10000), (5, 7, 101, 201, -50000), (6, 7, 101, 202, 60000)`,
		`INSERT INTO flag (id, created, name, name_key) VALUES (5, 1, 'Interview', 'interview'), (6, 1, 'A;B', 'a;b')`,
		`INSERT INTO application_flag (flag_id, application_id, assigned) VALUES (5, 101, 1), (6, 101, 1), (5, 102, 1)`,
	)
}

// crlf turns the lines of a literal into rows.
func crlf(text string) string { return strings.ReplaceAll(text, "\n", "\r\n") }

func TestReports(t *testing.T) {
	onBoth(t, func(t *testing.T, s *service) {
		putTables(s)
		for _, row := range []struct{ query, want string }{
			{"ReportStatus", "Status,Applications,Applicants,Share\nBlank,0,0,0.00\nDraft,1,1,20.00\nInactive,0,0,0.00\nReopened,0,0,0.00\n" +
				"Submitted,2,2,40.00\nWithdrawn,1,1,20.00\nClosed,1,1,20.00\n"},
			{"ReportStatus?commenceYear=2026&comparedYear=2025",
				"Status,Applications,Applicants,Share,Compared applications\nBlank,0,0,0.00,0\nDraft,1,1,33.33,0\n" +
					"Inactive,0,0,0.00,0\nReopened,0,0,0.00,0\nSubmitted,2,2,66.67,0\nWithdrawn,0,0,0.00,1\nClosed,0,0,0.00,1\n"},
			{"ReportStatus?citizenships=HU&academicTerm=13,2",
				"Status,Applications,Applicants,Share\nBlank,0,0,0.00\nDraft,0,0,0.00\nInactive,0,0,0.00\n" +
					"Reopened,0,0,0.00\nSubmitted,1,1,50.00\nWithdrawn,1,1,50.00\nClosed,0,0,0.00\n"},
			{"ReportStatus?citizenships=EE",
				"Status,Applications,Applicants,Share\nBlank,0,0,0.00\nDraft,0,0,0.00\nInactive,0,0,0.00\n" +
					"Reopened,0,0,0.00\nSubmitted,0,0,0.00\nWithdrawn,0,0,0.00\nClosed,0,0,0.00\n"},
			{"ReportCourses", "Course ID,Course,Code,Institution,Blank,Draft,Inactive,Reopened,Submitted,Withdrawn,Closed,Total,First choice\n" +
				"7,New course,,Northfield University,0,0,0,0,0,1,1,2,2\n55,Energy Systems,ENS-BSC,Northfield University,0,1,0,0,2,0,0,3,3\n" +
				"100,Far,FAR,\"Zürich / \"\"Süd\"\"\",0,0,0,0,1,0,0,1,0\n"},
			{"ReportCourses?institutions=1&intakes=8&regions=eu",
				"Course ID,Course,Code,Institution,Blank,Draft,Inactive,Reopened,Submitted,Withdrawn,Closed,Total,First choice\n" +
					"55,Energy Systems,ENS-BSC,Northfield University,0,0,0,0,1,0,0,1,1\n"},
			{"ReportCitizenships", "Citizenship,Country,Applicants,Applications,Submitted,Offered,Accepted\nHU,Hungary,2,2,1,1,1\nJP,Japan,1,1,1,0,0\n" +
				"US,United States,1,1,1,1,0\n,Unknown,0,1,0,0,0\n"},
			{"ReportCitizenships?academicTerm=13&comparedYear=2025",
				"Citizenship,Country,Applicants,Applications,Submitted,Offered,Accepted,Compared applications\n" +
					"HU,Hungary,1,1,1,1,1,1\nJP,Japan,1,1,1,0,0,0\nUS,United States,0,0,0,0,0,1\n,Unknown,0,1,0,0,0,0\n"},
			{"ReportCitizenships?regions=HU,142", "Citizenship,Country,Applicants,Applications,Submitted,Offered,Accepted\nHU,Hungary,2,2,1,1,1\nJP,Japan,1,1,1,0,0\n"},
			{"ReportFunnel", "Stage,Count,Of previous,Of first\nLeads and applicants,5,100.00,100.00\nApplicants,4,80.00,80.00\nWith application,4,100.00,80.00\n" +
				"Submitted,3,75.00,60.00\nOffered,2,66.67,40.00\nAccepted,1,50.00,20.00\n"},
			{"ReportFunnel?academicTerm=13&comparedYear=2025&regions=1",
				"Stage,Count,Of previous,Of first,Compared count\nLeads and applicants,5,100.00,100.00,5\n" +
					"Applicants,4,80.00,80.00,4\nWith application,3,75.00,60.00,2\nSubmitted,2,66.67,40.00,1\nOffered,1,50.00,20.00,1\nAccepted,1,100.00,20.00,0\n"},
			{"ReportFunnel?regions=EU&citizenships=JP",
				"Stage,Count,Of previous,Of first\nLeads and applicants,0,0.00,0.00\nApplicants,0,0.00,0.00\n" +
					"With application,0,0.00,0.00\nSubmitted,0,0.00,0.00\nOffered,0,0.00,0.00\nAccepted,0,0.00,0.00\n"},
			{"ReportInvoices", "Month,Currency,Issued,Issued amount,Collected,Collected amount,Outstanding amount,Overdue\n2026-02,EUR,2,150.00,0,40.00,60.00,1\n" +
				"2026-03,EUR,0,0.00,1,50.00,0.00,0\n2026-03,USD,1,10.00,0,0.00,0.00,0\n"},
			{"ReportInvoices?calendarYear=2026&institutions=2",
				"Month,Currency,Issued,Issued amount,Collected,Collected amount,Outstanding amount,Overdue\n" +
					"2026-02,EUR,2,150.00,0,40.00,60.00,1\n2026-03,EUR,0,0.00,1,50.00,0.00,0\n"},
			{"ReportInvoices?calendarYear=2025",
				"Month,Currency,Issued,Issued amount,Collected,Collected amount,Outstanding amount,Overdue\n" +
					"2025-03,USD,1,1.23,0,0.00,1.23,0\n"},
			{"ReportTrackers", "Tracker ID,Code,Applicants,Applications,Submitted applications,Offered,Accepted\n1,fair,2,3,2,1,1\n2,web,1,2,1,0,0\n3,none,0,0,0,0,0\n"},
			{"ReportTrackers?commenceYear=2025&citizenships=hu",
				"Tracker ID,Code,Applicants,Applications,Submitted applications,Offered,Accepted\n" +
					"1,fair,1,1,0,0,0\n2,web,0,0,0,0,0\n3,none,0,0,0,0,0\n"},
			{"ReportTrackersApplicantDetails",
				"Tracker ID,Code,Applicant ID,Name,E-mail,Citizenship,Registered,Assigned,Applications,Submitted applications\n" +
					"1,fair,1,Ilse Varga,ilse@example.org,HU,2026-03-08T10:00:00+00:00,2026-03-09T08:45:00+00:00,2,1\n" +
					"1,fair,2,\"Ken Ito, \"\"K\"\"\",ken@example.org,JP,2026-03-09T08:00:00+00:00,2026-03-09T08:45:00+00:00,1,1\n" +
					"2,web,2,\"Ken Ito, \"\"K\"\"\",ken@example.org,JP,2026-03-09T08:00:00+00:00,2026-03-09T08:45:00+00:00,1,1\n" +
					"2,web,3,=1+1,lead@example.org,,2026-03-09T08:30:00+00:00,2026-03-09T08:45:00+00:00,1,0\n"},
			{"ReportTrackersApplicantDetails?academicTerm=2&regions=EEA",
				"Tracker ID,Code,Applicant ID,Name,E-mail,Citizenship,Registered,Assigned,Applications,Submitted applications\n" +
					"1,fair,1,Ilse Varga,ilse@example.org,HU,2026-03-08T10:00:00+00:00,2026-03-09T08:45:00+00:00,1,0\n"},
			{"ReportTasks", "Class,Title,Status,Tasks,Resolved,Oldest unresolved\nchecklist-identity,Copy of passport or identity card,Accepted,1,1,\n" +
				"checklist-identity,Copy of passport or identity card,Pending,2,0,2026-03-01\n"},
			{"ReportTasks?courses=100", "Class,Title,Status,Tasks,Resolved,Oldest unresolved\nchecklist-identity,Copy of passport or identity card,Pending,1,0,2026-03-01\n"},
			{"ReportTasks?courses=100&institutions=1", "Class,Title,Status,Tasks,Resolved,Oldest unresolved\n"},
			{"ReportDeadlines", "Intake ID,Intake,Territory,Deadline,Applications,Submitted in time,Submitted late,Not submitted\n8,Autumn 2026,001,2026-04-15,1,0,0,1\n" +
				"8,Autumn 2026,142,2026-03-01,1,0,1,0\n8,Autumn 2026,EEA,2026-06-30,0,0,0,0\n8,Autumn 2026,EU,2026-06-30,1,1,0,0\n"},
			{"ReportDeadlines?intakes=9",
				"Intake ID,Intake,Territory,Deadline,Applications,Submitted in time,Submitted late,Not submitted\n"},
			{"ReportScores", "Scoresheet ID,Scoresheet,Entries,Scored,Lowest,Average,Highest\n6,English,3,2,6.0,6.75,7.5\n7,Interview,2,2,-5,0.50,6\n8,Empty,0,0,,,\n"},
			{"ReportScores?courses=100", "Scoresheet ID,Scoresheet,Entries,Scored,Lowest,Average,Highest\n6,English,1,1,7.5,7.50,7.5\n7,Interview,2,2,-5,0.50,6\n8,Empty,0,0,,,\n"},
			{"Registrations?calendarYear=2027", "Date,Registered,Collected,Total\n"},
		} {
			a := s.get(v10("/reports/")+row.query).want(t, 200)
			if diff := cmp.Diff(crlf(row.want), a.body); diff != "" {
				t.Errorf("%s (-want +got): %s", row.query, diff)
			}
		}
		offers := s.get(v10("/reports/ReportOffers")).want(t, 200).body
		for _, line := range []string{"Offer type ID,Offer type,Ranking,None,Final,Declined,Total,Confirmed\r\n1,Unreplied,Pending,1,0,0,1,0\r\n",
			"\r\n4,Rejected by sending,Eliminated,0,0,1,1,1\r\n5,Nominated,Pending,0,0,0,0,0\r\n",
			"\r\n17,Accepted,In quota,1,1,0,2,2\r\n"} {
			if !strings.Contains(offers, line) {
				t.Errorf("no %q in %s", line, offers)
			}
		}
		s.put(`UPDATE offer_type SET status = 'Archived' WHERE id IN (5, 17)`)
		offers = s.get(v10("/reports/ReportOffers?academicTerm=13")).want(t, 200).body
		if strings.Count(offers, "\r\n") != 1+29 || strings.Contains(offers, "\r\n5,") ||
			!strings.Contains(offers, "\r\n17,Accepted,In quota,0,1,0,1,1\r\n") {
			t.Error(offers)
		}
	})
}

// Every day of a year has a row, in the time zone of the instance.
func TestReportRegistrations(t *testing.T) {
	zone, err := time.LoadLocation("Europe/Tallinn")
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range []struct {
		zone           *time.Location
		last, first25  string
		lastOf25, days string
	}{
		{time.UTC, "2026-03-08,1,1,2\r\n2026-03-09,1,1,2\r\n", "2025-01-01,0,0,0\r\n", "2025-12-31,1,0,1\r\n",
			"2026-01-01,0,0,0\r\n"},
		{zone, "2026-03-08,1,1,2\r\n2026-03-09,1,1,2\r\n", "2025-01-01,0,0,0\r\n", "2025-12-31,0,0,0\r\n",
			"2026-01-01,1,0,1\r\n"},
	} {
		onBoth(t, func(t *testing.T, s *service) {
			putTables(s)
			a := s.get(v10("/reports/Registrations")).want(t, 200)
			if !strings.HasPrefix(a.body, "Date,Registered,Collected,Total\r\n"+row.days) ||
				!strings.HasSuffix(a.body, row.last) || strings.Count(a.body, "\r\n") != 1+31+28+9 {
				t.Error(a.body)
			}
			a = s.get(v10("/reports/Registrations?calendarYear=2025")).want(t, 200)
			if !strings.Contains(a.body, row.first25) || !strings.HasSuffix(a.body, row.lastOf25) ||
				strings.Count(a.body, "\r\n") != 1+365 {
				t.Error(a.body)
			}
			a = s.get(v10("/reports/Registrations?citizenships=JP")).want(t, 200)
			if !strings.HasSuffix(a.body, "2026-03-08,0,0,0\r\n2026-03-09,1,0,1\r\n") {
				t.Error(a.body)
			}
		}, func(o *options) { o.settings.Instance.Timezone = row.zone })
	}
}

func TestReportJSON(t *testing.T) {
	onEach(t, func(t *testing.T, s *service) {
		putTables(s)
		asJSON := header("Accept", "application/json")
		a := s.get(oldestPath("/reports/ReportScores?courses=100&academicTerm=13+2&other=1"), asJSON).want(t, 200)
		want := `{"name":"ReportScores","title":"Scores per scoresheet","generated":"2026-03-09T09:00:00+00:00","parameters":{"academicTerm":[13,2],"courses":[100]},` +
			`"columns":["Scoresheet ID","Scoresheet","Entries","Scored","Lowest","Average","Highest"],"rows":[` +
			`{"Scoresheet ID":6,"Scoresheet":"English","Entries":1,"Scored":1,"Lowest":"7.5","Average":"7.50","Highest":"7.5"},` +
			`{"Scoresheet ID":7,"Scoresheet":"Interview","Entries":2,"Scored":2,"Lowest":"-5","Average":"0.50","Highest":"6"},` +
			`{"Scoresheet ID":8,"Scoresheet":"Empty","Entries":0,"Scored":0,"Lowest":null,"Average":null,"Highest":null}]}`
		if diff := cmp.Diff(want, a.body); diff != "" {
			t.Fatal(diff)
		}
		for name, value := range map[string]string{"Content-Type": "application/json",
			"Content-Disposition": `attachment; filename="ReportScores-20260309T090000Z.json"`,
			"Last-Modified":       "Mon, 09 Mar 2026 09:00:00 GMT", "Expires": "Mon, 09 Mar 2026 09:15:00 GMT",
			"Vary":               "Accept, Accept-Encoding",
			"Ignored-Parameters": "other", "Content-Length": fmt.Sprint(len(want)), "Etag": ""} {
			if a.header.Get(name) != value {
				t.Errorf("%s: %q", name, a.header.Get(name))
			}
		}
		head := s.do("HEAD", oldestPath("/reports/ReportScores?courses=100&academicTerm=13+2&other=1"), "", asJSON).want(t,
			200)
		if head.header.Get("Content-Length") != fmt.Sprint(len(want)) ||
			head.header.Get("Content-Type") != "application/json" {
			t.Error(head.header)
		}
		a = s.get(v10("/reports/ReportStatus?comparedYear=2025&regions=eu,1&citizenships=hu&commenceYear=2026"),
			asJSON).want(t, 200)
		var body struct {
			Parameters json.RawMessage
			Rows       []map[string]any
		}
		if err := json.Unmarshal([]byte(a.body), &body); err != nil {
			t.Fatal(err)
		}
		if string(body.Parameters) != `{"commenceYear":[2026],"comparedYear":2025,"regions":["EU","001"],"citizenships":["HU"]}` || len(body.Rows) != 7 ||
			body.Rows[4]["Share"] != "100.00" || body.Rows[5]["Compared applications"] != 1.0 {
			t.Error(a.body)
		}
	})
}

func TestReportFormat(t *testing.T) {
	onEach(t, func(t *testing.T, s *service) {
		for accept, json := range map[string]bool{
			"": false, "*/*": false, "text/csv": false, "application/json": true, "application/json, */*": true,
			"application/json, */*;q=0.9": true, "application/json;q=0.1, */*": true,
			"application/json;q=0.5, text/csv": false, "application/json, text/csv;q=0.9": true,
			"application/json, text/csv": true, "text/csv, application/json": true, "application/json;q=0, text/csv;q=0": false,
			"application/*":            false,
			"application/json, text/*": true, "application/json;q=0.5, application/*": true,
			"text/csv;q=0.9, application/json, */*": true, "text/html": false, "application/json;q=0": false,
			"application/json;q=0.2, image/png": true,
			"application/json, text/plain, */*": true, "*/*, text/csv;q=0.5, application/json;q=0.4": false,
			"APPLICATION/JSON": true,
		} {
			a := s.get(v10("/reports/ReportStatus"), header("Accept", accept)).want(t, 200)
			h := s.do("HEAD", v10("/reports/ReportStatus"), "", header("Accept", accept)).want(t, 200)
			kind, extension := "text/csv; charset=utf-8", "csv"
			if json {
				kind, extension = "application/json", "json"
			}
			for _, header := range []string{a.header.Get("Content-Type"), h.header.Get("Content-Type")} {
				if header != kind {
					t.Errorf("Accept: %s: %s", accept, header)
				}
			}
			for name, value := range map[string]string{
				"Content-Disposition": `attachment; filename="ReportStatus-20260309T090000Z.` + extension + `"`,
				"Last-Modified":       "Mon, 09 Mar 2026 09:00:00 GMT", "Expires": "Mon, 09 Mar 2026 09:15:00 GMT",
				"Vary": "Accept, Accept-Encoding"} {
				if a.header.Get(name) != value || h.header.Get(name) != value {
					t.Errorf("Accept: %s: %s: %q, %q", accept, name, a.header.Get(name), h.header.Get(name))
				}
			}
			if a.header.Get("ETag") != "" || h.body != "" || strings.HasPrefix(a.body, "{") != json {
				t.Errorf("Accept: %s: %v %s", accept, a.header, a.body)
			}
		}
		a := s.get(v10("/reports/Registrations"), header("Accept-Encoding", "gzip")).want(t, 200)
		if a.header.Get("Content-Encoding") != "gzip" || a.header.Get("Content-Length") != "" || len(a.body) > 1000 {
			t.Errorf("%v, %d bytes", a.header, len(a.body))
		}
	})
}

func TestReportFaults(t *testing.T) {
	onEach(t, func(t *testing.T, s *service) {
		for _, row := range []struct{ query, parameters string }{
			{"ReportStatus?academicTerm=x", "academicTerm"}, {"ReportStatus?academicTerm=",
				"academicTerm"}, {"ReportStatus?commenceYear=26", "commenceYear"},
			{"ReportStatus?comparedYear=2025,2026", "comparedYear"}, {"ReportStatus?comparedYear=2025&comparedYear=2026",
				"comparedYear"},
			{"Registrations?calendarYear=1899", "calendarYear"}, {"Registrations?calendarYear=",
				"calendarYear"}, {"ReportStatus?regions=1234", "regions"},
			{"ReportStatus?regions=0", "regions"}, {"ReportStatus?regions=E%2FU", "regions"}, {"ReportStatus?regions=",
				"regions"}, {"ReportStatus?citizenships=XX", "citizenships"},
			{"ReportStatus?intakes=a&courses=b&institutions=c&citizenships=zz&regions=%3F&comparedYear=1&commenceYear=2&academicTerm=d",
				"academicTerm citizenships commenceYear comparedYear courses institutions intakes regions"},
		} {
			for _, accept := range []string{"text/csv", "application/json"} {
				var names []string
				for _, fault := range s.get(v10("/reports/")+row.query, header("Accept", accept)).want(t, 400).problem(t,
					"invalid-parameter")["errors"].([]any) {
					names = append(names, fault.(map[string]any)["parameter"].(string))
				}
				slices.Sort(names)
				if strings.Join(names, " ") != row.parameters {
					t.Errorf("%s: %v", row.query, names)
				}
			}
			s.do("HEAD", v10("/reports/")+row.query, "").want(t, 400)
		}
		for _, name := range []string{"reportstatus", "ReportStatus2", "1"} {
			s.get(v10("/reports/")+name+"?academicTerm=x").want(t, 404).problem(t, "not-found")
		}
		// What another report takes is unknown to this one.
		a := s.get(v10("/reports/ReportTrackers?courses=x&calendarYear=y&academicTerm=1")).want(t, 200)
		if a.header.Get("Ignored-Parameters") != "calendarYear, courses" {
			t.Error(a.header)
		}
		s.get(v10("/reports/ReportTrackers?courses=1"), header("Prefer", "handling=strict")).want(t, 400)
		// Well-formed values that nothing has are no error.
		s.get(v10("/reports/ReportStatus?academicTerm=99&commenceYear=1900&regions=ZZ,998&citizenships=AQ&intakes=9&courses=8&institutions=7")).want(t, 200)
	})
}

func TestReportList(t *testing.T) {
	onEach(t, func(t *testing.T, s *service) {
		a := s.get(v10("/reports")).want(t, 200)
		if a.header.Get("X-Count") != "12" || a.header.Get("ETag") == "" ||
			!strings.HasPrefix(a.body, `{"ReportStatus":{"title":"Applications by status","parameters":[`+
				`{"name":"academicTerm","type":"ids","required":false,"title":"Academic terms"},`) || !strings.Contains(a.body,
			`{"name":"citizenships","type":"countries","required":false,"title":"Citizenships"}],"columns":["Status","Applications","Applicants","Share"],"data":"/api/v10/reports/ReportStatus"},"ReportCourses":{`) {
			t.Errorf("%v %s", a.header, a.body)
		}
		decoder := json.NewDecoder(strings.NewReader(a.body))
		var names []string
		if _, err := decoder.Token(); err != nil {
			t.Fatal(err)
		}
		for decoder.More() {
			name, err := decoder.Token()
			var skipped json.RawMessage
			if err != nil || decoder.Decode(&skipped) != nil {
				t.Fatal(err)
			}
			names = append(names, name.(string))
		}
		want := []string{"ReportStatus", "ReportCourses", "ReportCitizenships", "ReportFunnel", "Registrations",
			"ReportOffers", "ReportInvoices", "ReportTrackers",
			"ReportTrackersApplicantDetails", "ReportTasks", "ReportDeadlines", "ReportScores"}
		if diff := cmp.Diff(want, names); diff != "" {
			t.Error(diff)
		}
		for _, prefix := range eachPrefix() {
			for _, name := range want { // on an empty database too
				a := s.get(prefix+"/reports/"+name).want(t, 200)
				if !strings.HasSuffix(a.body, "\r\n") {
					t.Errorf("%s: %s", name, a.body)
				}
				s.get(prefix+"/reports/"+name, header("Accept", "application/json")).want(t, 200).object(t)
			}
		}
	})
}

// A share is rounded half up; nothing of nothing is nothing.
func TestPercent(t *testing.T) {
	for _, row := range []struct {
		part, whole int64
		want        string
	}{{4, 140, "2.86"}, {0, 0, "0.00"}, {1, 3, "33.33"}, {2, 3, "66.67"}, {1, 800, "0.13"}, {1, 1, "100.00"}, {3, 2,
		"150.00"}} {
		if got := admitto.Percent(row.part, row.whole).String(); got != row.want {
			t.Errorf("%d of %d: %s", row.part, row.whole, got)
		}
	}
}
