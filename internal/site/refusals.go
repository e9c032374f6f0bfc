package site

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/ui"
	"github.com/admitto/admitto/internal/web"
)

// answerRefusal prepares the page for an error (screens.md U19). It returns whether the answer was sent already: by the
// site's Other, and where not even a page could be made.
func (s *Site) answerRefusal(w http.ResponseWriter, r *Request, err error) (sent bool) {
	status, page := s.refusal(r, err)
	if status == http.StatusNotFound && s.Other != nil && !wantsPage(r.Request) {
		s.Other(w, r.Request, web.ErrNoSuchPath)
		return true
	}
	if status >= http.StatusInternalServerError {
		r.info.Problem = err
	}
	switch status {
	case http.StatusServiceUnavailable:
		w.Header().Set("Retry-After", "60")
	case http.StatusMethodNotAllowed:
		w.Header().Set("Allow", allowed(r.current))
	}
	r.failed, r.title = false, page.Title
	if failed := r.show(status, "sheet", page); failed != nil {
		r.info.Problem = errors.Join(err, failed)
		http.Error(w, page.Title, http.StatusInternalServerError)
		return true
	}
	return false
}

func allowed(route *Route) string {
	switch {
	case route.Methods != nil:
		return strings.Join(route.Methods, ", ")
	case route.Only:
		return "POST"
	case route.Form:
		return "GET, HEAD, POST"
	}
	return "GET, HEAD"
}

// wantsPage reports whether the client is one that shows pages.
func wantsPage(r *http.Request) bool {
	return strings.Contains(r.Header.Get("Accept"), "text/html")
}

// refusal is the status and the page for an error: what happened, and the way out.
func (s *Site) refusal(r *Request, err error) (status int, page Sheet) {
	say := func(status int, key string, args ...any) (int, Sheet) {
		return status, Sheet{Title: r.T("refusal." + key), Intro: []string{r.T("refusal."+key+"_text", args...)},
			Buttons: []ui.Button{{Text: r.T("refusal.home"), Href: s.Home}}}
	}
	var refused *admitto.Error
	if errors.As(err, &refused) {
		switch refused.Kind {
		case admitto.NotFound:
			status, page = say(http.StatusNotFound, "missing")
			for _, name := range s.Ways {
				if link, may := r.Link(name); may {
					page.Buttons = append(page.Buttons, ui.Button{Text: link.Text, Href: link.Href})
				}
			}
			return status, page
		case admitto.NotPermitted:
			return s.forbidden(r, refused)
		case admitto.Unavailable:
			return say(http.StatusServiceUnavailable, "busy")
		case admitto.Internal:
		default: // a rule speaks against it, and the page has no form to say so
			status, page = say(http.StatusConflict, "not_now")
			page.Intro = []string{r.Say(refused.Text)}
			for _, f := range refused.Faults {
				page.Intro = append(page.Intro, r.Say(f.Text))
			}
			return status, page
		}
	}
	switch {
	case errors.Is(err, errMethod):
		return say(http.StatusMethodNotAllowed, "method")
	case errors.Is(err, errLooking):
		return say(http.StatusForbidden, "looking", "Name", r.Person.Name)
	case errors.Is(err, errTooLarge):
		if r.current != nil && r.current.Files {
			status, page = say(http.StatusRequestEntityTooLarge, "too_large_files", "Files", mostFiles, "Size",
				r.Size(s.Accounts.MostFileBytes()))
			return status, page.backTo(r)
		}
		status, page = say(http.StatusRequestEntityTooLarge, "too_large", "Most", mostBytes>>20)
		return status, page.backTo(r)
	case errors.Is(err, errInProgress), errors.Is(err, errUncertain):
		key := "in_progress"
		if errors.Is(err, errUncertain) {
			key = "uncertain"
		}
		status, page = say(http.StatusConflict, key)
		page.Buttons = append([]ui.Button{{Text: r.T("refusal.back_to_form"), Href: r.stamp.path, Primary: true}},
			page.Buttons...)
		return status, page
	case errors.Is(err, errMalformed):
		status, page = say(http.StatusBadRequest, "malformed")
		return status, page.backTo(r)
	case errors.Is(err, errOtherAccount):
		status, page = say(http.StatusForbidden, "other_account", "Name", r.Person.Name)
		page.Intro = append(page.Intro, r.T("refusal.other_account_next"))
		return status, page
	case errors.Is(err, errOrigin):
		status, page = say(http.StatusForbidden, "not_sent")
		if r.Person.Account == 0 {
			page.Intro = []string{r.T("refusal.not_sent_again")} // nothing is kept for who is not known
		}
		if r.stamp.path != "" && r.stamp.account == r.Person.Account {
			page.Buttons = []ui.Button{{Text: r.T("refusal.back_to_form"), Href: r.stamp.path, Primary: true}}
		}
		return status, page
	}
	status, page = say(http.StatusInternalServerError, "fault", "Request", r.info.RequestID, "Time",
		r.Now().Std().In(s.Settings().Instance.Timezone).Format("15:04"))
	if !r.Posted() {
		page.Buttons = append([]ui.Button{{Text: r.T("refusal.again"), Href: r.URL.RequestURI(), Primary: true}},
			page.Buttons...)
	}
	return status, page
}

// backTo leads back to the page of the form that could not be read, where it has one.
func (s Sheet) backTo(r *Request) Sheet {
	if r.current != nil && r.current.Form && !r.current.Only {
		s.Buttons = append([]ui.Button{{Text: r.T("refusal.back_to_form"), Href: r.URL.RequestURI(), Primary: true}},
			s.Buttons...)
	}
	return s
}

// forbidden names the permission that is missing, and who can give it.
func (s *Site) forbidden(r *Request, err error) (int, Sheet) {
	page := Sheet{Title: r.T("refusal.forbidden"), Buttons: []ui.Button{{Text: r.T("refusal.home"), Href: s.Home}}}
	p, known := admitto.Lacking(err)
	if !known {
		page.Intro = []string{r.T("refusal.forbidden_text")}
		return http.StatusForbidden, page
	}
	page.Intro = []string{r.T("refusal.permission", "Permission", r.T("permission."+strings.ReplaceAll(p.String(), "-",
		"_")), "Code", p.String())}
	if s.Grantors != nil {
		names, err := s.Grantors(r.Context(), r.Reader(), p)
		if err == nil && len(names) > 0 { // the page is of use without them
			page.Intro = append(page.Intro, r.T("refusal.grantors", "Names", r.Listed(names...)))
		}
	}
	return http.StatusForbidden, page
}

// fault answers what the chain refuses before a handler runs, and panics.
func (s *Site) fault(w http.ResponseWriter, r *http.Request, err error) {
	req := &Request{Request: r, site: s, info: web.InfoOf(r.Context())}
	if ctx, loadErr := s.sessions.Load(r.Context(), ""); loadErr == nil {
		req.Request = r.WithContext(ctx)
	}
	req.choose()
	switch {
	case errors.Is(err, web.ErrHTTPSRequired):
		if s.Other != nil && !wantsPage(r) {
			s.Other(w, r, err)
			return
		}
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		w.WriteHeader(http.StatusForbidden)
		fmt.Fprintln(w, req.T("refusal.https")) //nolint:errcheck // the client is gone then
		return
	case errors.Is(err, web.ErrNoSuchPath):
		err = &admitto.Error{Kind: admitto.NotFound}
	}
	if !s.answerRefusal(w, req, err) {
		s.transmit(w, req)
	}
}

// Choose is the function of the routes for language and scheme: {kind} is "language" or "scheme", {value} what was
// chosen. A cookie keeps it; ?next= leads back.
func Choose(r *Request) error {
	value, name := r.Part("value"), ""
	switch r.Part("kind") {
	case "language":
		name = langCookie
		if !slices.Contains(r.Languages(), value) {
			return &admitto.Error{Kind: admitto.NotFound}
		}
	case "scheme":
		name = schemeCookie
		if value != "light" && value != "dark" && value != "system" {
			return &admitto.Error{Kind: admitto.NotFound}
		}
	default:
		return &admitto.Error{Kind: admitto.NotFound}
	}
	r.Remember(name, value)
	back := r.Next(r.site.Home)
	r.answer = func(w http.ResponseWriter) error {
		w.Header().Set("Location", back)
		w.WriteHeader(http.StatusSeeOther)
		return nil
	}
	return nil
}

// Back is the address of the page as the value of ?next=.
func (r *Request) Back() string {
	page := r.URL.RequestURI()
	if r.Posted() && (r.current == nil || r.current.Only) { // nothing is shown there otherwise
		page = r.site.Home
	}
	return "?next=" + url.QueryEscape(page)
}

// Foot are the links of every page to choose language and scheme by; choose is the name of the route.
func (r *Request) Foot(choose string) (links []ui.Link) {
	for _, lang := range r.Languages() {
		links = append(links, ui.Link{Text: r.site.Catalogue.Locale(lang).Text("lang.name"), Lang: lang,
			Href: r.At(choose, "language", lang) + r.Back(), Current: lang == r.Lang})
	}
	for _, scheme := range []string{"light", "dark", "system"} {
		links = append(links, ui.Link{Text: r.T("scheme." + scheme), Href: r.At(choose, "scheme", scheme) + r.Back()})
	}
	return links
}

// Scheme is the one that was chosen: "light", "dark", or "" for that of the system.
func (r *Request) Scheme() string { return r.scheme }

// Minutes writes a duration in whole minutes, at least one.
func (r *Request) Minutes(d admitto.Time) string {
	return strconv.Itoa(int(max((d+admitto.Minute-1)/admitto.Minute, 1)))
}
