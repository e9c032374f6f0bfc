package site

import (
	"context"
	"errors"
	"net/http"

	"github.com/admitto/admitto/internal/accounts"
	"github.com/admitto/admitto/internal/admitto"
)

// PortalCookie is the name of the cookie of sessions of the portal; browsers take it over HTTPS from this host alone.
const PortalCookie = "__Host-admitto-applicant"

// errLooking refuses whatever is sent by staff who look at the portal as an applicant.
var errLooking = errors.New("site: nothing can be changed in somebody else's name")

// identifyLook reads who looks at the site as somebody else. Their session is none of the account.
func (s *Site) identifyLook(ctx context.Context, r *Request) error {
	look, ok := accounts.LookOf(func(name string) int64 { return s.sessions.GetInt64(ctx, name) },
		func(name string) string { return s.sessions.GetString(ctx, name) })
	if !ok || s.Look == nil {
		return nil
	}
	person, err := s.Look(ctx, look, r.info.RequestID)
	if admitto.KindOf(err) == admitto.NotFound {
		return s.sessions.Destroy(ctx)
	}
	if err != nil {
		return err
	}
	r.Person = person
	r.choose()
	return nil
}

// mayPost refuses what is posted by staff who look at the site as somebody else, except that they leave.
func (s *Site) mayPost(r *Request) error {
	if r.Person.LookedAtBy == "" || r.current.Name == s.Leave {
		return nil
	}
	return errLooking
}

// Begun is when the session of the reader began, as a Look names it.
func (r *Request) Begun() int64 { return r.site.sessions.GetInt64(r.Context(), accounts.SessionBegun) }

// BeginLook hands the browser the session of the portal with the token.
func (r *Request) BeginLook(token string) {
	r.cookies = append(r.cookies, &http.Cookie{Name: PortalCookie, Value: token, Path: "/", Secure: true, HttpOnly: true,
		SameSite: http.SameSiteLaxMode, MaxAge: int(accounts.LookLasts.Seconds())})
}

// LookBack is where staff came from who look at the site as somebody else; "" for everybody else.
func (r *Request) LookBack() string {
	if r.Person.LookedAtBy == "" {
		return ""
	}
	return r.site.sessions.GetString(r.Context(), accounts.SessionLookBack)
}
