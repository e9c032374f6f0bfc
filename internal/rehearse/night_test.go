package rehearse

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// TestCount wants a fault for each whose receipt and application do not agree, and for each who did not get through.
func TestCount(t *testing.T) {
	said := map[string]string{"1": "Submitted", "2": "Draft", "3": "Submitted", "4": "Draft"}
	server := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = w.Write([]byte(`{"status":"` + said[strings.TrimPrefix(r.URL.Path, "/api/v10/applications/")] + `"}`))
	}))
	defer server.Close()
	night := &Night{URL: server.URL}
	var people []*person
	for id, receipt := range []string{"", "R", "R", "", ""} {
		if id > 0 {
			people = append(people, &person{email: string(rune('a' + id - 1)), application: string(rune('0' + id)),
				receipt: receipt})
		}
	}
	people[3].fault = http.ErrHandlerTimeout
	report := &Report{}
	if err := night.count(t.Context(), people, report); err != nil {
		t.Fatal(err)
	}
	var faults []string
	for _, fault := range report.Faults {
		faults = append(faults, fault.Error())
	}
	want := "b: there is a receipt, and the application is Draft; c: the application is submitted, and there is no receipt; " +
		http.ErrHandlerTimeout.Error()
	if got := strings.Join(faults, "; "); got != want || report.Submitted != 2 {
		t.Errorf("%d submitted; %s", report.Submitted, got)
	}
}

// TestOf wants the longest wait of the quickest of a hundred.
func TestOf(t *testing.T) {
	var step Step
	if step.Of(50) != 0 {
		t.Error("nobody waited, and it took ", step.Of(50))
	}
	for n := range 100 {
		step.Times = append(step.Times, time.Duration(1000*(n+1)))
	}
	if step.Of(50) != 51000 || step.Of(95) != 96000 || step.Of(100) != 100000 {
		t.Error(step.Of(50), step.Of(95), step.Of(100))
	}
}
