package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
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

// output runs a command and returns its standard output; the error has what it said.
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

// fillCached returns a data folder with so many invented applicants, which nobody may change. Of another build than the
// one that is measured the name says so.
func fillCached(ctx context.Context, binary, of string, applicants int, fresh bool) (string, error) {
	folder := filepath.Join(os.TempDir(), "admitto-bench-"+of+strconv.Itoa(applicants))
	return cached(folder, fresh, func(half string) error {
		say("Inventing %d applicants", applicants)
		return fill(ctx, binary, applicants, half)
	})
}

// cached returns a folder that an earlier run has left, or has it made. It gets its name when it is complete.
func cached(folder string, fresh bool, make func(half string) error) (string, error) {
	if fresh {
		if err := os.RemoveAll(folder); err != nil {
			return "", err
		}
	}
	if _, err := os.Stat(folder); err == nil {
		say("Data of an earlier run: %s (-fresh makes it anew)", folder)
		return folder, nil
	} else if !errors.Is(err, fs.ErrNotExist) {
		return "", err
	}
	half, err := os.MkdirTemp("", "admitto-bench-filling-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(half)
	if err := make(half); err != nil {
		return "", err
	}
	return folder, os.Rename(half, folder)
}

// fill runs admitto demo.
func fill(ctx context.Context, binary string, applicants int, data string, environment ...string) error {
	cmd := admitto(ctx, binary, "demo", "--applicants", strconv.Itoa(applicants), "--data", data)
	cmd.Env = append(cmd.Env, environment...)
	if onTerminal() {
		cmd.Stderr = os.Stderr // the demo draws its own bar
		return cmd.Run()
	}
	_, err := output(cmd)
	return err
}

// createKey makes an API key that may do everything, and returns what a client sends with it.
func createKey(ctx context.Context, binary, data string, environment ...string) (string, error) {
	made := admitto(ctx, binary, "migrate", "--data", data) // a key needs an instance
	made.Env = append(made.Env, environment...)
	if _, err := output(made); err != nil {
		return "", err
	}
	cmd := admitto(ctx, binary, "keys", "create", "--name=Benchmark", "--expires=1d", "--data", data)
	cmd.Env = append(cmd.Env, environment...)
	key, err := output(cmd)
	return `SERVICE apikey="` + strings.TrimSpace(key) + `"`, err
}

// server is a running admitto serve.
type server struct {
	process
	url     string
	metrics string // host:port; "" without
}

// quotaLimit is more than a run can reach.
const quotaLimit = 1_000_000

// startServer starts the service; environment is added to what it would have otherwise.
func startServer(ctx context.Context, binary, data, smtp string, o options, environment ...string) (*server, error) {
	limit := 0
	if o.quota {
		limit = quotaLimit
	}
	args := []string{"serve", "--data", data, "--listen=127.0.0.1:0", "--log.format=json", "--log.level=info",
		"--mail.smtp=smtp://" + smtp + "?tls=none", "--mail.from=admissions@example.org",
		fmt.Sprintf("--quota.per-minute=%d", limit), fmt.Sprintf("--quota.per-hour=%d", limit)}
	s := new(server)
	if o.profiles != "" || o.memory != "" {
		address, err := freeAddress()
		if err != nil {
			return nil, err
		}
		s.metrics = address
		args = append(args, "--metrics.listen="+address)
	}
	cmd := admitto(context.WithoutCancel(ctx), binary, args...)
	cmd.Env = append(cmd.Env, environment...)
	var err error
	if s.process, err = startProcess(cmd, filepath.Clean(data)+".log"); err != nil {
		return nil, err
	}
	if err := s.await(ctx, s.hasAddress); err != nil {
		s.stop()
		return nil, err
	}
	return s, nil
}

// hasAddress reads the log until it says where the service listens.
func (s *server) hasAddress() (bool, error) {
	text, err := os.ReadFile(s.log)
	if err != nil {
		return false, err
	}
	for line := range bytes.Lines(text) {
		var entry struct{ Msg, Address string }
		if json.Unmarshal(line, &entry) == nil && entry.Msg == "serving" {
			s.url = entry.Address
			return true, nil
		}
	}
	return false, nil
}
