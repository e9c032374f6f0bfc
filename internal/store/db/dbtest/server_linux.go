package dbtest

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/admitto/admitto/internal/wait"
)

// Server is a PostgreSQL of one test alone, which may be killed and stopped. Unlike the one that tests share it writes
// to the disk as in production.
type Server struct {
	// URL is that of a user who may do everything; it stays the same over Kill and Start.
	URL string

	t        testing.TB
	dir      string
	as       *syscall.Credential
	postgres string
	port     string
	settings []string
	cmd      *exec.Cmd
	exited   <-chan struct{}
}

// NewServer makes a database cluster and starts a server on it, which ends with the test. Settings are those of
// postgres -c. Without PostgreSQL on the machine the test is skipped, or fails when ADMITTO_TEST_NOSKIP is 1.
func NewServer(t testing.TB, settings ...string) *Server {
	t.Helper()
	initdb, postgres, err := find()
	if err != nil && os.Getenv("ADMITTO_TEST_NOSKIP") != "1" {
		t.Skip("PostgreSQL is missing: install it (apt-get install postgresql)")
	}
	s := &Server{t: t, postgres: postgres, settings: settings}
	if err == nil {
		s.as, err = unprivileged()
	}
	if err == nil {
		s.dir, err = newFolder(s.folder(), s.as)
	}
	if err == nil {
		s.port, err = freePort()
	}
	if err != nil {
		t.Fatal(err)
	}
	s.URL = "postgres://postgres@127.0.0.1:" + s.port + "/postgres?sslmode=disable"
	if err := newCluster(initdb, s.dir, s.as); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		s.Kill()
		_ = os.RemoveAll(s.dir)
	})
	s.Start()
	return s
}

// folder is where the folder of the server is: on the disk, unless its settings say that nothing must get there.
func (s *Server) folder() string {
	if slices.Contains(s.settings, "fsync=off") {
		return quickFolder()
	}
	return os.TempDir()
}

func (s *Server) data() string { return filepath.Join(s.dir, "data") }

// Start starts the server and returns when it answers. After Kill it recovers from its log first.
func (s *Server) Start() {
	s.t.Helper()
	args := []string{"-D", s.data(), "-h", "127.0.0.1", "-p", s.port, "-k", s.dir}
	for _, setting := range s.settings {
		args = append(args, "-c", setting)
	}
	deadline := time.Now().Add(time.Minute)
	for {
		log, err := os.OpenFile(filepath.Join(s.dir, "log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
		if err != nil {
			s.t.Fatal(err)
		}
		s.cmd = command(s.dir, &syscall.SysProcAttr{Credential: s.as, Pdeathsig: syscall.SIGQUIT}, s.postgres, args...)
		s.cmd.Stdout, s.cmd.Stderr = log, log
		s.exited, err = startForLife(s.cmd)
		_ = log.Close()
		if err != nil {
			s.t.Fatal(err)
		}
		// It ends at once while processes of its predecessor are still going.
		if s.answers(deadline) {
			return
		}
		if time.Now().After(deadline) {
			s.t.Fatalf("postgres does not start: %s", s.Log())
		}
	}
}

// Log is what the server has written to its log so far.
func (s *Server) Log() string {
	text, _ := os.ReadFile(filepath.Join(s.dir, "log"))
	return string(text)
}

// answers waits until the server answers; false when it ended instead.
func (s *Server) answers(deadline time.Time) bool {
	up := func() bool { return try(s.URL, "SELECT 1") == nil }
	return wait.Ever(func() bool { return !time.Now().Before(deadline) || up() }, s.exited) && up()
}

// Kill ends the server and all its processes with SIGKILL. Killing one that does not run is harmless.
func (s *Server) Kill() {
	if s.cmd == nil {
		return
	}
	s.signal(syscall.SIGKILL)
	<-s.exited
	s.cmd = nil
}

// Stop stops all processes of the server where they are; connections stay open and nobody answers.
func (s *Server) Stop() { s.signal(syscall.SIGSTOP) }

// Continue lets them go on.
func (s *Server) Continue() { s.signal(syscall.SIGCONT) }

// signal sends the signal to the first process, which then makes no others, and to those it has made.
func (s *Server) signal(signal syscall.Signal) {
	children, err := childrenOf(s.cmd.Process.Pid)
	if err := errors.Join(err, s.cmd.Process.Signal(signal)); err != nil && !errors.Is(err, os.ErrProcessDone) {
		s.t.Error(err)
	}
	for _, pid := range children {
		_ = syscall.Kill(pid, signal) // one may have ended meanwhile
	}
}

// childrenOf lists the processes that a process has started.
func childrenOf(parent int) (list []int, err error) {
	stats, err := filepath.Glob("/proc/[0-9]*/stat")
	for _, path := range stats {
		text, err := os.ReadFile(path)
		if err != nil {
			continue // it has ended
		}
		// pid (name) state parent …; the name may have brackets and spaces in it.
		fields := strings.Fields(string(text[strings.LastIndexByte(string(text), ')')+1:]))
		if len(fields) < 2 || fields[1] != fmt.Sprint(parent) {
			continue
		}
		if pid, err := strconv.Atoi(filepath.Base(filepath.Dir(path))); err == nil {
			list = append(list, pid)
		}
	}
	return list, err
}
