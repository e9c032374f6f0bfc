// Package scores has the tab of the card with the scores of an application, and how points get there (screens.md A19).
package scores

import (
	"github.com/admitto/admitto/internal/admin/card"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/query"
	"github.com/admitto/admitto/internal/services"
	"github.com/admitto/admitto/internal/site"
)

// The names of the routes.
const (
	tab    = "application-scores"
	adding = "application-score-add"
	ofOne  = "application-score"
)

// pages has the functions of the pages.
type pages struct {
	*services.Services
	card *card.Card
}

// Routes are the pages with who may open them.
func Routes(s *services.Services, c *card.Card) []site.Route {
	p := &pages{s, c}
	view := site.Needs(admitto.ApplicationsView)
	score := site.Needs(admitto.ApplicationsScore).And(admitto.ApplicationsView)
	return []site.Route{c.Tab(tab, "/scores", view, p.withScores(p.show)),
		c.Below(adding, tab, "/scores/add", score, p.withScores(p.add)),
		c.Below(ofOne, tab, "/scores/{score}", score, p.withScores(p.change))}
}

// ofApplication is an application with its scores.
type ofApplication struct {
	query.ScoreCard
	head *query.ApplicationHead
}

// withScores reads the scores of the application that a page is about.
func (p *pages) withScores(handle func(*site.Request,
	*ofApplication) error) func(*site.Request, *query.ApplicationHead) error {
	return func(r *site.Request, h *query.ApplicationHead) error {
		c, err := p.Query.ScoreCard(r.Context(), r.Reader(), h.ID)
		if err != nil {
			return err
		}
		return handle(r, &ofApplication{c, h})
	}
}

// mayPut reports whether the reader may put applications on a sheet: on a confirmed one by the permission for
// scoresheets alone.
func mayPut(r *site.Request, t *admitto.Scoresheet) bool {
	return r.May(adding) && (t.Confirmed == 0 || r.Reader().Has(admitto.ScorersEdit))
}

// mayWrite reports whether the reader may change the scores of a sheet, too: it may be for others to score.
func mayWrite(r *site.Request, t *admitto.Scoresheet) bool {
	return mayPut(r, t) && t.TakesFrom(r.Reader())
}
