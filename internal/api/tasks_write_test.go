package api_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/apikey"
)

// The status of a task, and its deletion (resources.md 8, 24.5; lifecycle.md K3, K5).
func TestTaskWrites(t *testing.T) {
	onEach(t, func(t *testing.T, s *service) {
		const task, status = "/applications/9001/tasks/410", "/applications/9001/tasks/410/status"
		const by = " applicant=4711 application=9001 by api_key"
		long := strings.Repeat("é", 50)
		for _, c := range []struct{ version, body, shown, bind, resolved string }{
			{"v10", `"Submitted"`, "Submitted", "", "stays"}, // what it was
			{"v10", `"Accepted"`, "Accepted", "Accepted", "becomes"},
			{oldestVersion, ` "Accepted" `, "Accepted", "", "stays"},
			{"v8", `"Not required"`, "Not required", "Not required", "again"},
			{"v10", `"In review"`, "In review", "In review", "null"},
			{"v10", `"aCCEPTED"`, "Accepted", "Accepted", "becomes"}, // as the template spells it
			{oldestVersion, `"accepted"`, "Accepted", "", "stays"},
			{"v10", `"in review"`, "In review", "In review", "null"},
			{"v10", `"mislaid"`, "mislaid", "other", "null"}, // unknown to the template
			{"v10", `"` + long + `"`, long, "other", "null"},
			{"v10", `" Our \"own\" "`, `Our "own"`, "other", "null"},
			{"v10", `"mislaid"`, "mislaid", "other", "null"}, // known to the task by now
			{"v10", `"Mislaid"`, "Mislaid", "other", "null"}, // only the template is spelt as one likes
			{"v10", `"Rejected"`, "Rejected", "Rejected", "becomes"},
			{"v10", `"Pending"`, "Pending", "Pending", "null"},
		} {
			s.clock.Add(admitto.Second)
			before, last := s.get(v10(task)).object(t), s.lastEvent(t)
			s.do("PUT", "/api/"+c.version+status, c.body, contentType("text/plain")).want(t, 204)
			after, now := s.get(v10(task)).object(t), s.clock.Now().String()
			var events []string
			committed, resolved := before["committed"], before["resolved"]
			if c.bind != "" {
				events, committed = append(events, "Task status was set: "+c.bind+by), now
			}
			switch c.resolved {
			case "becomes":
				events, resolved = append(events, "Task was resolved"+by), now
			case "again":
				resolved = now
			case "null":
				resolved = nil
			}
			s.wantHanging(t, last, events...)
			if after["status"] != c.shown || after["committed"] != committed || after["resolved"] != resolved {
				t.Errorf("%s: %v, want %s, committed %v, resolved %v", c.body, after, c.shown, committed, resolved)
			}
		}
		if mails := s.mail.Taken(); len(mails) != 0 {
			t.Errorf("mails %v", mails)
		}
		at, whole := v10(status), v10(task)
		s.put("INSERT INTO task (id, application_id, template_id, created, status, trashed) SELECT 412, 9001, id, 1, 'Pending', 2 FROM task_template WHERE class = 'checklist-visa'")
		list := []written{
			{"PUT", v10("/applications/9001/tasks/411/status"), "{", "", 404, "not-found", nil},
			{"PUT", v10("/applications/9001/tasks/412/status"), `"Accepted"`, "", 404, "not-found", nil}, // in the trash
			{"PUT", v10("/applications/99/tasks/410/status"), "{", "", 404, "not-found", nil},
			{"PUT", v10("/applications/9001/tasks/x/status"), `"x"`, "", 400, "invalid-id", nil},
			{"DELETE", at, "", "", 405, "method-not-allowed", nil},
			{"PUT", at, strings.Repeat("x", 1<<20+1), "", 413, "too-large", nil},
			{"DELETE", "/api/v7" + task, "", "", 405, "method-not-allowed", nil},
			{"DELETE", "/api" + task, "", "", 405, "method-not-allowed", nil},
			{"DELETE", v10("/applications/9001/tasks/411"), "", "", 404, "not-found", nil},
			{"DELETE", v10("/applications/9001/tasks/999"), "", "", 404, "not-found", nil},
			{"DELETE", v10("/applications/99/tasks/410"), "", "", 404, "not-found", nil},
			{"DELETE", v10("/applications/9001/tasks/0"), "", "", 400, "invalid-id", nil},
		}
		for _, body := range []string{"", "null", `""`, `" "`, "5", "true", "{}", `["Accepted"]`, "Accepted", `"Accepted" 5`,
			`"a\nb"`, `"` + long + `x"`, "\"\xff\"",
			strings.Repeat("x", 1<<20)} {
			list = append(list, written{"PUT", at, body, "application/json", 400, "invalid-body @", nil})
		}
		s.refuses(t, list)
		_, reading := s.newKey(apikey.NewKey{Label: "reading", Scope: admitto.ScopeReadOnly})
		etag, old := s.get(at).header.Get("ETag"), s.get(whole).header.Get("ETag")
		s.do("PUT", at, `"Returned"`, header("If-Match", etag)).want(t, 204)
		s.leavesNoTrace(t, func() {
			s.do("PUT", at, `"Accepted"`, key(reading)).want(t, 403)
			s.do("DELETE", whole, "", key(reading)).want(t, 403)
			s.do("PUT", at, `"Accepted"`, header("If-Match", etag)).want(t, 412).problem(t, "changed-meanwhile")
			s.do("DELETE", whole, "", header("If-Match", old)).want(t, 412)
		})
		raceForStatus(t, s, at)

		last := s.lastEvent(t)
		s.do("DELETE", whole, "rubbish", header("If-Match", s.get(whole).header.Get("ETag"))).want(t, 204)
		s.do("DELETE", "/api/v8/applications/9001/tasks/412", "").want(t, 204) // from the trash
		s.wantHanging(t, last, "Task was deleted"+by, "Task was deleted"+by)
		s.refuses(t, []written{{"DELETE", whole, "", "", 404, "not-found", nil}, {"GET", at, "", "", 404, "not-found", nil}})
		s.get(v10("/applications/9001/documents/222")).want(t, 200) // it hung on the task
	}, inNumberedContract)
}

// raceForStatus sets the same status many times at once: one change, one event.
func raceForStatus(t *testing.T, s *service, path string) {
	last := s.lastEvent(t)
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			if a := s.do("PUT", path, `"Accepted"`); a.status != 204 {
				t.Errorf("%d %s", a.status, a.body)
			}
		})
	}
	all.Wait()
	s.wantHanging(t, last, "Task status was set: Accepted applicant=4711 application=9001 by api_key",
		"Task was resolved applicant=4711 application=9001 by api_key")
}

// POST /applicants/{id}/emails (resources.md 24.9): plain text, whatever it looks like.
func TestCreateEmail(t *testing.T) {
	const path = "/applicants/4711/emails"
	subject, message := strings.Repeat("é", 128), strings.Repeat("ü", 4096)
	multi, multiBody := multipartForm("subject", "By form", "message", "Message")
	onBoth(t, func(t *testing.T, s *service) {
		next := 881
		for _, c := range []struct{ version, body, contentType, subject, message, sent string }{
			{"v10", `{"subject":"Ab","message":"Abcd"}`, "application/json", "Ab", "Abcd", "<p>Abcd</p>"},
			{oldestVersion, "subject=%25applicant-Name%25+*b*&message=%25applicant-Password%25+*bold*+%22x%22%3Ahttps%3A%2F%2Fa.example+%3Cb%3E%0A%0Ah2.+Two", formType,
				"%applicant-Name% *b*", "%applicant-Password% *bold* \"x\":https://a.example <b>\n\nh2. Two",
				`<p>%applicant-Password% *bold* &#34;x&#34;:https://a.example &lt;b&gt;<br>` + "\n<br>\nh2. Two</p>"},
			{"v9", `{"subject":" ` + subject + ` ","message":"` + message + `"}`, "", subject, message, message},
			{"v8", multiBody, multi, "By form", "Message", "<p>Message</p>"},
		} {
			next++
			last, sent := s.lastEvent(t), len(s.mail.Taken())
			at := fmt.Sprintf("/api/%s%s/%d", c.version, path, next)
			made := s.do("POST", "/api/"+c.version+path, c.body, contentType(c.contentType)).want(t, 201)
			record := made.object(t)
			if made.header.Get("Location") != at || s.get(at).body != made.body || record["subject"] != c.subject ||
				record["message"] != c.message || record["delivered"] != nil || record["inserted"] != s.clock.Now().String() {
				t.Errorf("%s %s", made.header.Get("Location"), made.body)
			}
			s.wantHanging(t, last)
			if n, err := s.services.Notify.DeliverMails(t.Context(), admitto.SystemCaller()); n != 1 || err != nil {
				t.Fatal(n, err)
			}
			s.wantHanging(t, last, "E-mail was sent: applicant-message applicant=4711 by system")
			mails := s.mail.Taken()[sent:]
			if len(mails) != 1 || mails[0].Subject != c.subject || !strings.Contains(mails[0].HTML, c.sent) ||
				mails[0].Text != c.message ||
				mails[0].To.Email != "ilse.varga@example.org" {
				t.Errorf("%+v", mails)
			}
			if s.get(at).object(t)["delivered"] == nil {
				t.Error("not delivered")
			}
		}
		first := s.postJSON(v10(path), `{"subject":"Once","message":"Only once"}`, once("m")).want(t, 201)
		again := s.postJSON(v10(path), `{"subject":"Once","message":"Only once"}`, once("m")).want(t, 201)
		if first.body != again.body || s.get(v10(path)).header.Get("X-Count") != "6" {
			t.Error(again.body)
		}
		s.refuses(t, []written{
			{"POST", v10("/applicants/99/emails"), "{", "application/json", 404, "not-found", nil},
			{"POST", v10("/applicants/x/emails"), "", "", 400, "invalid-id", nil},
			{"POST", v10(path), "", "", 400, "invalid-parameter subject message", nil},
			{"POST", v10(path), "subject=a&message=abc", formType, 400, "invalid-parameter subject message", nil},
			{"POST", v10(path), `{"subject":"` + subject + `x","message":"` + message + `x"}`, "", 400,
				"invalid-parameter @/subject @/message", nil},
			{"POST", v10(path), `{"subject":5,"message":true}`, "", 400, "invalid-parameter @/subject @/message", nil},
			{"POST", v10(path), `{"subject":null,"message":""}`, "", 400, "invalid-parameter subject message", nil},
			{"POST", v10(path), `{"subject":"a\nb","message":"a\u0000bcd"}`, "", 400, "invalid-parameter @/subject @/message",
				nil},
			{"POST", v10(path), `"text"`, "application/json", 400, "invalid-body @", nil},
			{"POST", v10(path), "hello", "text/plain", 415, "unsupported-media-type", nil},
			{"POST", v10(path), strings.Repeat("x", 1<<20), "application/json", 400, "invalid-body @", nil},
			{"POST", v10(path), strings.Repeat("x", 1<<20+1), "application/json", 413, "too-large", nil},
			{"PUT", v10(path), "", "", 405, "method-not-allowed", nil},
			{"DELETE", v10(path + "/880"), "", "", 405, "method-not-allowed", nil},
		})
		_, reading := s.newKey(apikey.NewKey{Label: "reading", Scope: admitto.ScopeReadOnly})
		s.leavesNoTrace(t, func() {
			s.postJSON(v10(path), `{"subject":"No","message":"Not sent"}`, key(reading)).want(t, 403)
		})
	}, inNumberedContract)
}
