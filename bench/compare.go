package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
)

// compare starts everything on the same data and runs the cases.
func compare(ctx context.Context, o options, binary, work string) error {
	filler, of, err := o.filler(ctx, binary, work)
	if err != nil {
		return err
	}
	filled, err := fillCached(ctx, filler, of, o.applicants, o.fresh)
	if err != nil {
		return err
	}
	say("Copying the data")
	data, twin := filepath.Join(work, "data"), filepath.Join(work, "twin")
	if err := copyData(filled, data); err != nil {
		return err
	}
	key, err := createKey(ctx, binary, data)
	if err != nil {
		return err
	}
	// The twin of the database gets what POST writes, row by row, from the bare driver.
	if err := copyData(data, twin); err != nil {
		return err
	}
	sink, err := startSink(nil)
	if err != nil {
		return err
	}
	defer sink.close()
	server, err := startServer(ctx, binary, data, sink.address, o)
	if err != nil {
		return err
	}
	defer server.stop()
	path := filepath.Join(data, database)
	b, err := newBench(ctx, server, sink, key, path, filepath.Join(twin, database))
	if err != nil {
		return err
	}
	defer b.close()
	if filler != binary {
		stop, err := b.startBefore(filler, filled, work, sink.address, o)
		if err != nil {
			return fmt.Errorf("the build before: %w", err)
		}
		defer stop()
	}
	stop, err := b.startPeers(binary, path, work, sink.address, o)
	defer stop()
	if err != nil {
		return err
	}
	var results []result
	for _, c := range allCases() {
		if !o.wants(c.name) {
			continue
		}
		r, err := b.measure(c, o)
		if err != nil {
			return fmt.Errorf("%s: %w", c.name, err)
		}
		if r.against == nil {
			say("Without %s: what it needs is not there", c.name)
			continue
		}
		results = append(results, r)
	}
	if err := report(os.Stdout, o, b, binary, results); err != nil || o.plots == "" {
		return err
	}
	return plotLatencies(filepath.Join(o.plots, "latency.svg"), results)
}

// filler is the binary that invents the data, and what the names of its folders have of it. Where a build before is
// measured, too, that is it: the other one migrates what it has made, so that both read the same rows.
func (o options) filler(ctx context.Context, binary, work string) (filler, of string, err error) {
	if o.before == "" {
		return binary, "", nil
	}
	say("Building the Admitto before")
	filler = filepath.Join(work, "admitto-before")
	return filler, "before-", build(ctx, o.before, filler)
}

// startBefore starts the build before on a copy of the data as it has made them.
func (b *bench) startBefore(binary, filled, work, smtp string, o options) (stop func(), err error) {
	data := filepath.Join(work, "before")
	if err := copyData(filled, data); err != nil {
		return nil, err
	}
	key, err := createKey(b.ctx, binary, data)
	if err != nil {
		return nil, err
	}
	s, err := startServer(b.ctx, binary, data, smtp, o)
	if err != nil {
		return nil, err
	}
	b.again = append(b.again, again{onBefore, newClient(b.ctx, s.url+"/api/v10", key),
		newClients(b.ctx, s.url+"/api/v10", key)})
	return s.stop, nil
}

// copyData copies a data folder for a run that may write to it.
func copyData(from, to string) error {
	if err := os.CopyFS(to, os.DirFS(from)); err != nil {
		return err
	}
	return os.Chmod(to, 0o700)
}

// startPeers starts what is asked for. What cannot be found or built here is said and left out. The function
// stops all that runs.
func (b *bench) startPeers(binary, path, work, smtp string, o options) (stop func(), err error) {
	var stops []func()
	stop = func() {
		for _, s := range stops {
			s()
		}
	}
	if b.inC, err = startFloorInC(b.ctx, path, work); err != nil {
		say("Without SQLite in C: %v", err)
	} else {
		stops = append(stops, b.inC.close)
	}
	if o.pocketbase {
		say("Starting PocketBase")
		if b.pocketbase, err = startPocketbase(b.ctx, path, work, o.durable); err != nil {
			say("Without PocketBase: %v", err)
		} else {
			stops = append(stops, b.pocketbase.stop)
		}
	}
	if o.directus != "" {
		say("Starting Directus")
		if b.directus, err = startDirectus(b.ctx, o.directus, path, work); err != nil {
			return stop, err // it was asked for by name
		}
		stops = append(stops, b.directus.stop)
	}
	if o.postgres {
		say("Starting PostgreSQL")
		if b.postgres, err = startPostgres(b.ctx, binary, work, smtp, o); err != nil {
			say("Without PostgreSQL: %v", err)
			b.postgres = nil
		} else {
			stops = append(stops, b.postgres.stop)
			b.again = append(b.again, again{onPostgres, b.postgres.client, b.postgres.clients})
		}
	}
	return stop, b.ctx.Err()
}
