package site

import (
	"crypto/sha256"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/alexedwards/scs/v2"

	"github.com/admitto/admitto/internal/accounts"
	"github.com/admitto/admitto/internal/ui"
)

// sessionNotices has the notices that wait for the next page.
const sessionNotices = "notices"

// proofLasts is how long a proof of identity is enough for sensitive pages (lifecycle.md 12.1).
const proofLasts = 10 * time.Minute

// SignIn makes the session one of the account. Its token changes, so that nobody who knew it before has it. proved says
// that a password or second factor was just given; a link that came by mail is no such proof.
func (r *Request) SignIn(account int64, proved bool) error {
	m, ctx := r.site.sessions, r.Context()
	if err := m.RenewToken(ctx); err != nil {
		return err
	}
	now := r.site.now().Std().UnixMilli()
	m.Put(ctx, accounts.SessionAccount, account)
	m.Put(ctx, accounts.SessionBegun, now)
	m.Put(ctx, accounts.SessionAgent, shortened(r.UserAgent(), 200))
	m.Remove(ctx, accounts.SessionProved)
	m.Remove(ctx, sessionPutOff)
	if proved {
		m.Put(ctx, accounts.SessionProved, now)
	}
	return nil
}

// SignOut ends the session.
func (r *Request) SignOut() error {
	r.Person = Person{}
	return r.site.sessions.Destroy(r.Context())
}

// sessionRights has the permissions that the reader had on the last page.
const sessionRights = "rights"

// heedRights changes the token of the session when what the reader may do has changed since the last page, by anybody:
// nobody who knew the token from before gains by it. Pages do so, not forms: one that is sent twice finds
// its session as it was.
func (r *Request) heedRights() error {
	m, ctx, now := r.site.sessions, r.Context(), int64(r.Person.Caller.Permissions)
	if r.Method != http.MethodGet || m.GetInt64(ctx, sessionRights) == now {
		return nil
	}
	known := m.Exists(ctx, sessionRights)
	m.Put(ctx, sessionRights, now)
	if !known {
		return nil
	}
	return r.Renew()
}

// Renew changes the token of the session: after each change of how the reader proves who they are.
func (r *Request) Renew() error { return r.site.sessions.RenewToken(r.Context()) }

// Prove notes that the reader has just proved who they are.
func (r *Request) Prove() error {
	r.site.sessions.Put(r.Context(), accounts.SessionProved, r.site.now().Std().UnixMilli())
	return r.Renew()
}

// Session is what lists of sessions name this one by.
func (r *Request) Session() string { return r.site.sessions.GetString(r.Context(), accounts.SessionID) }

// Hash is the hash of the session's token: use cases that end sessions keep the one with it.
func (r *Request) Hash() [32]byte { return sha256.Sum256([]byte(r.site.sessions.Token(r.Context()))) }

// ByLink reports whether the session has begun by a link that came by mail, and no password was given since.
func (r *Request) ByLink() bool {
	return r.Person.Account != 0 && r.site.sessions.GetInt64(r.Context(), accounts.SessionProved) == 0
}

// IsProved reports whether the reader has proved who they are within the last ten minutes.
func (r *Request) IsProved() bool { return r.isProved() }

// sessionPutOff has the name of the page that the reader wants to see later.
const sessionPutOff = "put-off"

// PutOff lets the reader see other pages before the one that Person.First names, until the session ends.
func (r *Request) PutOff() { r.site.sessions.Put(r.Context(), sessionPutOff, r.Person.First) }

func (r *Request) hasPutOff(first string) bool {
	return r.site.sessions.GetString(r.Context(), sessionPutOff) == first
}

// isProved reports whether the last proof is recent enough.
func (r *Request) isProved() bool {
	proved := r.site.sessions.GetInt64(r.Context(), accounts.SessionProved)
	return proved != 0 && r.site.now().Std().Sub(time.UnixMilli(proved)) < proofLasts
}

// Stay is the function of the route that keeps a session going: who comes here has been seen.
func Stay(r *Request) error {
	return r.Redirect(r.Next(r.site.Home))
}

// Ends is when the session ends unless the reader does something, and the address that keeps it going; nil when nobody
// is signed in.
func (r *Request) Ends() *ui.Ends {
	if r.Person.Account == 0 || r.Person.LookedAtBy != "" || r.site.Stay == "" {
		return nil
	}
	idle, total := r.site.Accounts.SessionStore(r.site.Area).Limits()
	left := idle
	if total != 0 {
		begun := time.UnixMilli(r.site.sessions.GetInt64(r.Context(), accounts.SessionBegun))
		left = min(left, begun.Add(total).Sub(r.site.now().Std()))
	}
	return &ui.Ends{Seconds: int(left / time.Second), Stay: r.At(r.site.Stay)}
}

// Keep puts a value into the session, for a page that follows; Look reads it, and Take takes it out. It stands in the
// database as it is: seal what is about a person.
func (r *Request) Keep(key, value string) { r.site.sessions.Put(r.Context(), "keep-"+key, value) }

// Take returns what Keep put there, once.
func (r *Request) Take(key string) string { return r.site.sessions.PopString(r.Context(), "keep-"+key) }

// Look returns what Keep put there.
func (r *Request) Look(key string) string { return r.site.sessions.GetString(r.Context(), "keep-"+key) }

// Notify shows a notice on the next page that the reader sees.
func (r *Request) Notify(tone ui.Tone, text string) { r.notify(tone, text) }

// NotifyUndo is Notify with a button that takes back what was done.
func (r *Request) NotifyUndo(text, label, address string) {
	r.notify(ui.OK, text, label, address, "undo")
}

// NotifyWay is Notify with a link to the page by its name, where the reader may open it.
func (r *Request) NotifyWay(tone ui.Tone, text, page string, values ...any) {
	if link, ok := r.Link(page, values...); ok {
		r.notify(tone, text, link.Text, link.Href)
		return
	}
	r.notify(tone, text)
}

func (r *Request) notify(tone ui.Tone, texts ...string) {
	m, ctx := r.site.sessions, r.Context()
	line := string(tone)
	for _, text := range texts {
		line += "\t" + strings.NewReplacer("\n", " ", "\t", " ").Replace(text)
	}
	if before := m.GetString(ctx, sessionNotices); before != "" {
		line = before + "\n" + line
	}
	m.Put(ctx, sessionNotices, shortened(line, 2000))
}

// notices are those that wait, once.
func (r *Request) notices() (list []ui.Notice) {
	waiting := r.site.sessions.PopString(r.Context(), sessionNotices)
	for line := range strings.SplitSeq(waiting, "\n") {
		parts := strings.Split(line, "\t")
		if len(parts) < 2 {
			continue
		}
		notice := ui.Notice{Tone: ui.Tone(parts[0]), Text: parts[1], Closes: true}
		if len(parts) > 3 {
			notice.Link = &ui.Link{Text: parts[2], Href: parts[3], Posts: len(parts) > 4}
		}
		list = append(list, notice)
	}
	return list
}

// saveSession stores the session when something changed in it, and tells the browser its token.
func (s *Site) saveSession(w http.ResponseWriter, r *Request) error {
	ctx := r.Context()
	switch s.sessions.Status(ctx) {
	case scs.Modified:
		token, expires, err := s.sessions.Commit(ctx)
		if err != nil {
			return err
		}
		s.sessions.WriteSessionCookie(ctx, w, token, expires)
	case scs.Destroyed:
		s.sessions.WriteSessionCookie(ctx, w, "", time.Time{})
	}
	return nil
}

// toSignIn leads somebody who is not signed in to where one signs in.
func (r *Request) toSignIn() error { return r.detour(r.site.SignIn) }

// toConfirm asks for a proof of identity first.
func (r *Request) toConfirm() error { return r.detour(r.site.Confirm) }

// toFirst leads to the page that is shown before others.
func (r *Request) toFirst() error { return r.detour(r.Person.First) }

// detour leads to another page first, which leads back; what was typed is kept for the account of its form, and the
// page says so.
func (r *Request) detour(route string) error {
	page := r.URL.RequestURI()
	if r.Posted() {
		if err := r.keepTyped(); err != nil {
			return err
		}
		if r.stamp.account != 0 && len(r.typed) > 0 {
			r.Notify(ui.Info, r.T("form.comes_back"))
		}
		if page = r.stamp.path; page == "" {
			page = r.site.Home
		}
	}
	return r.Redirect(r.At(route) + "?next=" + url.QueryEscape(page))
}

// Device says in words what browser somebody uses on what system, as far as it says so itself.
func (r *Request) Device(agent string) string {
	find := func(names [][2]string) string {
		for _, n := range names {
			if strings.Contains(agent, n[0]) {
				return n[1]
			}
		}
		return ""
	}
	browser := find([][2]string{{"Edg", "Edge"}, {"OPR", "Opera"}, {"Firefox", "Firefox"}, {"Chrom", "Chrome"},
		{"Safari", "Safari"}})
	system := find([][2]string{{"Android", "Android"}, {"iPhone", "iPhone"}, {"iPad", "iPad"}, {"Windows", "Windows"},
		{"Mac OS", "macOS"}, {"CrOS", "ChromeOS"}, {"Linux", "Linux"}})
	switch {
	case browser != "" && system != "":
		return r.T("session.browser_on", "Browser", browser, "System", system)
	case browser+system != "":
		return browser + system
	}
	return r.T("session.unknown")
}

// shortened is at most so many bytes of a text, cut between characters.
func shortened(text string, most int) string {
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "")
}
