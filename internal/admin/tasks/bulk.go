package tasks

import (
	"github.com/admitto/admitto/internal/admin/batches"
	"github.com/admitto/admitto/internal/admin/card"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/query"
	"github.com/admitto/admitto/internal/services"
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/ui"
)

// bulk is what can be done with the selected tasks, nil for nothing.
func (l *listing) bulk(page *query.TaskPage) *ui.Bulk {
	bulk := batches.BulkFor(l.r, admitto.OfTasks, map[string]ui.Select{"status": {Options: l.statusOptions()}})
	if bulk != nil {
		bulk.All = batches.AllWords(l.r, page.Total, page.TotalMore)
	}
	return bulk
}

// atOnce leads to the batch of the tasks that are selected.
func (p *pages) atOnce(r *site.Request) error {
	return batches.OfSelected(r, admitto.OfTasks, r.Next(r.At("tasks")))
}

// Selection is what the query of an address of the list finds. A value in it that cannot be read finds nothing: it must
// not become a list of everything.
func Selection(s *services.Services) batches.Select {
	p := &pages{Services: s}
	return func(r *site.Request, query string) (selected admitto.BatchSelection, err error) {
		l := p.listingOf(r, r.ViewAt(r.At("tasks"), query, false, sorts()...))
		if len(l.wrong) > 0 {
			return selected, &admitto.Error{Kind: admitto.NotFound}
		}
		return admitto.BatchSelection{Tasks: &l.query}, nil
	}
}

// task leads to a task on the card of its application.
func (p *pages) task(r *site.Request) error {
	id, err := r.ID()
	if err != nil {
		return err
	}
	application, err := p.Query.ApplicationOfTask(r.Context(), r.Reader(), id)
	if err != nil {
		return err
	}
	return r.To("application-task", application, id)
}

// Leads is how the list leads from task to task over the cards of their applications.
func Leads(s *services.Services) card.List {
	p := &pages{Services: s}
	return card.List{Route: "tasks",
		Open: func(r *site.Request, id int64) (string, error) {
			application, err := s.Query.ApplicationOfTask(r.Context(), r.Reader(), id)
			switch {
			case admitto.KindOf(err) == admitto.NotFound: // it is gone since the list was seen
				return "", nil
			case err != nil:
				return "", err
			}
			return r.At("application-task", application, id), nil
		},
		Neighbours: func(r *site.Request, list string, id int64) (previous, next int64, err error) {
			l := p.listingOf(r, r.ViewAt(r.At("tasks"), list, false, sorts()...))
			return s.Query.TaskNeighbours(r.Context(), r.Reader(), l.query, l.view.Desc, id)
		}}
}
