package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// database is the name of the database file in a data folder.
const database = "admitto.db"

// build builds the binary the way it is released: static, by its own go.mod.
func build(ctx context.Context, source, binary string) error {
	text, err := os.ReadFile(filepath.Join(source, "go.mod"))
	if err != nil || !bytes.HasPrefix(text, []byte("module github.com/admitto/admitto\n")) {
		return fmt.Errorf("%s is not the folder of Admitto; run this in bench/ or name the folder with -source", source)
	}
	cmd := exec.CommandContext(ctx, "go", "build", "-trimpath", "-buildvcs=false", "-o", binary, "./cmd/admitto")
	cmd.Dir = source
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOWORK=off")
	_, err = output(cmd)
	return err
}

// output runs a command and gives its standard output; the error has what it said.
func output(cmd *exec.Cmd) (string, error) {
	var out, said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &said
	if err := cmd.Run(); err != nil {
		return "", fmt.Errorf("%s: %w\n%s", strings.Join(cmd.Args, " "), err, said.String())
	}
	return out.String(), nil
}

// admitto is the binary with an environment in which no setting of the person's own can be.
func admitto(ctx context.Context, binary string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, binary, args...)
	for _, line := range os.Environ() {
		if !strings.HasPrefix(line, "ADMITTO_") {
			cmd.Env = append(cmd.Env, line)
		}
	}
	return cmd
}

// fillCached gives a data folder with so many invented applicants, which nobody may change.
func fillCached(ctx context.Context, binary string, o options) (string, error) {
	folder := filepath.Join(os.TempDir(), "admitto-bench-"+strconv.Itoa(o.applicants))
	if o.fresh {
		if err := os.RemoveAll(folder); err != nil {
			return "", err
		}
	}
	if _, err := os.Stat(filepath.Join(folder, database)); err == nil {
		say("Data of an earlier run: %s (-fresh makes it anew)", folder)
		return folder, nil
	} else if !errors.Is(err, fs.ErrNotExist) {
		return "", err
	}
	say("Inventing %d applicants", o.applicants)
	// It gets its name when it is complete.
	half, err := os.MkdirTemp("", "admitto-bench-filling-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(half)
	cmd := admitto(ctx, binary, "demo", "--applicants", strconv.Itoa(o.applicants), "--data", half)
	if onTerminal() {
		cmd.Stderr = os.Stderr // the demo draws its own bar
		err = cmd.Run()
	} else {
		_, err = output(cmd)
	}
	if err != nil {
		return "", err
	}
	return folder, os.Rename(half, folder)
}

// createKey makes an API key that may do everything.
func createKey(ctx context.Context, binary, data string) (string, error) {
	key, err := output(admitto(ctx, binary, "keys", "create", "--name=Benchmark", "--expires=1d", "--data", data))
	return strings.TrimSpace(key), err
}

// server is a running admitto serve.
type server struct {
	cmd     *exec.Cmd
	ended   chan struct{} // closed when the process is gone
	url     string
	metrics string // host:port; "" without
}

// quotaLimit is more than a run can reach.
const quotaLimit = 1_000_000

func startServer(ctx context.Context, binary, data, smtp string, o options) (*server, error) {
	limit := 0
	if o.quota {
		limit = quotaLimit
	}
	args := []string{"serve", "--data", data, "--listen=127.0.0.1:0", "--log.format=json", "--log.level=info",
		"--mail.smtp=smtp://" + smtp + "?tls=none", "--mail.from=admissions@example.org",
		fmt.Sprintf("--quota.per-minute=%d", limit), fmt.Sprintf("--quota.per-hour=%d", limit)}
	s := &server{ended: make(chan struct{})}
	if o.profiles != "" {
		address, err := freePort()
		if err != nil {
			return nil, err
		}
		s.metrics = address
		args = append(args, "--metrics.listen="+address)
	}
	logPath := filepath.Join(filepath.Dir(data), "serve.log")
	logFile, err := os.Create(logPath)
	if err != nil {
		return nil, err
	}
	defer logFile.Close()
	// It is stopped by stop and not by the context, so that it can end in order.
	s.cmd = admitto(context.WithoutCancel(ctx), binary, args...)
	s.cmd.Stdout, s.cmd.Stderr = logFile, logFile
	if err := s.cmd.Start(); err != nil {
		return nil, err
	}
	go func() {
		_ = s.cmd.Wait()
		close(s.ended)
	}()
	if s.url, err = s.awaitAddress(ctx, logPath); err != nil {
		s.stop()
		return nil, err
	}
	return s, nil
}

// freePort finds a port of this machine that is free now.
func freePort() (string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	defer l.Close()
	return l.Addr().String(), nil
}

// awaitAddress reads the log until it says where the service listens.
func (s *server) awaitAddress(ctx context.Context, logPath string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	for {
		text, err := os.ReadFile(logPath)
		if err != nil {
			return "", err
		}
		for line := range bytes.Lines(text) {
			var entry struct{ Msg, Address string }
			if json.Unmarshal(line, &entry) == nil && entry.Msg == "serving" {
				return entry.Address, nil
			}
		}
		select {
		case <-time.After(20 * time.Millisecond):
		case <-s.ended:
			text, _ := os.ReadFile(logPath) // what it said last
			return "", fmt.Errorf("admitto serve ended:\n%s", text)
		case <-ctx.Done():
			return "", fmt.Errorf("admitto serve does not serve: %w\n%s", ctx.Err(), text)
		}
	}
}

// stop ends the service in order, and waits for that.
func (s *server) stop() {
	_ = s.cmd.Process.Signal(syscall.SIGTERM)
	select {
	case <-s.ended:
	case <-time.After(40 * time.Second):
		_ = s.cmd.Process.Kill()
		<-s.ended
	}
}

// peak gives the most memory the process had since forgetPeak, in bytes; 0 where the system does not tell.
func (s *server) peak() int64 {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", s.cmd.Process.Pid))
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(text), "\nVmHWM:")
	kilobytes, _, _ := strings.Cut(rest, "kB")
	n, _ := strconv.ParseInt(strings.TrimSpace(kilobytes), 10, 64)
	return n << 10
}

// forgetPeak begins the peak anew, at what the process has now. Where that is not allowed the peak is that of
// the whole run.
func (s *server) forgetPeak() {
	_ = os.WriteFile(fmt.Sprintf("/proc/%d/clear_refs", s.cmd.Process.Pid), []byte("5"), 0)
}
