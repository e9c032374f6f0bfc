package api_test

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/apikey"
	"github.com/admitto/admitto/internal/config"
	"github.com/admitto/admitto/internal/mail"
	"github.com/admitto/admitto/internal/pdf/pdftest"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/store/sqltest"
)

// deliver makes all queued mails leave and returns them.
func (s *service) deliver(t testing.TB) []mail.Message {
	t.Helper()
	before := len(s.mail.Taken())
	if _, err := s.services.Notify.DeliverMails(t.Context(), admitto.SystemCaller()); err != nil {
		t.Fatal(err)
	}
	return s.mail.Taken()[before:]
}

// cell reads one value of the database as text.
func (s *service) cell(t testing.TB, sql string) (text string) {
	t.Helper()
	err := s.store.Read(t.Context(), func(tx *store.Tx) error {
		rows := sqltest.In(tx).Query(sql)
		if rows.Next() {
			text = rows.Text(0)
		}
		return rows.Close()
	})
	if err != nil {
		t.Fatal(err)
	}
	return text
}

const offer7001 = "/api/v10/applications/9001/offers/7001"

// Everything that forbids a confirmation is told together (lifecycle.md O5).
func TestConfirmOfferRefused(t *testing.T) {
	onEach(t, func(t *testing.T, s *service) {
		_, readOnly := s.newKey(apikey.NewKey{Label: "reader", Scope: admitto.ScopeReadOnly})
		for i, c := range []struct{ set, codes string }{
			{"type_id = 1, subject = '', comments = ''", "offer-unreplied letter-empty"},
			{"type_id = 1", "offer-unreplied"},
			{"type_id = 8, subject = '', comments = 'x'", "type-without-letter letter-empty"},
			{"type_id = 8", "type-without-letter"},
			{"comments = 'By %offer-DecisionDeadline% %offer-Reason% %Offer-reason% %task-Title%'", "marker-unresolved"},
			{"subject = '%nobody-Knows%', type_id = 1", "offer-unreplied marker-unresolved"},
			{"intake_id = NULL, comments = '%intake-Name%'", "marker-unresolved"},
			{"intake_id = NULL, comments = '%intake-Commence%'", "marker-unresolved"},
			{"comments = 'Your number: %applicant-Matriculation%'", "marker-unresolved"},
		} {
			for status, code := range map[string]string{"Submitted": "", "Withdrawn": "application-withdrawn ",
				"Closed": "application-closed "} {
				s.put("UPDATE offer SET type_id = 7, decision_policy = 'None', intake_id = 8, subject = 'S', comments = 'C' WHERE id = 7001",
					"UPDATE offer SET "+c.set+" WHERE id = 7001", "UPDATE application SET status = '"+status+"' WHERE id = 9001")
				var a answer
				confirm := func() { a = s.do("POST", offer7001+"/confirm", "").want(t, 400) }
				if status == "Submitted" && i%3 == 0 {
					s.leavesNoTrace(t, confirm)
				} else {
					confirm()
				}
				a.problem(t, "not-allowed-now")
				if got := strings.Join(codes(t, a), " "); got != code+c.codes {
					t.Errorf("%d %s: codes %s", i, status, got)
				}
				if i == 4 && !strings.Contains(a.body, "%offer-Reason%, %Offer-reason%, %task-Title%") {
					t.Error(a.body)
				}
			}
		}
		s.put("UPDATE application SET status = 'Submitted' WHERE id = 9001",
			"UPDATE offer SET type_id = 7, subject = 'S', comments = 'C' WHERE id = 7001",
			"UPDATE academic_term SET grace = '2026-03-08' WHERE id = 13")
		if got := codes(t, s.refusal(t, "not-allowed-now", func() answer {
			return s.do("POST", offer7001+"/confirm",
				"")
		})); !slices.Equal(got, []string{"application-expired"}) {
			t.Error(got)
		}
		s.refusal(t, "not-found", func() answer { return s.do("POST", v10("/applications/9001/offers/7002/confirm"), "") })
		s.refusal(t, "not-found", func() answer { return s.do("POST", v10("/applications/99/offers/7001/confirm"), "") })
		s.refusal(t, "not-permitted", func() answer { return s.do("POST", offer7001+"/confirm", "", key(readOnly)) })
		s.refusal(t, "method-not-allowed", func() answer { return s.get(offer7001 + "/confirm") })
		s.refusal(t, "invalid-parameter x", func() answer {
			return s.do("POST", offer7001+"/confirm?x=1", "",
				header("Prefer", "handling=strict"))
		})
	}, inContract)
}

// codes returns the error codes of a refusal.
func codes(t testing.TB, a answer) (list []string) {
	t.Helper()
	entries, _ := a.object(t)["errors"].([]any)
	for _, e := range entries {
		list = append(list, fmt.Sprint(e.(map[string]any)["code"]))
	}
	return list
}

// A confirmation does everything that lifecycle.md O6 says, once, and once more after a change.
func TestConfirmOffer(t *testing.T) {
	onEach(t, func(t *testing.T, s *service) {
		s.put("DELETE FROM offer_confirmation", `UPDATE offer_type SET bcc = '["registry@example.edu","no address","dean@example.edu"]' WHERE id = 17`, // what cannot be mailed keeps the letter from nobody
			"UPDATE offer SET confirmed = NULL, type_confirmed_id = NULL, comments_confirmed = '', comments = 'Dear %applicant-Name%,\n\nyour *place* in %course-FullName% at %institution-Name%: %offer-Type%, answer by %offer-DecisionDeadline%. %offer-Reason%', reason = '<b>*best* %applicant-ID%' WHERE id = 7001")
		last := s.lastEvent(t)
		s.do("POST", offer7001+"/confirm", strings.Repeat("x", 1<<20+1), contentType("image/png")).want(t, 204)
		s.wantOfferEvents(t, last, "Offer was confirmed: 17"+byKey7001,
			"Application was frozen applicant=4711 application=9001 by system")
		// The intake gives 30 days from the confirmation.
		const text = "Dear Ilse Varga,\\n\\nyour *place* in Energy Systems at Northfield University: Accepted, answer by 8 April 2026. <b>*best* %applicant-ID%"
		record := s.get(offer7001)
		for _, part := range []string{`"confirmed":"2026-03-09T09:00:00+00:00"`,
			`"type-confirmed":"/api/v10/applications/offers/types/17"`, `"comments-confirmed":"` + text + `"`,
			`"decision":"None"`, `"decision-policy":"Required","decision-deadline":"2026-04-08"`} {
			if !strings.Contains(record.body, part) {
				t.Errorf("no %s in %s", part, record.body)
			}
		}
		if frozen := s.get(v10("/applications/9001")).object(t)["frozen"]; frozen != "2026-03-09T09:00:00+00:00" {
			t.Error(frozen)
		}
		letters := s.deliver(t)
		if len(letters) != 1 {
			t.Fatal(letters)
		}
		m := letters[0]
		if m.Subject != "Your admission" || m.To.Email != "ilse.varga@example.org" ||
			!slices.Equal(m.Bcc, []string{"registry@example.edu", "dean@example.edu"}) ||
			len(m.Attachments) != 1 || m.Attachments[0].Name != "Admission letter.pdf" {
			t.Errorf("%+v", m)
		}
		if !strings.Contains(m.HTML, "your <strong>place</strong> in Energy Systems") ||
			!strings.Contains(m.HTML, "&lt;b&gt;*best* %applicant-ID%") ||
			!strings.Contains(m.Text, "<b>*best* %applicant-ID%") {
			t.Error(m.HTML, m.Text)
		}
		// Nothing changed: nothing happens, days later too, and whatever is done to the decision.
		s.clock.Add(3 * admitto.Day)
		s.do("PUT", offer7001+"/decision", `"Final"`).want(t, 204)
		s.do("PUT", offer7001+"/score/extra", `7`).want(t, 204)
		last = s.lastEvent(t)
		s.leavesNoTrace(t, func() { s.do("POST", offer7001+"/confirm", "").want(t, 204) })
		s.wantOfferEvents(t, last)
		// Another text: another letter; the decision stays, and the application is frozen already.
		s.do("PUT", offer7001+"/subject", `"Once more"`).want(t, 204)
		last = s.lastEvent(t)
		s.do("POST", defaultPath("/applications/9001/offers/7001/confirm"), "").want(t, 204)
		s.wantOfferEvents(t, last, "Offer was confirmed: 17"+byKey7001)
		if again := s.deliver(t); len(again) != 1 || again[0].Subject != "Once more" {
			t.Error(again)
		}
		if o := s.get(offer7001).object(t); o["decision"] != "Final" || o["decision-deadline"] != "2026-04-11" ||
			o["confirmed"] != s.clock.Now().String() {
			t.Error(o)
		}
		if n := s.cell(t, "SELECT CAST(count(*) AS text) FROM offer_confirmation WHERE email_id IS NOT NULL"); n != "2" {
			t.Error(n)
		}
		// Staff may have the applicant decide again, and send the letter again as it was.
		last = s.lastEvent(t)
		for range 2 {
			if err := s.services.Admissions.ConfirmOffer(t.Context(), staff(), 9001, 7001, true); err != nil {
				t.Fatal(err)
			}
		}
		s.wantOfferEvents(t, last, "Offer decision was set: None"+of7001+" administrator=3 by administrator")
		s.put("UPDATE offer SET subject = 'Not this', type_id = 7 WHERE id = 7001")
		last = s.lastEvent(t)
		if err := s.services.Admissions.SendLetterAgain(t.Context(), staff(), 9001, 7001); err != nil {
			t.Fatal(err)
		}
		s.wantOfferEvents(t, last, "Offer letter was sent again: 17"+of7001+" administrator=3 by administrator")
		if again := s.deliver(t); len(again) != 1 || again[0].Subject != "Once more" || len(again[0].Attachments) != 1 {
			t.Error(again)
		}
		refusedWith(t, s.services.Admissions.SendLetterAgain(t.Context(), staff(), 9003, 7002), "offer-unconfirmed")
		s.put("UPDATE academic_term SET grace = '2026-03-08' WHERE id = 13")
		s.leavesNoTrace(t, func() {
			refusedWith(t, s.services.Admissions.SendLetterAgain(t.Context(), staff(), 9001, 7001), "application-expired")
		})
	}, inContract)
}

// An offer whose letter was sent before letters were kept is not sent again unless it was changed since.
func TestConfirmOfferOfOldInstance(t *testing.T) {
	onBoth(t, func(t *testing.T, s *service) {
		s.leavesNoTrace(t, func() { s.do("POST", offer7001+"/confirm", "").want(t, 204) })
		s.do("PUT", offer7001+"/subject", `"New"`).want(t, 204)
		s.do("POST", offer7001+"/confirm", "").want(t, 204)
		s.leavesNoTrace(t, func() { s.do("POST", offer7001+"/confirm", "").want(t, 204) })
		if letters := s.deliver(t); len(letters) != 1 {
			t.Error(letters)
		}
	}, inContract)
}

// Clients who do the same at the same time get one effect.
func TestOfferWritesAtOnce(t *testing.T) {
	onBoth(t, func(t *testing.T, s *service) {
		s.put("UPDATE offer SET confirmed = NULL, type_confirmed_id = NULL WHERE id = 7001")
		for _, c := range []struct{ method, path, body, event string }{{"POST", "/confirm", "", "Offer was confirmed: 17"},
			{"PUT", "/decision", `"Final"`, "Offer decision was set: Final"}, {"PUT", "/subject", `"At once"`,
				"Offer was edited: 17"},
			{"PUT", "/score/extra", `5`, "Offer extra score was set"}} {
			last := s.lastEvent(t)
			var all sync.WaitGroup
			for range 8 {
				all.Go(func() {
					if a := s.do(c.method, offer7001+c.path, c.body); a.status != 204 {
						t.Errorf("%s: %d %s", c.path, a.status, a.body)
					}
				})
			}
			all.Wait()
			n := 0
			for _, e := range s.offerEvents(t, last) {
				if strings.HasPrefix(e, c.event) {
					n++
				}
			}
			if n != 1 {
				t.Errorf("%s: %d events", c.path, n)
			}
		}
		if letters := s.deliver(t); len(letters) != 1 {
			t.Errorf("%d letters", len(letters))
		}
	}, inContract)
}

// Letters are made of the working copy and attached (resources.md 24.10).
func TestCreateLetter(t *testing.T) {
	onEach(t, func(t *testing.T, s *service) {
		_, readOnly := s.newKey(apikey.NewKey{Label: "reader", Scope: admitto.ScopeReadOnly})
		const letters = offer7001 + "/letters"
		s.leavesNoTrace(t, func() {
			for _, c := range []struct{ contentType, body, want string }{
				{formType, "", "invalid-parameter letterhead"}, {formType, "letterhead=", "invalid-parameter letterhead"},
				{formType, "letterhead=x", "invalid-parameter letterhead"}, {formType, "letterhead=99",
					"invalid-parameter letterhead"},
				{formType, "letterhead=1&letterhead=1", "invalid-parameter letterhead"}, {"application/json", `{"letterhead":99}`,
					"invalid-parameter @/letterhead"},
				{"application/json", `{"letterhead":true}`, "invalid-parameter @/letterhead"}, {"application/json",
					`{"letterhead":[1]}`, "invalid-parameter @/letterhead"},
				{"application/json", `{`, "invalid-body @"}, {"application/json", `7`, "invalid-body @"}, {"text/plain",
					"letterhead=1", "unsupported-media-type"},
				{formType, strings.Repeat("x", 1<<20+1), "too-large"},
			} {
				s.refusal(t, c.want, func() answer { return s.do("POST", letters, c.body, contentType(c.contentType)) })
			}
			s.refusal(t, "not-found", func() answer {
				return s.postForm(v10("/applications/9001/offers/7002/letters"),
					"letterhead=1")
			})
			s.refusal(t, "not-found", func() answer {
				return s.do("POST", v10("/applications/99/offers/7001/letters"), "x", contentType("text/plain"))
			})
			s.refusal(t, "not-permitted", func() answer { return s.postForm(letters, "letterhead=1", key(readOnly)) })
		})
		for _, c := range []struct{ set, code string }{{"type_id = 8, subject = '', comments = ''", "letter-empty"},
			{"type_id = 8, subject = 'S', comments = ''", "letter-empty"},
			{"comments = '%offer-Reason%'", "marker-unresolved"}} {
			s.put("UPDATE offer SET type_id = 17, subject = 'S', comments = 'C' WHERE id = 7001",
				"UPDATE offer SET "+c.set+" WHERE id = 7001")
			if got := codes(t, s.refusal(t, "not-allowed-now", func() answer {
				return s.postForm(letters,
					"letterhead=1")
			}).want(t, 400)); !slices.Equal(got, []string{c.code}) {
				t.Error(got)
			}
		}
		s.put("UPDATE offer SET type_id = 17, subject = 'Dear %applicant-Name%', comments = '' WHERE id = 7001")
		last := s.lastEvent(t)
		first := s.postForm(letters, "letterhead=1", once("letter")).want(t, 201)
		sameAnswer(t, first, s.postForm(letters, "letterhead=1", once("letter")))
		s.wantOfferEvents(t, last, "Offer letter was generated"+byKey7001, "Offer attachment was added"+byKey7001)
		_, id, _ := strings.Cut(first.header.Get("Location"), "/letters/")
		attachment := s.cell(t, "SELECT CAST(attachment_id AS text) FROM offer_letter WHERE id = "+id)
		want := fmt.Sprintf(`{"id":%s,"rendered":"2026-03-09T09:00:00+00:00","letterhead":"/api/v10/letterheads/1","administrator":null,"attachment":"%s/attachments/%s"}`,
			id, offer7001, attachment)
		if first.body != want || first.header.Get("Location") != letters+"/"+id || s.get(letters+"/"+id).body != want {
			t.Errorf("%s %s", first.header.Get("Location"), first.body)
		}
		file := s.get(offer7001 + "/attachments/" + attachment).object(t)
		data := s.get(offer7001+"/attachments/"+attachment+"/download").want(t, 200)
		if file["name"] != "Letter-"+id+".pdf" || file["mime"] != "application/pdf" ||
			file["size"] != fmt.Sprint(len(data.body)) || !strings.HasPrefix(data.body, "%PDF-") {
			t.Error(file)
		}
		if n := s.cell(t, "SELECT CAST(count(*) AS text) FROM loose_file"); n != "0" {
			t.Error(n, "loose files")
		}
		if len(s.deliver(t)) != 0 {
			t.Error("a letter was sent")
		}
		if text := pdftest.Text(t, []byte(data.body)); !strings.Contains(text, "9 March 2026") {
			t.Error(text)
		}
		// The day is written in the language of the text around it; in a language without names of months as a number.
		s.set(func(set *config.Settings) { set.Instance.Languages = []string{"pt"} })
		_, id, _ = strings.Cut(s.postForm(letters, "letterhead=1").want(t, 201).header.Get("Location"), "/letters/")
		attachment = s.cell(t, "SELECT CAST(attachment_id AS text) FROM offer_letter WHERE id = "+id)
		data = s.get(offer7001+"/attachments/"+attachment+"/download").want(t, 200)
		if text := pdftest.Text(t, []byte(data.body)); !strings.Contains(text, "2026-03-09") {
			t.Error(text)
		}
		s.postJSON(oldestPath("/applications/9001/offers/7001/letters"), `{"letterhead":"1"}`).want(t, 201)
		if l, err := s.services.Admissions.CreateLetter(t.Context(), staff(), 9001, 7001, 1); err != nil ||
			l.Administrator != 3 {
			t.Error(l, err)
		}
	}, inContract)
}
