package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"time"
)

// serverTimes reads how long the service took for each click from its log.
func (r *pageRun) serverTimes(log string) error {
	text, err := os.ReadFile(log)
	if err != nil {
		return err
	}
	took := map[string]time.Duration{}
	for line := range bytes.Lines(text) {
		var entry struct {
			Msg      string
			Route    string
			Key      int64
			ID       string `json:"request_id"`
			Duration time.Duration
		}
		if json.Unmarshal(line, &entry) != nil || entry.Msg != "request" {
			continue
		}
		took[entry.ID] = entry.Duration
		if entry.Key != 0 {
			r.clicks = append(r.clicks, click{kind: "API", path: entry.Route, id: entry.ID})
		}
	}
	for i := range r.clicks {
		c := &r.clicks[i]
		d, ok := took[c.id]
		if !ok {
			return fmt.Errorf("the log of the service says nothing of %s (%s)", c.path, c.id)
		}
		c.took = d
	}
	return nil
}

// slowest is how many of the slowest pages are printed.
const slowest = 12

// report prints the times by kind of page, and the slowest pages.
func (r *pageRun) report(w io.Writer) {
	kinds := map[string][]float64{}
	for _, c := range r.clicks {
		kinds[c.kind] = append(kinds[c.kind], float64(c.took))
	}
	names := make([]string, 0, len(kinds))
	for name := range kinds {
		names = append(names, name)
	}
	slices.Sort(names)
	var rows [][]string
	for _, name := range names {
		times := kinds[name]
		slices.Sort(times)
		row := []string{name, strconv.Itoa(len(times))}
		for _, p := range []int{50, 95, 100} {
			row = append(row, duration(time.Duration(percentile(times, p))))
		}
		rows = append(rows, row)
	}
	writeMarkdown(w, []string{"page", "requests", "p50", "p95", "most"}, rows)
	slices.SortFunc(r.clicks, func(a, b click) int { return int(b.took - a.took) })
	fmt.Fprintln(w, "\nThe slowest:")
	for _, c := range r.clicks[:min(len(r.clicks), slowest)] {
		fmt.Fprintf(w, "  %s  %s\n", duration(c.took), c.path)
	}
}
