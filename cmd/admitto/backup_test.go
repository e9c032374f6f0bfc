package main

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/admitto/admitto/internal/apptest"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/wait"
)

// A backup is made next to a running service, on the same database; what is acknowledged before it is in it.
// In the long size only.
func TestBackupNextToService(t *testing.T) {
	if !apptest.Long() {
		return
	}
	t.Parallel()
	onEach(t, func(t *testing.T, p *place) {
		key := p.firstKey("--name=CRM")
		s := p.serve("--quota.per-minute=0", "--quota.per-hour=0")
		s.key = key
		last := s.want(201, "POST", "/api/v10/applicants", person("a@example.org")).header.Get("Location")
		file := filepath.Join(t.TempDir(), "backup.tar.zst")
		p.must("backup", file)
		s.want(201, "POST", "/api/v10/applicants", person("b@example.org"))
		s.terminate()

		again := emptyPlace(t)
		again.must("restore", file)
		copyFile(t, filepath.Join(p.folder, keyFile), filepath.Join(again.folder, keyFile))
		if n := again.number("SELECT count(*) FROM applicant"); n != 1 {
			t.Errorf("%d applicants, want the one from before the backup", n)
		}
		again.must("journal", "verify")
		s = again.serve()
		s.key = key // keys come along
		next := s.want(201, "POST", "/api/v10/applicants", person("b@example.org")).header.Get("Location")
		if len(next) <= len(last) || again.number("SELECT max(id) FROM applicant") <= 100_000 {
			t.Errorf("the next applicant is %s, after %s", next, last)
		}
		s.terminate()
	})
}

func copyFile(t *testing.T, from, to string) {
	t.Helper()
	data, err := os.ReadFile(from)
	if err == nil {
		err = os.WriteFile(to, data, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// A restore that is killed leaves an instance that says so in every command, and that a further restore makes whole.
func TestKilledRestore(t *testing.T) {
	if !apptest.Long() {
		return
	}
	origin := newPlace(t)
	origin.must("demo", "--applicants=100")
	anchor := origin.must("journal", "anchor")
	file := filepath.Join(t.TempDir(), "backup.tar.zst")
	origin.must("backup", file)
	onEach(t, func(t *testing.T, p *place) {
		for _, percent := range []int{1, 30, 60, 100} { // the last has all rows, and has not committed
			cmd := exec.Command(standing, append([]string{"restore", file}, p.flags...)...)
			cmd.Env = append(os.Environ(), fmt.Sprintf("ADMITTO_TEST_STAND=%d", percent))
			cmd.Stderr = os.Stderr
			says, err := cmd.StdoutPipe()
			if err == nil {
				err = cmd.Start()
			}
			if err != nil {
				t.Fatal(err)
			}
			line, err := bufio.NewReader(says).ReadString('\n')
			if line != "standing\n" {
				t.Errorf("at %d%%: %q, %v", percent, line, err)
			}
			_ = cmd.Process.Kill()
			if cmd.Wait() == nil {
				t.Fatal("the restore ended by itself")
			}
			wait.Until(t, "the database lets go of the dead", p.isHalf)
			for _, command := range []string{"serve", "migrate", "keys list", "journal verify", "backup " + file + ".2"} {
				if code, _, stderr := p.command(strings.Fields(command)...); code == 0 ||
					!strings.Contains(stderr, "half restored") {
					t.Fatalf("%s: status %d\n%s", command, code, stderr)
				}
			}
		}
		p.must("restore", file)
		copyFile(t, filepath.Join(origin.folder, keyFile), filepath.Join(p.folder, keyFile))
		p.must("journal", "verify")
		if got := p.must("journal", "anchor"); got != anchor {
			t.Errorf("the journal ends with %s, want %s", got, anchor)
		}
	})
}

// isHalf reports whether the mark of a restore can be seen.
func (p *place) isHalf() bool {
	if path, ok := strings.CutPrefix(p.database, "sqlite:"); ok {
		if _, err := os.Stat(path); err != nil {
			return false
		}
	}
	s, err := store.Open(context.Background(), p.database, p.opts)
	if err != nil {
		return false
	}
	defer s.Close()
	return strings.Contains(errorText(s.Ready(context.Background())), "half restored")
}

func errorText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// A source that is being served is not copied, and a copy is served like the source.
func TestCopyToTheOtherEngine(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, p *place) {
		origin := newPlace(t)
		origin.must("demo", "--applicants=20")
		key := origin.must("keys", "create", "--name=CRM")
		to := p.database
		if p.shared {
			to += "&search_path=" + p.opts.Schema
		}
		args := []string{"copy", "--from=" + origin.database, "--to=" + to,
			"--from-files=" + filepath.Join(origin.folder, "files"), "--to-files=" + filepath.Join(p.folder, "files")}
		s := origin.serve()
		if code, _, stderr := p.command(args...); code != 1 || !strings.Contains(stderr, "another admitto serve runs") {
			t.Fatalf("beside a service: status %d\n%s", code, stderr)
		}
		s.terminate()
		p.must(args...)
		copyFile(t, filepath.Join(origin.folder, keyFile), filepath.Join(p.folder, keyFile))
		p.must("journal", "verify")
		s = p.serve()
		s.key = key
		s.want(200, "GET", "/api/v10/applicants", nil)
		s.terminate()
	})
}
