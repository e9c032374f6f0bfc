package replay

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/admitto/admitto/internal/store/db/dbtest"
	"github.com/admitto/admitto/internal/wait"
	"github.com/admitto/admitto/test/internal/documents"
	"github.com/admitto/admitto/test/internal/program"
)

func TestMain(m *testing.M) { program.Main(m) }

// TestReplay sends every operation of every version to both builds and compares the answers: reads, then writes, then
// the reads again.
func TestReplay(t *testing.T) {
	after := program.Path(t)
	before, engines, versions := os.Getenv("ADMITTO_REPLAY_BEFORE"), []string{"sqlite", "postgres"}, documents.Versions(t)
	if before == "" { // that the comparison finds nothing where nothing differs shows on a part as well
		before, engines, versions = after, engines[:1], versions[len(versions)-1:]
	}
	for _, engine := range engines {
		t.Run(engine, func(t *testing.T) {
			var urls [2]string
			if engine == "postgres" {
				urls = [2]string{dbtest.NewServer(t).URL, dbtest.NewServer(t).URL}
			}
			c := &comparison{t: t, now: time.Now(), before: start(t, before, before, urls[0]),
				after: start(t, before, after, urls[1])}
			m := newMaker(t, c.before)
			var reads, writes []request
			for _, version := range versions {
				variants := 1
				if version == 10 {
					variants = 4
				}
				r, w := m.requests(version, fmt.Sprintf("/api/v%d", version), variants)
				reads, writes = append(reads, r...), append(writes, w...)
			}
			r, w := m.requests(max(3, versions[0]), "/api", 1) // the default version
			reads, writes = append(reads, r...), append(writes, w...)
			c.all(reads)
			c.all(writes)
			c.all(reads)
			t.Logf("%d requests, %d different answers; statuses: %v", c.sent, c.different, c.statuses)
		})
	}
}

// comparison sends requests to both sides.
type comparison struct {
	t               *testing.T
	now             time.Time
	before, after   *service
	sent, different int
	statuses        map[int]int
}

// mostDifferences is after how many different answers the test gives up.
const mostDifferences = 25

func (c *comparison) all(list []request) {
	c.t.Helper()
	if c.statuses == nil {
		c.statuses = map[int]int{}
	}
	for _, r := range list {
		c.sent++
		difference := c.one(r)
		if difference == "" {
			continue
		}
		c.different++
		c.t.Errorf("%s\n%s", r, difference)
		if c.different > mostDifferences {
			c.t.Fatal("too many differences")
		}
	}
}

// waitsFor is after how many different answers a read that differs is not sent again: mails leave and rules run at
// their own pace, but what differs for good should not hold the test up.
const waitsFor = 2

// one sends a request to both and returns how the answers differ. A read is sent until both agree.
func (c *comparison) one(r request) (difference string) {
	id := fmt.Sprintf("replay-%d", c.sent)
	var before, after *answer
	send := func() bool {
		var err error
		if before, err = c.before.send(context.Background(), r, id); err != nil {
			c.t.Fatalf("%s: %v", r, err)
		}
		if after, err = c.after.send(context.Background(), r, id); err != nil {
			c.t.Fatalf("%s: %v", r, err)
		}
		difference = mask{c.now}.difference(before, after)
		return difference == ""
	}
	if read := r.method == http.MethodGet || r.method == http.MethodHead; !send() && read && c.different < waitsFor {
		wait.Ever(send, nil)
	}
	c.statuses[before.status]++
	return difference
}

// TestMaskShowsDifferences keeps the comparison honest: a byte, a header and a status are found, times around now are
// not.
func TestMaskShowsDifferences(t *testing.T) {
	now := time.Date(2026, 3, 9, 9, 0, 0, 0, time.UTC)
	m := mask{now}
	base := func() *answer {
		return &answer{status: 200, header: http.Header{"X-Count": {"3"}},
			body: []byte(`{"a":"x","logged":"2026-03-09T09:00:05+00:00"}`)}
	}
	same := base()
	same.body = []byte(strings.Replace(string(same.body), "09:00:05", "09:00:09", 1))
	if d := m.difference(base(), same); d != "" {
		t.Error("times around now differ: ", d)
	}
	journal := func(events ...string) *answer {
		return &answer{status: 200, body: []byte("{" + strings.Join(events, ",") + "}")}
	}
	old := `"7":{"id":7,"logged":"2025-03-09T09:00:05+00:00","event":"Course was added"}`
	sent, put := `{"id":8,"logged":"2026-03-09T09:00:05+00:00","event":"E-mail was sent"}`,
		`{"id":9,"logged":"2026-03-09T09:00:04+00:00","event":"Task was edited"}`
	before, after := journal(old, `"8":`+sent, `"9":`+put), journal(old,
		`"8":`+strings.Replace(put, "9", "8", 1), `"9":`+strings.Replace(sent, "8", "9", 1))
	if d := m.difference(before, after); d != "" {
		t.Error("the order of what was recorded now differs: ", d)
	}
	for _, other := range []*answer{journal(old, `"8":`+sent), journal(old, `"8":`+sent, `"9":`+sent),
		journal(strings.ReplaceAll(old, "7", "6"), `"8":`+sent, `"9":`+put)} {
		if m.difference(before, other) == "" {
			t.Errorf("no difference was found in %s", other.body)
		}
	}
	for name, change := range map[string]func(*answer){
		"status": func(a *answer) { a.status = 201 },
		"header": func(a *answer) { a.header.Set("X-Count", "4") },
		"more":   func(a *answer) { a.header.Set("Link", "x") },
		"byte":   func(a *answer) { a.body[6] = 'y' },
		"time":   func(a *answer) { a.body = []byte(strings.Replace(string(a.body), "2026-03-09", "2025-03-09", 1)) },
	} {
		other := base()
		change(other)
		if m.difference(base(), other) == "" {
			t.Errorf("%s: no difference was found", name)
		}
	}
}
