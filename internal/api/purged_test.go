package api_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/services"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/store/db"
	"github.com/admitto/admitto/internal/store/sqltest"
	"github.com/admitto/admitto/internal/store/storetest"
	"github.com/admitto/admitto/internal/usecase"
	"github.com/google/go-cmp/cmp"
)

// peeter is the administrator of the contract's examples.
func peeter() usecase.Caller {
	return usecase.Caller{Caller: admitto.AdministratorCaller(3, admitto.AllPermissions(), "")}
}

// Logins and purged resources come in pages, oldest first, with a key that tells of the pages.
func TestPages(t *testing.T) {
	onBoth(t, func(t *testing.T, s *service) {
		empty := `{"pages":{"total":0,"current":1,"prev":null,"next":null,"items":{"current":0,"total":0}}}`
		for _, path := range []string{"/api/v10/logins", "/api/v8/purged-resources"} {
			if a := s.get(path).want(t, 200); a.body != empty || a.header.Get("X-Count") != "0" {
				t.Errorf("%s: %s, %v", path, a.body, a.header)
			}
		}
		s.get("/api/v7/purged-resources").want(t, 404)
		for i := range 214 {
			l := admitto.Login{IP: "192.0.2.7", Administrator: 3, Role: 2, RoleName: "Admissions administrator",
				Result: admitto.LoginSuccess}
			if i == 1 {
				l = admitto.Login{IP: "2001:db8::1", Result: admitto.LoginWrongPassword}
			}
			err := s.store.Write(t.Context(), func(tx *store.Tx) error {
				l.Logged = tx.Now()
				_, err := tx.InsertLogin(&l)
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
			s.clock.Add(admitto.Minute)
		}
		first := s.show(t, "/api/v10/logins?bySince=1&byUntil=2")
		delete(first, "pages")
		want := map[string]any{
			"1": map[string]any{"id": 1.0, "logged": "2026-03-09T09:00:00+00:00", "ip": "192.0.2.7",
				"administrator": "/api/v10/administrators/3",
				"roleId":        2.0, "role": "Admissions administrator", "result": "Success"},
			"2": map[string]any{"id": 2.0, "logged": "2026-03-09T09:01:00+00:00", "ip": "2001:db8::1", "administrator": nil,
				"roleId": nil, "role": nil,
				"result": "Wrong password"}}
		if diff := cmp.Diff(want, first); diff != "" {
			t.Error(diff)
		}
		for version, field := range map[string]string{oldestVersion: "ipv4", "v7": "ipv4", "v8": "ip"} {
			one := s.show(t, "/api/"+version+"/logins?byUntil=1")["1"].(map[string]any)
			if one[field] != "192.0.2.7" || len(one) != 7 {
				t.Errorf("%s: %v", version, one)
			}
		}
		for _, c := range []struct {
			query, pages string
			first, n     int
		}{
			{"", `{"total":3,"current":1,"prev":null,"next":2,"items":{"current":100,"total":214}}`, 1, 100},
			{"?page=2", `{"total":3,"current":2,"prev":1,"next":3,"items":{"current":100,"total":214}}`, 101, 100},
			{"?page=3", `{"total":3,"current":3,"prev":2,"next":null,"items":{"current":14,"total":214}}`, 201, 14},
			{"?page=4", `{"total":3,"current":4,"prev":3,"next":null,"items":{"current":0,"total":214}}`, 0, 0},
			{"?page=99999999999999999999",
				`{"total":3,"current":9223372036854775807,"prev":3,"next":null,"items":{"current":0,"total":214}}`, 0, 0},
			{"?bySince=200", `{"total":1,"current":1,"prev":null,"next":null,"items":{"current":15,"total":15}}`, 200, 15},
			{"?byUntil=0", `{"total":0,"current":1,"prev":null,"next":null,"items":{"current":0,"total":0}}`, 0, 0},
			{"?bySince=2026-03-09T12:30:00Z", `{"total":1,"current":1,"prev":null,"next":null,"items":{"current":4,"total":4}}`,
				211, 4},
			{"?byUntil=2026-03-09T09:01:00Z", `{"total":1,"current":1,"prev":null,"next":null,"items":{"current":2,"total":2}}`,
				1, 2},
			{"?byUntil=2026-03-08", `{"total":0,"current":1,"prev":null,"next":null,"items":{"current":0,"total":0}}`, 0, 0},
		} {
			a := s.get("/api/v10/logins"+c.query).want(t, 200)
			if !strings.HasSuffix(a.body, `"pages":`+c.pages+"}") {
				t.Errorf("%s: %s", c.query, a.body[max(0, len(a.body)-200):])
			}
			if o := a.object(t); len(o) != c.n+1 || c.n > 0 && (o[fmt.Sprint(c.first)] == nil ||
				o[fmt.Sprint(c.first+c.n-1)] == nil) {
				t.Errorf("%s: %d entries", c.query, len(o)-1)
			}
			if head := s.do("HEAD", "/api/v10/logins"+c.query, "").want(t,
				200); head.header.Get("X-Count") != a.header.Get("X-Count") {
				t.Errorf("HEAD %s: %v", c.query, head.header)
			}
		}
		for _, query := range []string{"page=0", "page=-1", "page=x", "page=1.5", "page=", "bySince=x", "page=1&page=2",
			"byUntil=2026-13-01"} {
			s.get("/api/v10/logins?"+query).problem(t, "invalid-parameter")
		}
		both := s.get("/api/v10/purged-resources?page=0&bySince=x").problem(t, "invalid-parameter")
		if len(both["errors"].([]any)) != 2 {
			t.Error(both)
		}
		s.clock.Add(401 * admitto.Day)
		if err := s.services.Maintenance.Tidy(t.Context(), admitto.SystemCaller()); err != nil {
			t.Fatal(err)
		}
		if n := s.get("/api/v10/logins").header.Get("X-Count"); n != "0" {
			t.Errorf("%s logins after their time", n)
		}
	}, inContract)
}

// below are the paths about applicant 4711 and what hangs on it.
var below = []string{"/applicants/4711", "/applicants/4711/photo", "/applicants/4711/emails", "/applicants/4711/notes",
	"/applicants/4711/reference",
	"/applicants/4711/trackers/14", "/applicants/4711/applications/9001", "/applicants/4711/wishes/61",
	"/applicants/4711/invoices",
	"/applications/9001", "/applications/9001/offers", "/applications/9001/offers/7001",
	"/applications/9001/offers/7001/letters",
	"/applications/9001/tasks/410", "/applications/9001/documents", "/applications/9001/documents/222",
	"/applications/9001/pdf",
	"/applications/9001/exports/88", "/applications/9001/scores", "/scoresheets/6/scores/930",
	"/scoresheets/6/scores/930/points"}

// A deleted applicant is gone at once with everything below, but the invoices; it comes back whole.
func TestDeleteAndRestore(t *testing.T) {
	onBoth(t, func(t *testing.T, s *service) {
		lists := func() map[string]string {
			seen := map[string]string{}
			for _, path := range []string{"/applicants", "/applications", "/applicants?byTrackers=FAIR-BUD",
				"/scoresheets/6/scores", "/rankings/2/entries",
				"/applicants?byCitizenships=HU", "/tableviews/22/tabledata", "/invoices", "/invoices/transactions"} {
				a := s.get(v10(path)).want(t, 200)
				seen[path] = a.header.Get("X-Count") + " " + a.body
			}
			return seen
		}
		before := lists()
		for _, path := range below {
			s.get(v10(path)).want(t, 200)
		}
		for _, by := range []usecase.Caller{{Caller: admitto.SystemCaller()},
			{Caller: admitto.KeyCaller(1, admitto.AllPermissions(), "")}, {Caller: admitto.ApplicantCaller(4711, "")}} {
			s.leavesNoTrace(t, func() {
				if err := s.services.Privacy.DeleteApplicant(t.Context(), by, 4711); admitto.KindOf(err) != admitto.NotPermitted {
					t.Error(err)
				}
				if err := s.services.Privacy.RestoreApplicant(t.Context(), by, 4711,
					""); admitto.KindOf(err) != admitto.NotPermitted {
					t.Error(err)
				}
			})
		}
		s.leavesNoTrace(t, func() {
			if err := s.services.Privacy.RestoreApplicant(t.Context(), peeter(), 4711,
				""); admitto.KindOf(err) != admitto.NotFound {
				t.Error(err)
			}
			if err := s.services.Privacy.DeleteApplicant(t.Context(), peeter(), 9999); admitto.KindOf(err) != admitto.NotFound {
				t.Error(err)
			}
		})
		last := s.lastEvent(t)
		if err := s.services.Privacy.DeleteApplicant(t.Context(), peeter(), 4711); err != nil {
			t.Fatal(err)
		}
		s.wantEvents(t, last, "Applicant was deleted applicant=4711 by administrator")
		if err := s.services.Privacy.DeleteApplicant(t.Context(), peeter(), 4711); admitto.KindOf(err) != admitto.NotFound {
			t.Error(err)
		}
		for _, path := range below {
			s.get(v10(path)).want(t, 404)
		}
		s.do("PUT", v10("/applicants/4711/reference"), `"X-1"`).want(t, 404)
		s.do("PUT", v10("/applications/9001/offers/7001/decision"), `"Final"`).want(t, 404)
		after := lists()
		for _, path := range []string{"/applicants", "/applications", "/applicants?byTrackers=FAIR-BUD",
			"/scoresheets/6/scores", "/rankings/2/entries", "/applicants?byCitizenships=HU"} {
			if after[path] == before[path] || strings.Contains(after[path], "4711") || strings.Contains(after[path], "9001") {
				t.Errorf("%s still tells: %s", path, after[path])
			}
		}
		if strings.Contains(after["/tableviews/22/tabledata"], "Ilse") || !strings.Contains(after["/invoices"], `"2001"`) ||
			before["/invoices/transactions"] != after["/invoices/transactions"] {
			t.Error("the tableview still tells, or an invoice is gone")
		}
		s.verifyCounters(t)
		// The address and the reference are free.
		other := s.create(t, "email=ILSE.VARGA@example.org&name=Else&reference=CRM-20817")
		var taken *admitto.Error
		s.leavesNoTrace(t, func() {
			err := s.services.Privacy.RestoreApplicant(t.Context(), peeter(), 4711, "")
			if !errors.As(err, &taken) || taken.Kind != admitto.AlreadyExists ||
				fmt.Sprintf("/applicants/%d", taken.Existing) != other {
				t.Errorf("%+v", err)
			}
			for _, address := range []string{"kim.dijk@example.org", "Ilse.Varga@example.org"} {
				if err := s.services.Privacy.RestoreApplicant(t.Context(), peeter(), 4711,
					address); admitto.KindOf(err) != admitto.AlreadyExists {
					t.Error(err)
				}
			}
			if err := s.services.Privacy.RestoreApplicant(t.Context(), peeter(), 4711,
				"nonsense"); admitto.KindOf(err) != admitto.InvalidParameter {
				t.Error(err)
			}
		})
		last = s.lastEvent(t)
		if err := s.services.Privacy.RestoreApplicant(t.Context(), peeter(), 4711, "ilse2@example.org"); err != nil {
			t.Fatal(err)
		}
		s.wantEvents(t, last, "Applicant was restored applicant=4711 by administrator",
			"Applicant reference was cleared applicant=4711 by administrator")
		for _, path := range below {
			s.get(v10(path)).want(t, 200)
		}
		if a := s.show(t, v10("/applicants/4711")); a["email"] != "ilse2@example.org" || a["reference"] != nil &&
			a["reference"] != "" {
			t.Error(a)
		}
		s.verifyCounters(t)

		// Back and forth leaves what was there.
		if err := s.services.Privacy.DeleteApplicant(t.Context(), peeter(), 4713); err != nil {
			t.Fatal(err)
		}
		if err := s.services.Privacy.RestoreApplicant(t.Context(), peeter(), 4713, ""); err != nil {
			t.Fatal(err)
		}
		if got := lists(); got["/applicants?byTrackers=web"] != before["/applicants?byTrackers=web"] {
			t.Error("not whole again")
		}
		s.verifyCounters(t)
	}, inContract)
}

func (s *service) verifyCounters(t testing.TB) {
	t.Helper()
	if err := s.store.Read(t.Context(), func(tx *store.Tx) error { return tx.VerifyCounters() }); err != nil {
		t.Error(err)
	}
}

// Erasing leaves numbers only: nothing in the database tells of the person, the journal still verifies, invoices that
// must stay are detached, and no ID is given out again, also after a restart.
func TestErase(t *testing.T) {
	storetest.Migrated.BySize(t, func(t *testing.T, url string, o db.Options) {
		s := newService(t, url, o, inContract)
		s.putAt(
			`DELETE FROM application_content WHERE application_id = 9002`, // somebody else's, with the same text
			`INSERT INTO invoice (id, type, nr, series_id, applicant_id, application_id, issued, deadline, currency, total, payer_name)
				VALUES (2003, 'Invoice', '10', 1, 4711, NULL, 1, '2026-12-01', 'EUR', 100, 'Ilse Varga')`,
			`INSERT INTO invoice_number (series_id, period, number, nr, issued, invoice_id) VALUES (1, '', 10, '10', 1, 2003)`)
		// Something that is kept for Idempotency-Key, and something in the details of the journal.
		s.do("POST", v10("/applicants/4711/notes"), "notes=Ilse+Varga+rang",
			header("Content-Type", "application/x-www-form-urlencoded"), header("Idempotency-Key", "k1")).want(t, 201)
		s.do("PUT", v10("/applicants/4711/matriculation"), `"Ilse-Varga"`).want(t, 204)
		photo := s.first(t, "SELECT hash FROM applicant_photo WHERE applicant_id = 4711")
		if err := s.services.Privacy.DeleteApplicant(t.Context(), peeter(), 4711); err != nil {
			t.Fatal(err)
		}
		s.clock.Add(12*admitto.Hour - 1)
		s.leavesNoTrace(t, func() {
			if err := s.services.Privacy.EraseDeleted(t.Context(), admitto.SystemCaller()); err != nil {
				t.Fatal(err)
			}
		})
		s.clock.Add(1)
		last := s.lastEvent(t)
		s.together(t, func(o *services.Services) error {
			return o.Privacy.EraseDeleted(context.Background(), admitto.SystemCaller())
		})
		s.wantEvents(t, last, "Applicant was erased applicant=4711 by system",
			"Invoice was detached applicant=4711 by system",
			"Invoice was deleted applicant=4711 by system")
		if err := s.services.Privacy.RestoreApplicant(t.Context(), peeter(), 4711,
			""); admitto.KindOf(err) != admitto.NotFound {
			t.Error(err)
		}
		for table, rows := range s.rows(t) {
			for line := range strings.SplitSeq(rows, "\n") {
				if table != "invoice" && (strings.Contains(line, "Ilse") || strings.Contains(line, "ilse.varga")) {
					t.Errorf("%s still tells: %s", table, line)
				}
			}
		}
		if n := s.first(t, "SELECT count(*) || '' FROM journal_detail d JOIN journal j ON j.id = d.journal_id WHERE j.applicant_id = 4711"); n != "0" {
			t.Errorf("%s details", n)
		}
		if n := s.first(t, "SELECT count(*) || '' FROM idempotency"); n != "0" {
			t.Errorf("%s kept answers", n)
		}
		detached := s.show(t, v10("/invoices/2001"))
		if detached["applicant"] != nil || detached["application"] != nil || detached["nr"] != "2026-17" {
			t.Error(detached)
		}
		s.get(v10("/invoices/2003")).want(t, 404)
		if void := s.first(t, "SELECT CASE WHEN void THEN 'void' ELSE '' END FROM invoice_number WHERE invoice_id = 2003"); void != "void" {
			t.Error("the number is not void")
		}
		if broken := s.verifyJournal(t); broken != "" {
			t.Error(broken)
		}
		s.verifyCounters(t)
		list := s.show(t, v10("/purged-resources"))
		marked := map[string]any{"at": "2026-03-09T09:00:00+00:00", "administrator": "/api/v10/administrators/3"}
		want := map[string]any{
			"1": map[string]any{"id": 4711.0, "type": "Applicant", "created": "2026-01-12T08:30:05+00:00",
				"request_to_be_forgotten": nil, "marked": marked, "purged": "2026-03-09T21:00:00+00:00"},
			"2": map[string]any{"id": 9001.0, "type": "Application", "created": "2026-01-12T09:00:00+00:00",
				"request_to_be_forgotten": nil, "marked": marked, "purged": "2026-03-09T21:00:00+00:00"}}
		delete(list, "pages")
		if diff := cmp.Diff(want, list); diff != "" {
			t.Error(diff)
		}
		// The bytes go when nobody refers to them.
		s.clock.Add(2 * admitto.Hour)
		if err := s.services.Maintenance.Tidy(t.Context(), admitto.SystemCaller()); err != nil {
			t.Fatal(err)
		}
		if _, _, err := s.files.Open(t.Context(), photo); admitto.KindOf(err) != admitto.NotFound {
			t.Errorf("the photo is still there: %v", err)
		}

		// The newest of everything is erased, and the instance started again: no ID comes back.
		ids := func(s *service) (list [3]int64) {
			fmt.Sscan(s.first(t, "SELECT max(id) || '' FROM applicant"), &list[0])
			for i, table := range []string{"note", "email"} {
				fmt.Sscan(s.first(t, fmt.Sprintf("SELECT coalesce(max(id), 0) || '' FROM %s WHERE applicant_id = %d", table,
					list[0])), &list[i+1])
			}
			return list
		}
		s.create(t, "email=new@example.org&name=New&notes=Something")
		highest := ids(s)
		if err := s.services.Privacy.DeleteApplicant(t.Context(), peeter(), highest[0]); err != nil {
			t.Fatal(err)
		}
		s.clock.Add(admitto.Day)
		if err := s.services.Privacy.EraseDeleted(t.Context(), admitto.SystemCaller()); err != nil {
			t.Fatal(err)
		}
		if left := ids(s); left[0] >= highest[0] || highest[1] == 0 || highest[2] == 0 {
			t.Fatalf("%v are left of %v", left, highest)
		}
		s.store.Close()
		again := newService(t, url, o, func(o *options) { o.clock = s.clock })
		again.create(t, "email=newer@example.org&name=Newer&notes=Something")
		if got := ids(again); got[0] <= highest[0] || got[1] <= highest[1] || got[2] <= highest[2] {
			t.Errorf("IDs %v after %v", got, highest)
		}
	})
}

// first reads one text.
func (s *service) first(t testing.TB, sql string) (text string) {
	t.Helper()
	err := s.store.Read(t.Context(), func(tx *store.Tx) error {
		rows := sqltest.In(tx).Query(sql)
		if rows.Next() {
			text = rows.Text(0)
		}
		return rows.Close()
	})
	if err != nil {
		t.Fatal(sql, err)
	}
	return text
}

// verifyJournal tells what is wrong with the chain, "" for nothing.
func (s *service) verifyJournal(t testing.TB) (reason string) {
	t.Helper()
	err := s.store.Read(t.Context(), func(tx *store.Tx) (err error) {
		_, reason, err = tx.VerifyJournal(1, 0, func(int64) {})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return reason
}
