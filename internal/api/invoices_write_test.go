package api_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/apikey"
	"github.com/admitto/admitto/internal/billing"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/store/db"
	"github.com/admitto/admitto/internal/usecase"
)

// moneyEvents returns the journal after a record with the links of events about money.
func (s *service) moneyEvents(t testing.TB, after int64) string {
	t.Helper()
	var list []string
	err := s.store.Read(context.Background(), func(tx *store.Tx) error {
		_, err := tx.EachRecord(admitto.JournalQuery{After: after, Limit: 1000}, func(r *admitto.Record) error {
			l := r.Links
			list = append(list, fmt.Sprintf("%s %d/%d/%d/%d by %s", r.Filled(), l.Applicant, l.Application, l.Course, l.Invoice,
				r.Actor.Kind))
			return nil
		})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return strings.Join(list, "; ")
}

// lastID makes the next object of a table get the ID behind, on both engines.
func (s *service) lastID(t testing.TB, table string, id int64) {
	t.Helper()
	if err := s.store.Write(t.Context(), func(tx *store.Tx) error { return tx.SkipIDs(table, id) }); err != nil {
		t.Fatal(err)
	}
}

// putMoney is the world of the contract, behind which invoices and transactions go on.
func putMoney(t testing.TB, s *service) {
	t.Helper()
	putContract(s)
	s.lastID(t, "invoice", 2002)
	s.lastID(t, "invoice_transaction", 9103)
	s.lastID(t, "course", 57)
}

// leave makes queued mails leave.
func (s *service) leave(t testing.TB) {
	t.Helper()
	if _, err := s.services.Notify.DeliverMails(t.Context(), admitto.SystemCaller()); err != nil {
		t.Fatal(err)
	}
}

const oneItem = `"items":[{"item":"Fee","price":10}]`

func TestCreateInvoice(t *testing.T) {
	onEach(t, func(t *testing.T, s *service) {
		putMoney(t, s)
		s.put("INSERT INTO invoice_series (id, name, format) VALUES (4, 'Dated', 'T%yearShort%%month%%day%-%incDaily:3%')")
		const path = "/applications/9001/invoices"
		for n, c := range []struct{ kind, body, want string }{ // what the answer holds, one text a line
			{"application/json", "{" + oneItem + "}", `{"id":2003,"type":"Invoice","nr":"10","serie":{"id":1,"name":"General"},"applicant":"/api/v10/applicants/4711","application":"/api/v10/applications/9001","course":null,` +
				`"issued":"2026-03-09T09:00:00+00:00","deadline":"2026-03-23","delivered":null,"reminder":true,"reminded":null,"collected":null,"lapsed":null,"currency":"EUR",` +
				`"items":[{"item":"Fee","price":"10.00","qty":"1.00","unit":null,"inventory_item_ID":null}],"total":"10.00","paid":"0.00","due":"10.00","collections":{},` +
				`"instructions":null,"smallprint":null,"payer":{"name":"Ilse Varga","email":"ilse.varga@example.org"},"transactions":"/api/v10/invoices/2003/transactions"}`},
			{formType, "items[0][item]=Fee&items[0][price]=80.00", `"nr":"11","serie":{"id":1` + "\n" + `"total":"80.00"`},
			{formType, "items[7][item]=B&items[7][price]=-1&items[2][item]=A&items[2][price]=1.01", `"items":[{"item":"A","price":"1.01"` + "\n" + `},{"item":"B","price":"-1.00"` + "\n" + `"total":"0.01"`},
			{"application/json", `{"items":[{"item":" Tuition ","price":"999999.99","qty":"1.5","unit":"year","inventory_item_ID":"17"},{},{"item":"x","price":0,"qty":0.01,"inventory_item_ID":0}],
				"currency":"usd","serie_ID":"2","type":"Prepayment","course_ID":55,"deadline":"2026-03-09","reminder":false,"instructions":"Pay\nsoon","smallprint":"§","payer":{"name":"ACME","email":"pay@acme.example"},
				"invoice_class_ID":7,"issuer_institution_ID":2,"issuer_administrator_ID":3,"copy":["a@example.org","b@example.org"],"notify":true}`,
				`"type":"Prepayment","nr":"2026-18","serie":{"id":2,"name":"Application fee"}` + "\n" + `"course":"/api/v10/courses/55"` + "\n" + `"deadline":"2026-03-09"` + "\n" + `"reminder":false` + "\n" +
					`"currency":"USD","items":[{"item":"Tuition","price":"999999.99","qty":"1.50","unit":"year","inventory_item_ID":17},{"item":"x","price":"0.00","qty":"0.01","unit":null,"inventory_item_ID":0}],"total":"1499999.99"` + "\n" +
					`"instructions":"Pay\nsoon","smallprint":"§","payer":{"name":"ACME","email":"pay@acme.example"}`},
			{"application/json", `{` + oneItem + `,"serie_ID":4,"send":false,"copy":true,"notify":"1"}`, `"nr":"T260309-001"`},
			{"application/json", `{` + oneItem + `,"serie_ID":4,"send":"0","copy":"a@example.org, b@example.org,c@example.org,d@example.org,e@example.org"}`, `"nr":"T260309-002"`},
			{"application/json", `{` + oneItem + `,"serie_ID":3,"send":false,"copy":false,"payer":null,"course_ID":"","deadline":null}`, `"nr":"00001"` + "\n" + `"course":null`},
			{"application/json", `{"items":[{"item":"free","price":5},{"item":"reduction","price":-5}],"send":false}`, `"nr":"13"` + "\n" + `"collected":"2026-03-09T09:00:00+00:00"` + "\n" + `"total":"0.00","paid":"0.00","due":"0.00"`},
			{"application/json", `{"items":[{"item":"a","price":0.01,"qty":0.5}],"send":false}`, `"nr":"14"` + "\n" + `"total":"0.01"`}, // half up
			{"application/json", `{"items":[{"item":"a","price":999999.99,"qty":1000}],"send":false}`, `"total":"999999990.00"`},
			{formType, "items[0][item]=Fee&items[0][price]=1&payer[name]=P&payer[email]=p%40example.org&send=false", `"payer":{"name":"P","email":"p@example.org"}`},
		} {
			last, id := s.lastEvent(t), 2003+n
			made := s.do("POST", v10(path), c.body, contentType(c.kind)).want(t, 201)
			here := fmt.Sprintf("%s/%d", v10(path), id)
			if got := made.header.Get("Location"); got != here {
				t.Errorf("%s: Location %s", c.body, got)
			}
			for _, part := range strings.Split(c.want, "\n") {
				if !strings.Contains(made.body, part) {
					t.Errorf("%s:\n%s has no\n%s", c.body, made.body, part)
				}
			}
			if got := s.get(here); got.body != made.body {
				t.Errorf("GET %s", got.body)
			}
			course := 0
			if strings.Contains(c.body, "course_ID\":55") {
				course = 55
			}
			want := fmt.Sprintf("Invoice was issued 4711/9001/%d/%d by api_key", course, id)
			if strings.Contains(c.want, `"collected":"2026`) {
				want += fmt.Sprintf("; Invoice was collected 4711/9001/0/%d by api_key", id)
			}
			if got := s.moneyEvents(t, last); got != want {
				t.Errorf("%s: events %q, want %q", c.body, got, want)
			}
		}
		// The series names its last number, and the mails leave: the payer's copy is among the applicant's e-mails only
		// when the applicant pays.
		if got := s.get(v10("/invoices/series")).body; !strings.Contains(got, `"last":{"when":"2026-03-09T09:00:00+00:00","number":"2026-18"}`) {
			t.Error(got)
		}
		last := s.lastEvent(t)
		s.leave(t)
		events := s.moneyEvents(t, last)
		if n := strings.Count(events, "Invoice was delivered 4711/9001/"); n != 4 ||
			strings.Count(events, "E-mail was sent: invoice-delivery") != 4 {
			t.Errorf("%d deliveries: %s", n, events)
		}
		mails := s.mail.Taken()
		if len(mails) != 4 || !strings.Contains(mails[0].Subject, "10") || !strings.Contains(mails[0].Text, "10.00 EUR") ||
			mails[3].To.Email != "pay@acme.example" || strings.Join(mails[3].Bcc, " ") != "a@example.org b@example.org" {
			t.Errorf("%+v", mails)
		}
		if got := s.get(v10(path + "/2003")).body; strings.Contains(got, `"delivered":null`) {
			t.Error(got)
		}
		if got := s.get(v10(path + "/2007")).body; !strings.Contains(got, `"delivered":null`) {
			t.Error(got)
		}
		refuseInvoices(t, s)
	})
}

// refuseInvoices sends everything that is refused.
func refuseInvoices(t *testing.T, s *service) {
	long := strings.Repeat("x", 4097)
	many := strings.TrimSuffix(strings.Repeat(`{"item":"a","price":1},`, 101), ",")
	for _, c := range []struct{ kind, body, faults string }{
		{"application/json", "", "items"},
		{"application/json", `{"items":[]}`, "items"},
		{"application/json", `{"items":[{}]}`, "items"},
		{"application/json", `{"items":"Fee"}`, "@/items"},
		{"application/json", `{"items":["Fee"]}`, "@/items"},
		{"application/json", `{"items":[{"item":"a"}]}`, "items[0][price]"},
		{"application/json", `{"items":[{"price":1}]}`, "items[0][item]"},
		{"application/json", `{"items":[{"item":"a","price":1},{"item":7,"price":"x","qty":0,"unit":"` + long[:33] + `","inventory_item_ID":1.5}]}`,
			"@/items/1/item @/items/1/price @/items/1/qty @/items/1/unit @/items/1/inventory_item_ID"},
		{"application/json", `{"items":[{"item":"` + long[:256] + `","price":1000000,"qty":100000}]}`,
			"@/items/0/item @/items/0/price @/items/0/qty"},
		{"application/json", `{"items":[{"item":"a","price":-1000000}]}`, "@/items/0/price"},
		{"application/json", `{"items":[{"item":"a","price":1.001,"qty":0.001}]}`, "@/items/0/price @/items/0/qty"},
		{"application/json", `{"items":[{"item":"a","price":true,"qty":-1}]}`, "@/items/0/price @/items/0/qty"},
		{"application/json", `{"items":[{"item":"a","price":1,"inventory_item_ID":true}]}`, "@/items/0/inventory_item_ID"},
		{"application/json", `{"items":[` + many + `]}`, "items"},
		{formType, "items[x][item]=a&items[0][item]=a&items[0][price]=1", "items[x][item]"},
		{formType, "items[00][item]=a&items[0][item]=a&items[0][price]=1", "items[00][item]"},
		{formType, "items[-1][item]=a&items[-1][price]=1", "items[-1][item] items[-1][price]"},
		{formType, "items[0][item]=a&items[0][item]=b&items[0][price]=1", "items[0][item]"},
		{formType, "items[0][item]=%FF&items[0][price]=1", "items[0][item]"},
		{"application/json", `{"items":[{"item":"a","price":5},{"item":"b","price":-5.01}]}`, "items"},
		{"application/json", `{"items":[{"item":"a","price":999999.99,"qty":99999.99}]}`, "items"},
		{"application/json", `{` + oneItem + `,"currency":"EEK","serie_ID":99,"type":"Bill","course_ID":56,"deadline":"2026-03-08","reminder":"maybe","instructions":"` + long + `","smallprint":"` + long + `",
			"payer":{"name":"` + long[:256] + `","email":"nobody"},"issuer_institution_ID":99,"issuer_administrator_ID":99,"copy":"nobody","notify":2,"send":"x"}`,
			"@/currency @/serie_ID @/type @/course_ID @/deadline @/reminder @/instructions @/smallprint @/payer/name @/payer/email @/issuer_institution_ID @/issuer_administrator_ID @/copy @/notify @/send"},
		{"application/json", `{` + oneItem + `,"serie_ID":"x","course_ID":0,"deadline":"tomorrow","issuer_institution_ID":-1,"issuer_administrator_ID":true}`,
			"@/serie_ID @/course_ID @/deadline @/issuer_institution_ID @/issuer_administrator_ID"},
		{"application/json", `{` + oneItem + `,"payer":"Ilse"}`, "@/payer"},
		{"application/json", `{` + oneItem + `,"copy":["a@example.org","b@example.org","c@example.org","d@example.org","e@example.org","f@example.org"]}`, "@/copy"},
		{"application/json", `{` + oneItem + `,"copy":[true,"a@example.org"]}`, "@/copy"},
		{"application/json", `{` + oneItem + `,"copy":","}`, "@/copy"},
		{formType, "items[0][item]=a&items[0][price]=1&serie_ID=99&type=Bill&deadline=2026-02-30", "serie_ID type deadline"},
	} {
		s.leavesNoTrace(t, func() {
			a := s.do("POST", v10("/applications/9001/invoices"), c.body, contentType(c.kind)).want(t, 400)
			a.problem(t, "invalid-parameter")
			a.wantFaults(t, c.faults)
		})
	}
	_, reader := s.newKey(apikey.NewKey{Label: "reader", Scope: admitto.ScopeReadOnly})
	for _, c := range []struct {
		path, body, slug string
		status           int
		more             []with
	}{
		{"/applications/99/invoices", "{", "not-found", 404, nil},
		{"/applications/x/invoices", "{", "invalid-id", 400, nil},
		{"/applications/9001/invoices", "{", "invalid-body", 400, nil},
		{"/applications/9001/invoices", "[1]", "invalid-body", 400, nil},
		{"/applications/9001/invoices", "items[0][item]", "unsupported-media-type", 415, []with{contentType("text/plain")}},
		{"/applications/9001/invoices", strings.Repeat("x", 1<<20+1), "too-large", 413, nil},
		{"/applications/9001/invoices", "{" + oneItem + `,"total":5}`, "invalid-parameter", 400,
			[]with{header("Prefer", "handling=strict")}},
		{"/applications/9001/invoices", "{" + oneItem + "}", "not-permitted", 403, []with{key(reader)}},
	} {
		s.leavesNoTrace(t, func() {
			s.postJSON(v10(c.path), c.body, c.more...).want(t, c.status).problem(t, c.slug)
		})
	}
}

func TestInvoiceOnce(t *testing.T) {
	onBoth(t, func(t *testing.T, s *service) {
		putMoney(t, s)
		again := header("Idempotency-Key", "one")
		first := s.postJSON(v10("/applications/9001/invoices"), "{"+oneItem+"}", again).want(t, 201)
		if second := s.postJSON(v10("/applications/9001/invoices"), "{"+oneItem+"}", again).want(t,
			201); second.body != first.body ||
			second.header.Get("Location") != first.header.Get("Location") {
			t.Errorf("%s, then %s", first.body, second.body)
		}
		s.postJSON(v10("/applications/9001/invoices"), "{"+oneItem+`,"send":false}`, again).want(t, 409).problem(t,
			"idempotency-conflict")
		pay := func(amount, token string) answer {
			return s.postForm(v10("/invoices/2003/transactions"), "amount="+amount, header("Idempotency-Key", token))
		}
		paid := pay("4", "p").want(t, 201)
		if repeated := pay("4", "p").want(t, 201); repeated.body != paid.body {
			t.Errorf("%s, then %s", paid.body, repeated.body)
		}
		made := s.postForm(v10("/courses"), "name=A", again).want(t, 201)
		if repeated := s.postForm(v10("/courses"), "name=A", again).want(t, 201); repeated.body != made.body {
			t.Errorf("%s, then %s", made.body, repeated.body)
		}
		if got := s.get(v10("/invoices/2003")).body; !strings.Contains(got, `"paid":"4.00","due":"6.00"`) {
			t.Error(got)
		}
		// Extras of the answer follow the version of the request.
		if got := s.postJSON("/api/applications/9001/invoices", "{"+oneItem+"}").want(t,
			201); got.header.Get("Location") != "/api/applications/9001/invoices/2004" ||
			!strings.Contains(got.body, `"applicant":"/api/applicants/4711"`) {
			t.Error(got.header.Get("Location"), got.body)
		}
	})
}

// step is one request of a story: its answer, or the problem with the codes of its faults, and what the journal tells.
type step struct {
	method, path, body string
	status             int
	want               string // part of the body, or the problem and its faults
	events             string
}

func (s *service) story(t *testing.T, steps []step, more ...with) {
	t.Helper()
	for _, c := range steps {
		name := fmt.Sprintf("%s %s %.80s", c.method, c.path, c.body)
		send := func() (a answer) {
			a = s.do(c.method, v10(c.path), c.body, append([]with{contentType("application/json")}, more...)...)
			if a.status != c.status {
				t.Fatalf("%s: status %d, want %d: %s", name, a.status, c.status, a.body)
			}
			return a
		}
		if c.status >= 400 {
			slug, faults, _ := strings.Cut(c.want, " ")
			s.leavesNoTrace(t, func() {
				a := send()
				a.problem(t, slug)
				var got []string
				for _, e := range asList(a.object(t)["errors"]) {
					fault := e.(map[string]any)
					entry := ""
					for _, member := range []string{"parameter", "pointer", "code"} {
						if v, ok := fault[member].(string); ok {
							entry += "#" + v
						}
					}
					got = append(got, entry)
				}
				if strings.Join(got, " ") != faults {
					t.Errorf("%s: faults %q, want %q: %s", name, strings.Join(got, " "), faults, a.body)
				}
			})
			continue
		}
		last := s.lastEvent(t)
		a := send()
		for _, part := range strings.Split(c.want, "\n") {
			if !strings.Contains(a.body, part) {
				t.Errorf("%s: %s has no %s", name, a.body, part)
			}
		}
		if got := s.moneyEvents(t, last); got != c.events {
			t.Errorf("%s: events %q, want %q", name, got, c.events)
		}
	}
}

func asList(v any) []any {
	list, _ := v.([]any)
	return list
}

func TestCollectInvoice(t *testing.T) {
	onEach(t, func(t *testing.T, s *service) {
		putMoney(t, s)
		s.put(`INSERT INTO invoice (id, type, nr, series_id, applicant_id, application_id, issued, deadline, currency, total, automatic, lapsed, payer_name)
			VALUES (3001, 'Invoice', '2026-18', 2, 4711, 9001, 1, '2026-03-01', 'EUR', 8000, TRUE, 2, 'Ilse')`,
			`INSERT INTO invoice (id, type, nr, series_id, issued, deadline, currency, total, payer_name) VALUES (3002, 'Invoice', '8', 1, 1, '2026-03-01', 'EUR', 100, 'Gone')`,
			`INSERT INTO invoice (id, type, nr, series_id, applicant_id, application_id, issued, deadline, currency, total, payer_name, payer_email, notify,
			issuer_administrator_id) VALUES (3003, 'Invoice', '7', 1, 4711, 9001, 1, '2026-04-01', 'EUR', 10000, 'Ilse', 'ilse.varga@example.org', TRUE, 3)`)
		const pay = "/invoices/3003/transactions"
		s.story(t, []step{
			{"POST", "/invoices/99/transactions", "{", 404, "not-found ", ""},
			{"POST", "/invoices/x/transactions", "{", 400, "invalid-id ", ""},
			{"POST", pay, "", 400, "invalid-parameter #amount", ""},
			{"POST", pay, "{", 400, "invalid-body #", ""},
			{"POST", pay, `"5"`, 400, "invalid-body #", ""},
			{"POST", pay, `{"amount":null}`, 400, "invalid-parameter #amount", ""},
			{"POST", pay, `{"amount":0}`, 400, "invalid-parameter #/amount#amount-invalid", ""},
			{"POST", pay, `{"amount":-1}`, 400, "invalid-parameter #/amount#amount-invalid", ""},
			{"POST", pay, `{"amount":1.001}`, 400, "invalid-parameter #/amount#amount-invalid", ""},
			{"POST", pay, `{"amount":1e2}`, 400, "invalid-parameter #/amount#amount-invalid", ""},
			{"POST", pay, `{"amount":"ten"}`, 400, "invalid-parameter #/amount#amount-invalid", ""},
			{"POST", pay, `{"amount":true}`, 400, "invalid-parameter #/amount#amount-invalid", ""},
			{"POST", pay, `{"amount":[1,2]}`, 400, "invalid-parameter #/amount#amount-invalid", ""},
			{"POST", pay, `{"amount":1000000000}`, 400, "invalid-parameter #/amount#amount-invalid", ""},
			{"POST", pay, `{"amount":1,"currency":"USD"}`, 400, "invalid-parameter #/currency#currency-mismatch", ""},
			{"POST", pay, `{"amount":1,"currency":"Euro"}`, 400, "invalid-parameter #/currency", ""},
			{"POST", pay, `{"amount":1,"collected":"2026-03-10"}`, 400, "invalid-parameter #/collected", ""},
			{"POST", pay, `{"amount":1,"collected":"2026-02-30"}`, 400, "invalid-parameter #/collected", ""},
			{"POST", pay, `{"amount":"x","currency":"USD","collected":"2027-01-01"}`, 400, "invalid-parameter #/amount#amount-invalid #/currency#currency-mismatch #/collected", ""},
			{"POST", pay, `{"amount":0,"currency":"USD","collected":"2027-01-01"}`, 400, "invalid-parameter #/amount#amount-invalid #/currency#currency-mismatch #/collected", ""},
			{"POST", pay, strings.Repeat("x", 1<<20+1), 413, "too-large ", ""},
			{"POST", pay, `{"amount":"100.01"}`, 400, "not-allowed-now #over-payment", ""},
			{"POST", pay, `{"amount":"30.50","currency":"eur","collected":"2026-03-01"}`, 201, `{"id":9104,"amount":"30.50","currency":"EUR","invoice":"/api/v10/invoices/3003","inserted":"2026-03-09T09:00:00+00:00","collected":"2026-03-01","administrator":null,"payment":null}`,
				"Transaction was added: 9104 4711/9001/0/3003 by api_key; Invoice was partly collected 4711/9001/0/3003 by api_key"},
			{"GET", "/invoices/3003", "", 200, `"collected":null` + "\n" + `"total":"100.00","paid":"30.50","due":"69.50","collections":{"9104":{"id":9104,`, ""},
			{"GET", pay + "/9104", "", 200, `"amount":"30.50"`, ""},
			{"GET", "/invoices/transactions/9104", "", 200, `"amount":"30.50"`, ""},
			{"POST", pay, `{"amount":69.51}`, 400, "not-allowed-now #over-payment", ""},
			{"POST", pay, `{"amount":69.5}`, 201, `"collected":"2026-03-09"`,
				"Transaction was added: 9105 4711/9001/0/3003 by api_key; Invoice was collected 4711/9001/0/3003 by api_key"},
			{"GET", "/applications/9001/invoices/3003", "", 200, `"collected":"2026-03-09T09:00:00+00:00"` + "\n" +
				`"paid":"100.00","due":"0.00"`, ""},
			{"POST", pay, `{"amount":0.01}`, 400, "not-allowed-now #over-payment", ""},
			{"POST", "/invoices/2001/transactions", `{"amount":1}`, 400, "not-allowed-now #over-payment", ""},
			{"POST", "/invoices/3001/transactions", `{"amount":1}`, 400, "not-allowed-now #invoice-lapsed", ""},
			{"POST", "/invoices/3001/transactions", `{"amount":81}`, 400, "not-allowed-now #invoice-lapsed #over-payment", ""},
			{"POST", "/invoices/3002/transactions", `{"amount":1}`, 201, `"amount":"1.00"`, // detached
				"Transaction was added: 9106 0/0/0/3002 by api_key; Invoice was collected 0/0/0/3002 by api_key"},
		})
		s.leave(t)
		var told []string
		for _, m := range s.mail.Taken() {
			told = append(told, m.To.Email+": "+m.Subject)
		}
		if got := strings.Join(told, "; "); got != "ilse.varga@example.org: Thank you for paying the invoice 7; peeter.kask@example.edu: Invoice 7 is paid" {
			t.Error(got)
		}
		// An administrator may record more than is due, and make a lapsed invoice payable again.
		staff := usecase.Caller{Caller: admitto.AdministratorCaller(3, admitto.AllPermissions(), "")}
		last := s.lastEvent(t)
		tr, err := s.services.Billing.CollectInvoice(t.Context(), staff, 3003,
			billing.NewPayment{Amount: 5_00, Surplus: true})
		if err != nil || tr.Administrator != 3 {
			t.Fatal(tr, err)
		}
		for range 2 {
			if err := s.services.Billing.ReviveInvoice(t.Context(), staff, 3001); err != nil {
				t.Fatal(err)
			}
		}
		want := "Transaction was added: 9107 4711/9001/0/3003 by administrator; Invoice was revived 4711/9001/0/3001 by administrator"
		if got := s.moneyEvents(t, last); got != want {
			t.Errorf("events %q, want %q", got, want)
		}
		byKey := usecase.Caller{Caller: admitto.KeyCaller(s.keyID, admitto.AllPermissions(), "")}
		s.leavesNoTrace(t, func() {
			for _, err := range []error{
				s.services.Billing.ReviveInvoice(t.Context(), byKey, 3001),
				func() error {
					_, err := s.services.Billing.CollectInvoice(t.Context(), byKey, 3003,
						billing.NewPayment{Amount: 5_00, Surplus: true})
					return err
				}(),
				func() error {
					_, err := s.services.Billing.CollectInvoice(t.Context(), usecase.Caller{Caller: staff.Caller, Version: 1}, 3003,
						billing.NewPayment{Amount: 5_00, Surplus: true})
					return err
				}(),
			} {
				if err == nil {
					t.Error("not refused")
				}
			}
		})
		s.story(t, []step{{"POST", "/invoices/3001/transactions", `{"amount":80}`, 201, `"amount":"80.00"`,
			"Transaction was added: 9108 4711/9001/0/3001 by api_key; Invoice was collected 4711/9001/0/3001 by api_key"}})
	})
}

// Two pay the whole at once: one of them is told that nothing is due any more.
func TestCollectAtOnce(t *testing.T) {
	onBoth(t, func(t *testing.T, s *service) {
		putMoney(t, s)
		s.postJSON(v10("/applications/9001/invoices"), "{"+oneItem+`,"send":false}`).want(t, 201)
		statuses := make(chan int, 8)
		for range cap(statuses) {
			go func() { statuses <- s.postForm(v10("/invoices/2003/transactions"), "amount=10").status }()
		}
		count := map[int]int{}
		for range cap(statuses) {
			count[<-statuses]++
		}
		if got := s.get(v10("/invoices/2003")).body; count[201] != 1 || count[400] != 7 ||
			!strings.Contains(got, `"paid":"10.00","due":"0.00"`) {
			t.Error(count, got)
		}
		s.leave(t)
		if n := len(s.mail.Taken()); n != 1 {
			t.Errorf("%d mails", n)
		}
	})
}

func TestDeleteInvoice(t *testing.T) {
	onEach(t, func(t *testing.T, s *service) {
		putMoney(t, s)
		s.put(`INSERT INTO invoice_series (id, name, format, permanent) VALUES (5, 'Kept', 'K%inc%', TRUE)`,
			`INSERT INTO invoice (id, type, nr, series_id, applicant_id, application_id, course_id, issued, deadline, currency, total, payer_name) VALUES
			(3001, 'Invoice', '12', 1, 4711, 9001, 55, 1, '2026-03-01', 'EUR', 8000, 'Ilse'), (3002, 'Invoice', 'K7', 5, 4711, 9001, NULL, 1, '2026-03-01', 'EUR', 8000, 'Ilse'),
			(3003, 'Invoice', 'K8', 5, 4711, 9001, NULL, 1, '2026-03-01', 'EUR', 8000, 'Ilse'), (3004, 'Invoice', 'old', 1, NULL, NULL, NULL, 1, '2026-03-01', 'EUR', 8000, 'Gone')`,
			`INSERT INTO invoice_item (invoice_id, n, item, price, qty) VALUES (3001, 1, 'Fee', 8000, 100)`,
			`INSERT INTO invoice_transaction (id, invoice_id, amount, inserted, collected) VALUES (9301, 3003, 100, 1, '2026-03-01')`)
		s.lastID(t, "invoice", 3004)
		tag := s.get(v10("/invoices/3001")).header.Get("ETag")
		s.story(t, []step{{"DELETE", "/invoices/3001", "", 412, "changed-meanwhile ", ""}}, header("If-Match", `"x"`))
		s.story(t, []step{{"DELETE", "/invoices/99", "", 404, "not-found ", ""}}, header("If-Match", `"x"`))
		s.story(t, []step{
			{"DELETE", "/invoices/99", "rubbish", 404, "not-found ", ""},
			{"DELETE", "/invoices/x", "", 400, "invalid-id ", ""},
			{"DELETE", "/invoices/2001", "", 400, "not-allowed-now #invoice-has-transactions", ""},
			{"DELETE", "/invoices/3002", "", 400, "not-allowed-now #series-permanent", ""},
			{"DELETE", "/invoices/3003", "", 400, "not-allowed-now #invoice-has-transactions #series-permanent", ""},
		})
		_, reader := s.newKey(apikey.NewKey{Label: "reader", Scope: admitto.ScopeReadOnly})
		s.story(t, []step{{"DELETE", "/invoices/3001", "", 403, "not-permitted ", ""}}, key(reader))
		s.story(t, []step{{"DELETE", "/invoices/3001?x=1", "", 400, "invalid-parameter #x", ""}},
			header("Prefer", "handling=strict"))
		s.story(t, []step{{"DELETE", "/invoices/3001", "rubbish", 204, "",
			"Invoice was deleted 4711/9001/55/3001 by api_key"}}, header("If-Match", tag))
		s.story(t, []step{
			{"DELETE", "/invoices/3001", "", 404, "not-found ", ""},
			{"GET", "/invoices/3001", "", 404, "not-found ", ""},
			{"GET", "/applications/9001/invoices/3001", "", 404, "not-found ", ""},
			{"DELETE", "/invoices/3004", "", 204, "", "Invoice was deleted 0/0/0/3004 by api_key"},
			// Its number was the highest, and is void now: the next one is above it. The one below it, from before the register,
			// was taken over.
			{"POST", "/applications/9001/invoices", "{" + oneItem + `,"send":false}`, 201, `"nr":"13"`,
				"Invoice was issued 4711/9001/0/3005 by api_key"},
			{"DELETE", "/invoices/3005", "", 204, "", "Invoice was deleted 4711/9001/0/3005 by api_key"},
			{"POST", "/applications/9001/invoices", "{" + oneItem + `,"send":false}`, 201, `"nr":"14"`,
				"Invoice was issued 4711/9001/0/3006 by api_key"},
		})
		var lines []string
		s.look("SELECT nr, number, CASE WHEN void THEN 'void' ELSE '' END FROM invoice_number WHERE series_id = 1 ORDER BY number", func(r *db.Rows) {
			lines = append(lines, fmt.Sprint(r.Text(0), "=", r.Int64(1), r.Text(2)))
		})
		if got := strings.Join(lines, " "); got != "9=9 13=13void 14=14 12=3001void old=3004void" {
			t.Error(got)
		}
	})
}

// POST /applicants/{id}/invoices (resources.md 24) takes what the path of applications takes, and an application of the
// applicant.
func TestCreateApplicantInvoice(t *testing.T) {
	onEach(t, func(t *testing.T, s *service) {
		putMoney(t, s)
		const path = "/applicants/4711/invoices"
		for n, c := range []struct{ kind, body, application, links string }{
			{"application/json", "{" + oneItem + "}", "null", "4711/0/0"},
			{"application/json", "{" + oneItem + `,"application":9001,"course_ID":55}`, `"/api/v10/applications/9001"`,
				"4711/9001/55"},
			{formType, "items[0][item]=Fee&items[0][price]=10&application=9001&send=true&payer[name]=P", `"/api/v10/applications/9001"`, "4711/9001/0"},
			{"application/json", "{" + oneItem + `,"course_ID":55,"application":""}`, "null", "4711/0/55"},
			{"application/json", "{" + oneItem + `,"application":"/api/v3/applications/9001"}`, `"/api/v10/applications/9001"`,
				"4711/9001/0"},
			{formType, "items[0][item]=Fee&items[0][price]=10&application=/api/applications/9001", `"/api/v10/applications/9001"`, "4711/9001/0"},
		} {
			last, id := s.lastEvent(t), 2003+n
			made := s.do("POST", v10(path), c.body, contentType(c.kind)).want(t, 201)
			here := fmt.Sprintf("%s/%d", v10(path), id)
			if got := made.header.Get("Location"); got != here {
				t.Errorf("%s: Location %s", c.body, got)
			}
			if !strings.Contains(made.body, `"applicant":"/api/v10/applicants/4711","application":`+c.application+`,`) ||
				!strings.Contains(made.body, `"total":"10.00"`) {
				t.Errorf("%s: %s", c.body, made.body)
			}
			if got := s.get(here).want(t, 200); got.body != made.body {
				t.Errorf("GET %s", got.body)
			}
			s.get(v10(fmt.Sprintf("/invoices/%d", id))).want(t, 200)
			if got, want := s.moneyEvents(t, last), fmt.Sprintf("Invoice was issued %s/%d by api_key", c.links,
				id); got != want {
				t.Errorf("%s: events %q, want %q", c.body, got, want)
			}
		}
		s.leave(t)
		if mails := s.mail.Taken(); len(mails) != 6 || mails[0].To.Email != "ilse.varga@example.org" ||
			!strings.Contains(mails[0].Text, "10.00 EUR") {
			t.Errorf("%d mails", len(mails))
		}
		if got := s.get(v10(path + "/2003")).body; strings.Contains(got, `"delivered":null`) {
			t.Error(got)
		}
		for _, v := range []string{"/api", oldestPath(""), "/api/v7"} {
			if made := s.postJSON(v+path, "{"+oneItem+`,"send":false}`).want(t,
				201); !strings.HasPrefix(made.header.Get("Location"), v+path+"/") {
				t.Errorf("Location %s", made.header.Get("Location"))
			}
		}
		s.postJSON(v10("/invoices/2003/transactions"), `{"amount":10}`).want(t, 201)
		for _, c := range []struct{ body, faults string }{
			{"{" + oneItem + `,"application":9002}`, "@/application"}, // of another applicant
			{"{" + oneItem + `,"application":99}`, "@/application"},
			{"{" + oneItem + `,"application":"x"}`, "@/application"},
			{"{" + oneItem + `,"application":"/api/v10/applications/9002"}`, "@/application"},
			{"{" + oneItem + `,"application":"/api/v10/applications/0"}`, "@/application"},
			{"{" + oneItem + `,"application":"/api/v10/invoices/9001"}`, "@/application"},
			{"{" + oneItem + `,"application":"https://example.org/api/v10/applications/9001"}`, "@/application"},
			{"{" + oneItem + `,"application":true}`, "@/application"},
			{"{" + oneItem + `,"application":9002,"course_ID":55,"serie_ID":99}`, "@/serie_ID @/application"},
			{"{" + oneItem + `,"application":9001,"course_ID":56}`, "@/course_ID"},
			{"{" + oneItem + `,"course_ID":99}`, "@/course_ID"},
			{`{"items":[{"price":1}],"application":99,"currency":"EEK"}`, "items[0][item] @/currency @/application"},
			{`{"application":9001}`, "items"},
		} {
			s.leavesNoTrace(t, func() {
				a := s.postJSON(v10(path), c.body).want(t, 400)
				a.problem(t, "invalid-parameter")
				a.wantFaults(t, c.faults)
			})
		}
		_, reader := s.newKey(apikey.NewKey{Label: "reader", Scope: admitto.ScopeReadOnly})
		s.leavesNoTrace(t, func() {
			s.postJSON(v10("/applicants/99/invoices"), "{").want(t, 404).problem(t, "not-found")
			s.postJSON(v10(path), "{"+oneItem+"}", key(reader)).want(t, 403).problem(t, "not-permitted")
		})
		// The same call again is the same invoice.
		again := func() answer {
			return s.postJSON(v10(path), "{"+oneItem+`,"send":false}`, header("Idempotency-Key", "once"))
		}
		if first, second := again().want(t, 201), again().want(t, 201); first.body != second.body {
			t.Errorf("%s and %s", first.body, second.body)
		}
	})
}
