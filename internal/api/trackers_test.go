package api_test

import (
	"fmt"
	"net/url"
	"strings"
	"testing"

	"github.com/admitto/admitto/internal/admitto"
)

func TestCreateTracker(t *testing.T) {
	const percent, amount = "reduction[reduction]=Percent&reduction[percent]=",
		"reduction[reduction]=Amount&reduction[currency]=EUR&reduction[amount]="
	multi, multiBody := multipartForm("code", "multi", "reduction[reduction]", "Percent", "reduction[percent]", "5")
	onEach(t, func(t *testing.T, s *service) {
		n := 0
		for _, c := range []struct{ contentType, body, code, notes, reduction string }{
			{formType, "code=FAIR-BUD&notes=Budapest+fair%0D%0Ain+May", "FAIR-BUD", `"Budapest fair\r\nin May"`, "null"},
			{formType, "code=ab", "ab", "null", "null"},
			{formType, "code=1234567890123456", "1234567890123456", "null", "null"},
			{formType, "code=%C3%A9%F0%9F%98%801234567890abcd", "é😀1234567890abcd", "null", "null"},
			{formType, "code=%C3%A9e%CC%81%F0%9F%98%80", "éé😀", "null", "null"},
			{formType, "code=+trim%0A", "trim", "null", "null"},
			{formType, "code=p1&" + percent + "0.01", "p1", "null", `Percent 0.01`},
			{formType, "code=p2&" + percent + "100.00", "p2", "null", `Percent 100.00`},
			{formType, "code=p3&" + percent + "+12.500+", "p3", "null", `Percent 12.50`},
			{formType, "code=p4&reduction[cents]=5&" + percent + "7", "p4", "null", `Percent 7.00`},
			{formType, "code=a1&" + amount + "0.01", "a1", "null", `Amount 0.01 1 EUR`},
			{formType, "code=a2&" + amount + "999999999.99", "a2", "null", `Amount 999999999.99 99999999999 EUR`},
			{formType, "code=e1&reduction[reduction]=&reduction[percent]=", "e1", "null", "null"},
			{multi, multiBody, "multi", "null", "Percent 5.00"},
			{"application/json", `{"code":"j1","notes":"N","reduction":{"reduction":"Percent","percent":10}}`, "j1", `"N"`,
				"Percent 10.00"},
			{"application/json", `{"code":"j2","reduction":{"reduction":"Percent","percent":"10.5","amount":null,"cents":null,"currency":null}}`, "j2", "null", "Percent 10.50"},
			{"application/json", `{"code":"j3","reduction":{"reduction":"Amount","amount":12.50,"cents":1250,"currency":"usd"}}`,
				"j3", "null", "Amount 12.50 1250 USD"},
			{"application/json", `{"code":"j4","reduction":null}`, "j4", "null", "null"},
			{"application/json", `{"code":"j5","reduction":{}}`, "j5", "null", "null"},
			{"application/json", `{"code":"j6","reduction[reduction]":"Percent","reduction[percent]":1}`, "j6", "null",
				"Percent 1.00"},
		} {
			t.Run(c.body, func(t *testing.T) {
				n++
				last := s.lastEvent(t)
				made := s.do("POST", "/api/v9/applicants/trackers", c.body, contentType(c.contentType)).want(t, 201)
				path := fmt.Sprintf("/api/v9/applicants/trackers/%d", n)
				reduction := "null"
				switch part := strings.Fields(c.reduction); part[0] {
				case "Percent":
					reduction = fmt.Sprintf(`{"reduction":"Percent","percent":"%s","amount":null,"cents":null,"currency":null}`,
						part[1])
				case "Amount":
					reduction = fmt.Sprintf(`{"reduction":"Amount","percent":null,"amount":"%s","cents":%s,"currency":"%s"}`, part[1],
						part[2], part[3])
				}
				want := fmt.Sprintf(`{"id":%d,"created":"2026-03-09T09:00:00+00:00","code":"%s","notes":%s,"reduction":%s}`, n,
					c.code, c.notes, reduction)
				if got := s.get(path); made.header.Get("Location") != path || made.body != want || got.body != want {
					t.Fatalf("%s %s, got %s, want %s", made.header.Get("Location"), made.body, got.body, want)
				}
				s.wantEvents(t, last, fmt.Sprintf("Tracker was created tracker=%d by api_key", n))
			})
		}
		for _, c := range []struct{ contentType, body, faults string }{
			{formType, "", "code"},
			{formType, "code=", "code"},
			{formType, "code=++", "code"},
			{formType, "code=x", "code"},
			{formType, "code=12345678901234567", "code"},
			{formType, "code=a+b", "code"},
			{formType, "code=a,b", "code"},
			{formType, "code=a%C2%A0b", "code"},
			{formType, "code=a%00b", "code"},
			{formType, "code=a%09b", "code"},
			{formType, "code=ab&code=cd", "code"},
			{formType, "code=ab&notes=" + strings.Repeat("x", 2049), "notes"},
			{"application/json", `{"code":12}`, "@/code"},
			{formType, "code=zz&reduction=Percent", "reduction"},
			{"application/json", `{"code":"zz","reduction":"Percent"}`, "@/reduction"},
			{"application/json", `{"code":"zz","reduction":[{"percent":1}]}`, ""},
			{formType, "code=zz&reduction[reduction]=Percent", "reduction[percent]"},
			{formType, "code=zz&reduction[reduction]=Amount", "reduction[amount] reduction[currency]"},
			{formType, "code=zz&reduction[reduction]=Amount&reduction[amount]=1", "reduction[currency]"},
			{formType, "code=zz&reduction[reduction]=Amount&reduction[currency]=EUR", "reduction[amount]"},
			{formType, "code=zz&reduction[percent]=1", "reduction[reduction]"},
			{formType, "code=zz&reduction[amount]=1", "reduction[reduction]"},
			{formType, "code=zz&reduction[currency]=EUR", "reduction[reduction]"},
			{formType, "code=zz&reduction[reduction]=percent&reduction[percent]=1", "reduction[reduction]"},
			{formType, "code=zz&reduction[reduction]=Half", "reduction[reduction]"},
			{formType, "code=zz&reduction[amount]=1&" + percent + "1", "reduction[amount]"},
			{formType, "code=zz&reduction[currency]=EUR&" + percent + "1", "reduction[currency]"},
			{formType, "code=zz&reduction[percent]=1&" + amount + "1", "reduction[percent]"},
			{formType, "code=zz&" + percent + "0", "reduction[percent]"},
			{formType, "code=zz&" + percent + "0.001", "reduction[percent]"},
			{formType, "code=zz&" + percent + "-5", "reduction[percent]"},
			{formType, "code=zz&" + percent + "100.01", "reduction[percent]"},
			{formType, "code=zz&" + percent + "1e1", "reduction[percent]"},
			{formType, "code=zz&" + percent + "10%25", "reduction[percent]"},
			{formType, "code=zz&" + percent + "1,5", "reduction[percent]"},
			{formType, "code=zz&" + amount + "0", "reduction[amount]"},
			{formType, "code=zz&" + amount + "-1", "reduction[amount]"},
			{formType, "code=zz&" + amount + "1000000000", "reduction[amount]"},
			{formType, "code=zz&reduction[reduction]=Amount&reduction[amount]=1&reduction[currency]=EEK", "reduction[currency]"},
			{"application/json", `{"code":"zz","reduction":{"reduction":"Amount","amount":true,"currency":5}}`,
				"@/reduction/amount @/reduction/currency"},
			{"application/json", `{"code":"z","notes":1,"reduction":{"reduction":5,"percent":1,"amount":1}}`,
				"@/code @/notes @/reduction/reduction"},
			{"application/json", `{"code":"zz","reduction":{"percent":1}}`, "reduction[reduction]"},
		} {
			t.Run(c.body, func(t *testing.T) {
				if c.faults == "" { // a list of reductions is nothing known
					if got := s.do("POST", v10("/applicants/trackers"), c.body, contentType(c.contentType)).want(t,
						201).header.Get("Ignored-Parameters"); got == "" {
						t.Fatal("not told")
					}
					return
				}
				s.refused(t, "invalid-parameter", func() answer {
					return s.do("POST", v10("/applicants/trackers"), c.body, contentType(c.contentType))
				}).want(t, 400).wantFaults(t, c.faults)
			})
		}
		for _, c := range []struct{ code, location string }{{"fair-bud", "1"}, {"FAIR-BUD", "1"}, {" Fair-Bud ", "1"},
			{"AB", "2"}, {"E\u0301\u00c9😀", "5"}} {
			used := s.refused(t, "already-exists", func() answer {
				return s.postForm("/api/applicants/trackers", url.Values{"code": {c.code}}.Encode())
			}).want(t, 409)
			if got := used.header.Get("Location"); got != "/api/applicants/trackers/"+c.location {
				t.Errorf("%q: Location %q", c.code, got)
			}
		}
		s.refused(t, "unsupported-media-type", func() answer {
			return s.do("POST", v10("/applicants/trackers"), "code=zz", contentType("text/plain"))
		}).want(t, 415)
	})
}

// What may be done to trackers of an applicant, in which order, and what it answers and records.
func TestTrackersOfApplicants(t *testing.T) {
	onEach(t, func(t *testing.T, s *service) {
		for _, code := range []string{"one", "two", "three"} {
			s.postForm(v10("/applicants/trackers"), "code="+code).want(t, 201)
		}
		s.create(t, "email=a%40example.org&name=A")
		s.create(t, "email=b%40example.org&name=B&tracker_ID=2")
		const strict, assigned, unassigned = "handling=strict", "Tracker was assigned applicant=1 tracker=%d by api_key",
			"Tracker was unassigned applicant=1 tracker=%d by api_key"
		for _, c := range []struct {
			method, path, body string
			status             int
			want               string // the body of a GET, the problem, or the event
			prefer             string
		}{
			{"GET", "/applicants/1/trackers", "", 200, "{}", ""},
			{"GET", "/applicants/1/trackers/2", "", 404, "not-found", ""},
			{"DELETE", "/applicants/1/trackers/2", "", 404, "not-found", ""},
			{"PUT", "/applicants/1/trackers/2", "", 204, fmt.Sprintf(assigned, 2), ""},
			{"PUT", "/applicants/1/trackers/1", "{rubbish", 204, fmt.Sprintf(assigned, 1), ""},
			{"GET", "/applicants/1/trackers/2", "", 200, `{"id":2,"assigned":"AT4","tracker":"/api/v10/applicants/trackers/2"}`,
				""},
			{"PUT", "/applicants/1/trackers/2", "", 204, "", ""}, // later: the time stays, no event
			{"GET", "/applicants/1/trackers/2", "", 200, `{"id":2,"assigned":"AT4","tracker":"/api/v10/applicants/trackers/2"}`,
				""},
			{"GET", "/applicants/1/trackers", "", 200,
				`{"1":{"id":1,"assigned":"AT5","tracker":"/api/v10/applicants/trackers/1"},"2":{"id":2,"assigned":"AT4","tracker":"/api/v10/applicants/trackers/2"}}`, ""},
			{"PUT", "/applicants/99/trackers/2", "", 404, "not-found", ""},
			{"PUT", "/applicants/1/trackers/99", "", 404, "not-found", ""},
			{"PUT", "/applicants/99/trackers/x", "", 400, "invalid-id", ""},
			{"PUT", "/applicants/x/trackers/2", "", 400, "invalid-id", ""},
			{"PUT", "/applicants/1/trackers/0", "", 400, "invalid-id", ""},
			{"GET", "/applicants/99/trackers", "", 404, "not-found", ""},
			{"GET", "/applicants/99/trackers?x=1", "", 404, "not-found", strict},
			{"GET", "/applicants/1/trackers?x=1", "", 400, "invalid-parameter", strict},
			{"GET", "/applicants/1/trackers/2?x=1", "", 400, "invalid-parameter", strict},
			{"PUT", "/applicants/1/trackers/3?x=1", "", 400, "invalid-parameter", strict},
			{"PUT", "/applicants/99/trackers/3?x=1", "", 404, "not-found", strict},
			{"PUT", "/applicants/1/trackers/99?x=1", "", 404, "not-found", strict},
			{"DELETE", "/applicants/1/trackers/2?x=1", "", 400, "invalid-parameter", strict},
			{"DELETE", "/applicants/1/trackers/3?x=1", "", 404, "not-found", strict},
			{"DELETE", "/applicants/trackers/1?x=1", "", 400, "invalid-parameter", strict},
			{"DELETE", "/applicants/trackers/99?x=1", "", 404, "not-found", strict},
			{"GET", "/applicants/99/trackers/2", "", 404, "not-found", ""},
			{"DELETE", "/applicants/99/trackers/2", "", 404, "not-found", ""},
			{"DELETE", "/applicants/1/trackers/99", "", 404, "not-found", ""},
			{"DELETE", "/applicants/1/trackers/1", "rubbish", 204, fmt.Sprintf(unassigned, 1), ""},
			{"DELETE", "/applicants/1/trackers/1", "", 404, "not-found", ""},
			{"PUT", "/applicants/1/trackers/1", "", 204, fmt.Sprintf(assigned, 1), ""},
			{"GET", "/applicants?byTrackerIDs=2&limit=1&after=1", "", 200, "2", ""},
			{"GET", "/applicants/trackers/99", "", 404, "not-found", ""},
			{"GET", "/applicants/trackers/0", "", 400, "invalid-id", ""},
			{"GET", "/applicants/trackers/one", "", 400, "invalid-id", ""},
			{"GET", "/applicants/trackers?byCodes=one", "", 400, "invalid-parameter", strict},
			{"DELETE", "/applicants/trackers/2", "", 204, "Tracker was deleted tracker=2 by api_key", ""},
			{"DELETE", "/applicants/trackers/2", "", 404, "not-found", ""},
			{"GET", "/applicants/trackers/2", "", 404, "not-found", ""},
			{"PUT", "/applicants/1/trackers/2", "", 404, "not-found", ""},
			{"GET", "/applicants/1/trackers/2", "", 404, "not-found", ""},
			{"GET", "/applicants/2/trackers", "", 200, "{}", ""},
			{"GET", "/applicants?byTrackerIDs=2", "", 200, "{}", ""},
			{"GET", "/applicants?byTrackerCodes=two", "", 200, "{}", ""},
		} {
			s.clock.Add(admitto.Second)
			last, more := s.lastEvent(t), []with{}
			if c.prefer != "" {
				more = append(more, header("Prefer", c.prefer))
			}
			send := func() answer { return s.do(c.method, v10(c.path), c.body, more...) }
			name := c.method + " " + c.path
			switch {
			case c.status >= 400:
				if a := s.refused(t, c.want, send); a.status != c.status {
					t.Errorf("%s: status %d, want %d", name, a.status, c.status)
				}
				continue
			case c.method != "GET":
				if a := send(); a.status != c.status || a.body != "" {
					t.Errorf("%s: %d %s", name, a.status, a.body)
				}
				events := strings.Join(s.events(t, last), "; ")
				if events != c.want {
					t.Errorf("%s: events %q, want %q", name, events, c.want)
				}
				continue
			}
			a := send().want(t, c.status)
			want := strings.NewReplacer("AT4", (start + 4*admitto.Second).String(), "AT5",
				(start + 5*admitto.Second).String()).Replace(c.want)
			if strings.HasPrefix(c.path, "/applicants?") && c.want != "{}" {
				if got := strings.Trim(fmt.Sprint(a.ids(t)), "[]"); got != c.want {
					t.Errorf("%s: %s, want %s", name, got, c.want)
				}
			} else if a.body != want {
				t.Errorf("%s: %s, want %s", name, a.body, want)
			}
			if count := a.header.Get("X-Count"); c.want == "{}" && count != "0" {
				t.Errorf("%s: X-Count %s", name, count)
			}
		}
		// The code is free again, the ID is not.
		if got := s.postForm(v10("/applicants/trackers"), "code=TWO").want(t,
			201).header.Get("Location"); got != v10("/applicants/trackers/4") {
			t.Errorf("Location %q", got)
		}
		list := s.get(v10("/applicants/trackers?limit=1"))
		if fmt.Sprint(list.ids(t)) != "[1 3 4]" || list.header.Get("X-Count") != "3" ||
			list.header.Get("Ignored-Parameters") != "limit" || list.header.Get("ETag") == "" {
			t.Errorf("%s %v", list.body, list.header)
		}
	})
}
