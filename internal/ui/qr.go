package ui

import (
	"fmt"
	"strings"
)

// QR is a code that a camera reads. It is dark on white in every scheme: readers need that.
type QR struct {
	Label string   // what it is, for those who do not see it
	Rows  [][]bool // its squares; true is dark
}

func (QR) template() string { return "qr" }

// quiet is the width of the margin that a reader needs.
const quiet = 4

// Side is the number of squares of a side with its margin.
func (q QR) Side() int { return len(q.Rows) + 2*quiet }

// Path draws the dark squares.
func (q QR) Path() string {
	var out strings.Builder
	for y, row := range q.Rows {
		for x := 0; x < len(row); x++ {
			from := x
			for x < len(row) && row[x] {
				x++
			}
			if x > from {
				fmt.Fprintf(&out, "M%d %dh%dv1h-%dz", from+quiet, y+quiet, x-from, x-from)
			}
		}
	}
	return out.String()
}
