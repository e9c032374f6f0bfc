package main

import (
	"fmt"
	"html"
	"math"
	"os"
	"slices"
	"strings"
	"time"
)

// series is a line of a drawing.
type series struct {
	name string
	x, y []float64
}

// drawing is a diagram of lines. Both axes may be logarithmic.
type drawing struct {
	title, x, y string
	logX, logY  bool
	isSteps     bool // without marks at the points
	lines       []series
}

// Sizes of a drawing.
const (
	drawnWidth, drawnHeight                  = 820.0, 440.0
	edgeLeft, edgeTop, edgeRight, edgeBottom = 70.0, 46.0, 250.0, 52.0
)

// style makes a drawing readable on white and on black. The colours of lines are far enough from both.
const style = `<style>
text{font:13px system-ui,sans-serif;fill:#222}.title{font-weight:600;font-size:15px}.grid{stroke:#8884}.axis{stroke:#888}
.line{fill:none;stroke-width:2.2}@media (prefers-color-scheme:dark){text{fill:#ddd}}
</style>`

// colours of the lines, in order; they are told apart by people who do not see red and green apart, too.
func colour(i int) string {
	all := []string{"#0f8bd6", "#e0761a", "#1a9e77", "#c2529b", "#8b7bd8", "#a08a00", "#d6453d"}
	return all[i%len(all)]
}

// axis turns values into places from 0 to 1.
type axis struct {
	low, high float64
	isLog     bool
}

func newAxis(isLog bool, values []float64) axis {
	a := axis{low: slices.Min(values), high: slices.Max(values), isLog: isLog}
	if isLog {
		a.low, a.high = math.Pow(10, math.Floor(math.Log10(a.low)*2)/2), math.Pow(10, math.Ceil(math.Log10(a.high)*2)/2)
	}
	if !isLog {
		a.low, a.high = 0, math.Ceil(a.high/10)*10
	}
	if a.high <= a.low {
		a.high = a.low + 1
	}
	return a
}

func (a axis) place(v float64) float64 {
	if a.isLog {
		return (math.Log(v) - math.Log(a.low)) / (math.Log(a.high) - math.Log(a.low))
	}
	return (v - a.low) / (a.high - a.low)
}

// ticks are the values that are written at the axis.
func (a axis) ticks() (list []float64) {
	if !a.isLog {
		for i := range 6 {
			list = append(list, a.low+(a.high-a.low)*float64(i)/5)
		}
		return list
	}
	for exponent := math.Floor(math.Log10(a.low)); exponent <= math.Log10(a.high); exponent++ {
		for _, factor := range []float64{1, 3} {
			if v := factor * math.Pow(10, exponent); v >= a.low*0.999 && v <= a.high*1.001 {
				list = append(list, v)
			}
		}
	}
	return list
}

// write writes the drawing as SVG.
func (d *drawing) write(path string) error {
	var xs, ys []float64
	for _, l := range d.lines {
		xs, ys = append(xs, l.x...), append(ys, l.y...)
	}
	if len(xs) == 0 {
		return nil
	}
	x, y := newAxis(d.logX, xs), newAxis(d.logY, ys)
	atX := func(v float64) float64 { return edgeLeft + x.place(v)*(drawnWidth-edgeLeft-edgeRight) }
	atY := func(v float64) float64 { return drawnHeight - edgeBottom - y.place(v)*(drawnHeight-edgeTop-edgeBottom) }
	var out strings.Builder
	put := func(form string, values ...any) { fmt.Fprintf(&out, form+"\n", values...) }
	put(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %g %g" role="img" aria-label="%s">`, drawnWidth, drawnHeight,
		html.EscapeString(d.title))
	put("%s", style)
	put(`<text class="title" x="%g" y="24">%s</text>`, edgeLeft, html.EscapeString(d.title))
	for _, v := range x.ticks() {
		put(`<line class="grid" x1="%.1f" x2="%.1f" y1="%g" y2="%g"/><text x="%.1f" y="%g" text-anchor="middle">%s</text>`,
			atX(v), atX(v), edgeTop, drawnHeight-edgeBottom, atX(v), drawnHeight-edgeBottom+18, tick(v))
	}
	for _, v := range y.ticks() {
		put(`<line class="grid" x1="%g" x2="%g" y1="%.1f" y2="%.1f"/><text x="%g" y="%.1f" text-anchor="end">%s</text>`,
			edgeLeft, drawnWidth-edgeRight, atY(v), atY(v), edgeLeft-8, atY(v)+4, tick(v))
	}
	put(`<path class="axis" fill="none" d="M%g %gV%gH%g"/>`, edgeLeft, edgeTop, drawnHeight-edgeBottom,
		drawnWidth-edgeRight)
	put(`<text x="%g" y="%g" text-anchor="middle">%s</text>`, (edgeLeft+drawnWidth-edgeRight)/2, drawnHeight-12,
		html.EscapeString(d.x))
	put(`<text transform="translate(18 %g) rotate(-90)" text-anchor="middle">%s</text>`,
		(edgeTop+drawnHeight-edgeBottom)/2, html.EscapeString(d.y))
	for i, l := range d.lines {
		var points strings.Builder
		for k := range l.x {
			fmt.Fprintf(&points, "%.1f,%.1f ", atX(l.x[k]), atY(l.y[k]))
			if !d.isSteps {
				put(`<circle cx="%.1f" cy="%.1f" r="3.5" fill="%s"/>`, atX(l.x[k]), atY(l.y[k]), colour(i))
			}
		}
		put(`<polyline class="line" stroke="%s" points="%s"/>`, colour(i), strings.TrimSpace(points.String()))
		top := edgeTop + 12 + 22*float64(i)
		put(`<line class="line" stroke="%s" x1="%g" x2="%g" y1="%g" y2="%g"/><text x="%g" y="%g">%s</text>`, colour(i),
			drawnWidth-edgeRight+14, drawnWidth-edgeRight+36, top, top, drawnWidth-edgeRight+42, top+4,
			html.EscapeString(l.name))
	}
	put("</svg>")
	return os.WriteFile(path, []byte(out.String()), 0o644)
}

// tick writes a value at an axis.
func tick(v float64) string {
	switch {
	case v >= 1e6:
		return fmt.Sprintf("%g M", v/1e6)
	case v >= 1e3:
		return fmt.Sprintf("%g k", math.Round(v)/1e3)
	}
	return fmt.Sprintf("%.3g", v)
}

func plotGrowth(path string, list []series) error {
	d := drawing{title: "Time against number of applicants", x: "applicants", y: "milliseconds", logX: true, logY: true,
		lines: list}
	return d.write(path)
}

// plotLatencies draws how many requests of several clients at once were answered within a time.
func plotLatencies(path string, results []result) error {
	d := drawing{title: "One applicant, 8 clients at once: answered within", x: "milliseconds", y: "percent of requests",
		logX: true, isSteps: true}
	for i := range results {
		if results[i].name != "one-8" {
			continue
		}
		for k, p := range results[i].against {
			if k == 0 {
				d.lines = append(d.lines, distribution("Admitto", p.admitto))
			}
			d.lines = append(d.lines, distribution(p.name, p.other))
		}
	}
	return d.write(path)
}

// distribution returns the times that so many percent of the calls stayed below.
func distribution(name string, samples []sample) series {
	var all []time.Duration
	for _, s := range samples {
		all = append(all, s.each...)
	}
	slices.Sort(all)
	s := series{name: name}
	for percent := 0.0; percent <= 99.5 && len(all) > 0; percent += 0.5 {
		s.x = append(s.x, all[int(float64(len(all)-1)*percent/100)].Seconds()*1e3)
		s.y = append(s.y, percent)
	}
	return s
}
