package store_test

import (
	"testing"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store"
	"pgregory.net/rapid"
)

// TestOfferRows draws filters of lists, and finds the offers of the applications that match them, page by page and
// counted; conditions on offers narrow them further.
func TestOfferRows(t *testing.T) {
	onEach(t, func(t *testing.T, s *store.Store) {
		c := newCrowd(t, s, 200)
		rows := func(tx *store.Tx, q admitto.ApplicationQuery) (ids []int64, of map[int64]int, err error) {
			of = map[int64]int{}
			q.Limit, q.After = 7, 0
			if q.ToID, err = tx.HighestOffer(); err != nil {
				return nil, nil, err
			}
			for {
				page, err := tx.OfferRows(q)
				if err != nil || len(page) == 0 {
					return ids, of, err
				}
				for i := range page {
					ids = append(ids, page[i].ID)
					of[page[i].Application]++
				}
				q.After = page[len(page)-1].ID
			}
		}
		rapid.Check(t, func(r *rapid.T) {
			var q admitto.ApplicationQuery
			c.drawFilter(r, &q)
			plain := q
			plain.OfferAsConfirmed, plain.DecidedSince, plain.InQuota = nil, 0, false
			plain.AnswerFrom, plain.AnswerTo = admitto.Date{}, admitto.Date{}
			if err := s.Read(t.Context(), func(tx *store.Tx) error {
				all, of, err := rows(tx, plain)
				if err != nil {
					return err
				}
				want := 0
				for _, f := range c.applications {
					if c.match(&plain, f) {
						want += len(f.offers)
						if of[f.ID] != len(f.offers) {
							r.Errorf("application %d has %d of its %d offers", f.ID, of[f.ID], len(f.offers))
						}
					}
				}
				n, err := tx.CountOfferRows(plain)
				if err == nil && (len(all) != want || n != int64(want)) {
					r.Errorf("%d offers, counted as %d, want %d: %+v", len(all), n, want, plain)
				}
				if err != nil {
					return err
				}
				fewer, _, err := rows(tx, q)
				if err != nil {
					return err
				}
				if n, err = tx.CountOfferRows(q); err == nil && (n != int64(len(fewer)) || n > int64(want)) {
					r.Errorf("%d offers, counted as %d, of %d: %+v", len(fewer), n, want, q)
				}
				return err
			}); err != nil {
				r.Fatal(err)
			}
		})
	})
}
