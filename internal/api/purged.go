package api

import (
	"context"
	"strconv"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/api/params"
	"github.com/admitto/admitto/internal/api/wire"
	"github.com/admitto/admitto/internal/message"
)

// pagedInput is the query of lists that are read page by page (resources.md 24.12).
type pagedInput struct {
	Since params.Boundary `name:"bySince"`
	Until params.Boundary `name:"byUntil" bound:"upper"`
	Page  params.Limit    `name:"page"`
}

// listPurgedResources answers GET /purged-resources (resources.md 24.12).
func (a *API) listPurgedResources(c *call) error {
	return pagedList(c, a.services.Privacy.PurgedResources, func(p *admitto.PurgedResource) int64 { return p.ID },
		purgedRecord)
}

// pagedList answers one page of a list, with a further key that tells of the pages.
func pagedList[T any](c *call, read func(context.Context, admitto.Caller, admitto.PageQuery) ([]T, int64, error),
	id func(*T) int64, record func(*T) any) error {
	var in pagedInput
	args, err := c.queryArgs()
	if err != nil {
		return err
	}
	decoded := c.decode(args, &in)
	page := int64(1)
	var pageErr error
	if in.Page.Given {
		if page = int64(in.Page.N); page < 1 {
			pageErr = &admitto.Error{Kind: admitto.InvalidParameter, Faults: []admitto.Fault{params.FaultAt("page", nil,
				message.Of("page-range"))}}
		}
	}
	if err := faultsOf(decoded, pageErr); err != nil {
		return err
	}
	list, total, err := read(c.ctx, c.by(), admitto.PageQuery{FromID: in.Since.ID, FromTime: in.Since.At,
		ToID: in.Until.LastID(), ToTime: in.Until.At, Page: page})
	if err != nil {
		return err
	}
	c.w.Header().Set("X-Count", strconv.FormatInt(total, 10))
	body := appendCollection(c, nil, list, id, record)
	body = body[:len(body)-1]
	if len(list) > 0 {
		body = append(body, ',')
	}
	body = c.encode(append(body, `"pages":`...), pagesOf(page, total, len(list)))
	return c.json(append(body, '}'))
}

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
	w := &loginWire{ID: l.ID, Logged: l.Logged, IPv4: l.IP, IP: l.IP, Administrator: wire.LinkTo("/administrators/{}",
		l.Administrator),
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
