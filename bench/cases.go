package main

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strconv"
	"time"
)

// benchCase is one line of the results.
type benchCase struct {
	name, title, floor string
	batch              int // operations of one measurement: enough of them to be longer than the clock's noise
	pairs              int // measurements for each of -rounds
	prepare            func(*bench) (operations, error)
}

// operations are the two sides of a case. Both are called with the same number, which goes up.
type operations struct {
	admitto, floor func(i int) (sample, error)
	between        func() error // called, untimed, between the two; nil: nothing is needed
}

// allCases are in the order they run in; the one that writes is last.
var allCases = []benchCase{
	{"list", "applicant list 16384", "bare driver loop", 1, 1, (*bench).prepareList},
	{"list-gzip", "applicant list 16384, gzip", "bare driver loop, not compressed", 1, 1, (*bench).prepareGzip},
	{"since", "1000 from an ID (bySince)", "bare driver loop", 5, 1, (*bench).prepareSince},
	{"count", "count (HEAD)", "sum over the table of counts", 50, 1, (*bench).prepareCount},
	{"count-scan", "count (HEAD)", "count(*) over the table", 1, 1, (*bench).prepareCountScan},
	{"one", "one applicant", "bare driver, one row", 50, 1, (*bench).prepareOne},
	{"ping", "ping (key, quota, no row)", "empty net/http handler over TLS", 50, 1, (*bench).preparePing},
	{"post", "POST applicant, SMTP", "one bare transaction and one mail", 1, 5, (*bench).preparePost},
}

func caseNames() (names []string) {
	for _, c := range allCases {
		names = append(names, c.name)
	}
	return names
}

// bench is everything a case needs.
type bench struct {
	ctx    context.Context
	server *server
	client *client
	floor  *floor
	twin   *twin
	bare   *httptest.Server
}

func newBench(ctx context.Context, s *server, mails *sink, key, path, twinPath string) (b *bench, err error) {
	b = &bench{ctx: ctx, server: s, client: newClient(ctx, s.url+"/api/v10", key)}
	if b.floor, err = openFloor(ctx, path); err != nil {
		return nil, err
	}
	if b.twin, err = openTwin(ctx, path, twinPath, mails); err != nil {
		b.floor.close()
		return nil, err
	}
	b.bare = httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write([]byte("{}")) // the client says when it got nothing
	}))
	return b, nil
}

func (b *bench) close() {
	b.bare.Close()
	b.twin.close()
	b.floor.close()
}

// most is how many applicants the biggest list has.
const most = 16384

func get(path string) call { return call{method: http.MethodGet, path: path, status: http.StatusOK} }

// asking gives the operation that makes the call of each number.
func (b *bench) asking(of func(i int) call) func(int) (sample, error) {
	return func(i int) (sample, error) {
		s, _, err := b.client.do(of(i))
		return s, err
	}
}

func (b *bench) prepareList() (operations, error) {
	return b.lists(func(int) call { return get(fmt.Sprintf("/applicants?limit=%d", most)) },
		func(int) int64 { return 1 }, most)
}

func (b *bench) prepareGzip() (operations, error) {
	o, err := b.prepareList()
	o.admitto = b.asking(func(int) call {
		a := get(fmt.Sprintf("/applicants?limit=%d", most))
		a.encoding = "gzip"
		return a
	})
	return o, err
}

func (b *bench) prepareSince() (operations, error) {
	const limit = 1000
	ids, err := b.floor.someIDs(limit)
	if err != nil {
		return operations{}, err
	}
	from := func(i int) int64 { return ids[i%len(ids)] }
	return b.lists(func(i int) call { return get(fmt.Sprintf("/applicants?bySince=%d&limit=%d", from(i), limit)) }, from, limit)
}

// lists makes both sides of a list, after it has seen that they give the same bytes.
func (b *bench) lists(of func(i int) call, from func(i int) int64, limit int64) (o operations, err error) {
	_, rows, err := b.floor.applicants(b.floor.list, from(0), limit)
	if err != nil {
		return o, err
	}
	answer, err := b.client.body(of(0))
	if err != nil {
		return o, err
	}
	if !bytes.Equal(answer, b.floor.buffer) {
		return o, fmt.Errorf("the API's list and the bare driver's %d applicants differ (%d and %d bytes); -fresh makes the data anew",
			rows, len(answer), len(b.floor.buffer))
	}
	o.admitto = b.asking(of)
	o.floor = func(i int) (sample, error) {
		s, _, err := b.floor.applicants(b.floor.list, from(i), limit)
		return s, err
	}
	return o, nil
}

func (b *bench) prepareCount() (operations, error) {
	o, err := b.prepareCountScan()
	o.floor = func(int) (sample, error) {
		s, _, err := b.floor.number(b.floor.count)
		return s, err
	}
	return o, err
}

func (b *bench) prepareCountScan() (o operations, err error) {
	count := call{method: http.MethodHead, path: "/applicants", status: http.StatusOK}
	_, want, err := b.floor.number(b.floor.countScan)
	if err != nil {
		return o, err
	}
	_, header, err := b.client.do(count)
	if err != nil {
		return o, err
	}
	if got := header.Get("X-Count"); got != strconv.FormatInt(want, 10) {
		return o, fmt.Errorf("X-Count is %s, but there are %d applicants; -fresh makes the data anew", got, want)
	}
	o.admitto = b.asking(func(int) call { return count })
	o.floor = func(int) (sample, error) {
		s, _, err := b.floor.number(b.floor.countScan)
		return s, err
	}
	return o, nil
}

func (b *bench) prepareOne() (o operations, err error) {
	ids, err := b.floor.someIDs(0)
	if err != nil {
		return o, err
	}
	o.admitto = b.asking(func(i int) call { return get(fmt.Sprintf("/applicants/%d", ids[i%len(ids)])) })
	o.floor = func(i int) (sample, error) {
		s, _, err := b.floor.applicants(b.floor.one, ids[i%len(ids)])
		return s, err
	}
	return o, nil
}

func (b *bench) preparePing() (o operations, err error) {
	bare := newClient(b.ctx, b.bare.URL, "none")
	o.admitto = b.asking(func(int) call { return get("/ping") })
	o.floor = func(int) (sample, error) {
		s, _, err := bare.do(get("/"))
		return s, err
	}
	return o, nil
}

func (b *bench) preparePost() (o operations, err error) {
	run := time.Now().UnixNano()
	n := 0 // the profile's calls count too, hence not i
	o.admitto = func(int) (sample, error) {
		n++
		s, _, err := b.client.do(call{method: http.MethodPost, path: "/applicants", status: http.StatusCreated,
			body: fmt.Sprintf(`{"name_given":"Bench","name_family":"Mark","email":"bench.%d.%d@example.org","citizenship":"EE","phone":"+372 5555 0000"}`, run, n)})
		return s, err
	}
	o.between = b.twin.learn
	o.floor = func(int) (sample, error) { return b.twin.repeat() }
	return o, nil
}
