package api

import (
	"context"
	"strconv"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/api/params"
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
	return pagedList(c, a.services.Privacy.PurgedResources, func(p *admitto.PurgedResource) int64 { return p.ID }, purgedRecord)
}

// pagedList answers one page of a list, with a further key that tells of the pages.
func pagedList[T any](c *call, read func(context.Context, admitto.Caller, admitto.PageQuery) ([]T, int64, error), id func(*T) int64, record func(*T) any) error {
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
			pageErr = &admitto.Error{Kind: admitto.InvalidParameter, Faults: []admitto.Fault{params.FaultAt("page", nil, message.Of("page-range"))}}
		}
	}
	if err := faultsOf(decoded, pageErr); err != nil {
		return err
	}
	list, total, err := read(c.ctx, c.by(), admitto.PageQuery{FromID: in.Since.ID, FromTime: in.Since.At, ToID: in.Until.LastID(), ToTime: in.Until.At, Page: page})
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
