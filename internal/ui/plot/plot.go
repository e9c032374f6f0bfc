// Package plot computes where the parts of plots are: ticks of an axis, points of lines, segments of bars. It knows
// neither markup nor language, and imports the standard library only.
package plot

import (
	"math"
	"strconv"
	"strings"
)

// Ticks returns the values of an axis from 0 to at least the greatest value, in steps of 1, 2 or 5 times a power of
// ten; at most about count of them.
func Ticks(greatest, count int) []int {
	step := 1
	for float64(greatest)/float64(step) > float64(max(count, 1)) {
		switch first := step / int(math.Pow10(len(strconv.Itoa(step))-1)); first {
		case 1:
			step *= 2
		case 2:
			step = step / 2 * 5
		default:
			step *= 2
		}
	}
	ticks := []int{0}
	for v := step; v-step < greatest; v += step {
		ticks = append(ticks, v)
	}
	if len(ticks) == 1 { // nothing but zeros
		ticks = append(ticks, step)
	}
	return ticks
}

// Area is the rectangle in which lines are drawn, in units of the drawing.
type Area struct{ Left, Top, Right, Bottom float64 }

// X returns where the i-th of n points is; a single point is in the middle.
func (a Area) X(i, n int) float64 {
	if n < 2 {
		return Round((a.Left + a.Right) / 2)
	}
	return Round(a.Left + (a.Right-a.Left)*float64(i)/float64(n-1))
}

// Y returns how high a value is on an axis that ends at top.
func (a Area) Y(value, top int) float64 {
	if top <= 0 {
		return a.Bottom
	}
	return Round(a.Bottom - (a.Bottom-a.Top)*float64(value)/float64(top))
}

// Line returns the points of a line as the attribute points of a polyline has them.
func (a Area) Line(values []int, top int) string {
	points := make([]string, 0, len(values))
	for i, v := range values {
		points = append(points, number(a.X(i, len(values)))+","+number(a.Y(v, top)))
	}
	return strings.Join(points, " ")
}

// Marks returns which of n points get a label so that at most count do, evenly and from the first on.
func Marks(n, count int) (marks []int) {
	if n == 0 {
		return nil
	}
	step := max((n+max(count, 1)-1)/max(count, 1), 1)
	for i := 0; i < n; i += step {
		marks = append(marks, i)
	}
	return marks
}

// Segment is a part of a bar, in percent of its width.
type Segment struct{ From, Width float64 }

// Segments returns the parts of a stacked bar whose full width stands for whole. What is not zero is wide enough to be
// seen.
func Segments(values []int, whole int) []Segment {
	segments, from := make([]Segment, 0, len(values)), 0.0
	for _, v := range values {
		width := 0.0
		if whole > 0 && v > 0 {
			width = max(float64(v)/float64(whole)*100, .4)
		}
		segments = append(segments, Segment{Round(from), Round(width)})
		from += width
	}
	return segments
}

// Percent returns what part of the whole a value is, rounded.
func Percent(value, whole int) int {
	if whole <= 0 {
		return 0
	}
	return int(math.Round(float64(value) / float64(whole) * 100))
}

// Round rounds to hundredths, which is finer than any screen.
func Round(v float64) float64 { return math.Round(v*100) / 100 }

func number(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }
