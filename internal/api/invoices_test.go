package api_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/mail"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/store/load"
)

// utc is a time of the fixture.
func utc(month time.Month, day, hour, minute, second int) admitto.Time {
	return admitto.TimeOf(time.Date(2026, month, day, hour, minute, second, 0, time.UTC))
}

// putInvoices makes six invoices: 2001 is paid, 2002 partly, 2003 is open and its applicant deleted, 2004 is
// detached and paid through a gateway, 2005 has lapsed, 2010 was free.
func putInvoices(s *service) {
	s.t.Helper()
	putCatalogue(s)
	s.put(`INSERT INTO applicant (id, state, lead, registered, email, email_key) VALUES (4711, 'live', FALSE, 1, 'a@example.org', 'a@example.org'),
			(4712, 'recovery', FALSE, 1, 'b@example.org', 'b@example.org'), (4713, 'blocked', FALSE, 1, 'c@example.org', 'c@example.org')`,
		`INSERT INTO application (id, applicant_id, academic_term_id, status, created, revised, visible) VALUES
			(9001, 4711, 13, 'Draft', 1, 1, TRUE), (9002, 4712, 13, 'Draft', 1, 1, FALSE), (9003, 4711, 2, 'Draft', 1, 1, TRUE)`,
		`INSERT INTO administrator (id, name, email) VALUES (70, 'Ada', 'ada@example.org')`)
	fee, general := admitto.Series{ID: 2, Name: "Application fee", Format: "%yearLong%-%incYearly%",
		Blocking: true}, admitto.Series{ID: 1}
	date := func(month, day uint8) admitto.Date { return admitto.Date{Year: 2026, Month: month, Day: day} }
	inventory := int64(17)
	item := []admitto.InvoiceItem{{Item: "Application fee", Price: 80_00, Qty: 1_00}}
	list := []admitto.Invoice{
		{ID: 2001, Type: "Invoice", Number: "2026-17", Series: fee, Applicant: 4711, Application: 9001,
			Issued: utc(2, 1, 16, 21, 0) + 500_000, Deadline: date(2, 15),
			Delivered: utc(2, 1, 16, 21, 2), Reminder: true, Collected: utc(2, 3, 0, 10,
				0), Currency: "EUR", Items: item, Total: 80_00, Paid: 80_00,
			PayerName: "Ilse Varga", PayerEmail: "ilse.varga@example.org"},
		{ID: 2002, Type: "Prepayment", Number: "9", Series: general, Applicant: 4711, Course: 55, Issued: utc(2, 2, 8, 0, 0),
			Deadline: date(3, 8),
			Reminded: utc(3, 5, 1, 0, 0), Currency: "USD", Items: []admitto.InvoiceItem{
				{Item: "Tuition", Price: 1000_01, Qty: 1_50, Unit: "year", InventoryItem: &inventory}, {Item: "Reduction \"fair\"",
					Price: -100_00, Qty: 1_00}},
			Total: 1400_02, Paid: 300_00, Instructions: "Pay\nsoon", Smallprint: "§ 1", PayerName: "Company & Co"},
		{ID: 2003, Type: "Invoice", Number: "2026-18", Series: fee, Applicant: 4712, Application: 9002,
			Issued: utc(2, 3, 0, 0, 0), Deadline: date(3, 9),
			Reminder: true, Currency: "EUR", Items: item, Total: 80_00, PayerName: "B"},
		{ID: 2004, Type: "Invoice", Number: "10", Series: general, Issued: utc(2, 4, 0, 0, 0), Deadline: date(3, 1),
			Collected: utc(3, 2, 10, 0, 0) + 250_000,
			Currency:  "SEK", Items: item, Total: 80_00, Paid: 81_00, PayerName: "Gone"},
		{ID: 2005, Type: "Invoice", Number: "2026-19", Series: fee, Applicant: 4711, Application: 9003,
			Issued: utc(2, 4, 0, 0, 0), Deadline: date(1, 1),
			Lapsed: utc(2, 20, 0, 0, 0), Currency: "EUR", Items: item, Total: 80_00, PayerName: "Ilse Varga"},
		{ID: 2010, Type: "Credit", Number: "11", Series: general, Applicant: 4713, Issued: utc(3, 9, 0, 0, 0),
			Deadline: date(3, 23), Collected: utc(3, 9, 0, 0, 0),
			Currency: "EUR", PayerName: "C"},
	}
	payments := []admitto.Transaction{
		{ID: 9101, Invoice: 2001, Amount: 80_00, Inserted: utc(2, 3, 0, 10, 0), Collected: date(2, 2)},
		{ID: 9102, Invoice: 2002, Amount: 400_00, Inserted: utc(2, 10, 0, 0, 0), Collected: date(2, 9), Administrator: 70},
		{ID: 9103, Invoice: 2002, Amount: -100_00, Inserted: utc(2, 11, 0, 0, 0) + 900_000, Collected: date(2, 11)},
		{ID: 9110, Invoice: 2004, Amount: 80_00, Inserted: utc(3, 2, 10, 0, 0), Collected: date(3, 2),
			Payment: &admitto.Payment{Payment: "P-1",
				ExternalID: "x/1", Status: "captured", Message: "OK \"fine\"", Inserted: utc(3, 2, 9, 59, 0), Updated: utc(3, 2, 9,
					59, 30),
				Gateway: admitto.Gateway{ID: 3, Name: "Cards", Adapter: "acme"}}},
		{ID: 9111, Invoice: 2004, Amount: 1_00, Inserted: utc(3, 2, 11, 0, 0), Collected: date(3, 2),
			Payment: &admitto.Payment{Payment: "P-2", Status: "captured", Inserted: utc(3, 2, 11, 0, 0)}},
	}
	err := s.store.Write(s.t.Context(), func(tx *store.Tx) error {
		if err := load.Series(tx, []admitto.Series{fee}); err != nil {
			return err
		}
		fee.LastIssued, fee.LastNumber = utc(2, 4, 0, 0, 0), "2026-19"
		if err := load.SetSeriesLast(tx, []admitto.Series{fee}); err != nil {
			return err
		}
		if err := load.Invoices(tx, list); err != nil {
			return err
		}
		return load.Transactions(tx, payments)
	})
	if err != nil {
		s.t.Fatal(err)
	}
}

const (
	invoice2001 = `{"id":2001,"type":"Invoice","nr":"2026-17","serie":{"id":2,"name":"Application fee"},"applicant":"/api/v10/applicants/4711",` +
		`"application":"/api/v10/applications/9001","course":null,"issued":"2026-02-01T16:21:00+00:00","deadline":"2026-02-15",` +
		`"delivered":"2026-02-01T16:21:02+00:00","reminder":true,"reminded":null,"collected":"2026-02-03T00:10:00+00:00","lapsed":null,"currency":"EUR",` +
		`"items":[{"item":"Application fee","price":"80.00","qty":"1.00","unit":null,"inventory_item_ID":null}],"total":"80.00","paid":"80.00","due":"0.00",` +
		`"collections":{"9101":{"id":9101,"inserted":"2026-02-03T00:10:00+00:00","collected":"2026-02-02","amount":"80.00","currency":"EUR","invoice":"/api/v10/invoices/2001","administrator":null,"payment":null}},` +
		`"instructions":null,"smallprint":null,"payer":{"name":"Ilse Varga","email":"ilse.varga@example.org"},"transactions":"/api/v10/invoices/2001/transactions"}`
	invoice2002 = `{"id":2002,"type":"Prepayment","nr":"9","serie":{"id":1,"name":"General"},"applicant":"/api/v10/applicants/4711","application":null,` +
		`"course":"/api/v10/courses/55","issued":"2026-02-02T08:00:00+00:00","deadline":"2026-03-08","delivered":null,"reminder":false,` +
		`"reminded":"2026-03-05T01:00:00+00:00","collected":null,"lapsed":null,"currency":"USD",` +
		`"items":[{"item":"Tuition","price":"1000.01","qty":"1.50","unit":"year","inventory_item_ID":17},` +
		`{"item":"Reduction \"fair\"","price":"-100.00","qty":"1.00","unit":null,"inventory_item_ID":null}],"total":"1400.02","paid":"300.00","due":"1100.02",` +
		`"collections":{"9102":{"id":9102,"inserted":"2026-02-10T00:00:00+00:00","collected":"2026-02-09","amount":"400.00","currency":"USD","invoice":"/api/v10/invoices/2002","administrator":"/api/v10/administrators/70","payment":null},` +
		`"9103":{"id":9103,"inserted":"2026-02-11T00:00:00+00:00","collected":"2026-02-11","amount":"-100.00","currency":"USD","invoice":"/api/v10/invoices/2002","administrator":null,"payment":null}},` +
		`"instructions":"Pay\nsoon","smallprint":"§ 1","payer":{"name":"Company & Co","email":null},"transactions":"/api/v10/invoices/2002/transactions"}`
	invoice2005 = `{"id":2005,"type":"Invoice","nr":"2026-19","serie":{"id":2,"name":"Application fee"},"applicant":"/api/v10/applicants/4711",` +
		`"application":"/api/v10/applications/9003","course":null,"issued":"2026-02-04T00:00:00+00:00","deadline":"2026-01-01","delivered":null,` +
		`"reminder":false,"reminded":null,"collected":null,"lapsed":"2026-02-20T00:00:00+00:00","currency":"EUR",` +
		`"items":[{"item":"Application fee","price":"80.00","qty":"1.00","unit":null,"inventory_item_ID":null}],"total":"80.00","paid":"0.00","due":"80.00",` +
		`"collections":{},"instructions":null,"smallprint":null,"payer":{"name":"Ilse Varga","email":null},"transactions":"/api/v10/invoices/2005/transactions"}`
	invoice2010 = `{"id":2010,"type":"Credit","nr":"11","serie":{"id":1,"name":"General"},"applicant":"/api/v10/applicants/4713","application":null,` +
		`"course":null,"issued":"2026-03-09T00:00:00+00:00","deadline":"2026-03-23","delivered":null,"reminder":false,"reminded":null,` +
		`"collected":"2026-03-09T00:00:00+00:00","lapsed":null,"currency":"EUR","items":[],"total":"0.00","paid":"0.00","due":"0.00","collections":{},` +
		`"instructions":null,"smallprint":null,"payer":{"name":"C","email":null},"transactions":"/api/v10/invoices/2010/transactions"}`
	payment9101 = `{"id":9101,"amount":"80.00","currency":"EUR","invoice":"/api/v10/invoices/2001","inserted":"2026-02-03T00:10:00+00:00",` +
		`"collected":"2026-02-02","administrator":null,"payment":null}`
	payment9102 = `{"id":9102,"amount":"400.00","currency":"USD","invoice":"/api/v10/invoices/2002","inserted":"2026-02-10T00:00:00+00:00",` +
		`"collected":"2026-02-09","administrator":"/api/v10/administrators/70","payment":null}`
	payment9103 = `{"id":9103,"amount":"-100.00","currency":"USD","invoice":"/api/v10/invoices/2002","inserted":"2026-02-11T00:00:00+00:00",` +
		`"collected":"2026-02-11","administrator":null,"payment":null}`
	payment9110 = `{"id":9110,"amount":"80.00","currency":"SEK","invoice":"/api/v10/invoices/2004","inserted":"2026-03-02T10:00:00+00:00",` +
		`"collected":"2026-03-02","administrator":null,"payment":{"payment":"P-1","external_id":"x/1","status":"captured","message":"OK \"fine\"",` +
		`"inserted":"2026-03-02T09:59:00+00:00","updated":"2026-03-02T09:59:30+00:00","gateway":{"id":3,"name":"Cards","adapter":"acme"}}}`
	payment9111 = `{"id":9111,"amount":"1.00","currency":"SEK","invoice":"/api/v10/invoices/2004","inserted":"2026-03-02T11:00:00+00:00",` +
		`"collected":"2026-03-02","administrator":null,"payment":{"payment":"P-2","external_id":null,"status":"captured","message":null,` +
		`"inserted":"2026-03-02T11:00:00+00:00","updated":null,"gateway":{"id":null,"name":null,"adapter":null}}}`
)

func TestFinanceRecords(t *testing.T) {
	onEach(t, func(t *testing.T, s *service) {
		for _, path := range []string{"/invoices", "/invoices/transactions"} {
			if got := s.get(v10(path)).want(t, 200); got.body != "{}" || got.header.Get("X-Count") != "0" {
				t.Errorf("%s of a new instance: %s %v", path, got.body, got.header)
			}
		}
		putInvoices(s)
		checkReads(t, s, map[string]string{
			"/invoices/2001": invoice2001,
			"/invoices/2002": invoice2002,
			"/invoices/2010": invoice2010,
			"/applicants/4711/invoices": `{"2001":` + invoice2001 + `,"2002":` + invoice2002 + `,"2005":` + invoice2005 +
				`}`,
			"/applicants/4711/invoices/2002":   invoice2002,
			"/applicants/4713/invoices":        `{"2010":` + invoice2010 + `}`,
			"/applications/9001/invoices":      `{"2001":` + invoice2001 + `}`,
			"/applications/9003/invoices/2005": invoice2005,
			"/invoices/2001/transactions":      `{"9101":` + payment9101 + `}`,
			"/invoices/2002/transactions":      `{"9102":` + payment9102 + `,"9103":` + payment9103 + `}`,
			"/invoices/2010/transactions":      `{}`,
			"/invoices/2004/transactions/9110": payment9110,
			"/invoices/transactions/9101":      payment9101,
			"/invoices/transactions/9111":      payment9111,
			"/invoices/series": `{"1":{"id":1,"name":"General","format":"%inc%","blocking":false,"permanent":false,"default":true,"last":null},` +
				`"2":{"id":2,"name":"Application fee","format":"%yearLong%-%incYearly%","blocking":true,"permanent":false,"default":false,` +
				`"last":{"when":"2026-02-04T00:00:00+00:00","number":"2026-19"}}}`,
		}, map[string]int{"/applicants/4711/invoices": 3, "/applicants/4713/invoices": 1, "/applications/9001/invoices": 1,
			"/invoices/2001/transactions": 1, "/invoices/2002/transactions": 2, "/invoices/2010/transactions": 0,
			"/invoices/series": 2})
		for _, prefix := range []string{"/api/v10", oldestPath(""), "/api"} {
			for path, want := range map[string]string{
				"/invoices?byApplicantIDs=4711": `{"2001":` + invoice2001 + `,"2002":` + invoice2002 + `,"2005":` + invoice2005 +
					`}`,
				"/invoices/transactions": `{"9101":` + payment9101 + `,"9102":` + payment9102 + `,"9103":` + payment9103 +
					`,"9110":` + payment9110 + `,"9111":` + payment9111 + `}`,
			} {
				if got := s.get(prefix+path).want(t, 200); got.body != strings.ReplaceAll(want, "/api/v10/", prefix+"/") {
					t.Errorf("%s%s:\n got %s\nwant %s", prefix, path, got.body, want)
				}
			}
		}
	})
}

// checkLists asks for lists by query: IDs, or "!" and the faulty parameters. GET, HEAD and pages of two agree.
func checkLists(t *testing.T, s *service, path string, rows [][2]string) {
	t.Helper()
	for _, row := range rows {
		query, want := row[0], row[1]
		url := v10(path + "?" + query)
		if faults, bad := strings.CutPrefix(want, "!"); bad {
			var got []string
			for _, e := range s.get(url).want(t, 400).problem(t, "invalid-parameter")["errors"].([]any) {
				got = append(got, e.(map[string]any)["parameter"].(string))
			}
			if slices.Sort(got); strings.Join(got, " ") != faults {
				t.Errorf("%s: faults %v, want %s", url, got, faults)
			}
			s.do("HEAD", url, "").want(t, 400)
			continue
		}
		a := s.get(url).want(t, 200)
		count := strconv.Itoa(len(strings.Fields(want)))
		if got := strings.Join(idsOf(a.object(t)), " "); got != want || a.header.Get("X-Count") != count ||
			a.header.Get("Link") != "" {
			t.Errorf("%s: %s, X-Count %s, want %s", url, got, a.header.Get("X-Count"), want)
		}
		if head := s.do("HEAD", url, "").want(t, 200); head.body != "" || head.header.Get("X-Count") != count ||
			head.header.Get("Link") != "" {
			t.Errorf("HEAD %s: %v", url, head.header)
		}
		var paged []string
		for next := url + "&limit=2"; next != ""; {
			a := s.get(next).want(t, 200)
			if a.header.Get("X-Count") != count {
				t.Errorf("%s: X-Count %s, want %s", next, a.header.Get("X-Count"), count)
			}
			if head := s.do("HEAD", next, "").want(t, 200); head.header.Get("Link") != a.header.Get("Link") {
				t.Errorf("%s: HEAD %v", next, head.header)
			}
			paged = append(paged, idsOf(a.object(t))...)
			next, _ = strings.CutSuffix(strings.TrimPrefix(a.header.Get("Link"), "<"), `>; rel="next"`)
		}
		if got := strings.Join(paged, " "); got != want {
			t.Errorf("%s in pages: %s, want %s", url, got, want)
		}
	}
}

// idsOf returns the keys of a collection in ascending order.
func idsOf(list map[string]any) (ids []string) {
	for id := range list {
		ids = append(ids, id)
	}
	slices.SortFunc(ids, func(a, b string) int {
		x, _ := strconv.Atoi(a)
		y, _ := strconv.Atoi(b)
		return x - y
	})
	return ids
}

func TestInvoiceFilters(t *testing.T) {
	const all = "2001 2002 2003 2004 2005 2010"
	manyIDs, manyCurrencies := []string{"2"}, strings.Fields(`EUR AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BHD BIF BMD BND BOB BRL BSD BTN BWP BYN BZD
		CAD CDF CHF CLP CNY COP CRC CUP CVE CZK DJF DKK`)
	for i := range 40 {
		manyIDs = append(manyIDs, strconv.Itoa(100+i))
	}
	onBoth(t, func(t *testing.T, s *service) {
		putInvoices(s)
		checkLists(t, s, "/invoices", [][2]string{
			{"", all},
			{"bySince=2003", "2003 2004 2005 2010"},
			{"bySince=0", all},
			{"bySince=2011", ""},
			{"byUntil=2003", "2001 2002 2003"},
			{"byUntil=0", ""},
			{"bySince=2002&byUntil=2004", "2002 2003 2004"},
			{"bySince=2004&byUntil=2002", ""},
			{"bySince=2026-02-01T16:21:00Z&byUntil=2026-02-01T16:21:00Z", "2001"},
			{"bySince=2026-02-02", "2002 2003 2004 2005 2010"},
			{"byUntil=2026-02-02", "2001 2002"},
			{"byUntil=1970-01-01T00:00:00Z", ""},
			{"bySince=2002&byUntil=2026-02-04", "2002 2003 2004 2005"},
			{"bySince=x", "!bySince"},
			{"byUntil=-1", "!byUntil"},
			{"byIssuedSince=2026-02-01T16:21:00Z", all},
			{"byIssuedSince=2026-02-01T16:21:00.9Z", all},
			{"byIssuedSince=2026-02-01T16:21:01Z", "2002 2003 2004 2005 2010"},
			{"byIssuedSince=2026-02-04T02:00:00+02:00", "2004 2005 2010"},
			{"byIssuedSince=2026-02-04&bySince=2026-02-02", "2004 2005 2010"},
			{"byIssuedSince=2026-02-02&bySince=2026-02-04", "2004 2005 2010"},
			{"byIssuedSince=2026-02-02&byUntil=2026-02-03", "2002 2003"},
			{"byIssuedSince=2026-03-10", ""},
			{"byIssuedSince=1970-01-01T00:00:00Z", all},
			{"byIssuedSince=2001", "!byIssuedSince"},
			{"byIssuedSince=", "!byIssuedSince"},
			{"byCollectedSince=2026-02-03T00:10:00Z", "2001 2004 2010"},
			{"byCollectedSince=2026-02-03T00:10:01Z", "2004 2010"},
			{"byCollectedSince=2026-03-02T10:00:00Z", "2004 2010"},
			{"byCollectedSince=1970-01-01T00:00:00Z", "2001 2004 2010"},
			{"byCollectedSince=1969-01-01", "2001 2004 2010"},
			{"byCollectedSince=2026-03-10", ""},
			{"byCollectedSince=soon", "!byCollectedSince"},
			{"byCollectedSince=2026-02-03&byIssuedSince=2026-02-02", "2004 2010"},
			{"byCollectedSince=2026-02-03&byCollected=false", ""},
			{"byCollectedSince=2026-02-03&byCollected=true", "2001 2004 2010"},
			{"byApplicantIDs=4711", "2001 2002 2005"},
			{"byApplicantIDs=4712", "2003"}, // deleted, and still listed
			{"byApplicantIDs=4713,4712", "2003 2010"},
			{"byApplicantIDs=4711&byApplicantIDs=4713", "2001 2002 2005 2010"},
			{"byApplicantIDs=1", ""},
			{"byApplicantIDs=0", "!byApplicantIDs"},
			{"byApplicantIDs=", "!byApplicantIDs"},
			{"byApplicationIDs=9001", "2001"},
			{"byApplicationIDs=9002+9003", "2003 2005"},
			{"byApplicationIDs=1", ""},
			{"byApplicationIDs=a", "!byApplicationIDs"},
			{"byApplicantIDs=4711&byApplicationIDs=9002,9003", "2005"},
			{"bySerieIDs=2", "2001 2003 2005"},
			{"bySerieIDs=1", "2002 2004 2010"},
			{"bySerieIDs=1,2", all},
			{"bySerieIDs=3", ""},
			{"bySerieIDs=" + strings.Join(manyIDs, ","), "2001 2003 2005"},
			{"bySerieIDs=General", "!bySerieIDs"},
			{"byCurrencies=eur", "2001 2003 2005 2010"},
			{"byCurrencies=SEK,usd", "2002 2004"},
			{"byCurrencies=GBP", ""},
			{"byCurrencies=" + strings.Join(manyCurrencies, "+"), "2001 2003 2005 2010"},
			{"byCurrencies=XYZ", "!byCurrencies"},
			{"byCurrencies=EU", "!byCurrencies"},
			{"byCurrencies=,", "!byCurrencies"},
			{"bySerieIDs=2&byCurrencies=EUR,SEK", "2001 2003 2005"},
			{"bySerieIDs=1,2&byCurrencies=SEK", "2004"},
			{"byCollected=true", "2001 2004 2010"},
			{"byCollected=0", "2002 2003 2005"},
			{"byCollected=FALSE", "2002 2003 2005"},
			{"byCollected=yes", "!byCollected"},
			{"byCollected=", "!byCollected"},
			{"byCollected=1&byCollected=1", "!byCollected"},
			{"byOverdue=true", "2002"},
			{"byOverdue=1&byCollected=0", "2002"},
			{"byOverdue=1&byCollected=1", ""},
			{"byOverdue=0", "2001 2003 2004 2005 2010"},
			{"byOverdue=false&byCollected=false", "2003 2005"},
			{"byOverdue=false&byCollected=true", "2001 2004 2010"},
			{"byOverdue=2", "!byOverdue"},
			{"byOverdue=true&byApplicantIDs=4711", "2002"},
			{"byOverdue=true&bySerieIDs=2", ""},
			{"byOverdue=false&bySerieIDs=2&byCurrencies=EUR&byCollected=false&byUntil=2026-02-03", "2003"},
			{"byCollected=true&bySerieIDs=1&byIssuedSince=2026-02-04&byUntil=2009", "2004"},
			{"byApplicantIDs=4711,4713&byApplicationIDs=9001&bySerieIDs=2&byCurrencies=EUR&byCollected=true&byCollectedSince=2026-02-03&byOverdue=0&bySince=2001", "2001"},
			{"limit=0", "!limit"},
			{"limit=16385", "!limit"},
			{"limit=x&byCollected=x&byCurrencies=x", "!byCollected byCurrencies limit"},
			{"after=x", "!after"},
		})
		a := s.get(v10("/invoices?after=2004&limit=16384&expand=*")).want(t, 200)
		if got := strings.Join(idsOf(a.object(t)), " "); got != "2005 2010" || a.header.Get("X-Count") != "6" ||
			a.header.Get("Ignored-Parameters") != "expand" {
			t.Errorf("after: %s %v", got, a.header)
		}
	})
}

func TestTransactionFilters(t *testing.T) {
	onBoth(t, func(t *testing.T, s *service) {
		putInvoices(s)
		checkLists(t, s, "/invoices/transactions", [][2]string{
			{"", "9101 9102 9103 9110 9111"},
			{"byInvoiceIDs=2002", "9102 9103"},
			{"byInvoiceIDs=2001,2004", "9101 9110 9111"},
			{"byInvoiceIDs=2010", ""},
			{"byInvoiceIDs=", "!byInvoiceIDs"},
			{"byInsertedSince=2026-02-11T00:00:00Z", "9103 9110 9111"},
			{"byInsertedSince=2026-02-11T00:00:01Z", "9110 9111"},
			{"byInsertedSince=2026-03-03", ""},
			{"byInsertedSince=9101", "!byInsertedSince"},
			{"byInsertedBefore=2026-02-11T00:00:00Z", "9101 9102"},
			{"byInsertedBefore=2026-02-11T00:00:01Z", "9101 9102 9103"},
			{"byInsertedBefore=2026-02-03T00:10:00Z", ""},
			{"byInsertedBefore=1970-01-01T00:00:00Z", ""},
			{"byInsertedBefore=never", "!byInsertedBefore"},
			{"byInsertedSince=2026-02-10&byInsertedBefore=2026-03-02T11:00:00Z", "9102 9103 9110"},
			{"byInsertedBefore=2026-02-11&byUntil=2026-03-02", "9101 9102"},
			{"byInsertedBefore=2026-03-02&byUntil=2026-02-10", "9101 9102"},
			{"byCollectedSince=2026-02-09", "9102 9103 9110 9111"},
			{"byCollectedSince=2026-02-10", "9103 9110 9111"},
			{"byCollectedSince=2026-03-03", ""},
			{"byCollectedSince=2026-02-30", "!byCollectedSince"},
			{"byCollectedSince=2026-02-09T00:00", "!byCollectedSince"},
			{"byCollectedBefore=2026-02-09", "9101"},
			{"byCollectedBefore=2026-02-10", "9101 9102"},
			{"byCollectedBefore=0001-01-01", ""},
			{"byCollectedBefore=", "!byCollectedBefore"},
			{"byCollectedSince=2026-02-03&byCollectedBefore=2026-03-02", "9102 9103"},
			{"byCollectedSince=2026-02-03&byCollectedBefore=2026-03-02&byInsertedSince=2026-02-11&byInvoiceIDs=2002", "9103"},
			{"byInsertedSince=2026-02-10&byCollectedBefore=2026-02-11", "9102"},
			{"bySince=9103", "9103 9110 9111"},
			{"bySince=2026-03-02T10:00:00Z", "9110 9111"},
			{"byUntil=9102", "9101 9102"},
			{"byUntil=0", ""},
			{"byUntil=2026-02-11", "9101 9102 9103"},
			{"bySince=9102&byUntil=2026-02-11", "9102 9103"},
			{"bySince=9102&byUntil=9110&byInvoiceIDs=2002,2004", "9102 9103 9110"},
			{"byUntil=x&byCollectedSince=x&byInvoiceIDs=x", "!byCollectedSince byInvoiceIDs byUntil"},
			{"limit=16385", "!limit"},
		})
	})
}

// An invoice is overdue when the day of its deadline is over where the institution is.
func TestOverdueByZone(t *testing.T) {
	for _, row := range []struct {
		zone  string
		after admitto.Time // 2026-03-09T09:00Z
		want  string
	}{
		{"UTC", 0, "2002"},
		{"UTC", 15*admitto.Hour - admitto.Microsecond, "2002"},
		{"UTC", 15 * admitto.Hour, "2002 2003"},
		{"Pacific/Kiritimati", admitto.Hour - admitto.Microsecond, "2002"},
		{"Pacific/Kiritimati", admitto.Hour, "2002 2003"},
		{"America/New_York", 19*admitto.Hour - admitto.Second, "2002"},
		{"America/New_York", 19 * admitto.Hour, "2002 2003"},
		{"America/New_York", -6 * admitto.Hour, ""},
	} {
		zone, err := time.LoadLocation(row.zone)
		if err != nil {
			t.Fatal(err)
		}
		onEach(t, func(t *testing.T, s *service) {
			putInvoices(s)
			s.clock.Add(row.after)
			if got := strings.Join(idsOf(s.get(v10("/invoices?byOverdue=true")).want(t, 200).object(t)), " "); got != row.want {
				t.Errorf("%s, %d: %s, want %s", row.zone, row.after, got, row.want)
			}
		}, func(o *options) { o.settings.Instance.Timezone = zone })
	}
}

// A parent that cannot be seen hides what is below it; a child under another parent is not there.
func TestFinanceAbsent(t *testing.T) {
	onEach(t, func(t *testing.T, s *service) {
		putInvoices(s)
		strict := header("Prefer", "handling=strict")
		for _, path := range []string{"/invoices/1", "/invoices/1/transactions", "/invoices/1/transactions/9101",
			"/invoices/2001/transactions/9102",
			"/invoices/2001/transactions/1", "/invoices/transactions/1", "/applicants/1/invoices", "/applicants/1/invoices/2001",
			"/applicants/4712/invoices", "/applicants/4712/invoices/2003", "/applicants/4711/invoices/2010",
			"/applicants/4711/invoices/2004",
			"/applicants/4711/invoices/1", "/applications/1/invoices", "/applications/9002/invoices",
			"/applications/9002/invoices/2003",
			"/applications/9001/invoices/2005", "/applications/9001/invoices/2002", "/applications/9001/invoices/1"} {
			s.get(v10(path)).want(t, 404).problem(t, "not-found")
			s.get(defaultPath(path+"?limit=1"), strict).want(t, 404).problem(t, "not-found")
			s.do("HEAD", v10(path), "").want(t, 404)
		}
		for _, path := range []string{"/invoices/x", "/invoices/0/transactions", "/invoices/2001/transactions/x",
			"/invoices/transactions/x",
			"/applicants/4711/invoices/-1", "/applications/9001/invoices/x"} {
			s.get(v10(path)).want(t, 400).problem(t, "invalid-id")
		}
		for _, path := range []string{"/invoices/2001", "/invoices/series", "/invoices/2001/transactions",
			"/invoices/2001/transactions/9101",
			"/invoices/transactions/9101", "/applicants/4711/invoices", "/applicants/4711/invoices/2001",
			"/applications/9001/invoices",
			"/applications/9001/invoices/2001"} {
			if got := s.get(v10(path+"?byCollected=x&limit=0")).want(t,
				200); got.header.Get("Ignored-Parameters") != "byCollected, limit" {
				t.Errorf("%s: %v", path, got.header)
			}
			s.get(v10(path+"?limit=1"), strict).want(t, 400).problem(t, "invalid-parameter")
		}
	})
}

// The work of a list does not depend on how many rows it has, but for one statement a kind and page.
func TestFinanceStatements(t *testing.T) {
	onEach(t, func(t *testing.T, s *service) {
		putInvoices(s)
		err := s.store.Write(t.Context(), func(tx *store.Tx) error {
			list := make([]admitto.Invoice, 2100)
			payments := make([]admitto.Transaction, len(list))
			for i := range list {
				id := int64(10_000 + i)
				list[i] = admitto.Invoice{ID: id, Type: "Invoice", Number: fmt.Sprint("n", i), Series: admitto.Series{ID: 1},
					Applicant: 4713,
					Issued:    utc(3, 1, 0, 0, 0), Deadline: admitto.Date{Year: 2026, Month: 4,
						Day: 1}, Currency: "EUR", Total: admitto.Hundredths(id), Paid: 1,
					Items: []admitto.InvoiceItem{{Item: fmt.Sprint(id), Price: admitto.Hundredths(id), Qty: 1_00}}, PayerName: "x"}
				payments[i] = admitto.Transaction{ID: 2*id + 1, Invoice: id, Amount: 1, Inserted: utc(3, 1, 0, 0, 0),
					Collected: admitto.Date{Year: 2026, Month: 3, Day: 1}}
			}
			if err := load.Invoices(tx, list); err != nil {
				return err
			}
			return load.Transactions(tx, payments)
		})
		if err != nil {
			t.Fatal(err)
		}
		// Three pages of three statements, the IDs, the count; next to them the key, the snapshot and the quota.
		for path, row := range map[string]struct{ statements, count int }{"/invoices": {11, 2106},
			"/invoices?byApplicantIDs=4713&bySince=2010": {11, 2101},
			"/invoices?byIssuedSince=2026-02-03":         {11, 2104}, "/invoices?limit=3": {5,
				2106}, "/invoices/transactions": {5,
				2105}, "/applicants/4713/invoices": {4, 2101}} {
			s.get(v10(path)).want(t, 200)
			before := s.store.Statements()
			got := s.get(v10(path)).want(t, 200)
			if n := int(s.store.Statements() - before); n > row.statements+4 {
				t.Errorf("%s: %d statements", path, n)
			}
			if got.header.Get("X-Count") != strconv.Itoa(row.count) {
				t.Errorf("%s: %v", path, got.header)
			}
			list := got.object(t)
			if !strings.Contains(path, "limit") && len(list) != row.count {
				t.Errorf("%s: %d", path, len(list))
			}
			for id, v := range list { // every invoice with its own items and payments
				number, _ := strconv.Atoi(id)
				record := v.(map[string]any)
				if number < 10_000 || record["items"] == nil {
					continue
				}
				item := record["items"].([]any)[0].(map[string]any)["item"]
				if payments := record["collections"].(map[string]any); item != id || len(payments) != 1 ||
					payments[strconv.Itoa(2*number+1)] == nil {
					t.Fatalf("%s: %v", id, v)
				}
			}
		}
	})
}

// The payments inside an invoice say what the transactions of the same IDs say (resources.md 13.2).
func TestCollectionsAreTransactions(t *testing.T) {
	onBoth(t, func(t *testing.T, s *service) {
		putInvoices(s)
		seen := 0
		for id, invoice := range s.get(v10("/invoices")).want(t, 200).object(t) {
			collections := invoice.(map[string]any)["collections"].(map[string]any)
			seen += len(collections)
			if diff := cmp.Diff(s.get(v10("/invoices/"+id+"/transactions")).want(t, 200).object(t), collections); diff != "" {
				t.Errorf("%s: %s", id, diff)
			}
		}
		if seen != 5 {
			t.Errorf("%d payments in invoices", seen)
		}
	})
}

// A blind copy that the mail server refuses keeps the mail from nobody else, and is shown with the mail.
func TestRefusedCopyOfInvoice(t *testing.T) {
	onEach(t, func(t *testing.T, s *service) {
		putMoney(t, s)
		s.mail.Answer = func(_ context.Context, m *mail.Message) error {
			if len(m.Bcc) != 2 {
				t.Errorf("copies to %v", m.Bcc)
			}
			return &mail.CopiesRefused{Copies: []mail.RefusedCopy{{Email: "b@example.org", Code: 550}}}
		}
		for n, payer := range []string{"", `,"payer":{"email":"pay@acme.example"}`} {
			last := s.lastEvent(t)
			s.postJSON(v10("/applications/9001/invoices"), `{`+oneItem+`,"copy":["a@example.org","b@example.org"]`+payer+
				`}`).want(t, 201)
			s.leave(t)
			events := s.moneyEvents(t, last)
			for _, event := range []string{"E-mail was sent: invoice-delivery 4711/9001",
				"E-mail failed: invoice-delivery 4711/9001", "Invoice was delivered 4711/9001"} {
				if strings.Count(events, event) != 1 {
					t.Errorf("%q: %s", event, events)
				}
			}
			if got := s.get(v10(fmt.Sprintf("/invoices/%d", 2003+n))).body; strings.Contains(got, `"delivered":null`) {
				t.Error(got)
			}
			s.leave(t) // nothing is left to send
			if got := s.moneyEvents(t, last); got != events {
				t.Errorf("sent again: %s", got)
			}
		}
		shown := 0
		for id, email := range s.get(v10("/applicants/4711/emails")).want(t, 200).object(t) {
			if record := email.(map[string]any); strings.Contains(record["subject"].(string), "nvoice") {
				if shown++; record["delivered"] != "2026-03-09T09:00:00+00:00" || record["failed"] != "2026-03-09T09:00:00+00:00" {
					t.Errorf("%s: %v", id, record)
				}
			}
		}
		if shown != 1 { // the other is not to the applicant
			t.Errorf("%d mails about invoices", shown)
		}
		var details string
		err := s.store.Read(t.Context(), func(tx *store.Tx) error {
			var failed []int64
			_, err := tx.EachRecord(admitto.JournalQuery{Limit: 1000}, func(r *admitto.Record) error {
				if r.Pattern == admitto.EmailFailed {
					failed = append(failed, r.ID)
				}
				return nil
			})
			found, readErr := tx.DetailsOf(failed)
			details = fmt.Sprint(found)
			return errors.Join(err, readErr)
		})
		if err != nil || strings.Count(details, "b@example.org") != 2 || strings.Contains(details, "a@example.org") {
			t.Errorf("%s, %v", details, err)
		}
	})
}
