package faults_test

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"flag"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/store/db"
	"github.com/admitto/admitto/internal/store/db/dbtest"
	"github.com/admitto/admitto/internal/store/sqltest"
	"github.com/admitto/admitto/test/internal/program"
)

func TestMain(m *testing.M) {
	// The tests that run next to others wait most of their time, so more of them can run than there are cores.
	flag.Parse()
	if err := flag.Set("test.parallel", "6"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	program.Main(m)
}

// full reports whether the sizes of the promises are asked for instead of those that fit a run of all tests.
func full() bool { return os.Getenv("ADMITTO_TEST_FAULTS") == "full" }

// either returns the size of a test.
func either[T any](usual, promised T) T {
	if full() {
		return promised
	}
	return usual
}

// place is a data folder and a database to run the binary on.
type place struct {
	t        *testing.T
	folder   string
	database string // URL, for the test's own look at it
	opts     db.Options
	flags    []string // that every command gets
	release  string   // the binary that runs here, if it is not the usual one
}

// onSQLite is a fresh folder with SQLite in it.
func onSQLite(t *testing.T) *place {
	t.Helper()
	return placeIn(t, filepath.Join(t.TempDir(), "data"))
}

// placeIn is a place on SQLite in a folder that need not exist yet.
func placeIn(t *testing.T, folder string) *place {
	return &place{t: t, folder: folder, database: "sqlite:" + filepath.Join(folder, "admitto.db"),
		flags: []string{"--data=" + folder, "--log.format=json"}}
}

// onServer is a fresh folder with a database of its own server.
func onServer(t *testing.T, s *dbtest.Server) *place {
	t.Helper()
	p := onSQLite(t)
	p.database = s.URL
	p.flags = append(p.flags, "--database.url="+s.URL)
	return p
}

// onPostgres is a fresh folder with a schema of the server that tests share.
func onPostgres(t *testing.T) *place {
	t.Helper()
	url, o := dbtest.Schema(t)
	p := onSQLite(t)
	p.database, p.opts = url, db.Options{Schema: o.Schema}
	p.flags = append(p.flags, "--database.url="+url+"&search_path="+o.Schema)
	return p
}

// onBothEngines runs a test on SQLite and on PostgreSQL, next to other tests.
func onBothEngines(t *testing.T, test func(t *testing.T, p *place)) {
	t.Helper()
	for name, make := range map[string]func(*testing.T) *place{"sqlite": onSQLite, "postgres": onPostgres} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(t, make(t))
		})
	}
}

// another is another instance of the same database, with a data folder of its own and the same instance key.
func (p *place) another() *place {
	p.t.Helper()
	other := *p
	other.folder = filepath.Join(p.t.TempDir(), "other")
	key, err := os.ReadFile(filepath.Join(p.folder, "instance.key"))
	if err != nil {
		p.t.Fatal(err)
	}
	other.flags = []string{"--data=" + other.folder, "--instance.key=" + strings.TrimSpace(string(key))}
	for _, flag := range p.flags {
		if !strings.HasPrefix(flag, "--data=") {
			other.flags = append(other.flags, flag)
		}
	}
	return &other
}

// touch works on the database next to the service.
func (p *place) touch(fn func(*store.Tx) error) {
	p.t.Helper()
	s, err := store.Open(context.Background(), p.database, p.opts)
	if err != nil {
		p.t.Fatal(err)
	}
	defer s.Close()
	if err := s.Write(context.Background(), fn); err != nil {
		p.t.Fatal(err)
	}
}

// look reads the database next to the service.
func (p *place) look(fn func(*store.Tx) error) {
	p.t.Helper()
	s, err := store.Open(context.Background(), p.database, p.opts)
	if err != nil {
		p.t.Fatal(err)
	}
	defer s.Close()
	if err := s.Read(context.Background(), fn); err != nil {
		p.t.Fatal(err)
	}
}

// number reads one integer from the database.
func (p *place) number(sql string, args ...any) (n int64) {
	p.t.Helper()
	p.look(func(tx *store.Tx) error {
		rows := sqltest.In(tx).Query(sql, args...)
		if rows.Next() {
			n = rows.Int64(0)
		}
		return rows.Close()
	})
	return n
}

// whole checks the journal and the counts of a place where nobody writes.
func (p *place) whole() {
	p.t.Helper()
	p.must("journal", "verify")
	p.look(func(tx *store.Tx) error { return tx.VerifyCounters() })
}

// binary is the program that runs here.
func (p *place) binary() string {
	if p.release != "" {
		return p.release
	}
	return program.Path(p.t)
}

// command runs the real binary to its end.
func (p *place) command(args ...string) (code int, stdout, stderr string) {
	p.t.Helper()
	binary := p.binary() // which may have to be built first
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	return program.Run(ctx, p.t, binary, append(args, p.flags...)...)
}

// must runs the real binary, which must succeed, and returns its standard output without the last line break.
func (p *place) must(args ...string) string {
	p.t.Helper()
	code, stdout, stderr := p.command(args...)
	if code != 0 {
		p.t.Fatalf("admitto %v: status %d\n%s", args, code, stderr)
	}
	return strings.TrimSuffix(stdout, "\n")
}

// key makes an API key, and the instance where there is none, and returns the key with its ID.
func (p *place) key(args ...string) (secret, id string) {
	p.t.Helper()
	p.must("migrate") // no key without an instance
	secret = p.must(append([]string{"keys", "create", "--name=Test"}, args...)...)
	lines := strings.Split(p.must("keys", "list"), "\n")
	return secret, strings.Fields(lines[len(lines)-1])[0]
}

// trusting is how a client of the service speaks TLS.
func (p *place) trusting() *tls.Config {
	p.t.Helper()
	pem, err := os.ReadFile(filepath.Join(p.folder, "tls-cert.pem"))
	if err != nil {
		p.t.Fatal(err)
	}
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(pem)
	return &tls.Config{RootCAs: roots, ServerName: "localhost"}
}

// client is an HTTP client of the service with connections of its own.
func (p *place) client() *http.Client {
	p.t.Helper()
	c := &http.Client{Timeout: time.Minute, Transport: &http.Transport{TLSClientConfig: p.trusting(),
		MaxIdleConnsPerHost: 64}}
	p.t.Cleanup(c.CloseIdleConnections)
	return c
}
