package ui

import (
	"testing"
	"time"
	"unicode/utf8"
)

// TestDatesFit wants the whole of every date below the days within the drawing, the last one too. Letters are as wide
// as in the widest of the fonts that people are likely to have.
func TestDatesFit(t *testing.T) {
	t.Parallel()
	catalogue, err := NewCatalogue()
	if err != nil {
		t.Fatal(err)
	}
	const letter = 6.7
	for _, days := range []int{30, 90} {
		for last := range 31 {
			first := time.Date(2026, time.November, 1+last, 0, 0, 0, 0, time.UTC).AddDate(0, 0, 1-days)
			p := NewLines(catalogue.Locale("en"), first, days)
			p.Series = []LineSeries{{Values: make([]int, days)}}
			for _, d := range p.Drawings() {
				for _, date := range d.Dates {
					half := letter / 2 * float64(utf8.RuneCountInString(date.Text))
					if date.X-half < 0 || date.X+half > float64(d.Width) {
						t.Errorf("%s of %d: %q is cut at %.0f", d.Class, days, date.Text, date.X)
					}
				}
			}
		}
	}
}
