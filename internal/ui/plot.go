package ui

import (
	"strconv"
	"time"
	"unicode/utf8"

	"github.com/admitto/admitto/internal/ui/plot"
)

// BarRow is one row of a plot with bars.
type BarRow struct {
	Label, Href string
	Values      []int
	Links       []string // where each value leads, instead of Href
}

// Link is where a value leads, "" for nowhere.
func (r BarRow) Link(value int) string {
	if value < len(r.Links) {
		return r.Links[value]
	}
	return ""
}

// Bars is a table with a column of bars: one value a row, several (Stacked), or the steps of a funnel (Share).
type Bars struct {
	Title   string
	Label   string   // head of the first column
	Series  []string // heads of the columns of numbers
	Rows    []BarRow
	Stacked bool  // each bar has a segment for each value
	Share   bool  // a column says what part of the first row each is
	Empty   Empty // without rows
}

func (Bars) template() string { return "bars" }

// Class is the class with the colour of a series.
func (Bars) Class(series int) string { return colourClass(series) }

// colourClass is the class of one of the five colours.
func colourClass(series int) string { return "c" + strconv.Itoa(series%5+1) }

// Percent is what part of the first row a row is.
func (b Bars) Percent(row BarRow) string {
	return strconv.Itoa(plot.Percent(sum(row.Values), sum(b.Rows[0].Values))) + " %"
}

// BarSegment is a part of a bar, in percent.
type BarSegment struct {
	plot.Segment
	Class string
}

// Segments returns the parts of the bar of a row. The longest bar has the full width.
func (b Bars) Segments(row BarRow) (segments []BarSegment) {
	whole := 0
	for _, r := range b.Rows {
		whole = max(whole, sum(b.shown(r)))
	}
	for i, s := range plot.Segments(b.shown(row), whole) {
		segments = append(segments, BarSegment{s, colourClass(i)})
	}
	return segments
}

// shown returns the values that the bar of a row is made of.
func (b Bars) shown(row BarRow) []int {
	if b.Stacked || len(row.Values) == 0 {
		return row.Values
	}
	return row.Values[:1]
}

func sum(values []int) (total int) {
	for _, v := range values {
		total += v
	}
	return total
}

// Bar is a bar in a cell of a table, of which the longest has the full width.
type Bar struct{ Value, Whole int }

func (Bar) template() string { return "bar" }

// Width is how wide the bar is, in percent.
func (b Bar) Width() float64 { return plot.Segments([]int{b.Value}, b.Whole)[0].Width }

// LinePoint is one day: its label in the table, and a short one for the axis.
type LinePoint struct{ Label, Short string }

// LineSeries is one line, with a value for each point.
type LineSeries struct {
	Name   string
	Values []int
}

// Lines is a plot of values over days, with the same values as a table.
type Lines struct {
	ID, Title   string
	Description string // what there is to see, in a sentence
	Unit        string // what the points are; "": days
	Points      []LinePoint
	Series      []LineSeries
	Empty       Empty // without points
}

func (Lines) template() string { return "lines" }

// NewLines makes a plot of the days from the first on, with labels in the language.
func NewLines(l *Locale, first time.Time, days int) Lines {
	var p Lines
	for i := range days {
		day := first.AddDate(0, 0, i)
		p.Points = append(p.Points, LinePoint{Label: l.Date(day), Short: l.ShortDate(day)})
	}
	return p
}

// NewMonths makes a plot of the months from the first on, with labels in the language.
func NewMonths(l *Locale, first time.Time, months int) Lines {
	var p Lines
	for i := range months {
		name := l.Month(first.AddDate(0, i, 0))
		p.Points = append(p.Points, LinePoint{Label: name, Short: name})
	}
	return p
}

// Class is the class with the colour of a series.
func (Lines) Class(series int) string { return colourClass(series) }

// LineRow is a row of the table.
type LineRow struct {
	Label  string
	Values []int
}

// Table returns the values by day, the newest first.
func (p Lines) Table() (rows []LineRow) {
	for i := len(p.Points) - 1; i >= 0; i-- {
		row := LineRow{Label: p.Points[i].Label}
		for _, s := range p.Series {
			row.Values = append(row.Values, s.Values[i])
		}
		rows = append(rows, row)
	}
	return rows
}

// Drawing is the plot in one size; which is shown depends on the room there is, so that letters keep their size.
type Drawing struct {
	ID, Class                         string
	Width, Height                     int
	Left, LabelX, Right, Bottom, Base float64
	Ticks                             []AxisTick
	Dates                             []AxisDate
	Lines                             []DrawnLine
}

// AxisTick is a line of the grid with its value.
type AxisTick struct {
	Value    int
	Y, TextY float64
}

// AxisDate is a label below the days.
type AxisDate struct {
	Text string
	X    float64
}

// DrawnLine is a line, or a point where there is one day only.
type DrawnLine struct {
	Class, Points string
	X, Y          float64
}

// Drawings returns the plot in three sizes.
func (p Lines) Drawings() []Drawing {
	return []Drawing{
		p.drawing("roomy", 960, 260, 12),
		p.drawing("middle", 520, 220, 6),
		p.drawing("slim", 280, 190, 3),
	}
}

// labelGap is the room between two labels below the days.
const labelGap = 8

func (p Lines) drawing(class string, width, height, labels int) Drawing {
	greatest := 0
	for _, s := range p.Series {
		for _, v := range s.Values {
			greatest = max(greatest, v)
		}
	}
	ticks := plot.Ticks(greatest, 5)
	top := ticks[len(ticks)-1]
	left := 14 + 7*float64(len(strconv.Itoa(top)))
	area := plot.Area{Left: left, Top: 10, Right: float64(width) - 22, Bottom: float64(height) - 26}
	d := Drawing{
		ID: p.ID + "-" + class, Class: class, Width: width, Height: height,
		Left: area.Left, LabelX: area.Left - 8, Right: area.Right, Bottom: area.Bottom, Base: float64(height) - 6,
	}
	for _, v := range ticks {
		y := area.Y(v, top)
		d.Ticks = append(d.Ticks, AxisTick{Value: v, Y: y, TextY: y + 4})
	}
	n := len(p.Points)
	end := float64(-labelGap) // of the label before
	for _, i := range plot.Marks(n, labels) {
		letters := float64(utf8.RuneCountInString(p.Points[i].Short))
		half, most := 3.1*letters, 3.4*letters // of its width: about, and in wide fonts
		x := min(max(area.X(i, n), most), float64(width)-most)
		if x-half < end+labelGap {
			continue
		}
		end = x + half
		d.Dates = append(d.Dates, AxisDate{Text: p.Points[i].Short, X: x})
	}
	for i, s := range p.Series {
		line := DrawnLine{Class: colourClass(i)}
		if i > 0 {
			line.Class += " dashed"
		}
		if n == 1 {
			line.X, line.Y = area.X(0, 1), area.Y(s.Values[0], top)
		} else {
			line.Points = area.Line(s.Values, top)
		}
		d.Lines = append(d.Lines, line)
	}
	return d
}
