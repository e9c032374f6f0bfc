package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"
)

// pageOptions say how the pages of staff are measured.
type pageOptions struct {
	on    bool
	staff int           // how many click at once
	time  time.Duration // for how long
	seed  uint64        // what they click
	keep  bool          // the data are kept for the next run
}

// clickEvery is how long somebody looks at a page, from one click to the next.
const clickEvery = 2 * time.Second

// logWithin is how much later than its answers the service may write its log.
const logWithin = 2 * time.Second

// pagesEngine is one engine with the data of the run.
type pagesEngine struct {
	name        string
	data        string
	environment []string
	cluster     *cluster // of PostgreSQL
	stop        func()
}

// measurePages lets staff click through the pages of each engine while the API serves a mix of calls, and prints how
// long the service took.
func measurePages(ctx context.Context, o options, binary, work string) error {
	return onEngines(ctx, o, binary, work, (*pagesEngine).measure)
}

// onEngines measures something on each engine that is wanted and there.
func onEngines(ctx context.Context, o options, binary, work string,
	measure func(e *pagesEngine, ctx context.Context, o options, binary, work string) error) error {
	for _, prepare := range []func(context.Context, options, string, string) (*pagesEngine, error){pagesSQLite,
		pagesPostgres} {
		e, err := prepare(ctx, o, binary, work)
		if err != nil {
			return err
		}
		if e == nil {
			continue
		}
		err = measure(e, ctx, o, binary, work)
		e.stop()
		if err != nil {
			return fmt.Errorf("%s: %w", e.name, err)
		}
	}
	return nil
}

// pagesFolder is where the data of an engine are: in the system's temporary folder when they are kept.
func pagesFolder(o options, work, engine string) string {
	if !o.pages.keep {
		return filepath.Join(work, "pages-"+engine)
	}
	return filepath.Join(os.TempDir(), fmt.Sprintf("admitto-bench-pages-%s-%d", engine, o.applicants))
}

func pagesSQLite(ctx context.Context, o options, binary, work string) (*pagesEngine, error) {
	if !o.sqlite {
		return nil, nil
	}
	folder, err := cached(pagesFolder(o, work, "sqlite"), o.fresh, func(half string) error {
		say("Inventing %d applicants", o.applicants)
		return fill(ctx, binary, o.applicants, half)
	})
	return &pagesEngine{name: "SQLite", data: folder, stop: func() {}}, err
}

func pagesPostgres(ctx context.Context, o options, binary, work string) (*pagesEngine, error) {
	bin := findPostgres()
	if bin == "" || !o.postgres {
		return nil, nil
	}
	folder, err := cached(pagesFolder(o, work, "postgres"), o.fresh, func(half string) error {
		return fillCluster(ctx, bin, binary, half, o.applicants)
	})
	if err != nil {
		return nil, err
	}
	c, err := startCluster(ctx, bin, filepath.Join(folder, "cluster"), filepath.Join(work, "pages-postgres.log"))
	if err != nil {
		return nil, err
	}
	return &pagesEngine{name: "PostgreSQL", data: filepath.Join(folder, "data"), cluster: c, stop: c.stopNow,
		environment: []string{"ADMITTO_DATABASE_URL=" + c.url(filledDatabase)}}, nil
}

// serve starts the service on the engine's data, with a mail server whose messages heed gets, until stop is called.
func (e *pagesEngine) serve(ctx context.Context, o options, binary string, heed func(delivery)) (s *server, stop func(),
	err error) {
	sink, err := startSink(heed)
	if err != nil {
		return nil, nil, err
	}
	if s, err = startServer(ctx, binary, e.data, sink.address, o, e.environment...); err != nil {
		sink.close()
		return nil, nil, err
	}
	return s, func() {
		s.stop()
		_ = os.Remove(s.log)
		sink.close()
	}, nil
}

// measure runs the service on the engine's data and prints what was measured.
func (e *pagesEngine) measure(ctx context.Context, o options, binary, work string) error {
	key, err := createKey(ctx, binary, e.data, e.environment...)
	if err != nil {
		return err
	}
	links, err := e.invite(ctx, binary, o.pages.staff)
	if err != nil {
		return err
	}
	load := loadNow()
	server, stop, err := e.serve(ctx, o, binary, nil)
	if err != nil {
		return err
	}
	defer stop()
	run := &pageRun{ctx: ctx, url: server.url, applicants: o.applicants, seed: o.pages.seed}
	if err := run.begin(links, newClient(ctx, server.url+"/api/v10", key)); err != nil {
		return err
	}
	before, first := server.used(), len(run.clicks)
	say("%d staff click on %s for %s", len(run.staff), e.name, o.pages.time)
	if err := run.click(o.pages.time, newClient(ctx, server.url+"/api/v10", key)); err != nil {
		return err
	}
	used := server.used() - before
	time.Sleep(logWithin)
	if err := run.serverTimes(server.log); err != nil {
		return err
	}
	fmt.Printf("\n%s, %d applicants, %d staff for %s, seed %d; load %s before and %s after; peak memory %s, %s of CPU a request\n\n",
		e.name, o.applicants, len(run.staff), o.pages.time, o.pages.seed, load, loadNow(), mebibytes(server.peak()),
		duration(used/time.Duration(max(len(run.clicks)-first, 1))))
	run.report(os.Stdout)
	return e.costs(run, server, newClient(ctx, server.url+"/api/v10", key))
}

// invite makes the accounts of the staff, or finds those of an earlier run, and returns the links by which each chooses
// a password.
func (e *pagesEngine) invite(ctx context.Context, binary string, n int) (paths []string, err error) {
	for i := range n {
		email := fmt.Sprintf("bench-%d@example.org", i+1)
		link, err := e.admin(ctx, binary, "create", "--email="+email, fmt.Sprintf("--name=Staff %d", i+1), "--role=Superuser")
		if err != nil {
			var again error
			if link, again = e.admin(ctx, binary, "reset", email); again != nil {
				return nil, errors.Join(err, again)
			}
		}
		at := strings.Index(link, "/admin/")
		if at < 0 {
			return nil, fmt.Errorf("%q is no link to set a password", link)
		}
		paths = append(paths, strings.TrimSpace(link[at:]))
	}
	return paths, nil
}

func (e *pagesEngine) admin(ctx context.Context, binary string, args ...string) (string, error) {
	cmd := admitto(ctx, binary, append([]string{"admin", args[0], "--data", e.data}, args[1:]...)...)
	cmd.Env = append(cmd.Env, e.environment...)
	return output(cmd)
}

// loadNow is the load of the machine over the last minute.
func loadNow() string {
	load, _, _ := strings.Cut(textOf("/proc/loadavg"), " ")
	return load
}

// pageRun is one run on one engine.
type pageRun struct {
	ctx        context.Context
	url        string
	applicants int
	seed       uint64
	staff      []*visitor
	options    []pageFilter // of the applications browser
	ofTasks    []pageFilter // of the list of tasks
	words      []string     // that search finds somebody by

	mu     sync.Mutex
	clicks []click
}

// click is one request that was made.
type click struct {
	kind, path string
	id         string // of the request
	status     int
	took       time.Duration // as the service logged it
}

// begin signs the staff in, one after the other, and looks what there is to filter and to search for.
func (r *pageRun) begin(links []string, api *client) error {
	for i, link := range links {
		v, err := r.enter(i, link)
		if err != nil {
			return err
		}
		r.staff = append(r.staff, v)
	}
	if err := r.staff[0].open("dashboard, first after the start", "/admin/"); err != nil {
		return err
	}
	var err error
	if r.options, err = r.readFilters("browser, all", "/admin/applications?term=all", 15); err != nil {
		return err
	}
	if r.ofTasks, err = r.readFilters("tasks, all", "/admin/tasks?term=all", 8); err != nil {
		return err
	}
	if err := r.openCounted(); err != nil {
		return err
	}
	return r.readWords(api)
}

// click lets everybody click until the time is over, while the API serves its mix.
func (r *pageRun) click(lasts time.Duration, api *client) error {
	ctx, cancel := context.WithTimeout(r.ctx, lasts)
	defer cancel()
	faults := make([]error, len(r.staff)+1)
	var group sync.WaitGroup
	for i, v := range r.staff {
		group.Go(func() {
			delay := clickEvery * time.Duration(i) / time.Duration(len(r.staff))
			faults[i] = paced(ctx, delay, clickEvery, func(int) error { return v.clickOn() })
		})
	}
	group.Go(func() {
		faults[len(r.staff)] = paced(ctx, 0, apiEvery, func(n int) error { return r.callAPI(api, n) })
	})
	group.Wait()
	return errors.Join(append(faults, r.ctx.Err())...)
}

// paced calls do at once and then every so often, later when it takes longer, until the time is over.
func paced(ctx context.Context, delay, every time.Duration, do func(n int) error) error {
	next := time.Now().Add(delay)
	for n := 0; ; n++ {
		select {
		case <-time.After(time.Until(next)):
		case <-ctx.Done():
			return nil
		}
		if err := do(n); err != nil {
			return err
		}
		if next = next.Add(every); next.Before(time.Now()) {
			next = time.Now()
		}
	}
}
