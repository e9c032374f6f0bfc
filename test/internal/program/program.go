// Package program builds, starts and ends the product for the tests of this module.
package program

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/admitto/admitto/internal/wait"
)

// built is the program as the source is, once a process.
var built = sync.OnceValues(func() (string, error) {
	folder, err := os.MkdirTemp("", "admitto-test-")
	if err != nil {
		return "", err
	}
	path := filepath.Join(folder, "admitto")
	return path, build(path)
})

// build runs in the module of the product, with the versions that it has: tests run in a folder of test.
func build(path string, flags ...string) error {
	cmd := exec.Command("go", append(append([]string{"build", "-o", path}, flags...), "./cmd/admitto")...)
	cmd.Dir = filepath.Join("..", "..")
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("the program cannot be built: %w\n%s", err, out)
	}
	return nil
}

// Main runs the tests of a package that uses Path, and removes the program afterwards.
func Main(m *testing.M) {
	code := m.Run()
	if path, err := built(); err == nil {
		_ = os.RemoveAll(filepath.Dir(path))
	}
	os.Exit(code)
}

// Path returns where the program is, which the first call builds.
func Path(t testing.TB) string {
	t.Helper()
	path, err := built()
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// Build builds the program with more flags of go build, such as -overlay.
func Build(t testing.TB, flags ...string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "admitto")
	if err := build(path, flags...); err != nil {
		t.Fatal(err)
	}
	return path
}

// Run runs a program to its end.
func Run(ctx context.Context, t testing.TB, path string, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	cmd := exec.CommandContext(ctx, path, args...)
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode(), out.String(), errs.String()
}

// Must runs a program, which must succeed, and returns its standard output without space around it.
func Must(t testing.TB, path string, args ...string) string {
	t.Helper()
	code, stdout, stderr := Run(t.Context(), t, path, args...)
	if code != 0 {
		t.Fatalf("%s %s: status %d\n%s", path, strings.Join(args, " "), code, stderr)
	}
	return strings.TrimSpace(stdout)
}

// Service is a running `admitto serve`.
type Service struct {
	t   testing.TB
	Cmd *exec.Cmd
	URL string // where it listens

	log    tail
	exited chan struct{}
}

// Serve starts the program, on a free port unless the arguments name another one, and waits until it serves. It is
// killed when the test ends.
func Serve(t testing.TB, path string, args ...string) *Service {
	t.Helper()
	if !slices.ContainsFunc(args, func(arg string) bool { return strings.HasPrefix(arg, "--listen=") }) {
		args = append(args, "--listen=127.0.0.1:0")
	}
	s := &Service{t: t, exited: make(chan struct{}),
		Cmd: exec.Command(path, append([]string{"serve"}, args...)...)}
	dieWithTest(s.Cmd)
	pipe, err := s.Cmd.StderrPipe()
	if err == nil {
		err = s.Cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	address := make(chan string, 1)
	go func() {
		defer close(s.exited)
		lines := bufio.NewReader(io.TeeReader(pipe, &s.log))
		for serving := false; ; {
			text, err := lines.ReadBytes('\n')
			var line struct{ Msg, Address string }
			if !serving && json.Unmarshal(text, &line) == nil && line.Msg == "serving" {
				serving = true
				address <- line.Address
			}
			if err != nil {
				break
			}
		}
		_ = s.Cmd.Wait()
	}()
	t.Cleanup(func() {
		s.Kill()
		if text := s.Log(); t.Failed() {
			t.Log(text[max(0, len(text)-6000):])
		}
	})
	select {
	case s.URL = <-address:
	case <-s.exited:
		t.Fatalf("the service ended: %s", s.Log())
	case <-wait.TooLong():
		t.Fatalf("the service does not start: %s", s.Log())
	}
	return s
}

// Log returns what the service has said, the last megabyte of it.
func (s *Service) Log() string { return s.log.String() }

// Kill ends the service with SIGKILL.
func (s *Service) Kill() {
	_ = s.Cmd.Process.Kill()
	<-s.exited
}

// Ended is closed when the service has ended.
func (s *Service) Ended() <-chan struct{} { return s.exited }

// End waits for the end of the process and returns its exit status.
func (s *Service) End() int {
	s.t.Helper()
	select {
	case <-s.exited:
	case <-wait.TooLong():
		s.t.Fatal("the service does not end")
	}
	return s.Cmd.ProcessState.ExitCode()
}

// Terminate ends the service as systemd does.
func (s *Service) Terminate() {
	s.t.Helper()
	_ = s.Cmd.Process.Signal(syscall.SIGTERM)
	if code := s.End(); code != 0 {
		s.t.Errorf("status %d after SIGTERM", code)
	}
}

// tail may be read while it is written.
type tail struct {
	mu sync.Mutex
	b  []byte
}

func (b *tail) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.b = append(b.b, p...)
	if len(b.b) > 2<<20 {
		b.b = append([]byte(nil), b.b[1<<20:]...)
	}
	return len(p), nil
}

func (b *tail) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return string(b.b)
}
