package api_test

import (
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/store/load"
	"github.com/admitto/admitto/internal/store/sqltest"
)

// history records twelve events, a second and a fraction apart, the first one being the key of the test:
// 2 3 about applicants 7 and 8, 4 to 6 about offers of type 7 and 8 of application 70, 7 to 12 mails.
func history(t testing.TB, s *service) {
	t.Helper()
	key := admitto.Actor{Kind: admitto.ByKey, ID: s.keyID}
	staff := admitto.Actor{Kind: admitto.ByAdministrator, ID: 3}
	offer := admitto.Links{Administrator: 3, Applicant: 7, Application: 70, Course: 55, Institution: 1, Offer: 700}
	events := []admitto.Event{
		{Pattern: admitto.ApplicantWasCollected, Links: admitto.Links{Applicant: 7}},
		{Pattern: admitto.ApplicantWasCollected, Links: admitto.Links{Applicant: 8}},
		{Pattern: "Offer was edited: ?", Bind: []string{"7"}, Links: offer},
		{Pattern: "Offer was confirmed: ?", Bind: []string{"7"}, Links: offer},
		{Pattern: "Offer was edited: ?", Bind: []string{"8"}, Links: offer},
	}
	for range 6 {
		events = append(events, admitto.Event{Pattern: admitto.EmailSent, Bind: []string{"offer-letter"},
			Links: admitto.Links{Applicant: 7, Application: 71}})
	}
	for i, e := range events {
		s.clock.Add(admitto.Second + 100*1000)
		actor := key
		if i >= 2 && i <= 4 {
			actor = staff
		}
		err := s.store.Write(t.Context(), func(tx *store.Tx) error { tx.Record(actor, e); return nil })
		if err != nil {
			t.Fatal(err)
		}
	}
	s.insert(t, load.ApplicantRow{EmailKey: "seven", Applicant: admitto.Applicant{ID: 7, State: admitto.ApplicantLive,
		Registered: start}})
	err := s.store.Write(t.Context(), func(tx *store.Tx) error {
		for i := range int64(2) {
			if _, err := sqltest.In(tx).Exec("INSERT INTO academic_term (id, year, name, type, start, grace, finish) VALUES ($1, $2, 'T', 1, '2026-09-01', '2026-09-01', '2027-01-31')",
				4+i, 2026+i); err != nil {
				return err
			}
			if _, err := sqltest.In(tx).Exec("INSERT INTO application (id, applicant_id, academic_term_id, status, created, revised) VALUES ($1, 7, $2, 'Draft', $3, $3)",
				70+i, 4+i, start); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestJournal(t *testing.T) {
	all := "1 2 3 4 5 6 7 8 9 10 11 12"
	onBoth(t, func(t *testing.T, s *service) {
		history(t, s)
		for _, c := range []struct {
			query string
			want  string // IDs, or "!" and the faults
		}{
			{"", all},
			{"byEvents=Applicant was collected", "2 3"},
			{"byEvents=Applicant was collected,Offer was edited: ?", "2 3 4 6"},
			{"byEvents= Applicant was collected , ,Offer was confirmed: ?", "2 3 5"},
			{"byEvents=Offer was edited: 7", "4"},
			{"byEvents=Offer was edited: 8,Offer was edited: 9", "6"},
			{"byEvents=Offer was edited: 9", ""},
			{"byEvents=Offer was edited: Nominated", "!byEvents"},
			{"byEvents=Offer was confirmed: 07", "!byEvents"},
			{"byEvents=Offer letter was sent again: x,Offer was edited: y", "!byEvents byEvents"},
			{"byEvents=Offer was edited: ?&byEvents=Offer was confirmed: 7", "4 5 6"},
			{"byEvents[]=Offer was edited: ?&byEvents[]=Applicant was collected", "2 3 4 6"},
			{"byEvents=E-mail was sent: offer-letter", "7 8 9 10 11 12"},
			{"byEvents=E-mail was sent: Nominated", ""},
			{"byEvents=applicant was collected", ""},
			{"byEvents=Nothing of the kind", ""},
			{"byEvents=" + strings.Repeat("x", 300), ""},
			{"byEvents=Nothing of the kind,Applicant was collected", "2 3"},
			{"byEvents=Applicant", ""},
			{"byEvents=", "!byEvents"},
			{"byEvents=,", "!byEvents"},
			{"byEvents=a%00b", "!byEvents"},
			{"bySince=11", "11 12"},
			{"bySince=0", all},
			{"bySince=13", ""},
			{"bySince=x", "!bySince"},
			{"bySince=", "!bySince"},
			{"bySince=1000000000000000000", "!bySince"},
			{"bySince=2026-03-09T09:00:02Z", "3 4 5 6 7 8 9 10 11 12"},
			{"byUntil=2026-03-09T09:00:02+00:00", "1 2 3"},
			{"bySince=2026-03-09T09:00:02Z&byUntil=2026-03-09T09:00:02Z", "3"},
			{"bySince=2026-03-09&byUntil=2026-03-09", all},
			{"bySince=2026-03-10", ""},
			{"byUntil=2026-03-08", ""},
			{"byUntil=2", "1 2"},
			{"byUntil=0", ""},
			{"byUntil=999999999999999999", all},
			{"byUntil=-1", "!byUntil"},
			{"bySince=5&byUntil=2026-03-09T09:00:05Z", "5 6"},
			{"byAcademicYear=2026", "4 5 6"},
			{"byAcademicYear=2026,2027", "4 5 6 7 8 9 10 11 12"},
			{"byAcademicYear=2026&byAcademicYear=2027", "4 5 6 7 8 9 10 11 12"},
			{"byAcademicYear=1999", ""},
			{"byAcademicYear=26", "!byAcademicYear"},
			{"byAcademicYear=2101", "!byAcademicYear"},
			{"byAcademicYear=1899", "!byAcademicYear"},
			{"byAcademicYear=", "!byAcademicYear"},
			{"byAcademicTermID=4", "4 5 6"},
			{"byAcademicTermID=6", ""},
			{"byAcademicTermID=x", "!byAcademicTermID"},
			{"byAcademicTermID=4&byAcademicYear=2027", ""},
			{"byApplicantIDs=8", "3"},
			{"byApplicantIDs=8 7", "2 3 4 5 6 7 8 9 10 11 12"},
			{"byApplicantIDs=99", ""},
			{"byApplicantIDs=a", "!byApplicantIDs"},
			{"byApplicationIDs=70", "4 5 6"},
			{"byApplicationIDs=70,71,72", "4 5 6 7 8 9 10 11 12"},
			{"byApplicationIDs=", "!byApplicationIDs"},
			{"byApplicantIDs=7&byApplicationIDs=70&byEvents=Offer was edited: ?&bySince=5&byUntil=2026-03-09&byAcademicYear=2026&byAcademicTermID=4", "6"},
			{"order=newest-first", "12 11 10 9 8 7 6 5 4 3 2 1"},
			{"order=oldest-first", all},
			{"order=Newest-First", "12 11 10 9 8 7 6 5 4 3 2 1"},
			{"order=", all},
			{"order=sideways", "!order"},
			{"order=desc", "!order"},
			{"order=newest-first&order=newest-first", "!order"},
			{"order=newest-first&byApplicantIDs=7,8&byUntil=4", "4 3 2"},
			{"order=newest-first&byEvents=Applicant was collected,Offer was edited: ?", "6 4 3 2"},
			{"limit=0", "!limit"},
			{"limit=-5", "!limit"},
			{"limit=x", "!limit"},
			{"limit=2", "1 2"},
			{"limit=2000", all},
			{"limit=99999999999999999999", all},
			{"limit=3&order=newest-first", "12 11 10"},
			{"after=10", "11 12"},
			{"after=12", ""},
			{"after=3&order=newest-first", "2 1"},
			{"after=1&order=newest-first", ""},
			{"after=999999999999999999&order=newest-first&limit=1", "12"},
			{"after=0", "!after"},
			{"after=x", "!after"},
			{"bySince=x&byUntil=x&byEvents=&byAcademicYear=x&byAcademicTermID=x&byApplicantIDs=x&byApplicationIDs=x&limit=x&after=x",
				"!bySince byUntil byEvents byAcademicYear byAcademicTermID byApplicantIDs byApplicationIDs limit after"},
			{"byevents=x&byApplicantID=5", all},
		} {
			t.Run(c.query[:min(60, len(c.query))], func(t *testing.T) {
				query := strings.ReplaceAll(c.query, " ", "+")
				a, head := s.get(v10("/journal?"+query)), s.do("HEAD", v10("/journal?"+query), "")
				if head.status != a.status || head.body != "" || head.header.Get("X-Count") != a.header.Get("X-Count") {
					t.Fatalf("HEAD %d %v, GET %d %v", head.status, head.header, a.status, a.header)
				}
				if faults, bad := strings.CutPrefix(c.want, "!"); bad {
					a.want(t, 400).problem(t, "invalid-parameter")
					a.wantFaults(t, faults)
					return
				}
				ids := strings.Trim(fmt.Sprint(a.want(t, 200).ids(t)), "[]")
				if ids != c.want {
					t.Fatalf("%s, want %s", ids, c.want)
				}
				if n := len(strings.Fields(ids)); !strings.Contains(query, "limit=") && !strings.Contains(query, "after=") &&
					a.header.Get("X-Count") != strconv.Itoa(n) {
					t.Fatalf("X-Count %s of %d", a.header.Get("X-Count"), n)
				}
				if ids == "" && a.body != "{}" || head.header.Get("Content-Length") != "" ||
					head.header.Get("Link") != a.header.Get("Link") {
					t.Fatalf("%q, HEAD %v", a.body, head.header)
				}
			})
		}
		strict := header("Prefer", "handling=strict")
		s.get(v10("/journal?byEvents=Nothing,Offer+was+edited:+7,Nonsense&foo=1"), strict).want(t, 400).wantFaults(t,
			"byEvents byEvents foo")
		s.get(v10("/journal?byEvents=Offer+was+edited:+7"), strict).want(t, 200)
		if got := s.get(v10("/journal?foo=1")).header.Get("Ignored-Parameters"); got != "foo" {
			t.Errorf("Ignored-Parameters %q", got)
		}
		// Before version 4 offer types go by their titles, so a word is no fault.
		for _, path := range prefixesTo(3) {
			s.get(path+"/journal?byEvents=Offer+was+edited:+Nominated").want(t, 200)
		}
		for _, path := range []string{"/api/v4", "/api/v9"} {
			s.get(path+"/journal?byEvents=Offer+was+edited:+Nominated").want(t, 400)
		}
	})
}

func TestJournalRecord(t *testing.T) {
	onEach(t, func(t *testing.T, s *service) {
		history(t, s)
		for _, prefix := range []string{"/api", "/api/v4", "/api/v10"} {
			want := strings.ReplaceAll(`{"4":{"id":4,"logged":"2026-03-09T09:00:03+00:00","event":"Offer was edited: 7","pattern":"Offer was edited: ?","bind":["7"],"administrator":"V/administrators/3","applicant":"V/applicants/7",`+
				`"application":"V/applications/70","course":"V/courses/55","institution":"V/institutions/1","invoice":null,"offer":"V/applications/70/offers/700","document":null,"flag":null,"tracker":null}}`, "V", prefix)
			if got := s.get(prefix + "/journal?bySince=4&byUntil=4"); prefix != "/api" && got.body != want {
				t.Errorf("%s, want %s", got.body, want)
			} else if !strings.Contains(got.body, prefix+"/applications/70/offers/700") {
				t.Errorf("%s", got.body)
			}
		}
		s.do("POST", v10("/journal"), "").want(t, 405)
		s.get(v10("/journal/4")).want(t, 404)
	})
}

// Pages of the journal in both orders, and no page above 1024.
func TestJournalPages(t *testing.T) {
	onBoth(t, func(t *testing.T, s *service) {
		history(t, s)
		err := s.store.Write(t.Context(), func(tx *store.Tx) error {
			for range 2000 {
				tx.Record(admitto.System(), admitto.Event{Pattern: admitto.EmailSent, Bind: []string{"x"}})
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range []struct{ query, pages, count string }{
			{"", "1..1024 1025..2012", "2012"},
			{"limit=2000", "1..1024 1025..2012", "2012"},
			{"limit=1000", "1..1000 1001..2000 2001..2012", "2012"},
			{"order=newest-first", "2012..989 988..1", "2012"},
			{"order=newest-first&bySince=3&limit=2", "2012..2011", "2010"},
			{"order=newest-first&byUntil=6&limit=2", "6..5 4..3 2..1", "6"},
			{"order=newest-first&byUntil=7&limit=2&byApplicantIDs=7,8", "7..6 5..4 3..2", "6"},
			{"order=newest-first&limit=900&byEvents=E-mail+was+sent:+?", "2012..1113 1112..213 212..7", "2006"},
			{"limit=3&byEvents=Offer+was+edited:+7,Offer+was+confirmed:+?,Applicant+was+collected", "2..4 5..5", "4"},
		} {
			var pages []string
			for path := v10("/journal?" + c.query); path != "" && len(pages) < len(strings.Fields(c.pages)); {
				a := s.get(path).want(t, 200)
				ids := a.ids(t)
				sorted := slices.Clone(ids)
				slices.Sort(sorted)
				if strings.Contains(c.query, "newest") {
					slices.Reverse(sorted)
				}
				if !slices.Equal(ids, sorted) || a.header.Get("X-Count") != c.count {
					t.Errorf("%s: X-Count %s, want %s, IDs %v", path, a.header.Get("X-Count"), c.count, ids)
				}
				pages = append(pages, fmt.Sprintf("%d..%d", ids[0], ids[len(ids)-1]))
				if head := s.do("HEAD", path, "").want(t, 200); head.next(t) != a.next(t) {
					t.Errorf("%s: HEAD %s, GET %s", path, head.next(t), a.next(t))
				}
				path = a.next(t)
				if u, err := url.Parse(path); err != nil || path != "" && u.Path != "/api/v10/journal" {
					t.Errorf("next %q", path)
				}
			}
			if got := strings.Join(pages, " "); got != c.pages {
				t.Errorf("%s: %s, want %s", c.query, got, c.pages)
			}
		}
	})
}
