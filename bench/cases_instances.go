package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// Of the case with two instances: as many clients as two offices and their connected systems have at once.
const (
	clientsOfTwo = 32
	commitsEach  = 100 // of each client of pgbench in one measurement
)

// onPgbench is the other side: what the database server does without a service in front of it.
const onPgbench = "pgbench, durable commits on different rows"

// second starts another instance on the same database, once for a run. It has a copy of the data folder, for the
// instance key.
func (p *postgres) second() (*server, error) {
	if p.other != nil {
		return p.other, nil
	}
	data := p.data + "_second"
	if err := copyData(p.data, data); err != nil {
		return nil, err
	}
	var err error
	p.other, err = p.serve(data)
	return p.other, err
}

// preparePutOnTwo measures writers of different applicants over two instances, half of them on each, against pgbench on
// the same server.
func (b *bench) preparePutOnTwo() ([]side, error) {
	if b.postgres == nil {
		return nil, nil
	}
	admitto, _, _, err := b.puts()
	if err != nil {
		return nil, err
	}
	second, err := b.postgres.second()
	if err != nil {
		return nil, err
	}
	var clients []*client
	for n := range clientsOfTwo {
		address := b.postgres.server.url
		if n%2 == 1 {
			address = second.url
		}
		clients = append(clients, newClient(b.ctx, address+"/api/v10", b.postgres.client.key))
	}
	const beforehand = 5000 // the cases before have written these
	calls := writer(func(n int64) call { return admitto(beforehand + n) })
	bare, err := b.pgbench()
	return []side{{name: onPostgres + ", two instances", do: together(clients, writesEach, calls)},
		{name: onPgbench, do: bare, goal: goal{least: 0.6}}}, err
}

// pgbench returns the operation of as many clients that change one row each and commit, over and over. The time is that
// of all through the number of commits.
func (b *bench) pgbench() (operation, error) {
	c := b.postgres.cluster
	_, err := c.psql(b.ctx, runDatabase, `DROP TABLE IF EXISTS bench_rows; CREATE TABLE bench_rows (id int PRIMARY KEY,
		n bigint NOT NULL DEFAULT 0); INSERT INTO bench_rows (id) SELECT generate_series(0, 31999); ANALYZE bench_rows`)
	if err != nil {
		return nil, err
	}
	script := filepath.Join(filepath.Dir(b.postgres.data), "commits.sql")
	// Each client has a thousand rows that no other changes.
	text := "\\set id :client_id * 1000 + random(0, 999)\nUPDATE bench_rows SET n = n + 1 WHERE id = :id;\n"
	if err := os.WriteFile(script, []byte(text), 0o644); err != nil {
		return nil, err
	}
	return func(int) (sample, error) {
		said, err := c.run(b.ctx, "pgbench", "-n", "-M", "prepared", "-c", strconv.Itoa(clientsOfTwo), "-j", "2",
			"-t", strconv.Itoa(commitsEach), "-f", script, "-h", "127.0.0.1", "-p", c.port, "-U", "postgres", runDatabase)
		if err != nil {
			return sample{}, err
		}
		perSecond, err := commitsPerSecond(said)
		return sample{total: time.Duration(float64(time.Second) / max(perSecond, 1))}, err
	}, nil
}

// commitsPerSecond reads what pgbench prints at its end.
func commitsPerSecond(said string) (float64, error) {
	for line := range strings.Lines(said) {
		rest, found := strings.CutPrefix(line, "tps = ")
		if number, _, _ := strings.Cut(rest, " "); found {
			return strconv.ParseFloat(number, 64)
		}
	}
	return 0, fmt.Errorf("pgbench does not say how many commits it made: %s", said)
}
