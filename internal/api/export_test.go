package api

import (
	"errors"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/api/problem"
	"github.com/admitto/admitto/internal/api/version"
)

// Row is a row of THE table as tests see it.
type Row struct {
	Method, Path       string
	First, Last        int
	Open, Marked       bool // needs no key; marked deprecated
	Name, Successor    string
	Collection, Parted bool // takes limit: HEAD has no Content-Length
	Needs              admitto.Permissions
}

// Rows returns THE table.
func Rows() (rows []Row) {
	for _, r := range routes {
		rows = append(rows, Row{Method: r.method, Path: r.path, First: int(r.in.First), Last: int(r.in.Last),
			Open:   r.in.IsOpen,
			Marked: r.in.IsDeprecated, Name: r.name, Successor: r.in.Successor,
			Collection: r.kind == collection, Parted: slices.Contains(parted, r.path), Needs: r.needs})
	}
	return rows
}

// parted are the lists that take limit: HEAD of them reads no rows.
var parted = []string{"/applicants", "/applicants/{id}/applications", "/applications", "/invoices",
	"/invoices/transactions",
	"/journal", "/scoresheets/{id}/scores"}

// ProblemKinds returns the slug and the status of every problem type.
func ProblemKinds() map[string]int {
	kinds := map[string]int{}
	for _, t := range problem.Types() {
		kinds[string(t.Kind)] = t.Status
	}
	return kinds
}

// Probes are operations below /probe that no release has: they let tests see what the adapter makes of a
// handler that acts, breaks, panics, or answers a text of any size.
type Probes struct {
	Acted, Fails atomic.Int64 // Fails: how many calls of /probe/action are to fail before one succeeds
	Size         atomic.Int64 // of the text at /probe/text, quotes included
	Cause        error        // of /probe/fault
	Panic        any          // of /probe/panic
}

// Install adds the operations.
func (p *Probes) Install(a *API) {
	serve := map[string]func(*API, *call) error{
		"POST /probe/action": func(_ *API, c *call) error {
			p.Acted.Add(1)
			if p.Fails.Add(-1) >= 0 {
				return errors.New("not yet")
			}
			return c.done(nil)
		},
		"POST /probe/panic": func(*API, *call) error {
			p.Acted.Add(1)
			panic(p.Panic)
		},
		"GET /probe/fault": func(_ *API, c *call) error {
			c.w.Header().Set("ETag", `"x"`)
			return p.Cause
		},
		"GET /probe/text": func(_ *API, c *call) error {
			text := strings.Repeat("a", int(p.Size.Load())-2)
			return c.object(&text)
		},
		"PUT /probe/text": func(_ *API, c *call) error {
			by := c.caller()
			if err := by.Sees(1); err != nil {
				return err
			}
			p.Acted.Add(1)
			return c.done(nil)
		},
	}
	table := append([]route{}, routes...)
	for operation, handler := range serve {
		method, path, _ := strings.Cut(operation, " ")
		table = append(table, route{method: method, path: path, kind: resource, in: always, name: operation, serve: handler})
	}
	a.tree = newTree(table)
}

// Hold holds up calls with an Idempotency-Key or If-Match between the adapter, which has claimed or compared them, and
// the handler: each is told at Arrived and goes on when Release can be read from.
type Hold struct{ Arrived, Release chan struct{} }

// Install puts the hold before everything that changes something.
func (h *Hold) Install(a *API) {
	table := slices.Clone(routes)
	for i := range table {
		if serve := table[i].serve; table[i].method != "GET" {
			table[i].serve = func(a *API, c *call) error {
				if c.record != nil || c.isConditional() {
					h.Arrived <- struct{}{}
					<-h.Release
				}
				return serve(a, c)
			}
		}
	}
	a.tree = newTree(table)
}

// Lacking takes a permission from every key, without regard to its scope; 0 takes none.
type Lacking struct{ Permission atomic.Uint32 }

// Install lets all calls lack the permission.
func (l *Lacking) Install(a *API) {
	table := slices.Clone(routes)
	for i := range table {
		serve := table[i].serve
		table[i].serve = func(a *API, c *call) error {
			if p := admitto.Permission(l.Permission.Load()); p != 0 {
				c.may = c.may.Without(p)
			}
			return serve(a, c)
		}
	}
	a.tree = newTree(table)
}

// Conditionals returns the paths of the table of what If-Match can name, and those of changes that no row of it is for.
func Conditionals() (paths, missing []string) {
	for _, c := range conditionals {
		paths = append(paths, c.path)
	}
	for _, r := range routes {
		if r.method != "GET" && r.method != "POST" && conditionalOf(r.path) == nil {
			missing = append(missing, r.path)
		}
	}
	return paths, missing
}

// ConditionalOf returns the path of the row of the table that a path belongs to.
func ConditionalOf(path string) string { return conditionalOf(path).path }

// HistoryVersions returns the versions that brought a change, in order.
func HistoryVersions() (versions []int) {
	for _, c := range version.History() {
		versions = append(versions, int(c.From))
	}
	return versions
}
