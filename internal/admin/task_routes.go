package admin

import (
	"github.com/admitto/admitto/internal/admin/tasks"
	"github.com/admitto/admitto/internal/site"
)

// taskRoutes are the pages with the tasks of all applications (screens.md A23).
func (p *pages) taskRoutes() []site.Route {
	return append(tasks.Routes(p.Services, p.termOf), p.ledgerRoutes()...)
}
