package api_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/apikey"
	"github.com/admitto/admitto/internal/store"
)

func inContract(o *options) { o.fill = putContract }

// offerEvents returns the filled names of the journal after the record, with every object they link to.
func (s *service) offerEvents(t testing.TB, after int64) (list []string) {
	t.Helper()
	err := s.store.Read(t.Context(), func(tx *store.Tx) error {
		_, err := tx.EachRecord(admitto.JournalQuery{After: after, Limit: 100_000}, func(r *admitto.Record) error {
			l := r.Links
			line := r.Filled()
			for _, link := range []struct {
				name string
				id   int64
			}{{"applicant", l.Applicant}, {"application", l.Application}, {"course", l.Course}, {"institution", l.Institution},
				{"offer", l.Offer}, {"document", l.Document}, {"administrator", l.Administrator}} {
				if link.id != 0 {
					line += fmt.Sprintf(" %s=%d", link.name, link.id)
				}
			}
			list = append(list, line+" by "+string(r.Actor.Kind))
			return nil
		})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// The objects that events about offer 7001 link to, and who did it.
const (
	of7001    = " applicant=4711 application=9001 course=55 institution=1 offer=7001"
	byKey7001 = of7001 + " by api_key"
)

// wantOfferEvents compares what was recorded since, with all links.
func (s *service) wantOfferEvents(t testing.TB, after int64, want ...string) {
	t.Helper()
	if got := s.offerEvents(t, after); strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Fatalf("events:\n%s\nwant:\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// refusal sends a request and compares problem and faults: "invalid-body @#type-archived". That refusals leave no
// trace is asked for many of them at once.
func (s *service) refusal(t testing.TB, want string, send func() answer) answer {
	t.Helper()
	a := send()
	slug, faults, _ := strings.Cut(want, " ")
	a.problem(t, slug)
	if faults != "" {
		a.wantFaults(t, faults)
	}
	return a
}

// What may be written of an offer, what it answers, what the next GET shows, and what is recorded (resources.md 7.3).
func TestOfferWrites(t *testing.T) {
	const edited, garbage = "Offer was edited: ", "garbage"
	long := func(n int) string { return `"` + strings.Repeat("é", n) + `"` }
	type write struct {
		path, body string
		status     int
		want       string // what GET shows then, or the problem
		event      string
	}
	v10type := func(id int) string {
		return fmt.Sprintf(`{"id":%d,"type":"/api/v10/applications/offers/types/%d"}`, id, id)
	}
	rows := []write{
		// The texts of the working copy were typed, so a type replaces them only once they are empty.
		{"v10 type", `7`, 204, v10type(7), edited + "7"},
		{"v10 type", `"7"`, 204, v10type(7), ""},
		{"v10 subject", ``, 0, `"Typed"`, ""},
		{"v10 subject", `null`, 204, `null`, edited + "7"},
		{"v10 type", `"/api/v3/applications/offers/types/5"`, 204, v10type(5), edited + "5"},
		{"v10 comments", ``, 0, `"Dear %applicant-Name%, …"`, ""},
		{"v10 comments", `null`, 204, `null`, edited + "5"},
		{"v10 type", `" /api/applications/offers/types/7 "`, 204, v10type(7), edited + "7"},
		{"v10 subject", ``, 0, `"Your application: Positive feedback"`, ""},
		// What GET gives may be sent back as it is; its ID counts.
		{"v10 type", v10type(7), 204, v10type(7), ""},
		{"v10 type", ` { "type" : "/api/v4/applications/offers/types/5", "id" : 5 } `, 204, v10type(5), edited + "5"},
		{"v4 type", `{"id":"7","type":"/api/v10/applications/offers/types/5"}`, 204,
			`{"id":7,"type":"/api/v4/applications/offers/types/7"}`, edited + "7"},
		{"v4 type", `"17"`, 204, `{"id":17,"type":"/api/v4/applications/offers/types/17"}`, edited + "17"},
		{"v10 subject", ``, 0, `"Your admission"`, ""},
		{"v10 type", `1`, 204, v10type(1), edited + "1"},
		{"v10 comments", ``, 0, `null`, ""},
		// What a version does that is dropped one day, it undoes.
		{"v10 type", `17`, 204, v10type(17), edited + "17"},
		{" type", `"positive FEEDBACK"`, 204, `"Positive feedback"`, edited + "7"},
		{"v3 type", `"Accepted"`, 204, `"Accepted"`, edited + "17"},
		{"v1 type", `"Positive feedback"`, 204, `"Positive feedback"`, edited + "7"},
		{"v1 type", `"Accepted"`, 204, `"Accepted"`, edited + "17"},
		{"v1 type", `"Accepted"`, 204, `"Accepted"`, ""},
		{"v10 type", `30`, 400, "invalid-body @#type-archived", ""},
		{"v3 type", `"Closed"`, 400, "invalid-body @#type-archived", ""},
		{"v3 type", `17`, 400, "invalid-body @", ""},
		{"v3 type", `"17"`, 400, "invalid-body @", ""},
		{"v3 type", `""`, 400, "invalid-body @", ""},
		{"v3 type", `"/api/v3/applications/offers/types/17"`, 400, "invalid-body @", ""},
		{"v10 type", `"Accepted"`, 400, "invalid-body @", ""},
		{"v10 type", `999`, 400, "invalid-body @", ""},
		{"v10 type", `0`, 400, "invalid-body @", ""},
		{"v10 type", `-1`, 400, "invalid-body @", ""},
		{"v10 type", `7.5`, 400, "invalid-body @", ""},
		{"v10 type", `null`, 400, "invalid-body @", ""},
		{"v10 type", `true`, 400, "invalid-body @", ""},
		{"v10 type", `{"id":7}`, 400, "invalid-body @", ""},
		{"v10 type", `{"type":"/api/v10/applications/offers/types/7"}`, 400, "invalid-body @", ""},
		{"v10 type", `[{"id":7,"type":"/api/v10/applications/offers/types/7"}]`, 400, "invalid-body @", ""},
		{"v10 type", `{"id":7,"type":"/api/v10/applications/offers/types/7"} 7`, 400, "invalid-body @", ""},
		{"v10 type", `{"id":"seven","type":"/api/v10/applications/offers/types/7"}`, 400, "invalid-body @/id", ""},
		{"v10 type", `{"id":7,"type":{"a":1}}`, 400, "invalid-body @", ""},
		{"v10 type", `{"id":999,"type":"/api/v10/applications/offers/types/999"}`, 400, "invalid-body @", ""},
		{"v10 type", `{"id":30,"type":"/api/v10/applications/offers/types/30"}`, 400, "invalid-body @#type-archived", ""},
		{"v3 type", `{"id":7,"type":"/api/v3/applications/offers/types/7"}`, 400, "invalid-body @", ""},
		{"v10 type", `"/api/v10/applications/offers/types/7/x"`, 400, "invalid-body @", ""},
		{"v10 type", `"https://a.b/api/v10/applications/offers/types/7"`, 400, "invalid-body @", ""},

		{"v10 subject", `" Cafe\u0301 "`, 204, `"Café"`, edited + "17"},
		{"v10 subject", `"Café"`, 204, `"Café"`, ""},
		{"v10 subject", long(255), 204, long(255), edited + "17"},
		{"v10 subject", long(256), 400, "invalid-body @", ""},
		{"v10 subject", `"a\nb"`, 400, "invalid-body @", ""},
		{"v10 subject", `12`, 400, "invalid-body @", ""},
		{"v10 subject", `Hello`, 400, "invalid-body @", ""},
		{"v10 subject", `"a" "b"`, 400, "invalid-body @", ""},
		{"v10 subject", `["a"]`, 400, "invalid-body @", ""},
		{"v10 subject", `""`, 204, `null`, edited + "17"},
		{"v10 comments", `"Dear %applicant-Name%,\n\n*bold* <b>"`, 204, `"Dear %applicant-Name%,\n\n*bold* <b>"`,
			edited + "17"},
		{"v10 comments", long(65535), 204, long(65535), edited + "17"},
		{"v10 comments", long(65536), 400, "invalid-body @", ""},
		{"v10 comments", `"a\u0007b"`, 400, "invalid-body @", ""},
		{"v10 comments", `false`, 400, "invalid-body @", ""},
		{"v10 comments", `null`, 204, `null`, edited + "17"},

		{"v10 decision", `"Final"`, 204, `"Final"`, "Offer decision was set: Final"},
		{"v10 decision", `"Final"`, 204, `"Final"`, ""},
		{"v3 decision", `"Declined"`, 204, `"Declined"`, "Offer decision was set: Declined"},
		{"v10 decision", `"None"`, 204, `"None"`, "Offer decision was set: None"},
		{"v10 decision", `"final"`, 400, "invalid-body @", ""},
		{"v10 decision", `""`, 400, "invalid-body @", ""},
		{"v10 decision", `null`, 400, "invalid-body @", ""},
		{"v10 decision", `1`, 400, "invalid-body @", ""},

		{"v10 score/extra", `"12.5"`, 204, `"12.50"`, "Offer extra score was set"},
		{"v10 score/extra", `12.500`, 204, `"12.50"`, ""},
		{"v10 score/extra", `-9999.99`, 204, `"-9999.99"`, "Offer extra score was set"},
		{"v10 score/extra", `"9999.99"`, 204, `"9999.99"`, "Offer extra score was set"},
		{"v10 score/extra", `0`, 204, `"0.00"`, "Offer extra score was set"},
		{"v10 score/extra", `null`, 204, `null`, "Offer extra score was cleared"},
		{"v10 score/extra", `null`, 204, `null`, ""},
		{"v10 score/extra", `10000`, 400, "invalid-body @", ""},
		{"v10 score/extra", `"-10000.00"`, 400, "invalid-body @", ""},
		{"v10 score/extra", `1.005`, 400, "invalid-body @", ""},
		{"v10 score/extra", `1e2`, 400, "invalid-body @", ""},
		{"v10 score/extra", `"twelve"`, 400, "invalid-body @", ""},
		{"v10 score/extra", `""`, 400, "invalid-body @", ""},
		{"v10 score/extra", `true`, 400, "invalid-body @", ""},

		{"v10 reason/reason", `"Because I say so"`, 204, `"Because I say so"`, edited + "17"},
		{oldestVersion + " reason/reason", `"Quota is full"`, 204, `"Quota is full"`, edited + "17"},
		{"v10 reason/reason", `"Quota is full"`, 204, `"Quota is full"`, ""},
		{"v10 reason/reason", long(500), 204, long(500), edited + "17"},
		{"v10 reason/reason", long(501), 400, "invalid-body @", ""},
		{"v10 reason/reason", `""`, 400, "invalid-body @", ""},
		{"v10 reason/reason", `7`, 400, "invalid-body @", ""},
		{"v10 reason/reason", `null`, 204, `null`, edited + "17"},
	}
	for _, path := range []string{"type", "subject", "comments", "decision", "score/extra", "reason/reason"} {
		rows = append(rows, write{"v10 " + path, "", 400, "invalid-body @", ""},
			write{"v10 " + path, garbage, 413, "too-large", ""},
			write{"v10 " + path, "\xff", 400, "invalid-body @", ""})
	}
	onEach(t, func(t *testing.T, s *service) {
		s.put(`UPDATE offer_type SET status = 'Archived' WHERE id = 30`,
			`INSERT INTO offer_reason (id, offer_type_id, reason) VALUES (77, 17, 'Quota is full')`,
			"UPDATE offer SET subject = 'Typed' WHERE id = 7001")
		var refused []func()
		for i, c := range rows {
			version, rest, _ := strings.Cut(c.path, " ")
			path := "/api/" + version + "/applications/9001/offers/7001/" + rest
			path = strings.Replace(path, "//", "/", 1)
			if dropped(path) {
				continue
			}
			name := fmt.Sprintf("%d %s %.40s", i, c.path, c.body)
			body := c.body
			if body == garbage {
				body = strings.Repeat("x", 1<<20+1)
			}
			last := s.lastEvent(t)
			switch c.status {
			case 0:
			case 204:
				s.clock.Add(admitto.Minute)
				before := s.get(v10("/applications/9001/offers/7001")).body
				if a := s.do("PUT", path, body, contentType("text/plain")); a.status != 204 || a.body != "" {
					t.Fatalf("%s: %d %s", name, a.status, a.body)
				}
				after := s.get(v10("/applications/9001/offers/7001")).body
				if changed := c.event != ""; changed != (before != after) {
					t.Fatalf("%s: before %s\nafter %s", name, before, after)
				}
			default:
				refused = append(refused, func() {
					if a := s.do("PUT", path, body); a.status != c.status {
						t.Errorf("%s: %d %s", name, a.status, a.body)
					} else {
						s.refusal(t, c.want, func() answer { return a })
					}
				})
				continue
			}
			if c.event != "" {
				s.wantOfferEvents(t, last, c.event+byKey7001)
			} else {
				s.wantOfferEvents(t, last)
			}
			if got := s.get(path).want(t, 200).body; got != c.want {
				t.Fatalf("%s: GET %s, want %s", name, got, c.want)
			}
		}
		s.leavesNoTrace(t, func() {
			for _, send := range refused {
				send()
			}
		})
		// The ID of a reason is that of the type's reasons; saved, decided and scored are the times of the changes.
		s.do("PUT", v10("/applications/9001/offers/7001/reason/reason"), `"Quota is full"`).want(t, 204)
		s.do("PUT", v10("/applications/9001/offers/7001/decision"), `"Declined"`).want(t, 204)
		s.do("PUT", v10("/applications/9001/offers/7001/score/extra"), `1`).want(t, 204)
		now := s.clock.Now().String()
		record := s.get(v10("/applications/9001/offers/7001")).object(t)
		if got := fmt.Sprint(record["reason"], record["saved"], record["decided"],
			record["scored"]); got != "map[id:77 reason:Quota is full]"+now+now+now {
			t.Error(got)
		}
		s.do("DELETE", v10("/applications/9001/offers/7001/score/extra"), "").want(t, 204)
		last := s.lastEvent(t)
		s.refusal(t, "not-found", func() answer {
			return s.do("DELETE", v10("/applications/9001/offers/7001/score/extra"),
				"")
		}).want(t, 404)
		s.wantOfferEvents(t, last)
	}, inContract)
}

// What comes before the body: keys, paths, objects, and If-Match; the decision needs no particular status.
func TestOfferWriteConditions(t *testing.T) {
	bodies := map[string]string{"type": `5`, "subject": `"New"`, "comments": `"New"`, "decision": `"Final"`,
		"score/extra": `7`, "reason/reason": `"New"`}
	onEach(t, func(t *testing.T, s *service) {
		_, readOnly := s.newKey(apikey.NewKey{Label: "reader", Scope: admitto.ScopeReadOnly})
		offers := v10("/applications/9001/offers/")
		for _, path := range []string{"type", "subject", "comments", "decision", "score/extra", "reason/reason"} {
			body := bodies[path]
			s.leavesNoTrace(t, func() {
				for wrong, problem := range map[string]string{v10("/applications/9001/offers/7002/"): "not-found",
					v10("/applications/9003/offers/7001/"): "not-found",
					v10("/applications/99/offers/7001/"):   "not-found", v10("/applications/9001/offers/99/"): "not-found",
					v10("/applications/x/offers/7001/"):  "invalid-id",
					v10("/applications/9001/offers/07/"): "invalid-id"} {
					s.refusal(t, problem, func() answer { return s.do("PUT", wrong+path, "garbage") })
				}
				s.refusal(t, "not-permitted", func() answer {
					return s.do("PUT", offers+"7001/"+path, body,
						key(readOnly))
				}).want(t, 403)
				s.refusal(t, "method-not-allowed", func() answer { return s.do("POST", offers+"7001/"+path, body) }).want(t, 405)
				s.refusal(t, "changed-meanwhile", func() answer {
					return s.do("PUT", offers+"7001/"+path, body, header("If-Match", `"0123"`))
				}).want(t, 412)
				s.refusal(t, "invalid-body @", func() answer {
					return s.do("PUT", offers+"7001/"+path, "garbage",
						header("If-Match", `"0123"`))
				})
			})
			tag := s.get(offers + "7001/" + path).header.Get("ETag")
			s.do("PUT", offers+"7001/"+path, body, header("If-Match", tag)).want(t, 204)
			s.refusal(t, "changed-meanwhile", func() answer {
				return s.do("PUT", offers+"7001/"+path, body,
					header("If-Match", tag))
			})
			s.refusal(t, "invalid-parameter x", func() answer {
				return s.do("PUT", offers+"7001/"+path+"?x=1", body, header("Prefer", "handling=strict"))
			})
			// Any status of the application will do.
			s.put("UPDATE application SET status = 'Closed' WHERE id = 9003")
			s.do("PUT", v10("/applications/9003/offers/7002/")+path, body).want(t, 204)
		}
		tag := s.get(offers + "7001/score/extra").header.Get("ETag")
		s.refusal(t, "changed-meanwhile", func() answer {
			return s.do("DELETE", offers+"7001/score/extra", "",
				header("If-Match", `"x"`))
		})
		s.refusal(t, "not-permitted", func() answer { return s.do("DELETE", offers+"7001/score/extra", "", key(readOnly)) })
		s.refusal(t, "not-found", func() answer { return s.do("DELETE", offers+"7002/score/extra", "") })
		s.refusal(t, "invalid-parameter x", func() answer {
			return s.do("DELETE", offers+"7001/score/extra?x=1", "", header("Prefer", "handling=strict"))
		})
		s.do("DELETE", offers+"7001/score/extra", "ignored", header("If-Match", tag)).want(t, 204)
		s.do("GET", offers+"7001/score", "").want(t, http.StatusNotFound).problem(t, "no-such-path")
	}, inContract)
}
