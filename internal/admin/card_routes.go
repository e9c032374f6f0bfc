package admin

import (
	"github.com/admitto/admitto/internal/admin/card"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/site"
)

// cardRoutes are the pages about one application (screens.md A12 to A22).
func (p *pages) cardRoutes() []site.Route {
	return card.Routes(p.Services, p.neighbours)
}

// neighbours are the applications before and after one in the list that an address asks for, 0 for none.
func (p *pages) neighbours(r *site.Request, list string, id int64) (previous, next int64, err error) {
	b := browsingOf(r, r.ViewAt(r.At("browse"), list, true, browseSorts()...))
	b.query.ApplicationQuery = b.filtered("", "")
	previous, next, err = p.Query.ApplicationNeighbours(r.Context(), r.Reader(), b.query, id)
	if admitto.KindOf(err) == admitto.NotPermitted { // somebody else's list, whose filters show more than this reader may see
		err = nil
	}
	return previous, next, err
}
