package api_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/apikey"
	"github.com/admitto/admitto/internal/store"
)

// withSheets puts the contract's world and three open sheets next to it: 8 asks for a date, 9 is for offers and asks
// for a subject, 10 has steps.
func withSheets(o *options) {
	o.fill = func(s *service) {
		putContract(s)
		s.put(`INSERT INTO scoresheet (id, created, name, type, date, depth, range_min, range_max, scale) VALUES
				(8, 1, 'Test', 'Number', 'Required', 'Application', -1000000, 1000000, 4)`,
			`INSERT INTO scoresheet (id, created, name, type, maps, subject, language, depth, range_min, range_max, scale) VALUES
				(9, 1, 'Portfolio', 'Mapped', '[{"label":"bad","value":10000},{"label":"good","value":20000}]', 'Required', 'Optional', 'Offer', 10000, 20000, 0)`,
			`INSERT INTO scoresheet (id, created, name, type, depth, range_min, range_max, scale) VALUES (10, 1, 'D', 'Duolingo', 'Application', 100000, 1600000, 0)`)
		err := s.store.Write(s.t.Context(), func(tx *store.Tx) error { return tx.SkipIDs("score", 932) })
		if err != nil {
			s.t.Fatal(err)
		}
	}
}

// scoreEvents returns what was recorded, with the links applicant/application/offer/course/institution.
func (s *service) scoreEvents(t testing.TB, after int64) string {
	t.Helper()
	var list []string
	err := s.store.Read(context.Background(), func(tx *store.Tx) error {
		_, err := tx.EachRecord(admitto.JournalQuery{After: after, Limit: 1000}, func(r *admitto.Record) error {
			l := r.Links
			list = append(list, fmt.Sprintf("%s %d/%d/%d/%d/%d by %s", r.Filled(), l.Applicant, l.Application, l.Offer, l.Course,
				l.Institution, r.Actor.Kind))
			return nil
		})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return strings.NewReplacer("4711/9001/0/0/0 by api_key", "A", "4711/9001/7001/0/0 by api_key", "AO",
		"4713/9002/0/0/0 by api_key", "B",
		"4714/9003/0/0/0 by api_key", "C", "4714/9003/7002/0/0 by api_key", "CO",
		"Offer automatic score was calculated 4711/9001/7001/55/1 by system", "auto",
		"Score points were ", "points ", "Score comments were ", "comments ", "Score details were ", "details ",
		"Score was added", "added").Replace(strings.Join(list, "; "))
}

func TestCreateScore(t *testing.T) {
	multi, multiBody := multipartForm("application", "9001", "points", "100", "comments", "In\nlines")
	long := func(n int) string { return strings.Repeat("x", n) }
	onBoth(t, func(t *testing.T, s *service) {
		for _, row := range []struct {
			sheet, contentType, body, score, events, record string
		}{
			{"6", formType, "application=9002", "933", "added B",
				`"scored":null,"scoresheet":"/api/v10/scoresheets/6","application":"/api/v10/applications/9002","offer":null,"points":null,"mapped":null,"comments":null,"date":null,"reference":null,"subject":null,"language":null`},
			{"6", jsonType, `{"application":9002,"points":7.50,"comments":"Well\nspoken","date":"2026-01-02","reference":"R"}`,
				"933", "points set B; comments set B; details set B",
				`"scored":"2026-03-09T09:00:02+00:00","scoresheet":"/api/v10/scoresheets/6","application":"/api/v10/applications/9002","offer":null,"points":"7.5","mapped":null,"comments":"Well\nspoken","date":"2026-01-02","reference":"R","subject":null,"language":null`},
			{"6", jsonType, `{"application":"9002","points":"7.5","comments":"Well\nspoken","date":"2026-01-02","reference":"R"}`, "933", "", `"scored":"2026-03-09T09:00:02+00:00"`},
			{"6", formType, "application=9002&points=&comments=&date=&subject=&language=", "933", "",
				`"points":"7.5","mapped":null,"comments":"Well\nspoken"`},
			{"6", jsonType, `{"application":9002,"points":null,"subject":null}`, "933", "", `"points":"7.5"`},
			{"6", formType, "application=9001&points=8", "930", "points set A; auto", `"scored":"2026-03-09T09:00:06+00:00"`},
			{"6", formType, "application=9001&comments=+Again+", "930", "comments set A",
				`"scored":"2026-03-09T09:00:06+00:00"`},
			{"6", formType, "application=9003&points=0", "932", "points set C", `"points":"0.0"`},
			{"8", formType, "application=9001&points=-1.2345&date=2026-03-01", "934", "added A; points set A; details set A",
				`"points":"-1.2345"`},
			{"8", formType, "application=9001&points=2.5", "934", "points set A", `"points":"2.5000"`}, // the date is there
			{"9", formType, "application=9001&offer=7001&points=2&subject=Art&language=EN", "935",
				"added AO; points set AO; details set AO",
				`"offer":"/api/v10/applications/9001/offers/7001","points":"2","mapped":"good","comments":null,"date":null,"reference":null,"subject":"Art","language":"en"`},
			{"9", jsonType, `{"application":"9001","offer":"7001","points":1}`, "935", "points set AO", `"mapped":"bad"`},
			{"10", multi, multiBody, "936", "added A; points set A; comments set A", `"comments":"In\nlines"`},
			{"10?application=9004&points=10", formType, "", "937",
				"added 4713/9004/0/0/0 by api_key; points set 4713/9004/0/0/0 by api_key", `"points":"10"`},
			{"10?application=9001&points=10", formType, "application=9002", "938", "added B; points set B",
				`"points":"10"`}, // the body wins
		} {
			s.clock.Add(admitto.Second)
			last := s.lastEvent(t)
			sheet, query, _ := strings.Cut(row.sheet, "?")
			made := s.do("POST", v10("/scoresheets/"+sheet+"/scores?"+query), row.body, contentType(row.contentType)).want(t,
				201)
			path := v10("/scoresheets/" + sheet + "/scores/" + row.score)
			if got := s.get(path).want(t, 200); made.header.Get("Location") != path || made.body != got.body ||
				!strings.Contains(got.body, row.record) {
				t.Errorf("%s: %s %s, want %s", row.body, made.header.Get("Location"), got.body, row.record)
			}
			if events := s.scoreEvents(t, last); events != row.events {
				t.Errorf("%s: events %q, want %q", row.body, events, row.events)
			}
		}
		if a := s.get(v10("/scoresheets/6")); !strings.Contains(a.body, `"scored":"2026-03-09T09:00:08+00:00"`) {
			t.Errorf("%s", a.body)
		}
		if a := s.get(v10("/applications/9001/offers/7001")); !strings.Contains(a.body,
			`"scored":"2026-03-09T09:00:06+00:00"`) || !strings.Contains(a.body, `"auto":"88.00"`) {
			t.Errorf("%s", a.body)
		}
		s.leavesNoTrace(t, func() {
			for _, row := range []struct {
				sheet, contentType, body, slug, faults string
			}{
				{"6", formType, "", "invalid-parameter", "application"},
				{"6", jsonType, "{}", "invalid-parameter", "application"},
				{"6", formType, "application=99&points=9.5", "invalid-parameter", "application points#points-invalid"},
				{"6", formType, "application=x&subject=s", "invalid-parameter", "application subject"},
				{"6", jsonType, `{"application":99}`, "invalid-parameter", "@/application"},
				{"6", formType, "application=9001&application=9002", "invalid-parameter", "application"},
				{"6", formType, "application=9002&offer=7001", "invalid-parameter", "offer"},
				{"9", formType, "application=9001&points=2", "invalid-parameter", "offer subject"},
				{"9", formType, "application=9001&offer=7002&subject=s&points=0", "invalid-parameter",
					"offer points#points-invalid"},
				{"9", formType, "application=9003&offer=7002&language=xx", "invalid-parameter", "subject language"},
				{"8", formType, "application=9002&points=1", "invalid-parameter", "date"},
				{"8", formType, "application=9002&points=1&date=2026-02-30", "invalid-parameter", "date"},
				{"8", formType, "application=9002&points=1.23456&date=2026-02-03&reference=r", "invalid-parameter",
					"points#points-invalid reference"},
				{"6", formType, "application=9001&points=7.3", "invalid-parameter", "points#points-invalid"},
				{"6", formType, "application=9001&points=7&points=8", "invalid-parameter", "points#points-invalid"},
				{"6", formType, "application=9001&points=seven", "invalid-parameter", "points#points-invalid"},
				{"10", formType, "application=9001&points=12", "invalid-parameter", "points#points-invalid"},
				{"6", jsonType, `{"application":9001,"points":true,"comments":5,"date":7,"reference":true}`, "invalid-parameter",
					"@/points#points-invalid @/comments @/date @/reference"},
				{"6", jsonType, `{"application":9001,"points":[7]}`, "invalid-parameter", "@/points#points-invalid"},
				{"6", formType, "application=9001&comments=" + long(2001) + "&reference=" + long(65), "invalid-parameter",
					"comments reference"},
				{"9", formType, "application=9003&offer=7002&subject=" + long(256), "invalid-parameter", "subject"},
				{"6", jsonType, `{"application":9001`, "invalid-body", "@"},
				{"6", "text/plain", "application=9001", "unsupported-media-type", ""},
				{"6", formType, "comments=" + long(1<<20), "too-large", ""},
				{"7", formType, "application=9001&offer=7001&subject=s&language=en&points=-1.05", "not-allowed-now",
					"sheet-confirmed"},
				{"7", formType, "application=9003&offer=7002", "not-allowed-now",
					"sheet-confirmed"}, // also when nothing would change
				{"7", formType, "application=9001&offer=7001&points=1", "invalid-parameter",
					"points#points-invalid subject language"},
				{"99", "text/plain", long(1 << 21), "not-found", ""},
			} {
				a := s.do("POST", v10("/scoresheets/"+row.sheet+"/scores"), row.body, contentType(row.contentType))
				p := a.problem(t, row.slug)
				switch {
				case row.slug == "not-allowed-now":
					if p["code"] != row.faults || a.status != 400 {
						t.Errorf("%s", a.body)
					}
				case row.faults != "":
					a.want(t, 400).wantFaults(t, row.faults)
				}
			}
		})
	}, withSheets)
}

const jsonType = "application/json"

// Each field of a score by itself: what is set, cleared and refused, what is recorded, and what the next GET shows.
func TestScoreFieldWrites(t *testing.T) {
	long := func(n int) string { return `"` + strings.Repeat("ё", n) + `"` }
	onEach(t, func(t *testing.T, s *service) {
		s.put(`INSERT INTO score (id, scoresheet_id, application_id, offer_id, subject) VALUES (950, 9, 9001, 7001, 'Art')`,
			`INSERT INTO score (id, scoresheet_id, application_id) VALUES (951, 8, 9001)`)
		const score, portfolio, test, locked = "/scoresheets/6/scores/930", "/scoresheets/9/scores/950",
			"/scoresheets/8/scores/951", "/scoresheets/7/scores/931"
		for _, row := range []struct {
			method, path, body string
			status             int
			want               string // events, or the problem
		}{
			{"PUT", score + "/points", `"8.0"`, 204, "points set A; auto"},
			{"PUT", score + "/points", `8`, 204, ""},
			{"PUT", score + "/points", ` 8.50 `, 204, "points set A; auto"},
			{"PUT", score + "/points", `0`, 204, "points set A; auto"},
			{"PUT", score + "/points", `null`, 204, "points cleared A; auto"}, // the criterion requires it
			{"PUT", score + "/points", `null`, 204, ""},
			{"DELETE", score + "/points", ``, 404, "not-found"},
			{"PUT", score + "/points", `"9"`, 204, "points set A; auto"},
			{"DELETE", score + "/points", `rubbish`, 204, "points cleared A; auto"},
			{"PUT", score + "/comments", long(2000), 204, "comments set A"},
			{"PUT", score + "/comments", long(2000), 204, ""},
			{"PUT", score + "/comments", `"a\nb"`, 204, "comments set A"},
			{"PUT", score + "/comments", `null`, 204, "comments cleared A"},
			{"DELETE", score + "/comments", ``, 404, "not-found"},
			{"PUT", score + "/comments", `"x"`, 204, "comments set A"},
			{"DELETE", score + "/comments", ``, 204, "comments cleared A"},
			{"PUT", score + "/date", `"2026-03-01"`, 204, "details set A"},
			{"PUT", score + "/date", `"2026-03-01"`, 204, ""},
			{"DELETE", score + "/date", ``, 204, "details set A"},
			{"DELETE", score + "/date", ``, 404, "not-found"},
			{"PUT", score + "/reference", long(64), 204, "details set A"},
			{"PUT", score + "/reference", `null`, 204, "details set A"},
			{"PUT", score + "/reference", `"r"`, 204, "details set A"},
			{"DELETE", score + "/reference", ``, 204, "details set A"},
			{"PUT", portfolio + "/subject", long(255), 204, "details set AO"},
			{"PUT", portfolio + "/language", `"EN"`, 204, "details set AO"},
			{"PUT", portfolio + "/language", `"en"`, 204, ""},
			{"DELETE", portfolio + "/language", ``, 204, "details set AO"},
			{"PUT", portfolio + "/points", `2`, 204, "points set AO"},
			{"PUT", test + "/points", `-0.0001`, 204, "points set A"}, // the date that is missing is not this call's
			{"PUT", test + "/date", `"2026-01-01"`, 204, "details set A"},
			// Refusals
			{"PUT", score + "/points", `9.5`, 400, "invalid-body points-invalid"},
			{"PUT", score + "/points", `"7.3"`, 400, "invalid-body points-invalid"},
			{"PUT", score + "/points", `"seven"`, 400, "invalid-body points-invalid"},
			{"PUT", score + "/points", `""`, 400, "invalid-body points-invalid"},
			{"PUT", score + "/points", `true`, 400, "invalid-body points-invalid"},
			{"PUT", score + "/points", `1e1`, 400, "invalid-body points-invalid"},
			{"PUT", score + "/points", `7.25`, 400, "invalid-body points-invalid"},
			{"PUT", portfolio + "/points", `1.5`, 400, "invalid-body points-invalid"},
			{"PUT", portfolio + "/points", `"good"`, 400, "invalid-body points-invalid"},
			{"PUT", score + "/points", ``, 400, "invalid-body"},
			{"PUT", score + "/points", `seven`, 400, "invalid-body"},
			{"PUT", score + "/points", `{"points":7}`, 400, "invalid-body"},
			{"PUT", score + "/points", `[7]`, 400, "invalid-body"},
			{"PUT", score + "/points", `7 8`, 400, "invalid-body"},
			{"PUT", score + "/comments", long(2001), 400, "invalid-body"},
			{"PUT", score + "/comments", `5`, 400, "invalid-body"},
			{"PUT", score + "/comments", `false`, 400, "invalid-body"},
			{"PUT", score + "/comments", `"a\u0000"`, 400, "invalid-body"},
			{"PUT", score + "/date", `"2026-02-30"`, 400, "invalid-body"},
			{"PUT", score + "/date", `20260201`, 400, "invalid-body"},
			{"PUT", score + "/date", `"2026-02-03T00:00"`, 400, "invalid-body"},
			{"PUT", score + "/reference", long(65), 400, "invalid-body"},
			{"PUT", score + "/reference", `"a\nb"`, 400, "invalid-body"},
			{"PUT", score + "/reference", `5`, 400, "invalid-body"},
			{"PUT", score + "/subject", `"s"`, 400, "invalid-body"}, // the sheet has none
			{"PUT", score + "/language", `"en"`, 400, "invalid-body"},
			{"PUT", score + "/language", `null`, 400, "invalid-body"},
			{"DELETE", score + "/language", ``, 404, "not-found"},
			{"PUT", portfolio + "/language", `"xx"`, 400, "invalid-body"},
			{"PUT", portfolio + "/language", `5`, 400, "invalid-body"},
			{"PUT", portfolio + "/subject", `null`, 400, "invalid-body"}, // the sheet requires it
			{"PUT", portfolio + "/subject", `""`, 400, "invalid-body"},
			{"PUT", portfolio + "/subject", long(256), 400, "invalid-body"},
			{"DELETE", portfolio + "/subject", ``, 400, "not-allowed-now"},
			{"DELETE", test + "/date", ``, 400, "not-allowed-now"},
			{"PUT", locked + "/points", `-1.05`, 400, "not-allowed-now sheet-confirmed"},
			{"PUT", locked + "/points", `2.5`, 400, "not-allowed-now sheet-confirmed"},
			{"DELETE", locked + "/points", ``, 400, "not-allowed-now sheet-confirmed"},
			{"PUT", locked + "/comments", `"x"`, 400, "not-allowed-now sheet-confirmed"},
			{"DELETE", locked + "/comments", ``, 400, "not-allowed-now sheet-confirmed"},
			{"PUT", locked + "/subject", `"x"`, 400, "not-allowed-now sheet-confirmed"},
			{"PUT", "/scoresheets/99/scores/930/points", `rubbish`, 404, "not-found"},
			{"PUT", "/scoresheets/6/scores/931/points", `rubbish`, 404, "not-found"},
			{"PUT", "/scoresheets/6/scores/99/date", `rubbish`, 404, "not-found"},
			{"DELETE", "/scoresheets/7/scores/930/points", ``, 404, "not-found"},
			{"DELETE", "/scoresheets/x/scores/930/points", ``, 400, "invalid-id"},
			{"PUT", "/scoresheets/6/scores/0/reference", ``, 400, "invalid-id"},
			{"PUT", score + "/points?x=1", `5`, 400, "invalid-parameter"},
			{"DELETE", score + "/points?x=1", ``, 404, "not-found"},
			{"DELETE", portfolio + "/points?x=1", ``, 400, "invalid-parameter"},
			{"PUT", score + "/comments", `"` + strings.Repeat("x", 1<<20) + `"`, 413, "too-large"},
		} {
			s.clock.Add(admitto.Second)
			last := s.lastEvent(t)
			name := row.method + " " + row.path + " " + row.body[:min(len(row.body), 30)]
			send := func() answer {
				return s.do(row.method, v10(row.path), row.body, contentType("text/plain"), header("Prefer", "handling=strict"))
			}
			if row.status >= 400 {
				slug, code, _ := strings.Cut(row.want, " ")
				a := s.refused(t, slug, send)
				if got, _ := a.object(t)["code"].(string); a.status != row.status || got != code {
					t.Errorf("%s: %s", name, a.body)
				}
				if slug == "invalid-body" {
					a.wantFaults(t, strings.TrimSuffix("@#"+code, "#"))
				}
				continue
			}
			if a := send(); a.status != 204 || a.body != "" {
				t.Errorf("%s: %d %s", name, a.status, a.body)
			}
			if events := s.scoreEvents(t, last); events != row.want {
				t.Errorf("%s: events %q, want %q", name, events, row.want)
			}
			shown := row.body
			switch shown = strings.TrimSpace(shown); {
			case row.method == "DELETE":
				shown = "null"
			case strings.HasSuffix(row.path, "/points") && shown != "null":
				shown = "" // shown with the decimals of the sheet, see below
			case shown == `"EN"`:
				shown = `"en"`
			}
			if a := s.get(v10(row.path)).want(t, 200); shown != "" && a.body != shown {
				t.Errorf("%s: %s", name, a.body)
			}
		}
		for path, want := range map[string]string{score: "null", portfolio: `"2"`, test: `"-0.0001"`} {
			for _, prefix := range eachPrefix() {
				if a := s.get(prefix+path+"/points").want(t, 200); a.body != want {
					t.Errorf("%s: %s", path, a.body)
				}
				s.get(prefix+path+"/date").want(t, 200)
			}
		}
		if a := s.get(v10(score)); !strings.Contains(a.body, `"scored":null`) {
			t.Errorf("%s", a.body)
		}
	}, withSheets)
}

func TestWholeScore(t *testing.T) {
	onEach(t, func(t *testing.T, s *service) {
		s.put(`INSERT INTO score (id, scoresheet_id, application_id, offer_id, subject) VALUES (950, 9, 9001, 7001, 'Art')`)
		const score, portfolio = "/scoresheets/6/scores/930", "/scoresheets/9/scores/950"
		for _, row := range []struct {
			method, path, body string
			want               string // events, or the faults after !
			shown              string // points comments date reference subject language
		}{
			{"PATCH", score, `{}`, "", "7.5 - 2025-10-11 TRF-00017 - -"},
			{"PATCH", score, `{"comments":"c"}`, "comments set A", "7.5 c 2025-10-11 TRF-00017 - -"},
			{"PATCH", score, `{"points":8,"date":null}`, "points set A; details set A; auto", "8.0 c - TRF-00017 - -"},
			{"PATCH", score, `{"points":8,"subject":null}`, "", "8.0 c - TRF-00017 - -"},
			{"PATCH", score, `{"points":null,"comments":null}`, "points cleared A; comments cleared A; auto",
				"- - - TRF-00017 - -"},
			{"PUT", score, `{"points":"9","comments":"d","date":"2026-01-01"}`,
				"points set A; comments set A; details set A; auto", "9.0 d 2026-01-01 - - -"},
			{"PUT", score, `{"points":9,"comments":"d","date":"2026-01-01","reference":null}`, "", "9.0 d 2026-01-01 - - -"},
			{"PUT", score, `{"points":9}`, "comments cleared A; details set A", "9.0 - - - - -"},
			{"PUT", portfolio, `{"points":2,"subject":"Art"}`, "points set AO", "2 - - - Art -"},
			{"PATCH", portfolio, `{"language":"en","subject":"Music"}`, "details set AO", "2 - - - Music en"},
			{"PUT", portfolio, `{"points":2}`, "!@/subject", "2 - - - Music en"},
			{"PATCH", portfolio, `{"subject":null}`, "!@/subject", "2 - - - Music en"},
			{"PATCH", portfolio, `{"date":"2026-01-01","points":3}`, "!@/date @/points#points-invalid", "2 - - - Music en"},
			{"PUT", score, `{}`, "!@/points", "9.0 - - - - -"},
			{"PUT", score, `{"points":null}`, "!@/points", "9.0 - - - - -"},
			{"PUT", score, `{"points":9.5,"comments":1,"date":"x","reference":true}`,
				"!@/points#points-invalid @/comments @/date @/reference", "9.0 - - - - -"},
			{"PUT", portfolio, `{"comments":1,"date":"2026-01-01"}`, "!@/points @/comments @/date @/subject",
				"2 - - - Music en"},
			{"PATCH", score, `{"points":7,"points":8}`, "!@/points", "9.0 - - - - -"},
			{"PATCH", score, `{"points":7,"score":8}`, "!@/score", "9.0 - - - - -"},
			{"PATCH", score, `{"points":{"a":1}}`, "!@/points/a", "9.0 - - - - -"},
		} {
			last := s.lastEvent(t)
			name := row.method + " " + row.body
			send := func() answer {
				return s.do(row.method, v10(row.path), row.body, contentType("application/json"),
					header("Prefer", "handling=strict"))
			}
			if faults, ok := strings.CutPrefix(row.want, "!"); ok {
				s.refused(t, "invalid-parameter", send).want(t, 400).wantFaults(t, faults)
			} else if a := send(); a.status != 204 || s.scoreEvents(t, last) != row.want {
				t.Errorf("%s: %d %s, %s", name, a.status, a.body, s.scoreEvents(t, last))
			}
			var shown []string
			o := s.get(v10(row.path)).object(t)
			for _, field := range []string{"points", "comments", "date", "reference", "subject", "language"} {
				if text, ok := o[field].(string); ok {
					shown = append(shown, text)
				} else {
					shown = append(shown, "-")
				}
			}
			if got := strings.Join(shown, " "); got != row.shown {
				t.Errorf("%s: %s, want %s", name, got, row.shown)
			}
		}
		s.leavesNoTrace(t, func() {
			for _, method := range []string{"PUT", "PATCH"} {
				for _, row := range []struct {
					path, body, slug, contentType string
					status                        int
				}{
					{score, "", "invalid-body", jsonType, 400}, {score, "[]", "invalid-body", jsonType, 400}, {score, "7",
						"invalid-body", jsonType, 400},
					{score, `{"points":`, "invalid-body", jsonType, 400}, {score, strings.Repeat("x", 1<<20+1), "too-large", jsonType,
						413},
					{"/scoresheets/99/scores/930", "", "not-found", jsonType, 404}, {"/scoresheets/9/scores/930", "", "not-found",
						jsonType, 404},
					{"/scoresheets/6/scores/99", "", "not-found", "text/plain", 404},
					{"/scoresheets/7/scores/931", `{"points":2.5,"subject":"s","language":"en"}`, "not-allowed-now", jsonType, 400},
				} {
					a := s.do(method, v10(row.path), row.body, contentType(row.contentType)).want(t, row.status)
					if p := a.problem(t, row.slug); row.slug == "not-allowed-now" && p["code"] != "sheet-confirmed" {
						t.Errorf("%s", a.body)
					}
				}
				s.do(method, "/api/v7"+score, `{"points":5}`).want(t, 405)
				s.do(method, "/api/v8"+score, `{"points":9}`).want(t, 204)
			}
			s.do("PATCH", v10(score), "points=5", contentType("text/plain")).want(t, 415)
			s.do("PUT", v10(score), "points=5", contentType("text/plain")).want(t, 400)
		})
	}, withSheets)
}

// What every write has in common: keys, conditions, repetition.
func TestScoreWritesInCommon(t *testing.T) {
	onEach(t, func(t *testing.T, s *service) {
		_, readOnly := s.newKey(apikey.NewKey{Label: "reader", Scope: admitto.ScopeReadOnly})
		const score = "/scoresheets/6/scores/930"
		s.leavesNoTrace(t, func() {
			for _, field := range []string{"points", "comments", "date", "reference", "subject", "language"} {
				s.do("PUT", v10(score+"/"+field), `rubbish`, key(readOnly)).want(t, 403)
				s.do("DELETE", v10(score+"/"+field), ``, key(readOnly)).want(t, 403)
			}
			s.do("PUT", v10(score), `{}`, key(readOnly)).want(t, 403)
			s.do("PATCH", v10(score), `{}`, key(readOnly)).want(t, 403)
			s.postForm(v10("/scoresheets/6/scores"), "application=9002", key(readOnly)).want(t, 403)
		})
		for path, body := range map[string]string{score + "/points": "8", score + "/comments": `"c"`,
			score + "/date":      `"2026-01-01"`,
			score + "/reference": `"r"`, score: `{"points":5}`} {
			tag := s.get(v10(path)).header.Get("ETag")
			s.leavesNoTrace(t, func() { s.do("PUT", v10(path), body, header("If-Match", `"other"`)).want(t, 412) })
			s.do("PUT", v10(path), body, header("If-Match", tag)).want(t, 204)
			s.leavesNoTrace(t, func() { s.do("PUT", v10(path), body, header("If-Match", tag)).want(t, 412) })
			s.do("PUT", v10(path), "rubbish", header("If-Match", tag)).want(t, 400) // the body comes first
		}
		s.leavesNoTrace(t, func() { s.do("DELETE", v10(score+"/points"), "", header("If-Match", `"other"`)).want(t, 412) })
		s.do("DELETE", v10(score+"/points"), "", header("If-Match", "*")).want(t, 204)
		s.leavesNoTrace(t, func() {
			a := s.do("PUT", v10("/scoresheets/7/scores/931/points"), "-1.05", header("If-Match", `"other"`)).want(t, 412)
			a.problem(t, "changed-meanwhile")
		})

		once := header("Idempotency-Key", "k1")
		first := s.postForm(v10("/scoresheets/6/scores"), "application=9002&points=5", once).want(t, 201)
		s.do("PUT", first.header.Get("Location")+"/points", "6").want(t, 204)
		last := s.lastEvent(t)
		again := s.postForm(v10("/scoresheets/6/scores"), "application=9002&points=5", once).want(t, 201)
		if again.body != first.body || again.header.Get("Location") != first.header.Get("Location") ||
			s.lastEvent(t) != last {
			t.Errorf("%s, first %s", again.body, first.body)
		}
		s.postForm(v10("/scoresheets/6/scores"), "application=9002&points=6", once).want(t, 409).problem(t,
			"idempotency-conflict")
		if a := s.get(first.header.Get("Location") + "/points"); a.body != `"6.0"` {
			t.Errorf("%s", a.body)
		}
		// Every version has the paths of single fields, and answers links with its own prefix.
		for _, prefix := range eachPrefix() {
			s.do("PUT", prefix+score+"/date", `"2026-02-02"`).want(t, 204)
			s.do("DELETE", prefix+score+"/date", ``).want(t, 204)
			if a := s.postForm(prefix+"/scoresheets/6/scores", "application=9001").want(t,
				201); a.header.Get("Location") != prefix+score {
				t.Errorf("%v", a.header)
			}
		}
	}, withSheets)
}
