package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// growthSizes are the numbers of applicants; the last one is with -million only.
func growthSizes(million bool) []int {
	sizes := []int{1_000, 10_000, 100_000}
	if million {
		sizes = append(sizes, 1_000_000)
	}
	return sizes
}

// grown is the service on a folder of one size.
type grown struct {
	applicants int
	server     *server
	client     *client
	cases      []growthCase
}

// growthCase is one that has a limit, and so must not get slower with the data.
type growthCase struct {
	title string
	batch int
	do    operation
	times []sample
}

// measureGrowth runs cases on data of several sizes in turns, and prints the times and how they grow.
func measureGrowth(ctx context.Context, o options, binary, work string) (err error) {
	var all []*grown
	defer func() {
		for _, g := range all {
			g.server.stop()
		}
	}()
	for _, n := range growthSizes(o.million) {
		g, err := startGrown(ctx, o, binary, work, n)
		if err != nil {
			return fmt.Errorf("%d applicants: %w", n, err)
		}
		all = append(all, g)
	}
	for k := range all[0].cases {
		say("Measuring %s", all[0].cases[k].title)
		for round := range warmUps + o.rounds {
			for _, g := range all {
				c := &g.cases[k]
				s, err := batch(c.do, round*c.batch, c.batch)
				if err != nil {
					return fmt.Errorf("%s: %w", c.title, err)
				}
				if round >= warmUps {
					c.times = append(c.times, s)
				}
			}
		}
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	series := growthSeries(all)
	writeGrowth(all, series)
	if o.plots == "" {
		return nil
	}
	return plotGrowth(filepath.Join(o.plots, "growth.svg"), series)
}

func startGrown(ctx context.Context, o options, binary, work string, applicants int) (g *grown, err error) {
	filled, err := fillCached(ctx, binary, "", applicants, o.fresh)
	if err != nil {
		return nil, err
	}
	data := filepath.Join(work, strconv.Itoa(applicants))
	if err := copyData(filled, data); err != nil {
		return nil, err
	}
	key, err := createKey(ctx, binary, data)
	if err != nil {
		return nil, err
	}
	f, err := openFloor(ctx, filepath.Join(data, database))
	if err != nil {
		return nil, err
	}
	defer f.close()
	g = &grown{applicants: applicants}
	if g.server, err = startServer(ctx, binary, data, "127.0.0.1:1", o); err != nil {
		return nil, err
	}
	g.client = newClient(ctx, g.server.url+"/api/v10", key)
	if err = g.prepare(f); err != nil {
		g.server.stop()
	}
	return g, err
}

// prepare makes the cases. The tracker is the one that most applicants have: about 450 of 10,000, hence the 400.
func (g *grown) prepare(f *floor) error {
	ids, err1 := f.someIDs(min(page, g.applicants/2))
	trackers, err2 := f.texts("SELECT tracker_id FROM applicant_tracker GROUP BY tracker_id ORDER BY count(*) DESC LIMIT 1")
	if err := errors.Join(err1, err2); err != nil {
		return err
	}
	id := func(i int) int64 { return ids[i%len(ids)] }
	count := call{method: http.MethodHead, path: "/applicants", status: http.StatusOK}
	filtered := call{method: http.MethodHead, path: "/applicants?byTrackerIDs=" + trackers[0], status: http.StatusOK}
	for _, c := range []growthCase{
		{title: "1000 from an ID, with X-Count", batch: 5, do: g.client.asking(func(i int) call {
			return get(fmt.Sprintf("/applicants?bySince=%d&limit=%d", id(i), page))
		})},
		{title: "400 by tracker, with X-Count", batch: 5, do: g.client.asking(always("/applicants?byTrackerIDs=" +
			trackers[0] + "&limit=400"))},
		{title: "one applicant", batch: 50, do: g.client.asking(func(i int) call {
			return get(fmt.Sprintf("/applicants/%d",
				id(i)))
		})},
		{title: "HEAD, all applicants", batch: 50, do: g.client.asking(func(int) call { return count })},
		{title: "HEAD, applicants of a tracker", batch: 50, do: g.client.asking(func(int) call { return filtered })},
		{title: "journal, 1024", batch: 5, do: g.client.asking(always("/journal?limit=1024"))},
	} {
		g.cases = append(g.cases, c)
	}
	return nil
}

// growthSeries returns a line for each case: the numbers of applicants and the median times in milliseconds.
func growthSeries(all []*grown) (list []series) {
	for k, c := range all[0].cases {
		s := series{name: c.title}
		for _, g := range all {
			s.x = append(s.x, float64(g.applicants))
			s.y = append(s.y, median(g.cases[k].times, sampleTotal).Seconds()*1e3)
		}
		list = append(list, s)
	}
	return list
}

// writeGrowth prints a table. The slope is that of a straight line through the logarithms of both: 0 is flat, 1 grows
// as the data does. It begins at 10,000, as with fewer a page of 1000 is not full.
func writeGrowth(all []*grown, list []series) {
	headings := []string{"case"}
	for _, g := range all {
		headings = append(headings, strconv.Itoa(g.applicants))
	}
	last := all[len(all)-1]
	headings = append(headings, "slope from 10,000 on", fmt.Sprintf("%d against 10,000 (10th–90th percentile)",
		last.applicants))
	fmt.Fprintf(os.Stdout, "| %s |\n|%s\n", strings.Join(headings, " | "), strings.Repeat("---|", len(headings)))
	for k, s := range list {
		cells := []string{s.name}
		for _, y := range s.y {
			cells = append(cells, duration(time.Duration(y*1e6)))
		}
		var ratios []float64
		for i, a := range all[1].cases[k].times {
			ratios = append(ratios, float64(last.cases[k].times[i].total)/float64(a.total))
		}
		slices.Sort(ratios)
		cells = append(cells, fmt.Sprintf("%.3f", slope(s.x[1:], s.y[1:])), spread(ratios))
		fmt.Fprintf(os.Stdout, "| %s |\n", strings.Join(cells, " | "))
	}
}

// slope is that of the line with the least squares through the logarithms.
func slope(x, y []float64) float64 {
	var mx, my, xy, xx float64
	for i := range x {
		mx += math.Log(x[i]) / float64(len(x))
		my += math.Log(y[i]) / float64(len(x))
	}
	for i := range x {
		dx := math.Log(x[i]) - mx
		xy += dx * (math.Log(y[i]) - my)
		xx += dx * dx
	}
	return xy / xx
}
