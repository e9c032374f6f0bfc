package admin

import (
	"slices"

	"github.com/admitto/admitto/internal/admin/card"
	"github.com/admitto/admitto/internal/admin/invoices"
	"github.com/admitto/admitto/internal/admin/mails"
	"github.com/admitto/admitto/internal/admin/scores"
	"github.com/admitto/admitto/internal/admin/tasks"
	"github.com/admitto/admitto/internal/site"
)

// cardRoutes are the pages about one application (screens.md A12 to A22).
func (p *pages) cardRoutes() []site.Route {
	c := card.New(p.Services, card.List{Route: "browse", Neighbours: p.neighbours}, tasks.Leads(p.Services))
	return slices.Concat(c.Routes(), invoices.Routes(p.Services, c), mails.Routes(p.Services, c),
		scores.Routes(p.Services, c))
}

// neighbours are the applications before and after one in the list that an address asks for, 0 for none.
func (p *pages) neighbours(r *site.Request, list string, id int64) (previous, next int64, err error) {
	b := browsingOf(r, r.ViewAt(r.At("browse"), list, true, browseSorts()...))
	b.query.ApplicationQuery = b.filtered("", "")
	return p.Query.ApplicationNeighbours(r.Context(), r.Reader(), b.query, id)
}
