package portal

import (
	"context"
	"strconv"

	"github.com/admitto/admitto/internal/accounts"
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/ui"
)

// leave is the name of the route by which staff leave the portal.
const leave = "look-leave"

// lookRoutes are for staff who look at the portal as an applicant (screens.md A08).
func (p *pages) lookRoutes() []site.Route {
	return []site.Route{{Name: leave, Path: "/my/leave", Access: site.SignedIn(), Only: true, Bare: true, Again: true,
		Handle: p.leave}}
}

// look reads whom staff see the portal as.
func (p *pages) look(ctx context.Context, look accounts.Look, requestID string) (site.Person, error) {
	staff, err := p.Accounts.Looks(ctx, look)
	if err != nil {
		return site.Person{}, err
	}
	person, err := p.person(ctx, look.Applicant, requestID)
	person.LookedAtBy = staff.Name
	return person, err
}

// leave ends the session in which staff look at the portal, and leads back to the card.
func (p *pages) leave(r *site.Request) error {
	back := r.LookBack()
	if !site.Local(back) {
		return r.To("front")
	}
	if err := r.SignOut(); err != nil {
		return err
	}
	return r.Redirect(back)
}

// lookBanner says on every page as whom staff look, and leads away; nil for applicants.
func lookBanner(r *site.Request) *ui.Notice {
	if r.Person.LookedAtBy == "" {
		return nil
	}
	return &ui.Notice{Tone: ui.Warn, Text: r.T("look.banner", "Name", r.Person.Name, "ID",
		strconv.FormatInt(r.Person.Account, 10)), Link: &ui.Link{Text: r.T("look.leave"), Href: r.At(leave), Posts: true}}
}
