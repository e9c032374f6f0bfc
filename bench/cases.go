package main

import (
	"context"
	"fmt"
	"net/http"
	"path/filepath"
	"strings"
)

// benchCase is one of the things that are measured.
type benchCase struct {
	name, title string
	batch       int                          // operations of one measurement: enough of them to be longer than the clock's noise
	pairs       int                          // measurements for each of -rounds
	warm        int                          // operations before each measurement that do not count, as the turn of another leaves cold caches
	prepare     func(*bench) ([]side, error) // no sides: what it needs is not there
}

// allCases are in the order they run in; those that write are last.
func allCases() []benchCase {
	return []benchCase{
		{"list", "applicant list 16384", 1, 1, 1, (*bench).prepareList},
		{"list-gzip", "applicant list 16384, gzip", 1, 1, 1, (*bench).prepareGzip},
		{"since", "1000 from an ID", 3, 1, 1, (*bench).prepareSince},
		{"citizenship", "1000 by citizenships", 3, 1, 1, (*bench).prepareCitizenships},
		{"emails", "10 by e-mails", 10, 1, 5, (*bench).prepareEmails},
		{"tracker", "1000 by tracker", 3, 1, 1, (*bench).prepareTracker},
		{"count", "count (HEAD)", 20, 1, 10, (*bench).prepareCount},
		{"one", "one applicant, 1 client", 30, 1, 15, (*bench).prepareOne},
		{"one-8", "one applicant, 8 clients", 1, 1, 1, (*bench).prepareOneTogether},
		{"ping", "ping (key, quota, no row)", 50, 1, 25, (*bench).preparePing},
		{"expand", "expand of all five, 512", 2, 1, 1, (*bench).prepareExpand},
		{"applications", "applications list 16384", 1, 1, 1, (*bench).prepareApplications},
		{"application", "application with all sections", 20, 1, 10, (*bench).prepareApplication},
		{"journal", "journal 1024", 5, 1, 2, (*bench).prepareJournal},
		{"tableview", "tableview CSV", 1, 1, 0, (*bench).prepareTableview},
		{"put", "PUT tracker", 5, 1, 0, (*bench).preparePut},
		{"put-8", "PUT tracker, 8 clients", 1, 1, 0, (*bench).preparePutTogether},
		{"put-32", "PUT tracker, 32 clients, two instances", 1, 1, 0, (*bench).preparePutOnTwo},
		{"post-8", "POST applicant, SMTP, 8 clients", 1, 1, 0, (*bench).preparePostTogether},
		{"post", "POST applicant, SMTP", 1, 5, 0, (*bench).preparePost},
	}
}

func caseNames() (names []string) {
	for _, c := range allCases() {
		names = append(names, c.name)
	}
	return names
}

// bench is everything a case needs. Peers that are not there are nil.
type bench struct {
	ctx        context.Context
	server     *server
	client     *client
	clients    []*client // several, of their own
	floor      *floor
	inC        *floorInC
	twin       *twin
	bare       *bare
	postgres   *postgres
	again      []again // Admitto on PostgreSQL and the build before, where they are there
	pocketbase *pocketbase
	directus   *directus
	rows       int // how many applicants the list that is prepared has
}

func newBench(ctx context.Context, s *server, mails *sink, key, path, twinPath string) (b *bench, err error) {
	url := s.url + "/api/v10"
	b = &bench{ctx: ctx, server: s, client: newClient(ctx, url, key), clients: newClients(ctx, url, key)}
	if b.floor, err = openFloor(ctx, path); err != nil {
		return nil, err
	}
	if b.twin, err = openTwin(ctx, path, twinPath, mails); err != nil {
		b.floor.close()
		return nil, err
	}
	if b.bare, err = startBare(ctx, filepath.Dir(twinPath)); err != nil {
		b.twin.close()
		b.floor.close()
		return nil, err
	}
	return b, nil
}

func (b *bench) close() {
	b.bare.stop()
	b.twin.close()
	b.floor.close()
}

// again is another Admitto that answers the same calls.
type again struct {
	name    string
	client  *client
	clients []*client
}

// andAgain adds a side for each of them, with the same goal for each but the build before, which has its own.
func (b *bench) andAgain(sides []side, g goal, do func(again) operation) []side {
	for _, a := range b.again {
		s := side{name: a.name, do: do(a), goal: g}
		if a.name == onBefore {
			s.goal = goal{most: 1.05}
		}
		sides = append(sides, s)
	}
	return sides
}

// Names of the sides.
const (
	onSQLite     = "Admitto" // the service that the others are measured against
	barePrebuilt = "the same bytes, ready, over net/http and TLS in a process of its own"
	bareLoop     = "bare driver, the same bytes"
	onPostgres   = "Admitto on PostgreSQL"
	onBefore     = "Admitto before"
	onPocketbase = "PocketBase"
	onDirectus   = "Directus"
)

// isFloor says that Admitto is compared with the least that can be, and not with what people would use instead.
func (p *pairing) isFloor() bool {
	for _, peer := range []string{onPostgres, onPocketbase, onDirectus, onPgbench} {
		if strings.HasPrefix(p.name, peer) {
			return false
		}
	}
	return true
}

func get(path string) call { return call{method: http.MethodGet, path: path, status: http.StatusOK} }

// asking returns the operation that makes the call of each number.
func (c *client) asking(of func(i int) call) operation {
	return func(i int) (sample, error) {
		s, _, err := c.do(of(i))
		return s, err
	}
}

// sidesOf returns the sides of a case that Admitto answers: itself, the same bytes ready beforehand, and itself again.
func (b *bench) sidesOf(of func(i int) call) (sides []side, err error) {
	ready, err := b.client.body(of(0))
	if err != nil {
		return nil, err
	}
	send := b.bare.client.asking(func(int) call { return get("/") })
	sides = []side{{name: onSQLite, do: b.client.asking(of)},
		{name: barePrebuilt, do: func(i int) (sample, error) {
			if err := b.bare.give(ready); err != nil {
				return sample{}, err
			}
			return send(i)
		}}}
	return b.andAgain(sides, goal{}, func(a again) operation { return a.client.asking(of) }), nil
}

// always asks the same.
func always(path string) func(int) call { return func(int) call { return get(path) } }

func (b *bench) preparePing() ([]side, error) {
	// What it answers is a few bytes more or less: it has the time in it.
	return b.sidesOf(always("/ping"))
}

func (b *bench) prepareApplications() ([]side, error) {
	return b.sidesOf(always(fmt.Sprintf("/applications?limit=%d", most)))
}

func (b *bench) prepareJournal() ([]side, error) { return b.sidesOf(always("/journal?limit=1024")) }

func (b *bench) prepareTableview() ([]side, error) {
	return b.sidesOf(always("/tableviews/1/tabledata"))
}

func (b *bench) prepareApplication() ([]side, error) {
	// Those that have been submitted have something in every section.
	ids, err := b.floor.texts("SELECT id FROM application WHERE status = 'Submitted' ORDER BY id LIMIT 200")
	if err != nil {
		return nil, err
	}
	return b.sidesOf(func(i int) call { return get("/applications/" + ids[i%len(ids)]) })
}
