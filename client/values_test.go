package client_test

import (
	"encoding/json"
	"net/url"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/admitto/admitto/client"
)

// What is given goes into the query, and nothing else; a list that is there but empty goes, too, and is refused: left
// out, it would list everybody.
func TestQuery(t *testing.T) {
	i := start(t, nil, answering(200, `{}`))
	for _, send := range []func() error{
		func() error {
			_, err := i.client.ListApplications(t.Context(), client.ListApplicationsQuery{BySince: client.FromID(0),
				ByUntil: client.At(noon), ByApplicantIDs: []int64{7, 9},
				ByStatuses: []string{"Submitted", "Draft"}, ByOfferConfirmed: new(false), ByRevisedSince: "2026-03-01", Limit: 5})
			return err
		},
		func() error {
			_, err := i.client.ListApplications(t.Context(), client.ListApplicationsQuery{ByApplicantIDs: []int64{}})
			return err
		},
		func() error {
			_, err := i.client.ListInvoicesTransactions(t.Context(),
				client.ListInvoicesTransactionsQuery{ByCollectedSince: "2026-03-01"})
			return err
		},
		func() error {
			_, err := i.client.DownloadReport(t.Context(), "Report/Status", client.GetReportQuery{Regions: []string{"EU"}})
			return err
		},
		func() error {
			return i.client.SetApplicantNote(t.Context(), 1, 2, "Called", client.SetApplicantNoteQuery{Colour: "Green"})
		},
	} {
		if err := send(); err != nil {
			t.Error(err)
		}
	}
	for n, want := range []string{
		"/api/v10/applications?byApplicantIDs=7,9&byOfferConfirmed=false&byRevisedSince=2026-03-01&bySince=0&byStatuses=Submitted,Draft&byUntil=2026-03-01T12:00:00Z&limit=5",
		"/api/v10/applications?byApplicantIDs=",
		"/api/v10/invoices/transactions?byCollectedSince=2026-03-01",
		"/api/v10/reports/Report/Status?regions=EU",
		"/api/v10/applicants/1/notes/2?colour=Green",
	} {
		query, err := url.QueryUnescape(i.seen[n].URL.RawQuery)
		if err != nil {
			t.Fatal(err)
		}
		if got := i.seen[n].URL.Path + "?" + query; got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
	if got := i.seen[3].URL.EscapedPath(); got != "/api/v10/reports/Report%2FStatus" {
		t.Errorf("a / in a name leads elsewhere: %s", got)
	}
	if accept := i.seen[3].Header.Get("Accept"); accept != "text/csv" {
		t.Error(accept)
	}
}

func TestCollection(t *testing.T) {
	var c client.Collection[client.Text]
	if c.Len() != 0 || c.Last() != 0 {
		t.Error("an empty collection is not empty")
	}
	if err := json.Unmarshal([]byte(`{"9":"nine","2":"two","30":"thirty"}`), &c); err != nil {
		t.Fatal(err)
	}
	two, found := c.Get(2)
	_, more := c.Get(3)
	if c.Len() != 3 || c.Last() != 30 || two != "two" || !found || more {
		t.Error(c, two, found, more)
	}
	for id, value := range c.All() {
		if id != 9 || value != "nine" {
			t.Error(id, value)
		}
		break
	}
}

// A list in pages keeps its pages apart from its elements.
func TestPaged(t *testing.T) {
	const text = `{"pages":{"total":2,"current":1,"prev":null,"next":2,"items":{"current":2,"total":3}},"8":true,"5":false}`
	var p client.Paged[bool]
	if err := json.Unmarshal([]byte(text), &p); err != nil {
		t.Fatal(err)
	}
	if p.Pages.Total != 2 || p.Pages.Prev != nil || *p.Pages.Next != 2 || p.Items.Len() != 2 || p.Items.Last() != 5 {
		t.Error(p)
	}
	back, err := json.Marshal(p)
	if err != nil {
		t.Fatal(err)
	}
	if difference := cmp.Diff(text, string(back)); difference != "" {
		t.Error(difference)
	}
	for _, bad := range []string{`{"pages":7}`, `{"x":true}`, `{"5":"no"}`, `[]`, `{`} {
		if err := json.Unmarshal([]byte(bad), &p); err == nil {
			t.Errorf("%s is read", bad)
		}
	}
}

// Without a Sleep of the caller's the real time passes.
func TestRealWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		answers := []int{503, 503, 200}
		c, err := client.New(client.Config{BaseURL: "https://a.example", Key: "k", Transport: transport(func() (int, string) {
			status := answers[0]
			answers = answers[1:]
			return status, "3"
		})})
		if err != nil {
			t.Fatal(err)
		}
		begin := time.Now()
		if _, err := c.GetPing(t.Context()); err != nil || time.Since(begin) != 6*time.Second {
			t.Error(err, time.Since(begin))
		}
	})
}
