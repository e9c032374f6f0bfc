package api

import (
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/api/wire"
)

// purgedWire is an object that was erased for good (resources.md 24.12).
type purgedWire struct {
	ID              int64        `wire:"id"`
	Type            string       `wire:"type"`
	Created         admitto.Time `wire:"created"`
	ForgetRequested admitto.Time `wire:"request_to_be_forgotten"`
	Marked          purgedMark   `wire:"marked"`
	Purged          admitto.Time `wire:"purged"`
}

// purgedMark says who deleted an object, and when.
type purgedMark struct {
	At            admitto.Time `wire:"at"`
	Administrator wire.Link    `wire:"administrator"`
}

func purgedRecord(p *admitto.PurgedResource) any {
	return &purgedWire{p.Object, string(p.Type), p.Created, p.ForgetRequested,
		purgedMark{p.Marked, wire.LinkTo("/administrators/{}", p.MarkedBy)}, p.Purged}
}

// loginWire is a sign-in of an administrator (resources.md 24.15).
type loginWire struct {
	ID            int64         `wire:"id"`
	Logged        admitto.Time  `wire:"logged"`
	IPv4          string        `wire:"ipv4" until:"7"`
	IP            string        `wire:"ip" since:"8"`
	Administrator wire.Link     `wire:"administrator"`
	RoleID        *int64        `wire:"roleId"`
	Role          wire.Nullable `wire:"role"`
	Result        string        `wire:"result"`
}

func loginRecord(l *admitto.Login) any {
	w := &loginWire{ID: l.ID, Logged: l.Logged, IPv4: l.IP, IP: l.IP, Administrator: wire.LinkTo("/administrators/{}", l.Administrator),
		Role: wire.Nullable(l.RoleName), Result: string(l.Result)}
	if l.Role != 0 {
		w.RoleID = &l.Role
	}
	return w
}

// pagesWire tells where a page stands among all (resources.md 24.12).
type pagesWire struct {
	Total   int64      `wire:"total"`
	Current int64      `wire:"current"`
	Prev    *int64     `wire:"prev"`
	Next    *int64     `wire:"next"`
	Items   pagesItems `wire:"items"`
}

// pagesItems counts the entries of a page and of all pages.
type pagesItems struct {
	Current int   `wire:"current"`
	Total   int64 `wire:"total"`
}

// pagesOf tells where the page stands when it has shown entries out of total.
func pagesOf(page, total int64, shown int) *pagesWire {
	w := &pagesWire{Total: admitto.Pages(total), Current: page, Items: pagesItems{shown, total}}
	if prev := min(page-1, w.Total); prev > 0 {
		w.Prev = &prev
	}
	if page < w.Total {
		next := page + 1
		w.Next = &next
	}
	return w
}
