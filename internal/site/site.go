package site

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/alexedwards/scs/v2"

	"github.com/admitto/admitto/internal/accounts"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/config"
	"github.com/admitto/admitto/internal/seal"
	"github.com/admitto/admitto/internal/ui"
	"github.com/admitto/admitto/internal/web"
)

// Person is who is signed in; the zero Person is nobody.
type Person struct {
	Account     int64
	Caller      admitto.Caller
	Name        string
	Email       string
	Lang        string // "" for what the browser asks for
	Scheme      string // "light", "dark", or "" for that of the system
	Comfortable bool
	NoShortcuts bool
	Term        int64 // last chosen (screens.md U15); 0 for none
	// First is the name of the page that is shown before others: something is missing; "" for none.
	First string
	Held  bool // until that page is done, nothing else can be sent, either
	// Waiting is how much waits for the person on a page, by the name of its route.
	Waiting map[string]int64
	// LookedAtBy is the name of the administrator who sees the site as this person; "" for the person themselves.
	LookedAtBy string
}

// Config is what one interface has of its own.
type Config struct {
	Area     accounts.Area
	Prefixes []string // of the paths that belong to it
	Home     string   // address of its first page
	Ways     []string // names of the routes that the page for what there is not leads to, besides
	SignIn   string   // name of the route for those who are not signed in
	Confirm  string   // name of the route that asks for a proof of identity
	Stay     string   // name of the route that keeps a session going
	Cookie   string   // name of the cookie of its sessions
	Routes   []Route
	Extra    map[string]Extra // by path: they have all below it
	Files    fs.FS            // templates of its pages

	Catalogue *ui.Catalogue
	Languages func(*config.Settings) []string // that it is offered in, the first for everybody else; nil: all
	Style     func(*config.Settings) string   // address of more styles, "" for none; nil: none
	Assets    *ui.Assets
	Accounts  *accounts.Service
	Key       seal.Key // signs what forms carry
	Settings  func() *config.Settings
	Budget    *web.Budget
	Clock     admitto.Clock // nil outside of tests
	// Rest pauses before look n, from 0, at a form that is being saved, or says that there are no more; nil outside of
	// tests.
	Rest func(ctx context.Context, n int) (more bool, err error)
	// Person reads who an account is: an error of kind NotFound ends the session.
	Person func(ctx context.Context, account int64, requestID string) (Person, error)
	// Look reads as whom an administrator sees the site: an error of kind NotFound ends that; nil: nobody does.
	Look  func(ctx context.Context, look accounts.Look, requestID string) (Person, error)
	Leave string // name of the route that ends it
	// Frame makes what surrounds a page.
	Frame func(*Request) ui.Frame
	// Grantors names who can give a permission, for the page that says that one is missing.
	Grantors func(ctx context.Context, by admitto.Caller, p admitto.Permission) ([]string, error)
	// Other answers what the site does not have for those who do not ask for a page; nil: a page.
	Other func(w http.ResponseWriter, r *http.Request, err error)
	Log   *slog.Logger
}

// Extra is a handler of its own for all below a path: the styleguide.
type Extra struct {
	Access  Access
	Handler http.Handler
}

// Site is one interface with pages. It is safe for concurrent use.
type Site struct {
	Config
	pages    *ui.Pages
	routes   routes
	sessions *scs.SessionManager
	mux      *http.ServeMux
	origins  *http.CrossOriginProtection
}

// lifetime is how long a cookie lasts at most; the store of sessions ends them earlier.
const lifetime = 30 * 24 * time.Hour

// New makes a site. Errors are faults of its table and of its templates.
func New(c Config) (*Site, error) {
	own, err := fs.Sub(sharedFiles, "pages")
	if err != nil {
		return nil, err
	}
	s := &Site{Config: c, mux: http.NewServeMux(), origins: http.NewCrossOriginProtection()}
	if s.Rest == nil {
		s.Rest = rest
	}
	if s.pages, err = ui.NewPages(c.Catalogue, c.Assets, c.Files, own); err != nil {
		return nil, err
	}
	if s.routes, err = routesOf(c.Routes); err != nil {
		return nil, err
	}
	s.sessions = scs.New()
	s.sessions.Store, s.sessions.Codec = c.Accounts.SessionStore(c.Area), accounts.SessionCodec{}
	s.sessions.Lifetime = lifetime
	s.sessions.Cookie.Name, s.sessions.Cookie.Secure, s.sessions.Cookie.HttpOnly = c.Cookie, true, true
	s.sessions.Cookie.SameSite, s.sessions.Cookie.Path = http.SameSiteLaxMode, "/"
	for _, route := range s.routes {
		s.mux.HandleFunc(route.Path, func(w http.ResponseWriter, r *http.Request) { s.serve(w, r, route) })
	}
	for path, extra := range s.Extra {
		route := &Route{Name: path, Path: path, Access: extra.Access, Calm: true, Handle: func(r *Request) error {
			r.answer = func(w http.ResponseWriter) error {
				extra.Handler.ServeHTTP(w, r.Request)
				return nil
			}
			return nil
		}}
		for _, pattern := range []string{path, path + "/"} {
			s.mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) { s.serve(w, r, route) })
		}
	}
	s.mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) { s.serve(w, r, nil) })
	return s, nil
}

// Sites are what the server answers with this site.
func (s *Site) Sites() (sites []web.Site) {
	for _, prefix := range s.Prefixes {
		sites = append(sites, web.Site{Prefix: prefix, Handler: s.mux, Fault: s.fault, Headers: ui.Headers()})
	}
	return sites
}

// Routes are the rows of the table, in its order.
func (s *Site) Routes() []Route { return slices.Clone(s.Config.Routes) }

// Pages are the templates of the site, for tests.
func (s *Site) Pages() *ui.Pages { return s.pages }

// now is the current time.
func (s *Site) now() admitto.Time {
	if s.Clock != nil {
		return s.Clock()
	}
	return admitto.TimeOf(time.Now())
}

// serve answers a request for a page; route is nil for a path that there is not.
func (s *Site) serve(w http.ResponseWriter, r *http.Request, route *Route) {
	info := web.InfoOf(r.Context())
	if route != nil {
		info.Route = route.Path
	}
	req := &Request{Request: r, site: s, current: route, info: info, arrived: r.Context()}
	req.choose()
	defer req.closeFiles()
	err := s.identify(req)
	if err != nil && route != nil && route.Calm && !req.Posted() {
		err = s.asStranger(req, err)
	}
	if err == nil {
		err = s.handle(req)
	}
	if err != nil {
		s.stopIfGone(req, err)
		if s.answerRefusal(w, req, err) {
			s.endForm(req)
			return
		}
	}
	s.send(w, req)
}

// stopIfGone ends a request that failed because who asked has gone: there is nobody to answer, and no fault of ours.
func (s *Site) stopIfGone(r *Request, err error) {
	if errors.Is(err, context.Canceled) && r.arrived.Err() != nil {
		s.endForm(r)
		panic(http.ErrAbortHandler)
	}
}

// identify reads the session and who it belongs to.
func (s *Site) identify(r *Request) error {
	token := ""
	if cookie, err := r.Cookie(s.Cookie); err == nil {
		token = cookie.Value
	}
	ctx, err := s.sessions.Load(r.Context(), token)
	if err != nil {
		return err
	}
	r.Request = r.WithContext(ctx)
	account := s.sessions.GetInt64(ctx, accounts.SessionAccount)
	if account == 0 {
		return s.identifyLook(ctx, r)
	}
	person, err := s.Person(ctx, account, r.info.RequestID)
	if admitto.KindOf(err) == admitto.NotFound {
		return s.sessions.Destroy(ctx)
	}
	if err != nil {
		return err
	}
	r.Person = person
	r.choose()
	return r.heedRights()
}

// asStranger goes on without a session, which needs no database.
func (s *Site) asStranger(r *Request, cause error) error {
	s.Log.WarnContext(r.Context(), "a page is shown as to a stranger", "page", r.current.Name, "error", cause)
	ctx, err := s.sessions.Load(r.Context(), "")
	if err != nil {
		return err
	}
	r.Request, r.Person = r.WithContext(ctx), Person{}
	r.choose()
	return nil
}

// handle lets the page of a request answer, once it is clear that it may.
func (s *Site) handle(r *Request) error {
	route := r.current
	if route == nil || !route.isOn(r) {
		return &admitto.Error{Kind: admitto.NotFound}
	}
	if route.Methods != nil {
		return s.exchange(r)
	}
	reading := r.Method == http.MethodGet || r.Method == http.MethodHead
	posting := r.Method == http.MethodPost && (route.Form || route.Only)
	if !posting && (!reading || route.Only) {
		return errMethod
	}
	if !reading {
		if err := s.mayPost(r); err != nil {
			return err
		}
		if err := r.readForm(); err != nil {
			return err
		}
		if !s.isOwn(r.Request) {
			return r.keepFor(errOrigin)
		}
	}
	if !route.Access.permits(&r.Person) {
		if r.Person.Account == 0 {
			return r.toSignIn()
		}
		return lacking(route, &r.Person)
	}
	if !reading && !route.Bare && !route.Access.everyone && r.stamp.account == 0 && r.Person.Account != 0 {
		return errMalformed // no page of ours sends that: fields that are missing would count as empty
	}
	if !reading && r.stamp.account != 0 && r.stamp.account != r.Person.Account {
		return r.keepFor(errOtherAccount)
	}
	if route.Access.proved && !r.isProved() {
		return r.toConfirm()
	}
	if first := r.Person.First; (reading || r.Person.Held) && first != "" && r.Person.LookedAtBy == "" &&
		!route.Access.everyone && !route.Early &&
		!r.hasPutOff(first) {
		return r.toFirst()
	}
	if reading || route.Again {
		return route.Handle(r)
	}
	switch discard := r.typed.Get(fieldDiscard); {
	case discard == wholeForm:
		return r.discardTyped()
	case route.Files && discard != "":
		return r.discardFile()
	}
	return s.once(r, func(r *Request) error {
		err := route.Handle(r)
		if err == nil && r.overtaken && r.hasTyped() {
			err = r.keepTyped() // a refused version (screens.md U8)
		}
		return err
	})
}

// isOwn reports whether a form comes from a page of ours: by what the browser says of where it was sent from, and for
// browsers that do not say it, by the page that they came from. What says nothing at all is refused.
func (s *Site) isOwn(r *http.Request) bool {
	if s.origins.Check(r) != nil {
		return false
	}
	if r.Header.Get("Sec-Fetch-Site") != "" || r.Header.Get("Origin") != "" {
		return true
	}
	from, err := url.Parse(r.Header.Get("Referer"))
	return err == nil && from.Scheme == "https" && from.Host != "" && strings.EqualFold(from.Host, r.Host)
}

// lacking refuses for want of a permission of a route.
func lacking(route *Route, p *Person) error {
	missing, _ := route.Access.lacks(p.Caller.Permissions)
	return admitto.Caller{}.Needs(missing)
}

// Errors of requests that no page is asked for.
var (
	errMethod       = errors.New("site: the page is not asked in this way")
	errOrigin       = errors.New("site: the form was sent from another site")
	errOtherAccount = errors.New("site: the form belonged to somebody else")
	errTooLarge     = errors.New("site: the form is too large")
	errMalformed    = errors.New("site: the form cannot be read")
	errInProgress   = errors.New("site: the same form is being saved")
	errUncertain    = errors.New("site: whether the form was saved is not known")
)

// send answers with what the handler made, after the session is stored.
func (s *Site) send(w http.ResponseWriter, r *Request) {
	err := s.saveSession(w, r)
	s.endForm(r)
	if err != nil {
		s.stopIfGone(r, err)
		r.answer = nil
		if !s.answerRefusal(w, r, fmt.Errorf("the session is not stored: %w", err)) {
			s.transmit(w, r)
		}
		return
	}
	s.transmit(w, r)
}

// transmit sends the answer.
func (s *Site) transmit(w http.ResponseWriter, r *Request) {
	for _, c := range r.cookies {
		http.SetCookie(w, c)
	}
	if r.answer == nil {
		w.WriteHeader(http.StatusNoContent)
		return
	}
	if err := r.answer(w); err != nil {
		r.info.Problem = err
		panic(http.ErrAbortHandler) // the answer has begun
	}
}
