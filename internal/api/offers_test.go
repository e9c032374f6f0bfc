package api_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// putOffers makes applications with offers, notes, attachments and letters; application 9003 is invisible, 9002
// has no offers.
func putOffers(s *service) {
	putCatalogue(s)
	s.put(
		`INSERT INTO administrator (id, name, email) VALUES (3, 'Ann Admin', 'ann@example.edu')`,
		`INSERT INTO applicant (id, state, lead, registered, email, email_key, citizenship) VALUES
			(4711, 'live', FALSE, 1773046800000000, 'a@example.org', 'a@example.org', 'HU'),
			(4712, 'recovery', FALSE, 1773046800000000, 'b@example.org', 'b@example.org', ''),
			(4713, 'blocked', FALSE, 1773046800000000, 'c@example.org', 'c@example.org', '')`,
		`INSERT INTO application (id, applicant_id, academic_term_id, status, created, revised, submitted, visible) VALUES
			(9001, 4711, 13, 'Submitted', 1773046800000000, 1773046801000000, 1773046801000000, TRUE),
			(9002, 4713, 13, 'Draft', 1773046800000000, 1773046800000000, NULL, TRUE),
			(9003, 4712, 2, 'Submitted', 1773046800000000, 1773046801000000, 1773046801000000, FALSE)`,
		`INSERT INTO offer_reason (id, offer_type_id, reason) VALUES (8, 17, 'Good grades')`,
		`INSERT INTO offer (id, application_id, applicant_id, course_id, institution_id, intake_id, priority, inserted, saved, confirmed, decided,
			scored, type_id, type_confirmed_id, subject, comments, comments_confirmed, decision, decision_policy, decision_deadline, score_auto,
			score_extra, reason_id, reason) VALUES
			(7001, 9001, 4711, 55, 1, 8, 1, 1773046801000000, 1773046802000000, 1773046803000000, 1773046804000000, 1773046805999999, 17, 18,
			'Your admission', 'Dear %applicant-Name%, "hi"', 'Dear Ilse', 'Final', 'Required', '2026-04-01', 8250, -200, 8, 'Good grades')`,
		`INSERT INTO offer (id, application_id, applicant_id, course_id, institution_id, priority, inserted, type_id, reason) VALUES
			(7002, 9001, 4711, 7, 1, 2, 1773046801000000, 1, 'None of these'), (7003, 9003, 4712, 55, 1, 1, 1773046801000000, 1, '')`,
		`INSERT INTO note (id, applicant_id, offer_id, created, removed, colour, pinned, collapsed, text) VALUES
			(31, 4711, NULL, 1773046800000000, NULL, 'Yellow', FALSE, FALSE, 'Called, will send transcript'),
			(32, NULL, 7001, 1773046800000000, NULL, 'Green', TRUE, FALSE, 'First on the offer'),
			(33, 4711, NULL, 1773046801000000, 1773046802000000, 'Salmon', FALSE, TRUE, 'Taken off'),
			(34, 4711, NULL, 1773046802000000, NULL, 'Blue', FALSE, FALSE, 'Transcript received'),
			(35, NULL, 7001, 1773046801000000, 1773046802000000, 'Yellow', FALSE, FALSE, 'Gone'),
			(36, NULL, 7001, 1773046803000000, NULL, 'Violet', FALSE, TRUE, 'Second "line" /'),
			(37, NULL, 7003, 1773046803000000, NULL, 'Violet', FALSE, TRUE, 'Invisible')`,
		`INSERT INTO offer_attachment (id, offer_id, uploaded, name, mime, size, hash, expires) VALUES
			(1001, 7001, 1773046802000000, 'Admission letter.pdf', 'application/pdf', 48213, 'ab', NULL),
			(1002, 7001, 1773046803000000, 'Zürich.png', 'image/png', 0, 'cd', 1773046900000000),
			(1003, 7003, 1773046803000000, 'x', 'image/png', 1, 'cd', NULL)`,
		`INSERT INTO offer_letter (id, offer_id, rendered, letterhead_id, administrator_id, attachment_id) VALUES
			(301, 7001, 1773046802000000, 1, 3, 1001), (302, 7001, 1773046803000000, 1, NULL, NULL), (303, 7003, 1773046803000000, 1, NULL, 1003)`,
	)
}

// golden compares with a file below testdata; -update writes it again.
func golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", name+".golden")
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Fatalf("%s (-want +got), write it again with -update: %s", file, diff)
	}
}

// eachPrefix returns the ways to ask for each version.
func eachPrefix() []string { return prefixesTo(10) }

// The offers, notes and scores of every version to the byte.
func TestOfferGolden(t *testing.T) {
	onEach(t, func(t *testing.T, s *service) {
		putOffers(s)
		putScores(s)
		for _, prefix := range eachPrefix() {
			var b strings.Builder
			for _, path := range []string{"/applications/9001/offers", "/applications/9001/offers/7001",
				"/applications/9002/offers",
				"/applications/9001/offers/7001/type", "/applications/9001/offers/7001/subject",
				"/applications/9001/offers/7001/comments",
				"/applications/9001/offers/7001/decision", "/applications/9001/offers/7001/score/extra",
				"/applications/9001/offers/7002/type",
				"/applications/9001/offers/7002/subject", "/applications/9001/offers/7002/comments",
				"/applications/9001/offers/7002/decision",
				"/applications/9001/offers/7002/score/extra", "/applications/9001/offers/7001/attachments",
				"/applications/9001/offers/7001/attachments/1002", "/applications/9001/offers/7002/attachments",
				"/applications/9001/offers/7001/letters",
				"/applications/9001/offers/7001/letters/302", "/applications/9001/offers/7002/letters",
				"/applications/9001/offers/7001/notes",
				"/applications/9001/offers/7002/notes", "/applicants/4711/notes", "/applicants/4713/notes",
				"/applications/9001/scores",
				"/applications/9002/scores", "/scoresheets", "/scoresheets/7", "/scoresheets/7/scores",
				"/scoresheets/6/scores/930"} {
				a := s.get(prefix+path).want(t, 200)
				if head := s.do("HEAD", prefix+path, "").want(t, 200); head.header.Get("X-Count") != a.header.Get("X-Count") ||
					head.header.Get("ETag") != strings.Replace(a.header.Get("ETag"), "-gzip", "", 1) || head.body != "" {
					t.Errorf("HEAD %s%s: %v", prefix, path, head.header)
				}
				if a.header.Get("ETag") == "" && !strings.HasSuffix(path, "/scoresheets/7/scores") ||
					a.header.Get("Content-Type") != "application/json" {
					t.Errorf("%s%s: %v", prefix, path, a.header)
				}
				fmt.Fprintf(&b, "GET %s%s\nX-Count: %s\n%s\n\n", prefix, path, a.header.Get("X-Count"),
					strings.ReplaceAll(a.body, `,"`, ",\n\""))
			}
			name := strings.TrimPrefix(strings.TrimPrefix(prefix, "/api"), "/")
			if name == "" {
				name = "unversioned"
			}
			golden(t, "offers-"+name, b.String())
		}
	})
}

func TestOffersAbsent(t *testing.T) {
	onEach(t, func(t *testing.T, s *service) {
		putOffers(s)
		strict := header("Prefer", "handling=strict")
		for _, path := range []string{"/applications/9001/offers/7003", "/applications/9001/offers/1",
			"/applications/9002/offers/7001",
			"/applications/9003/offers", "/applications/9003/offers/7003", "/applications/9003/scores", "/applications/1/offers",
			"/applicants/4712/notes", "/applicants/1/notes", "/applications/9001/offers/7002/attachments/1001",
			"/applications/9001/offers/7001/attachments/1003", "/applications/9001/offers/7002/letters/301",
			"/applications/9001/offers/7001/letters/303"} {
			for _, prefix := range []string{"/api/v10", defaultPath("")} {
				s.get(prefix+path).want(t, 404).problem(t, "not-found")
				s.get(prefix+path+"?x=1", strict).want(t, 404).problem(t, "not-found")
				s.do("HEAD", prefix+path, "").want(t, 404)
			}
		}
		for _, below := range []string{"/type", "/subject", "/comments", "/decision", "/score/extra", "/notes",
			"/attachments", "/letters"} {
			for _, offer := range []string{"/applications/9003/offers/7003", "/applications/9002/offers/7001",
				"/applications/9001/offers/7009"} {
				s.get(v10(offer+below)).want(t, 404).problem(t, "not-found")
			}
			path := v10("/applications/9001/offers/7001" + below)
			if a := s.get(path+"?expand=*").want(t, 200); a.header.Get("Ignored-Parameters") != "expand" {
				t.Errorf("%s: %v", path, a.header)
			}
			s.get(path+"?expand=*", strict).want(t, 400).problem(t, "invalid-parameter")
		}
		for _, path := range []string{"/applications/9001/offers", "/applications/9001/offers/7001",
			"/applications/9001/scores", "/applicants/4711/notes"} {
			s.get(v10(path)+"?limit=1", strict).want(t, 400).problem(t, "invalid-parameter")
		}
		s.get(v10("/applications/9001/offers/x")).want(t, 400).problem(t, "invalid-id")
		s.get(v10("/applications/9001/offers/7001/score")).want(t, 404).problem(t, "no-such-path")
		s.get(v10("/applications/9001/scores/930")).want(t, 404).problem(t, "no-such-path")
	})
}

// However many offers and notes there are, the statements are the same.
func TestOfferStatements(t *testing.T) {
	onEach(t, func(t *testing.T, s *service) {
		putOffers(s)
		putScores(s)
		count := func() (list []int64) {
			for _, path := range []string{"/api/v10/applications/9001/offers", defaultPath("/applications/9001/offers"),
				"/api/v10/applications/9001/scores",
				"/api/v10/scoresheets", "/api/v10/scoresheets/6/scores", "/api/v10/applications/9001/offers/7001/notes"} {
				before := s.store.Statements()
				s.get(path).want(t, 200)
				list = append(list, s.store.Statements()-before)
			}
			return list
		}
		count() // what is remembered about the key
		few := count()
		for i := range 30 {
			s.put(fmt.Sprintf("INSERT INTO course (id, status, updated, institution_id, name) VALUES (%d, 'Online', 1, 1, 'C')",
				2000+i),
				fmt.Sprintf(`INSERT INTO offer (id, application_id, applicant_id, course_id, institution_id, priority, inserted, type_id)
					VALUES (%d, 9001, 4711, %d, 1, 3, 1, 2)`, 8000+i, 2000+i),
				fmt.Sprintf("INSERT INTO note (offer_id, created, text) VALUES (%d, 1, 'N')", 8000+i),
				fmt.Sprintf(`INSERT INTO scoresheet (id, created, name, type, maps, depth, range_min, range_max, scale)
					VALUES (%d, 1, 'S', 'Mapped', '[{"label":"A","value":10000}]', 'Offer', 0, 10, 2)`, 100+i),
				fmt.Sprintf("INSERT INTO score (scoresheet_id, application_id, offer_id) VALUES (%d, 9001, %d), (6, 9001, %d)",
					100+i, 8000+i, 8000+i))
		}
		if diff := cmp.Diff(few, count()); diff != "" {
			t.Fatalf("statements (-few +many): %s", diff)
		}
	})
}
