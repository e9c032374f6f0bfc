package portal

import (
	"cmp"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"net/url"
	"slices"
	"strings"

	"github.com/admitto/admitto/internal/accounts"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/ui"
)

// requestedMail is what somebody has requested a mail for, as the session keeps it: sealed, since it tells of a person.
type requestedMail struct {
	Email  string
	Shown  string         // the address as the page shows it
	Times  []admitto.Time // of the mails within the last hour
	Typed  url.Values     `json:",omitempty"` // the registration; nil for a link to sign in
	Proof  string         `json:",omitempty"` // that this browser made the registration
	Next   string         `json:",omitempty"` // where one wanted to go
	Held   bool           `json:",omitempty"` // no mail was sent for this, since one was just before
	Expire admitto.Time   // until when the page shows it
}

// Names of what the session keeps, and for how long the page of the mailbox shows it.
const (
	keptRequest    = "asked"
	requestPurpose = "admitto portal asked"
	requestShown   = 2 * admitto.Hour
)

// keepRequested keeps what a mail was requested for; held is when the one was that holds it back, 0 for none.
func (p *pages) keepRequested(r *site.Request, a *requestedMail, held admitto.Time) error {
	a.Expire, a.Held = r.Now()+requestShown, held != 0
	a.Times = append(slices.DeleteFunc(a.Times, func(at admitto.Time) bool { return at <= r.Now()-admitto.Hour }),
		cmp.Or(held, r.Now()))
	plain, err := json.Marshal(a)
	if err != nil {
		return err
	}
	r.Keep(keptRequest, base64.RawStdEncoding.EncodeToString(p.key.Seal(requestPurpose, plain)))
	return nil
}

// wait is how many seconds have to pass before another mail can be sent to the address.
func (a *requestedMail) wait(r *site.Request) int {
	left := a.Times[len(a.Times)-1] + accounts.ResendPause - r.Now()
	return int(max(0, (left+admitto.Second-1)/admitto.Second))
}

// tooOften says that this browser has to wait for another mail to the same address; false where it has not.
func (a *requestedMail) tooOften(r *site.Request, f *site.Form) bool {
	if wait := a.wait(r); wait > 0 {
		f.FailWords("", r.Plural("mailbox.wait", wait))
		return true
	}
	if n := len(a.Times) - accounts.LinksPerHour; n >= 0 && a.Times[n]+admitto.Hour > r.Now() {
		f.Fail("", "mailbox.enough", "Most", accounts.LinksPerHour, "Time", r.Clock(a.Times[n]+admitto.Hour))
		return true
	}
	return false
}

// lastRequested is what a mail was last requested for in this browser; nil for nothing.
func (p *pages) lastRequested(r *site.Request) *requestedMail {
	kept := r.Look(keptRequest)
	if kept == "" {
		return nil
	}
	sealed, err := base64.RawStdEncoding.DecodeString(kept)
	if err != nil {
		return nil
	}
	plain, err := p.key.Open(requestPurpose, sealed)
	if err != nil {
		return nil
	}
	a := &requestedMail{}
	if json.Unmarshal(plain, a) != nil || a.Expire < r.Now() || len(a.Times) == 0 {
		return nil
	}
	return a
}

// mailbox says that a mail is on its way, and sends it again.
func (p *pages) mailbox(r *site.Request) error {
	a := p.lastRequested(r)
	if a == nil {
		return r.To("sign-in")
	}
	f, err := r.Form(nil, 0)
	if err != nil {
		return err
	}
	if r.Posted() && !a.tooOften(r, f) {
		again := p.Accounts.RequestSignInLink
		if a.Typed != nil {
			again = p.Accounts.ResendRegistration
		}
		held, err := again(r.Context(), a.Email, a.Next, r.RequestID())
		refused, err := refusedOpenly(f, err)
		if err != nil {
			return err
		}
		if !refused {
			if err := p.keepRequested(r, a, held); err != nil {
				return err
			}
			if held == 0 {
				r.Notify(ui.OK, r.T("mailbox.again"))
			}
			return r.To("mailbox")
		}
	}
	text, before, change := "mailbox.link", "mailbox.link_before", withNext(r.At("sign-in"), a.Next)
	if a.Typed != nil {
		text, before, change = "mailbox.registered", "mailbox.registered_before", r.At("register")+"?change=1"
		if a.Next != "" {
			change += "&next=" + url.QueryEscape(a.Next)
		}
	}
	box := f.Box([]ui.Button{{Text: r.T("action.send-again"), Busy: r.T("form.sending")},
		{Text: r.T("action.change-address"), Plain: true, Href: change}})
	help := r.At("help") + "?about=mail"
	intro := []string{r.T(text, "Email", a.Shown), r.T("mailbox.next")}
	if a.Held {
		intro = []string{r.T(before, "Email", a.Shown), r.T("mailbox.next")}
		var again []string
		if a.Next != "" { // the link that was sent leads elsewhere
			again = append(again, r.T("mailbox.before"))
		}
		if wait := a.wait(r); wait > 0 {
			again = append(again, r.Plural("mailbox.wait", wait)+".")
		}
		if again != nil {
			intro = append(intro, strings.Join(again, " "))
		}
	}
	return site.Sheet{Intro: intro, Parts: []ui.Component{box,
		ui.Heading{Title: r.T("mailbox.nothing"), Text: r.T("mailbox.nothing_text", "Most", accounts.LinksPerHour)},
		ui.Notice{Tone: ui.Info, Text: r.T("mailbox.newest"), Link: &ui.Link{Text: r.T("title.help"), Href: help}},
	}}.Show(r)
}

// lacks says that a field was left empty, by a message.
func lacks(f *site.Form, name, key string) bool {
	if f.Typed(name) != "" && f.Get(name) != "" {
		return false
	}
	f.Fail(name, key)
	return true
}

// sendLink has a link to sign in sent, and leads to the page that says so. used says that the last link was used: then
// it does not hold back another.
func (p *pages) sendLink(ctx context.Context, r *site.Request, f *site.Form, email, shown, next string,
	used bool) (sent bool, err error) {
	if email == "" {
		f.Fail("email", "person.email_missing")
		return false, nil
	}
	held, err := p.Accounts.RequestSignInLink(ctx, email, next, r.RequestID())
	refused, err := refusedOpenly(f, err)
	if err != nil || refused {
		return false, err
	}
	if used {
		held = 0
	}
	return true, p.keepRequested(r, &requestedMail{Email: email, Shown: shown, Next: next}, held)
}

// refusedOpenly is Form.Refused for forms of those who are not signed in: what was done too often is said on the page.
func refusedOpenly(f *site.Form, err error) (refused bool, _ error) {
	if e := (*admitto.Error)(nil); errors.As(err, &e) && e.Kind == admitto.Unavailable && !e.Text.IsZero() {
		f.FailText("", e.Text)
		return true, nil
	}
	return f.Refused(err, nil)
}
