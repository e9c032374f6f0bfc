package application_test

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/admitto/admitto/internal/accounts"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/services/servicestest"
	"github.com/admitto/admitto/internal/site/sitetest"
	"github.com/admitto/admitto/internal/uitest"
	"github.com/admitto/admitto/internal/wait"
)

// server is what a browser finds at the address: an instance, or nothing while it starts again.
type server struct {
	now atomic.Pointer[sitetest.Instance]
}

func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	i := s.now.Load()
	if i == nil {
		panic(http.ErrAbortHandler)
	}
	i.ServeHTTP(w, r)
}

// TestMishapsInBrowser is screens.md J6: the session ends, the server starts again, there are two tabs, a button is
// pressed twice and no mail can leave. Nothing is lost, nothing happens twice, and every page says what to do next.
func TestMishapsInBrowser(t *testing.T) {
	if !uitest.Wanted() {
		return
	}
	servicestest.OnBoth(t, func(t *testing.T, d *servicestest.Desk) {
		i := sitetest.On(d)
		prepare(i)
		d.Put("UPDATE task_template SET active = FALSE", "UPDATE fee SET automatic = 'none'",
			"UPDATE consent SET type = 'Voluntary'")
		applicant, token := i.Registered("ilse@example.org")
		d.Put(fmt.Sprintf("UPDATE applicant SET citizenship = 'PT' WHERE id = %d", applicant))
		landing := i.Visitor().Open("/sign-in/link/" + token)
		landing.Submit(landing.Text("form button"))
		i.Applicant(applicant).Open("/my/apply/71/71").Submit("Add to my application")
		at := &server{}
		at.now.Store(i)
		browser := uitest.Open(t, at)
		motivation := fmt.Sprintf("/my/applications/%d/form/motivation", d.Number("SELECT max(id) FROM application"))
		session := i.Cookie(accounts.Portal, applicant)
		open := func() *hands {
			page := uitest.Page{Name: "mishaps", Path: motivation, Cookie: session}
			return &hands{Tab: browser.Desk(t, page), t: t, i: i, application: d.Number("SELECT max(id) FROM application")}
		}
		const text, save = "main textarea", "main form .btn.primary"

		h := open()
		h.fields("content.general=An evening's work.")
		d.Put("DELETE FROM session")
		h.press(save)
		h.Find("main [name=email]")
		if said := h.Text("main"); !strings.Contains(said, "What you typed is kept.") {
			t.Error("not told that nothing is lost: ", said)
		}
		h.fields("email=ilse@example.org")
		h.press(save)
		h.At("/sign-in/mailbox")
		h.Open(link(d))
		h.press(save)
		h.At(motivation)
		if got := h.Value(text); got != "An evening's work." {
			t.Errorf("after the session ended the text is %q", got)
		}
		h.press(save)
		h.Find("main .notice.ok")

		h.Open(motivation)
		d.Put("DELETE FROM stash")
		h.fields("content.general=Written before it stood still. ")
		wait.Until(t, "what is typed is kept", func() bool { return d.Count("stash") == 1 })
		at.now.Store(nil)
		h.press(save)
		h.Lost()
		at.now.Store(sitetest.On(d))
		h.Again()
		h.Find("main .notice.ok")
		h.Open(motivation)
		if got := h.Value(text); !strings.HasPrefix(got, "Written before it stood still.") {
			t.Errorf("after the server started again the text is %q", got)
		}

		session = i.Cookie(accounts.Portal, applicant)
		one, two := open(), open()
		one.fields("content.general=In the first tab.")
		one.press(save)
		one.Find("main .notice.ok")
		two.fields("content.general=In the second tab.")
		two.press(save)
		two.Find("main fieldset [type=radio]")
		if said := two.Text("main"); !strings.Contains(said, "In the first tab.") ||
			!strings.Contains(said, "In the second tab.") {
			t.Error("one of two tabs is lost: ", said)
		}
		two.fields("keep.content.general!mine")
		two.press(save)
		two.Find("main .notice.ok")

		two.fill()
		d.Post.Stop(errors.New("no mail leaves"))
		two.Open(two.own("/check"))
		two.fields("declared-0!yes")
		two.Twice(save)
		two.At(two.own("/receipts/1"))
		if status := d.Status(two.application); status != string(admitto.Submitted) || d.Count("receipt") != 1 {
			t.Errorf("pressed twice: %s, %d receipts", status, d.Count("receipt"))
		}
		before := len(d.Post.Taken())
		d.Deliver()
		d.Post.Stop(nil)
		d.Clock.Add(admitto.Hour)
		d.Deliver()
		d.Deliver()
		told := 0
		for _, m := range d.Post.Taken()[before:] {
			if len(m.Attachments) == 1 && strings.Contains(m.Attachments[0].Name, "receipt") {
				told++
			}
		}
		if told != 1 {
			t.Errorf("the receipt came %d times", told)
		}
	})
}
