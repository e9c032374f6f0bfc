package api_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/admitto/admitto/internal/api"
	"github.com/admitto/admitto/internal/apptest"
	"github.com/admitto/admitto/internal/demo"
)

// The crawler reads every path of THE table with GET and HEAD, in every version, on invented data: it begins
// with the collections, follows every link, every key of a collection and every path below that needs no
// further ID. Every link must resolve, but for those that the contract calls dead in a version. In short it reads
// the newest version on SQLite; in the long size all on SQLite, and the newest on PostgreSQL.
func TestCrawl(t *testing.T) {
	invented := func(o *options) {
		o.fill = func(s *service) {
			if err := demo.Fill(t.Context(), s.store, demo.Options{Applicants: 150, Seed: 3, Files: s.files}); err != nil {
				t.Fatal(err)
			}
		}
	}
	onAll(t, func(t *testing.T, s *service) {
		rows := api.Rows()
		list := []string{"/api/v10"}
		if apptest.Long() && !s.store.Shared() {
			list = slices.Sorted(maps.Keys(prefixes()))
		}
		for _, prefix := range list {
			c := &crawler{t: t, s: s, prefix: prefix, crawled: apptest.Size(6, 15), tried: apptest.Size(200, 400),
				version: prefixes()[prefix], visits: map[string]int{}, tries: map[string]int{}, queued: map[string]bool{},
				journal: map[string]bool{}}
			for _, r := range rows {
				if r.Method == "GET" && c.has(r) {
					c.rows = append(c.rows, r)
					if !strings.Contains(r.Path, "{") {
						c.enqueue(prefix + r.Path)
					}
				}
			}
			for len(c.queue) > 0 {
				next := c.queue[0]
				c.queue = c.queue[1:]
				c.visit(next)
			}
			for _, r := range c.rows {
				if c.visits[r.Path] == 0 {
					t.Errorf("%s: nothing led to %s", prefix, r.Path)
				}
			}
		}
	}, invented)
}

type crawler struct {
	t       *testing.T
	s       *service
	prefix  string
	version int
	rows    []api.Row // the GET rows of the version
	crawled int       // so many paths of one route are read that answer something,
	tried   int       // and so many in all
	queue   []string
	queued  map[string]bool
	journal map[string]bool // links of the journal, which outlive their objects
	visits  map[string]int  // answers with something in them, by pattern
	tries   map[string]int
}

func (c *crawler) has(r api.Row) bool { return r.First <= c.version && c.version <= r.Last }

// pattern finds the row that answers a path; a literal segment wins.
func (c *crawler) pattern(path string) (api.Row, bool) {
	segments := strings.Split(strings.TrimPrefix(path, c.prefix+"/"), "/")
	best, bestScore := api.Row{}, -1
	for _, r := range c.rows {
		pattern := strings.Split(strings.TrimPrefix(r.Path, "/"), "/")
		if len(pattern) != len(segments) {
			continue
		}
		score := 0
		for i, p := range pattern {
			switch {
			case p == segments[i]:
				score += 1 << (len(pattern) - i)
			case !strings.HasPrefix(p, "{"):
				score = -1 << 30
			}
		}
		if score > bestScore {
			best, bestScore = r, score
		}
	}
	return best, bestScore >= 0
}

// enqueue takes a path unless enough of its route were read.
func (c *crawler) enqueue(path string) {
	r, ok := c.pattern(path)
	if c.queued[path] || ok && c.enough(r) {
		return
	}
	c.queued[path] = true
	c.queue = append(c.queue, path)
}

// dead are links that the contract documents as dead: documents of applicants from version 5 on, the
// photo of an applicant who has none, and the archive of no documents.
func (c *crawler) dead(path string) bool {
	return regexp.MustCompile(`/applicants/\d+/(documents|photo)$|/documents/zip$`).MatchString(path)
}

func (c *crawler) visit(path string) {
	r, ok := c.pattern(path)
	if !ok {
		if !c.dead(path) {
			c.t.Errorf("%s is linked, but no row of version %d answers it", path, c.version)
		}
		c.s.get(path).want(c.t, 404)
		return
	}
	if c.enough(r) {
		return
	}
	c.tries[r.Path]++
	got := c.s.get(path, header("Accept-Encoding", "identity"))
	if got.status == 404 && (c.dead(path) || c.journal[path]) {
		return
	}
	if got.status != 200 {
		c.t.Errorf("GET %s: %d %s", path, got.status, got.body)
		return
	}
	if got.body != "{}" {
		c.visits[r.Path]++
	}
	c.head(r, path, got)
	if got.header.Get("Content-Type") != "application/json" {
		return
	}
	var v any
	if err := json.Unmarshal([]byte(got.body), &v); err != nil {
		c.t.Errorf("GET %s: %v", path, err)
		return
	}
	if object, ok := v.(map[string]any); ok && object["pages"] == nil { // paged lists (resources.md 24.12) count apart
		if n := got.header.Get("X-Count"); n != "" && got.header.Get("Link") == "" && n != fmt.Sprint(len(object)) {
			c.t.Errorf("GET %s: X-Count %s, %d elements", path, n, len(object))
		}
		if got.header.Get("X-Count") != "" {
			for _, key := range slices.Sorted(maps.Keys(object)) {
				if _, ok := c.pattern(path + "/" + key); ok {
					c.enqueue(path + "/" + key)
					c.below(r.Path+"/{id}", path+"/"+key)
				}
			}
		}
	}
	c.follow(v, r.Path == "/journal")
	c.below(r.Path, path)
}

// below takes the paths below one that need no further ID.
func (c *crawler) below(pattern, path string) {
	for _, r := range c.rows {
		if rest, ok := strings.CutPrefix(r.Path, pattern+"/"); ok && !strings.Contains(rest, "{") {
			c.enqueue(path + "/" + rest)
		}
	}
}

func (c *crawler) enough(r api.Row) bool {
	return c.visits[r.Path] >= c.crawled || c.tries[r.Path] >= c.tried
}

// head compares HEAD with what GET answered.
func (c *crawler) head(r api.Row, path string, got answer) {
	head := c.s.do("HEAD", path, "", header("Accept-Encoding", "identity"))
	if head.status != got.status || head.body != "" {
		c.t.Errorf("HEAD %s: %d with %d bytes", path, head.status, len(head.body))
	}
	changing := []string{"Date", "X-Request-Id", "Ratelimit", "Ratelimit-Policy"}
	if r.Parted {
		changing = append(changing, "Content-Length")
	}
	if streamed := !strings.HasSuffix(got.header.Get("Content-Type"), "json") && got.header.Get("Etag") == ""; streamed {
		changing = append(changing, "Content-Length")
	}
	for name := range got.header {
		if !slices.Contains(changing, name) && !slices.Equal(head.header.Values(name), got.header.Values(name)) {
			c.t.Errorf("HEAD %s: %s is %q, GET says %q", path, name, head.header.Values(name), got.header.Values(name))
		}
	}
	if !slices.Contains(changing, "Content-Length") && head.header.Get("Content-Length") != fmt.Sprint(len(got.body)) {
		c.t.Errorf("HEAD %s: Content-Length %q, the body has %d bytes", path, head.header.Get("Content-Length"),
			len(got.body))
	}
}

// follow takes every link out of a JSON value. All of them have the prefix of the request.
func (c *crawler) follow(v any, journal bool) {
	switch v := v.(type) {
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(v)) {
			c.follow(v[key], journal)
		}
	case []any:
		for _, item := range v {
			c.follow(item, journal)
		}
	case string:
		if strings.HasPrefix(v, "/api/") || v == "/api" {
			if !strings.HasPrefix(v, c.prefix+"/") || c.prefix == "/api" && regexp.MustCompile(`^/api/v\d`).MatchString(v) {
				c.t.Errorf("a %s answer links to %s", c.prefix, v)
				return
			}
			c.journal[v] = c.journal[v] || journal
			c.enqueue(v)
		}
	}
}
