// Package tasks has the page with the tasks of all applications: how many there are of each class in each status, and
// the list (screens.md A23).
package tasks

import (
	"strconv"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/services"
	"github.com/admitto/admitto/internal/site"
)

// TermOf is the term that the reader's lists begin with, 0 without any.
type TermOf func(r *site.Request) int64

type pages struct {
	*services.Services
	termOf TermOf
}

// Routes are the tasks overview with who may open it.
func Routes(s *services.Services, termOf TermOf) []site.Route {
	p := &pages{s, termOf}
	view := site.Needs(admitto.ApplicationsView)
	return []site.Route{
		{Name: "tasks", Path: "/admin/tasks", Access: view, Handle: p.list},
		{Name: "tasks-at-once", Path: "/admin/tasks/at-once", Access: view, Only: true, Handle: p.atOnce},
		{Name: "task", Path: "/admin/tasks/{id}", Access: view, Handle: p.task},
	}
}

func number(n int64) string { return strconv.FormatInt(n, 10) }
