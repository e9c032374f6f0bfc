package admin

import (
	"net/url"
	"strconv"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/site"
)

// accountRoutes are the pages by which staff get in, and those about their accounts and roles.
func (p *pages) accountRoutes() []site.Route {
	open, own := site.Everyone(), site.SignedIn()
	proved, staff := own.Proved(), site.Needs(admitto.AdministratorsEdit).Proved()
	return []site.Route{
		{Name: "set-up", Path: "/setup/{token}", Access: open, Form: true, Handle: p.setUp},
		{Name: "invitation", Path: "/admin/invite/{token}", Access: open, Form: true, Handle: p.invitation},
		{Name: "reset", Path: "/admin/reset", Access: open, Form: true, Handle: p.askReset},
		{Name: "reset-sent", Path: "/admin/reset/sent", Access: open, Handle: p.resetSent},
		{Name: "new-password", Path: "/admin/reset/{token}", Access: open, Form: true, Handle: p.newPassword},
		{Name: "staff-email", Path: "/admin/email/{token}", Access: open, Form: true, Handle: p.confirmEmail},
		{Name: "confirm-identity", Path: "/admin/confirm-identity", Access: own, Form: true, Early: true,
			Handle: p.confirmIdentity},

		{Name: "staff-account", Path: "/admin/account", Access: own, Handle: p.account},
		{Name: "my-name", Path: "/admin/account/name", Access: own, Form: true, Parent: "staff-account",
			Handle: p.accountName},
		{Name: "my-email", Path: "/admin/account/email", Access: proved, Form: true, Parent: "staff-account",
			Handle: p.accountEmail},
		{Name: "staff-password", Path: "/admin/account/password", Access: proved, Form: true, Parent: "staff-account",
			Handle: p.accountPassword},
		{Name: "my-preferences", Path: "/admin/account/preferences", Access: own, Form: true, Parent: "staff-account",
			Handle: p.accountPreferences},
		{Name: "second-factor", Path: "/admin/account/second-factor", Access: proved, Form: true, Early: true,
			Parent: "staff-account", Handle: p.secondFactor},
		{Name: "second-factor-remove", Path: "/admin/account/second-factor/remove", Access: proved, Form: true,
			Parent: "staff-account", Handle: p.removeSecondFactor},
		{Name: "recovery-codes", Path: "/admin/account/recovery-codes", Access: proved, Form: true, Parent: "staff-account",
			Handle: p.recoveryCodes},
		{Name: "session-end", Path: "/admin/account/sessions/{session}/end", Access: own, Only: true, Handle: p.endSession},
		{Name: "sessions-end", Path: "/admin/account/sessions/end-others", Access: own, Only: true,
			Handle: p.endOtherSessions},

		{Name: "administrators", Path: "/admin/administrators", Access: staff, Handle: p.administrators},
		{Name: "administrator-invite", Path: "/admin/administrators/invite", Access: staff, Form: true,
			Parent: "administrators", Handle: p.invite},
		{Name: "administrator", Path: "/admin/administrators/{id}", Access: staff, Parent: "administrators",
			Handle: p.administrator},
		{Name: "administrator-edit", Path: "/admin/administrators/{id}/edit", Access: staff, Form: true,
			Parent: "administrator", Handle: p.editAdministrator},
		{Name: "administrator-roles", Path: "/admin/administrators/{id}/roles", Access: staff, Form: true,
			Parent: "administrator", Handle: p.administratorRoles},
		{Name: "administrator-invite-again", Path: "/admin/administrators/{id}/invite-again", Access: staff, Form: true,
			Parent: "administrator", Handle: p.inviteAgain},
		{Name: "administrator-end-sessions", Path: "/admin/administrators/{id}/end-sessions", Access: staff, Form: true,
			Parent: "administrator", Handle: p.endSessions},
		{Name: "administrator-reset-factor", Path: "/admin/administrators/{id}/reset-second-factor", Access: staff,
			Form: true, Parent: "administrator", Handle: p.resetSecondFactor},
		{Name: "administrator-disable", Path: "/admin/administrators/{id}/disable", Access: staff, Form: true,
			Parent: "administrator", Handle: p.disable},
		{Name: "administrator-enable", Path: "/admin/administrators/{id}/enable", Access: staff, Form: true,
			Parent: "administrator", Handle: p.enable},

		{Name: "roles", Path: "/admin/roles", Access: staff, Parent: "administrators", Handle: p.roles},
		{Name: "role-new", Path: "/admin/roles/new", Access: staff, Form: true, Parent: "roles", Handle: p.newRole},
		{Name: "role", Path: "/admin/roles/{id}", Access: staff, Form: true, Parent: "roles", Handle: p.role},
		{Name: "role-delete", Path: "/admin/roles/{id}/delete", Access: staff, Form: true, Parent: "role",
			Handle: p.deleteRole},
	}
}

// escaped is a text as a value of a query.
func escaped(text string) string { return url.QueryEscape(text) }

// confirmed asks before something happens (screens.md U6), and when it was confirmed does it, says so and leads on.
func confirmed(r *site.Request, c ask, do func() error) error {
	if !r.Posted() {
		return r.Ask(c.page(r))
	}
	if err := do(); err != nil {
		return err
	}
	r.Notify(doneTone, r.T(c.done))
	return r.Redirect(c.back)
}

// idText is an ID as text.
func idText(id int64) string { return strconv.FormatInt(id, 10) }
