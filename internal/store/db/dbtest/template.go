package dbtest

import (
	"context"
	"crypto/rand"
	"errors"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/admitto/admitto/internal/apptest"
	"github.com/admitto/admitto/internal/store/db"
)

// Template is a database that a test process makes once, by the migrations and what else its tests begin with, and
// copies for each test. A copy takes a fraction of the time of the migrations.
type Template struct {
	from     *Template
	name     string // under which the file for SQLite is kept; empty: it is not
	prepare  func(ctx context.Context, url string, o db.Options) error
	sqlite   func() ([]byte, error)
	postgres func() (string, error)
}

// NewTemplate returns a template that is made at its first use. prepare opens the database, fills it and closes it.
// The file for SQLite is kept under the name in the build cache, where other test processes find it until a source of
// the module changes: prepare must do the same in all of them.
func NewTemplate(name string, prepare func(ctx context.Context, url string, o db.Options) error) *Template {
	return newTemplate(&Template{name: name, prepare: prepare})
}

// With returns a template that begins with a copy of this one, for this process.
func (p *Template) With(prepare func(ctx context.Context, url string, o db.Options) error) *Template {
	return newTemplate(&Template{from: p, prepare: prepare})
}

func newTemplate(p *Template) *Template {
	p.sqlite = sync.OnceValues(p.makeSQLite)
	p.postgres = sync.OnceValues(p.makePostgres)
	return p
}

// Each runs fn as sub-test "sqlite" on a copy in a new file, where every transaction that writes runs twice, and at the
// same time as sub-test "postgres" on a copy in a new database, which is dropped at the end. fn opens the database with
// db.Open and must close it.
func (p *Template) Each(t *testing.T, fn func(t *testing.T, url string, opts db.Options)) {
	t.Helper()
	sqlite, postgres := p.engines(fn)
	both(t, sqlite, postgres)
}

// InTurn is Each for a test that measures the memory of the process or shares a file: the sub-tests run one after the
// other.
func (p *Template) InTurn(t *testing.T, fn func(t *testing.T, url string, opts db.Options)) {
	t.Helper()
	sqlite, postgres := p.engines(fn)
	t.Run("sqlite", sqlite)
	t.Run("postgres", postgres)
}

// BySize runs a test on a fresh copy for SQLite in short, and for PostgreSQL in the long size. It is for tests that
// have the same cases in both sizes, which CI runs one after the other.
func (p *Template) BySize(t *testing.T, fn func(t *testing.T, url string, opts db.Options)) {
	t.Helper()
	sqlite, postgres := p.engines(fn)
	if apptest.Long() {
		t.Run("postgres", postgres)
	} else {
		t.Run("sqlite", sqlite)
	}
}

func (p *Template) engines(fn func(t *testing.T, url string, opts db.Options)) (sqlite, postgres func(t *testing.T)) {
	return func(t *testing.T) {
			fn(t, p.File(t), db.Options{CheckLocks: true, Again: func() {}})
		}, func(t *testing.T) {
			url, opts := p.Database(t)
			fn(t, url, opts)
		}
}

// File returns the URL of a copy in a new file.
func (p *Template) File(t testing.TB) string {
	t.Helper()
	path := newFile(t)
	p.Copy(t, path)
	return "sqlite:" + path
}

// Copy makes a copy in the file with the path, which is not there yet.
func (p *Template) Copy(t testing.TB, path string) {
	t.Helper()
	if err := p.write(path); err != nil {
		t.Fatal(err)
	}
}

func (p *Template) write(path string) error {
	content, err := p.sqlite()
	if err != nil {
		return err
	}
	return os.WriteFile(path, content, 0o600)
}

// Database returns a copy in a new database on PostgreSQL, which is dropped at the end of the test. Without PostgreSQL
// it skips the test.
func (p *Template) Database(t testing.TB) (url string, opts db.Options) {
	t.Helper()
	server := required(t)
	template, err := p.postgres()
	if err != nil {
		t.Fatal(err)
	}
	name := "test_" + strings.ToLower(rand.Text())
	alone(t, server, "CREATE DATABASE "+name+" TEMPLATE "+template+" STRATEGY file_copy") // the log would cost more
	t.Cleanup(func() { alone(t, server, "DROP DATABASE "+name+" WITH (FORCE)") })
	return inDatabase(server, name), db.Options{Readers: 12, CheckLocks: true}
}

func (p *Template) makeSQLite() ([]byte, error) {
	kept := ""
	if p.name != "" {
		kept = keptDatabase(p.name)
	}
	if content, err := os.ReadFile(kept); err == nil {
		return content, nil
	}
	dir, err := os.MkdirTemp(quickFolder(), filePattern)
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "template.db")
	if p.from != nil {
		if err := p.from.write(path); err != nil {
			return nil, err
		}
	}
	if err := p.prepare(context.Background(), "sqlite:"+path, db.Options{}); err != nil {
		return nil, err
	}
	content, err := os.ReadFile(path) // closing it has moved the log into the file
	if err == nil && kept != "" {
		keep(kept, func(w io.Writer) error { _, err := w.Write(content); return err })
	}
	return content, err
}

func (p *Template) makePostgres() (string, error) {
	server, err := server()
	if err != nil {
		return "", err
	}
	name := "template_" + strings.ToLower(rand.Text())
	create := "CREATE DATABASE " + name
	if p.from != nil {
		from, err := p.from.postgres()
		if err != nil {
			return "", err
		}
		create += " TEMPLATE " + from + " STRATEGY file_copy"
	}
	if err := outside(server, create); err != nil {
		return "", err
	}
	return name, p.prepare(context.Background(), inDatabase(server, name), db.Options{Readers: 1})
}

// inDatabase is the URL of another database on the server.
func inDatabase(server, name string) string {
	u, err := url.Parse(server)
	if err != nil {
		return server // opening it says what is wrong
	}
	u.Path = "/" + name
	return u.String()
}

// alone runs one statement outside of any transaction, where databases are made and dropped.
func alone(t testing.TB, url, statement string) {
	t.Helper()
	if err := outside(url, statement); err != nil {
		t.Fatal(err)
	}
}

func outside(url, statement string) error {
	ctx := context.Background()
	c, err := pgx.Connect(ctx, url)
	if err != nil {
		return err
	}
	_, err = c.Exec(ctx, statement, pgx.QueryExecModeSimpleProtocol)
	return errors.Join(err, c.Close(ctx))
}
