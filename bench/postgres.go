package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// postgres is Admitto on a PostgreSQL of its own.
type postgres struct {
	cluster *cluster
	server  *server
	client  *client
	clients []*client
	data    string                             // the data folder of the instance
	serve   func(data string) (*server, error) // starts an instance on the same database
	other   *server                            // the second one; nil: nothing has asked for it
}

// cluster is a PostgreSQL server that runs as a user who may, with the settings it comes with.
type cluster struct {
	process
	bin, port string
}

// postgresFolders are where Debian puts the programs.
const postgresFolders = "/usr/lib/postgresql/*/bin"

// findPostgres returns the folder of the newest programs; "" when there are none.
func findPostgres() string {
	found, _ := filepath.Glob(filepath.Join(postgresFolders, "initdb"))
	if len(found) > 0 {
		return filepath.Dir(found[len(found)-1])
	}
	if path, err := exec.LookPath("initdb"); err == nil {
		return filepath.Dir(path)
	}
	return ""
}

// command is one of the programs, as the user who may run a server.
func (c *cluster) command(ctx context.Context, name string, args ...string) (*exec.Cmd, error) {
	cmd := exec.CommandContext(ctx, filepath.Join(c.bin, name), args...)
	cmd.Dir = os.TempDir()
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "LC_ALL=C", "TZ=UTC"}
	return cmd, demote(cmd)
}

func (c *cluster) run(ctx context.Context, name string, args ...string) (string, error) {
	cmd, err := c.command(ctx, name, args...)
	if err != nil {
		return "", err
	}
	return output(cmd)
}

func (c *cluster) psql(ctx context.Context, database, sql string) (string, error) {
	return c.run(ctx, "psql", "-h", "127.0.0.1", "-p", c.port, "-U", "postgres", "-d", database, "-v", "ON_ERROR_STOP=1",
		"-Atqc", sql)
}

func (c *cluster) url(database string) string {
	return "postgres://postgres@127.0.0.1:" + c.port + "/" + database + "?sslmode=disable"
}

// startCluster starts a server on a folder of data. Statements are counted, but not what they take, as that is free.
func startCluster(ctx context.Context, bin, data, log string) (*cluster, error) {
	address, err := freeAddress()
	if err != nil {
		return nil, err
	}
	c := &cluster{bin: bin}
	_, c.port, _ = strings.Cut(address, ":")
	cmd, err := c.command(context.WithoutCancel(ctx), "postgres", "-D", data, "-h", "127.0.0.1", "-p", c.port, "-k", "",
		"-c", "shared_preload_libraries=pg_stat_statements")
	if err != nil {
		return nil, err
	}
	if c.process, err = startProcess(cmd, log); err != nil {
		return nil, err
	}
	var refused error
	err = c.await(ctx, func() (bool, error) {
		_, refused = c.psql(ctx, "postgres", "SELECT 1")
		return refused == nil, ctx.Err()
	})
	if err != nil {
		c.stopNow()
		return nil, errors.Join(err, refused)
	}
	return c, nil
}

// stopNow ends the server in order without waiting for its clients.
func (c *cluster) stopNow() { c.stopBy(syscall.SIGINT) }

// filledDatabase is the one that nobody may change, runDatabase the copy for a run.
const (
	filledDatabase = "filled"
	runDatabase    = "run"
)

// startPostgres starts a cluster with the demo's data, of an earlier run when there is one, and Admitto on a copy.
func startPostgres(ctx context.Context, binary, work, smtp string, o options) (p *postgres, err error) {
	bin := findPostgres()
	if bin == "" {
		return nil, fmt.Errorf("no initdb in PATH nor in %s", postgresFolders)
	}
	folder := filepath.Join(os.TempDir(), "admitto-bench-postgres-"+strconv.Itoa(o.applicants))
	folder, err = cached(folder, o.fresh, func(half string) error {
		return fillCluster(ctx, bin, binary, half,
			o.applicants)
	})
	if err != nil {
		return nil, err
	}
	p = new(postgres)
	if p.cluster, err = startCluster(ctx, bin, filepath.Join(folder, "cluster"),
		filepath.Join(work, "postgres.log")); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			p.stop()
		}
	}()
	for _, sql := range []string{"DROP DATABASE IF EXISTS " + runDatabase,
		"CREATE DATABASE " + runDatabase + " TEMPLATE " + filledDatabase} {
		if _, err := p.cluster.psql(ctx, "postgres", sql); err != nil {
			return p, err
		}
	}
	if _, err := p.cluster.psql(ctx, runDatabase, "CREATE EXTENSION IF NOT EXISTS pg_stat_statements"); err != nil {
		return p, err
	}
	data := filepath.Join(work, "postgres_data")
	if err := os.CopyFS(data, os.DirFS(filepath.Join(folder, "data"))); err != nil {
		return p, err
	}
	if err := os.Chmod(data, 0o700); err != nil {
		return p, err
	}
	environment := "ADMITTO_DATABASE_URL=" + p.cluster.url(runDatabase)
	key, err := createKey(ctx, binary, data, environment)
	if err != nil {
		return p, err
	}
	p.data = data
	p.serve = func(data string) (*server, error) { return startServer(ctx, binary, data, smtp, o, environment) }
	if p.server, err = p.serve(data); err != nil {
		return p, err
	}
	p.client = newClient(ctx, p.server.url+"/api/v10", key)
	p.clients = newClients(ctx, p.server.url+"/api/v10", key)
	return p, nil
}

func (p *postgres) stop() {
	if p.other != nil {
		p.other.stop()
	}
	if p.server != nil {
		p.server.stop()
	}
	if p.cluster != nil {
		p.cluster.stopNow()
	}
}

// fillCluster makes a cluster in half/cluster with the demo's data, and its files in half/data.
func fillCluster(ctx context.Context, bin, binary, half string, applicants int) error {
	c := &cluster{bin: bin}
	data := filepath.Join(half, "cluster")
	if err := os.Mkdir(data, 0o700); err != nil {
		return err
	}
	// The folder above is for root alone as it comes.
	if err := os.Chmod(half, 0o711); err != nil {
		return err
	}
	if err := giveTo(data); err != nil {
		return err
	}
	if _, err := c.run(ctx, "initdb", "-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C",
		"--no-instructions"); err != nil {
		return err
	}
	c, err := startCluster(ctx, bin, data, filepath.Join(half, "postgres.log"))
	if err != nil {
		return err
	}
	defer c.stopNow()
	if _, err := c.psql(ctx, "postgres", "CREATE DATABASE "+filledDatabase); err != nil {
		return err
	}
	say("Inventing %d applicants on PostgreSQL", applicants)
	if err := fill(ctx, binary, applicants, filepath.Join(half, "data"),
		"ADMITTO_DATABASE_URL="+c.url(filledDatabase)); err != nil {
		return err
	}
	_, err = c.psql(ctx, filledDatabase, "VACUUM ANALYZE")
	return err
}

// statements is how many statements the server has run for Admitto, without those that begin and end transactions.
func (p *postgres) statements(ctx context.Context) (int64, error) {
	text, err := p.cluster.psql(ctx, runDatabase, `SELECT coalesce(sum(calls), 0) FROM pg_stat_statements s JOIN pg_database d ON d.oid = s.dbid
		WHERE d.datname = current_database() AND query !~* '^(begin|commit|rollback|savepoint|release|set |deallocate|discard|--)' AND query !~ 'pg_stat_statements'`)
	if err != nil {
		return 0, err
	}
	return strconv.ParseInt(strings.TrimSpace(text), 10, 64)
}
