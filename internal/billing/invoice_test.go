package billing_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/billing"
	"github.com/admitto/admitto/internal/config"
	"github.com/admitto/admitto/internal/message"
	"github.com/admitto/admitto/internal/services/servicestest"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/usecase"
)

// fee is an invoice over 10.00.
func fee() billing.NewInvoice {
	return billing.NewInvoice{Items: []admitto.InvoiceItem{{Item: "Fee", Price: 10_00, Qty: 1_00}}}
}

// 200 invoices are issued at once on several applications, and three of ten transactions are rolled back behind the
// number: the others have the numbers from 1 without a hole, and the register has the same.
func TestNumbersWithoutGaps(t *testing.T) {
	servicestest.OnBoth(t, func(t *testing.T, d *servicestest.Desk) {
		const applications, calls = 8, 200
		d.Money(applications)
		other := d.Services
		if d.Store.Shared() { // another instance of the service
			connected := d.Connect()
			defer connected.Close()
			other = d.Another(connected, d.Post, nil)
		}
		var all sync.WaitGroup
		turns := make(chan struct{}, 16) // as many calls at once: what waits longer than the timeout is refused
		for i := range calls {
			instance := d.Services
			if i%2 == 1 {
				instance = other
			}
			all.Go(func() {
				turns <- struct{}{}
				defer func() { <-turns }()
				application := int64(1 + i%applications)
				if i%10 < 3 {
					by := servicestest.ByKey()
					by.Hook = failing{}
					if _, err := instance.Billing.IssueInvoice(t.Context(), by, billing.Debtor{Application: application},
						fee()); !errors.Is(err, errRolledBack) {
						t.Error(err)
					}
					return
				}
				if _, err := instance.Billing.IssueInvoice(t.Context(), servicestest.ByKey(),
					billing.Debtor{Application: application}, fee()); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		const made = calls * 7 / 10
		var want []string
		for n := 1; n <= made; n++ {
			want = append(want, fmt.Sprint(n))
		}
		for _, sql := range []string{
			"SELECT nr FROM invoice ORDER BY CAST(nr AS bigint)",
			"SELECT nr FROM invoice ORDER BY id",
			"SELECT nr FROM invoice_number WHERE NOT void ORDER BY number",
			"SELECT CAST(n.number AS text) FROM invoice_number n JOIN invoice i ON i.id = n.invoice_id AND i.nr = n.nr ORDER BY n.number",
		} {
			if got := d.Lines(sql); got != strings.Join(want, " ") {
				t.Errorf("%s gives %s", sql, got)
			}
		}
		if n := d.Number("SELECT last FROM invoice_counter WHERE period = ''"); n != made {
			t.Errorf("the counter is at %d", n)
		}
		if n := d.Number("SELECT count(*) FROM outbox"); n != made {
			t.Errorf("%d mails", n)
		}
	})
}

// The counter restarts with the year of the instance's zone, goes on when the format changes, and starts above the
// numbers from before the register.
func TestNumbersGoOn(t *testing.T) {
	servicestest.OnBoth(t, func(t *testing.T, d *servicestest.Desk) {
		d.Money(1)
		d.Put(`UPDATE invoice_series SET format = '%yearLong%-%incYearly%' WHERE id = 1`,
			`INSERT INTO invoice (id, type, nr, series_id, issued, deadline, currency, total, payer_name) VALUES
			(1, 'Invoice', '2026-41', 1, 1770000000000000, '2026-03-01', 'EUR', 1, 'A'), (2, 'Invoice', '2026-40', 1, 1770000000000000, '2026-03-01', 'EUR', 1, 'A'),
			(3, 'Invoice', '2025-90', 1, 1760000000000000, '2026-03-01', 'EUR', 1, 'A'), (4, 'Invoice', 'X-77', 1, 1770000000000000, '2026-03-01', 'EUR', 1, 'A'),
			(5, 'Invoice', '100', 1, 1770000000000000, '2026-03-01', 'EUR', 1, 'A')`)
		if err := d.Store.Write(t.Context(), func(tx *store.Tx) error { return tx.SkipIDs("invoice", 5) }); err != nil {
			t.Fatal(err)
		}
		next := func(format string, wait admitto.Time, want string) {
			t.Helper()
			if format != "" {
				d.Put("UPDATE invoice_series SET format = '" + format + "' WHERE id = 1")
			}
			d.Clock.Add(wait)
			i, err := d.Services.Billing.IssueInvoice(t.Context(), servicestest.ByKey(), billing.Debtor{Application: 1}, fee())
			if err != nil || i.Number != want {
				t.Errorf("%s, %v, want %s", i.Number, err, want)
			}
		}
		next("", 0, "2026-42")
		next("", 0, "2026-43")
		next("%inc:3%", 0, "091") // above every number ever given
		next("%yearLong%-%incYearly%", 0, "2026-92")
		next("%yearShort%%month%-%incMonthly%", 0, "2603-93")
		next("", 30*admitto.Day, "2604-1")
		next("%yearLong%-%incYearly%", 0, "2026-94")
		next("", 300*admitto.Day, "2027-1")
		next("%day%.%month%.%yearLong%/%incDaily:2%", 0, "02.02.2027/02")
		next("", admitto.Day, "03.02.2027/01")
		next("%inc%", 0, "95")
		next("20%inc%", 0, "2096")
		// A number that an earlier format gave already is passed over.
		d.Put("INSERT INTO invoice_number (series_id, period, number, nr, issued) VALUES (1, 'x', 1, 'N97', 1)")
		next("N%inc%", 0, "N98")
		if got := d.Lines("SELECT nr FROM invoice_number WHERE invoice_id IN (1, 2, 3, 4, 5) ORDER BY nr"); got != "2025-90 2026-40 2026-41" {
			t.Error(got)
		}
		// The day is that of the instance's time zone, which is 13 hours ahead here.
		east := d.Another(d.Store, d.Post, func(s *config.Settings) { s.Instance.Timezone = time.FixedZone("east", 13*3600) })
		d.Put("UPDATE invoice_series SET format = '%yearLong%-%month%-%day%/%incDaily%' WHERE id = 1")
		d.Clock.Add(5 * admitto.Hour)
		i, err := east.Billing.IssueInvoice(t.Context(), servicestest.ByKey(), billing.Debtor{Application: 1}, fee())
		if err != nil || i.Number != "2027-02-04/1" || i.Deadline.String() != "2027-02-18" {
			t.Error(i.Number, i.Deadline, err)
		}
		d.Put("UPDATE invoice_series SET format = 'broken' WHERE id = 1")
		if _, err := d.Services.Billing.IssueInvoice(t.Context(), servicestest.ByKey(), billing.Debtor{Application: 1},
			fee()); admitto.KindOf(err) != admitto.Internal {
			t.Error(err)
		}
	})
}

// The fees: who pays what, once, less the best reduction, until it lapses.
func TestFeesAreCharged(t *testing.T) {
	servicestest.OnBoth(t, func(t *testing.T, d *servicestest.Desk) {
		d.Money(3)
		d.Put(`INSERT INTO invoice_series (id, name, format, blocking) VALUES (2, 'Fees', 'F%inc%', TRUE)`,
			`INSERT INTO application_course (application_id, course_id, institution_id, course_type, priority, added) VALUES (1, 2, 1, '', 2, 1), (1, 3, 1, '', 3, 1)`,
			`INSERT INTO fee (id, name, type, automatic, causing, series_id, payment_days, all_courses) VALUES
			(1, 'Application fee', 'Appfee', 'application', 'course added', 2, 30, TRUE), (2, 'Tuition', 'Tuition', 'course', 'submitted', NULL, NULL, FALSE),
			(3, 'Paper', 'Appfee', 'none', 'course added', NULL, NULL, TRUE), (4, 'Free', 'Appfee', 'application', 'course added', 2, NULL, TRUE),
			(5, 'Elsewhere', 'Appfee', 'application', 'course added', 2, NULL, TRUE)`,
			`INSERT INTO fee_course (fee_id, course_id) VALUES (2, 2), (2, 3)`,
			`INSERT INTO fee_amount (fee_id, territory, currency, amount, basis) VALUES (1, '001', 'EUR', 8000, 'One-time'), (1, 'EU', 'EUR', 4000, 'One-time'),
			(2, 'HU', 'EUR', 150050, 'Year'), (3, '001', 'EUR', 100, 'Year'), (4, '001', 'EUR', 0, 'Year'), (5, 'US', 'USD', 100, 'Year')`,
			`INSERT INTO tracker (id, created, code, code_key, percent, amount, currency) VALUES (1, 1, 'TEN', 'ten', 1000, NULL, ''),
			(2, 1, 'FIVE', 'five', NULL, 500, 'EUR'), (3, 1, 'DOLLAR', 'dollar', NULL, 90000, 'USD'), (4, 1, 'NONE', 'none', NULL, NULL, '')`,
			`INSERT INTO applicant_tracker (tracker_id, applicant_id, assigned) VALUES (1, 1, 1), (2, 1, 1), (3, 1, 1), (4, 1, 1)`)
		charge := func(application int64, cause admitto.FeeCause) {
			t.Helper()
			if err := chargeAll(d, application, cause); err != nil {
				t.Fatal(err)
			}
		}
		want := func(sql, want string) {
			t.Helper()
			if got := d.Lines(sql); got != want {
				t.Errorf("%s\ngot  %s\nwant %s", sql, got, want)
			}
		}
		const all = `SELECT nr || '/' || application_id || '/' || coalesce(course_id, 0) || '/' || total || '/' || deadline || '/' || currency FROM invoice ORDER BY id`
		const items = `SELECT invoice_id || ':' || replace(item, ' ', '_') || '=' || price FROM invoice_item ORDER BY invoice_id, n`
		for range 2 { // once
			charge(1, admitto.FeeAtCourse)
		}
		want(all, "F1/1/0/3500/2026-04-08/EUR")
		want(items, "1:Application_fee=4000 1:Reduction_FIVE=-500")
		charge(1, admitto.FeeAtSubmission)
		charge(2, admitto.FeeAtSubmission) // has none of the courses
		want(all, "F1/1/0/3500/2026-04-08/EUR 1/1/2/135045/2026-03-23/EUR 2/1/3/135045/2026-03-23/EUR")
		want(items, "1:Application_fee=4000 1:Reduction_FIVE=-500 2:Tuition,_Wind=150050 2:Reduction_TEN=-15005 3:Tuition,_Water=150050 3:Reduction_TEN=-15005")
		if n := d.Number("SELECT count(*) FROM invoice WHERE automatic AND fee_id IS NOT NULL AND issuer_administrator_id IS NULL"); n != 3 {
			t.Errorf("%d automatic", n)
		}
		records := d.Journal()
		if r := records[len(records)-1]; string(r.Pattern) != "Invoice was issued" || r.Actor.Kind != admitto.BySystem ||
			r.Links.Course != 3 {
			t.Errorf("%+v", r)
		}
		blocking, err := blockingInvoices(d, 1, 1)
		if err != nil || fmt.Sprint(blocking) != "[F1]" {
			t.Error(blocking, err)
		}
		// They lapse, and are charged again when there is a cause; then the old one cannot come back.
		for range 2 {
			if err := lapseNow(d, 1); err != nil {
				t.Fatal(err)
			}
		}
		if records = d.Journal(); string(records[len(records)-3].Pattern) != "Invoice was lapsed" ||
			string(records[len(records)-4].Pattern) != "Invoice was issued" {
			t.Errorf("%+v", records)
		}
		if blocking, _ := blockingInvoices(d, 1, 1); blocking != nil {
			t.Error(blocking)
		}
		staff := usecase.Caller{Caller: admitto.AdministratorCaller(1, admitto.AllPermissions(), "")}
		d.Put(`INSERT INTO administrator (id, name, email) VALUES (1, 'Ann', 'ann@example.edu')`)
		if err := d.Services.Billing.ReviveInvoice(t.Context(), staff, 2); err != nil {
			t.Error(err)
		}
		charge(1, admitto.FeeAtCourse)
		charge(1, admitto.FeeAtSubmission)
		want("SELECT nr FROM invoice WHERE lapsed IS NULL ORDER BY id", "1 F2 3")
		if e := servicestest.WantKind(t, d.Services.Billing.ReviveInvoice(t.Context(), staff, 1),
			admitto.NotAllowedNow); e.Faults[0].Code != "fee-charged" {
			t.Error(e)
		}
		// Closing lets them lapse, and undoing it brings back those alone.
		for _, err := range []error{d.Services.Admissions.CloseApplication(t.Context(), staff, 1, false),
			d.Services.Admissions.UndoClosing(t.Context(), staff, 1, "a mistake")} {
			if err != nil {
				t.Error(err)
			}
		}
		want("SELECT nr FROM invoice WHERE lapsed IS NULL ORDER BY id", "1 F2 3")
		if n := d.Number("SELECT count(*) FROM journal WHERE pattern = 'Invoice was revived'"); n != 4 {
			t.Errorf("%d revived", n)
		}
		// An invoice that stops all applications: it has none.
		d.Put(`INSERT INTO invoice (id, type, nr, series_id, applicant_id, issued, deadline, currency, total, payer_name) VALUES (99, 'Invoice', 'F0', 2, 1, 1, '2026-03-01', 'EUR', 1, 'A')`)
		blocking, err = blockingInvoices(d, 1, 3)
		if err != nil || fmt.Sprint(blocking) != "[F0]" {
			t.Error(blocking, err)
		}
	})
}

// The reduction on an automatic invoice is written in every language of the instance; programs read it in English.
func TestReductionInLanguages(t *testing.T) {
	servicestest.OnBoth(t, func(t *testing.T, d *servicestest.Desk) {
		arabic, err := message.Translation(map[string]string{"invoice-reduction": "تخفيض {code}"})
		d.Must(err)
		d.Sentences = func(language string) message.Catalogue {
			if language == "ar" {
				return arabic
			}
			return nil
		}
		d.Services = d.Another(d.Store, d.Post, func(s *config.Settings) { s.Instance.Languages = []string{"en", "ar"} })
		d.Money(1)
		d.Put(`INSERT INTO fee (id, name, type, automatic, causing, all_courses) VALUES
			(1, 'Application fee', 'Appfee', 'application', 'course added', TRUE)`,
			`INSERT INTO fee_amount (fee_id, territory, currency, amount, basis) VALUES (1, '001', 'EUR', 8000, 'One-time')`,
			`INSERT INTO tracker (id, created, code, code_key, percent, currency) VALUES (1, 1, 'TEN', 'ten', 1000, '')`,
			`INSERT INTO applicant_tracker (tracker_id, applicant_id, assigned) VALUES (1, 1, 1)`)
		d.Must(chargeAll(d, 1, admitto.FeeAtCourse))
		var said []string
		d.Must(d.Store.Write(t.Context(), func(tx *store.Tx) error {
			said = nil
			i, err := tx.LockInvoice(1)
			if err != nil {
				return err
			}
			for _, lang := range []string{"en", "ar"} {
				in := i.In(lang, i.Versions)
				said = append(said, in.Items[1].Item)
			}
			return nil
		}))
		if !slices.Equal(said, []string{"Reduction TEN", "تخفيض TEN"}) {
			t.Errorf("%q", said)
		}
	})
}
