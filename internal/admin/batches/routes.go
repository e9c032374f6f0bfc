// Package batches has the pages on which staff do the same with many records: what would change, its release, how far
// it is, and how it ended (screens.md A11, A54).
package batches

import (
	"strconv"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/batch"
	"github.com/admitto/admitto/internal/services"
	"github.com/admitto/admitto/internal/site"
)

// Select reads the filters of a list from the query of its address.
type Select func(r *site.Request, query string) (admitto.BatchSelection, error)

// Lists read the filters of the lists that batches are made of.
type Lists struct{ Applications, Applicants, Tasks Select }

type pages struct {
	*services.Services
	lists Lists
}

// Routes are the pages of batches with who may open them. Each batch is open to who prepared it, and to who may release
// those of others; each action asks for its own permission.
func Routes(s *services.Services, lists Lists) []site.Route {
	p := &pages{s, lists}
	may := site.Needs(admitto.BatchesRelease, actionPermissions()...)
	return []site.Route{
		{Name: "batches", Path: "/admin/batches", Access: may, Handle: p.list},
		{Name: "batch-new", Path: "/admin/batches/new", Access: may, Form: true, Parent: "batches", Handle: p.create},
		{Name: "batch", Path: "/admin/batches/{id}", Access: may, Parent: "batches", Handle: p.batch},
		{Name: "batch-csv", Path: "/admin/batches/{id}/results", Access: may, Handle: p.csv},
		{Name: "batch-line", Path: "/admin/batches/{id}/lines/{place}", Access: may.And(admitto.ApplicantsView),
			Parent: "batch", Handle: p.line},
		{Name: "batch-release", Path: "/admin/batches/{id}/release", Access: may, Form: true, Parent: "batch",
			Handle: p.release},
		{Name: "batch-discard", Path: "/admin/batches/{id}/discard", Access: may, Form: true, Parent: "batch",
			Handle: p.discard},
		{Name: "batch-stop", Path: "/admin/batches/{id}/stop", Access: may, Only: true, Handle: p.stop},
		{Name: "batch-resume", Path: "/admin/batches/{id}/resume", Access: may, Form: true, Parent: "batch",
			Handle: p.resume},
		{Name: "batch-undo", Path: "/admin/batches/{id}/undo", Access: may, Form: true, Parent: "batch",
			Handle: p.undo},
	}
}

// actionPermissions are the first ones that the actions need: who lacks it can do nothing with the others.
func actionPermissions() (list []admitto.Permission) {
	var all admitto.Permissions
	for _, a := range batch.Actions() {
		if p := a.Needs[0]; !all.Has(p) {
			all, list = all.With(p), append(list, p)
		}
	}
	return list
}

func number(n int64) string { return strconv.FormatInt(n, 10) }
