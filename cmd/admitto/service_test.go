package main

import (
	"bufio"
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/admitto/admitto/internal/apptest"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/store/db"
	"github.com/admitto/admitto/internal/store/db/dbtest"
	"github.com/admitto/admitto/internal/store/sqltest"
	"github.com/admitto/admitto/internal/store/storetest"
	"github.com/admitto/admitto/internal/wait"
)

// binary is where TestMain puts the binary for the tests that need a process: the real one in the long size, and in
// short a link to the test binary, which is the command, too. Linking the real one costs more than most of its tests.
var binary string

// withBinary makes the binary around the run of the tests. The real one is stamped as that of a release.
type withBinary struct{ m *testing.M }

func (w withBinary) Run() int {
	if slices.ContainsFunc(os.Args, func(arg string) bool { return strings.HasPrefix(arg, "-test.fuzz=") }) {
		return w.m.Run() // fuzz targets run no binary, and each of their processes would build it
	}
	folder, err := os.MkdirTemp("", "admitto-test-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(folder)
	binary = filepath.Join(folder, "admitto")
	if err := apptest.Size(linkBinary, buildBinary)(); err != nil {
		fmt.Fprintln(os.Stderr, "the binary cannot be made:", err)
		return 1
	}
	return w.m.Run()
}

func linkBinary() error {
	program, err := os.Executable()
	if err != nil {
		return err
	}
	return os.Symlink(program, binary)
}

func buildBinary() error {
	out, err := exec.Command("go", "build", "-buildvcs=false",
		"-ldflags=-s -w -X main.release=v1.2.3 -X main.commit=0123abc", "-o", binary, ".").CombinedOutput()
	if err != nil {
		err = fmt.Errorf("%w\n%s", err, out)
	}
	return err
}

// place is a data folder and a database to run the binary on.
type place struct {
	t        *testing.T
	folder   string
	database string // URL, for the test's own look at it
	opts     db.Options
	flags    []string // that every command gets
	shared   bool
}

// onBothEngines runs a test on SQLite in the data folder and on PostgreSQL.
func onBothEngines(t *testing.T, test func(t *testing.T, p *place)) {
	t.Helper()
	dbtest.Each(t, func(t *testing.T, databaseURL string, o db.Options) {
		p := emptyPlace(t)
		if o.Schema == "" {
			p.begin()
		} else {
			p.database, p.opts, p.shared = databaseURL, db.Options{Schema: o.Schema}, true
			p.flags = append(p.flags, "--database.url="+databaseURL+"&search_path="+o.Schema)
		}
		test(t, p)
	})
}

// onSQLite is onBothEngines for one engine, in the short size of what does not depend on the engine.
func onSQLite(t *testing.T, test func(t *testing.T, p *place)) {
	t.Helper()
	t.Run("sqlite", func(t *testing.T) { test(t, newPlace(t)) })
}

// onEach is onBothEngines in the long size, and onSQLite in short.
func onEach(t *testing.T, test func(t *testing.T, p *place)) {
	t.Helper()
	apptest.Size(onSQLite, onBothEngines)(t, test)
}

// newPlace is a fresh folder with an instance on SQLite in it that is migrated and nothing else.
func newPlace(t *testing.T) *place {
	t.Helper()
	p := emptyPlace(t)
	p.begin()
	return p
}

// emptyPlace is a folder that is not there yet, for an instance on SQLite.
func emptyPlace(t *testing.T) *place {
	t.Helper()
	p := &place{t: t, folder: filepath.Join(t.TempDir(), "data")}
	p.database = "sqlite:" + filepath.Join(p.folder, "admitto.db")
	p.flags = []string{"--data=" + p.folder, "--log.format=json"}
	return p
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

// command runs the real binary to its end.
func (p *place) command(args ...string) (code int, stdout, stderr string) {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	var out, errs bytes.Buffer
	cmd := exec.CommandContext(ctx, binary, append(args, p.flags...)...)
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		p.t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode(), out.String(), errs.String()
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

// firstKey makes the instance and a key in it, before any service has run.
func (p *place) firstKey(args ...string) string {
	p.t.Helper()
	if p.shared {
		p.must("migrate")
	}
	return p.must(append([]string{"keys", "create"}, args...)...)
}

// begin puts a database with the schema into the folder, as `admitto migrate` does.
func (p *place) begin() {
	p.t.Helper()
	if err := os.MkdirAll(p.folder, 0o700); err != nil {
		p.t.Fatal(err)
	}
	storetest.Migrated.Copy(p.t, filepath.Join(p.folder, "admitto.db"))
}

// service is a running `admitto serve`.
type service struct {
	t      *testing.T
	place  *place
	cmd    *exec.Cmd
	url    string // where it listens
	client *http.Client
	key    string
	stdout *buffer
	stderr *buffer
	exited chan struct{}
}

// buffer may be read while it is written.
type buffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (b *buffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.Write(p)
}

func (b *buffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.String()
}

// serve starts the service on a free port and waits until it answers.
func (p *place) serve(args ...string) *service {
	p.t.Helper()
	s := &service{t: p.t, place: p, stdout: &buffer{}, stderr: &buffer{}, exited: make(chan struct{})}
	s.cmd = exec.Command(binary, append(append([]string{"serve", "--listen=127.0.0.1:0"}, args...), p.flags...)...)
	s.cmd.Stdout = s.stdout
	pipe, err := s.cmd.StderrPipe()
	if err == nil {
		s.cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
		err = s.cmd.Start()
	}
	if err != nil {
		p.t.Fatal(err)
	}
	address := make(chan string, 1)
	go func() {
		defer close(s.exited)
		lines := bufio.NewScanner(io.TeeReader(pipe, s.stderr))
		for lines.Scan() {
			var line struct{ Msg, Address string }
			if json.Unmarshal(lines.Bytes(), &line) == nil && line.Msg == "serving" {
				address <- line.Address
			}
		}
		_ = s.cmd.Wait()
	}()
	p.t.Cleanup(func() {
		_ = s.cmd.Process.Kill()
		<-s.exited
		if p.t.Failed() {
			p.t.Log(s.stderr.String())
		}
	})
	select {
	case s.url = <-address:
	case <-s.exited:
		p.t.Fatalf("the service ended: %s", s.stderr)
	case <-wait.TooLong():
		p.t.Fatalf("the service does not start: %s", s.stderr)
	}
	s.client = p.trusting()
	wait.Until(p.t, "ready", func() bool {
		r, err := s.client.Get(s.url + "/readyz")
		if err != nil {
			return false
		}
		r.Body.Close()
		return r.StatusCode == 200
	})
	return s
}

// trusting is a client that trusts the service's own certificate and nothing else.
func (p *place) trusting() *http.Client {
	p.t.Helper()
	pem, err := os.ReadFile(filepath.Join(p.folder, "tls-cert.pem"))
	if err != nil {
		p.t.Fatal(err)
	}
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(pem)
	client := &http.Client{Timeout: time.Minute, Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: roots}}}
	p.t.Cleanup(client.CloseIdleConnections)
	return client
}

// end waits for the end of the process and returns its exit status; killed is -1.
func (s *service) end() int {
	s.t.Helper()
	select {
	case <-s.exited:
	case <-wait.TooLong():
		s.t.Fatal("the service does not end")
	}
	return s.cmd.ProcessState.ExitCode()
}

// terminate ends the service as systemd does.
func (s *service) terminate() {
	s.t.Helper()
	_ = s.cmd.Process.Signal(syscall.SIGTERM)
	if code := s.end(); code != 0 {
		s.t.Errorf("status %d after SIGTERM: %s", code, s.stderr)
	}
}

// answer is a response with its body read.
type answer struct {
	status int
	header http.Header
	body   string
}

// do sends a request with the key of the service.
func (s *service) do(method, path string, form url.Values) (answer, error) {
	r, err := http.NewRequest(method, s.url+path, strings.NewReader(form.Encode()))
	if err != nil {
		return answer{}, err
	}
	if form != nil {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	r.Header.Set("Authorization", `SERVICE apikey="`+s.key+`"`)
	return ask(s.client, r)
}

func ask(client *http.Client, r *http.Request) (answer, error) {
	response, err := client.Do(r)
	if err != nil {
		return answer{}, err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	return answer{response.StatusCode, response.Header, string(body)}, err
}

// want sends a request and fails the test unless it has the status.
func (s *service) want(status int, method, path string, form url.Values) answer {
	s.t.Helper()
	a, err := s.do(method, path, form)
	if err != nil || a.status != status {
		s.t.Fatalf("%s %s: %v, status %d, want %d: %s", method, path, err, a.status, status, a.body)
	}
	return a
}
