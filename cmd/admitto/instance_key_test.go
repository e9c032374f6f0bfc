package main

import (
	"context"
	"crypto/ed25519"
	"encoding/base64"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/admitto/admitto/internal/apptest"
	"github.com/admitto/admitto/internal/config"
	"github.com/admitto/admitto/internal/seal"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/store/sqltest"
	"github.com/admitto/admitto/internal/wait"
)

// keysIn are the keys in the file of a place.
func (p *place) keysIn() [][]byte {
	p.t.Helper()
	text, err := os.ReadFile(filepath.Join(p.folder, keyFile))
	if err != nil {
		p.t.Fatal(err)
	}
	keys, err := config.DecodeKeys(string(text))
	if err != nil {
		p.t.Fatal(err)
	}
	return keys
}

// writing opens the database of a place to write.
func (p *place) writing(do func(s *store.Store)) {
	p.t.Helper()
	s, err := store.Open(context.Background(), p.database, p.opts)
	if err != nil {
		p.t.Fatal(err)
	}
	defer s.Close()
	do(s)
}

// sealMuch puts something sealed into each table that has such, and many forms.
func (p *place) sealMuch(forms int) {
	p.t.Helper()
	key := seal.KeyOf(p.keysIn()...)
	p.writing(func(s *store.Store) {
		err := s.Write(context.Background(), func(tx *store.Tx) error {
			q := sqltest.In(tx)
			exec := func(sql string, args ...any) {
				p.t.Helper()
				if _, err := q.Exec(sql, args...); err != nil {
					p.t.Fatal(err)
				}
			}
			smtp := base64.StdEncoding.EncodeToString(key.Seal("setting mail.smtp", []byte("smtp://u:p@mail.example:587")))
			exec("INSERT INTO setting (name, value) VALUES ('mail.smtp', $1)", smtp)
			exec("INSERT INTO outbox (kind, template, created, sealed, lease, lease_until) VALUES ('mail', 'x', 1, $1, 0, 0)",
				key.Seal("outbox", []byte("a mail")))
			exec("INSERT INTO administrator (id, name, email, second_factor, second_factor_new) VALUES (70, 'Mara', 'm@example.edu', $1, $1)",
				key.Seal("second factor", []byte("ABCD")))
			exec("INSERT INTO applicant (id, state, lead, registered, email, email_key) VALUES (70, 'live', FALSE, 1, 'i@example.org', 'i@example.org')")
			exec("INSERT INTO email (id, applicant_id, inserted, from_name, from_email, subject, message) VALUES (70, 70, 1, '', '', '', '')")
			exec("INSERT INTO failed_mail (email_id, sealed) VALUES (70, $1)", key.Seal("outbox", []byte("a mail")))
			for n := range forms {
				path := fmt.Sprintf("/f/%06d", n)
				exec("INSERT INTO stash (area, account_id, path, sealed, inserted) VALUES ('portal', 7, $1, $2, 1)", path,
					key.Seal("stash portal 7", []byte("typed")))
			}
			exec("INSERT INTO stash_file (area, account_id, path, field, size, sealed, inserted) VALUES ('portal', 7, '/f', 'file', 3, $1, 1)",
				key.Seal("stash portal 7", []byte("{}")))
			exec("INSERT INTO stash_part (area, account_id, path, field, start, sealed) VALUES ('portal', 7, '/f', 'file', 0, $1)",
				key.Seal("stash portal 7", []byte("abc")))
			exec("INSERT INTO sent_form (area, account_id, mark, begun, answer) VALUES ('portal', 7, $1, 1, $2)", []byte("m"),
				key.Seal("sent form portal 7", []byte("{}")))
			return nil
		})
		if err != nil {
			p.t.Fatal(err)
		}
	})
}

// sealedUnder fails unless everything is sealed under a key, so much of it.
func (p *place) sealedUnder(key []byte, want int) {
	p.t.Helper()
	only, n := seal.KeyOf(key), 0
	open := func(purpose string, sealed []byte) {
		n++
		if _, err := only.Open(purpose, sealed); err != nil {
			p.t.Errorf("a row under %q does not open", purpose)
		}
	}
	p.writing(func(s *store.Store) {
		_, _, err := s.SealAgain(context.Background(), func(r store.SealedRow) ([]byte, bool) {
			switch r.Table {
			case "sent_form":
				open(fmt.Sprintf("sent form %s %d", r.Area, r.Account), r.Sealed)
			case "outbox", "failed_mail":
				open("outbox", r.Sealed)
			case "administrator":
				open("second factor", r.Sealed)
			default:
				open(fmt.Sprintf("stash %s %d", r.Area, r.Account), r.Sealed)
			}
			return nil, false
		})
		if err != nil {
			p.t.Fatal(err)
		}
		now, former, err := s.InstanceKeys(context.Background())
		if err != nil || now != only.Fingerprint() || former != "" {
			p.t.Errorf("the database remembers %q and %q, %v", now, former, err)
		}
	})
	p.look(func(tx *store.Tx) error {
		saved, err := tx.SavedSettings()
		sealed, _ := base64.StdEncoding.DecodeString(saved["mail.smtp"])
		open("setting mail.smtp", sealed)
		return err
	})
	if n != want {
		p.t.Errorf("%d are sealed instead of %d", n, want)
	}
}

// rotate runs the command and wants its words.
func (p *place) rotate(status int, words string) {
	p.t.Helper()
	code, stdout, stderr := p.command("instance-key", "rotate")
	if code != status || !strings.Contains(stderr, words) || stdout != "" {
		p.t.Fatalf("status %d: %s%s", code, stderr, stdout)
	}
	if strings.Contains(stderr, base64.StdEncoding.EncodeToString(p.keysIn()[0])) {
		p.t.Fatal("a key is said")
	}
}

// TestInstanceKeyRotate seals everything under a new key, in one run where no service can run, and in two otherwise.
// What belongs to the former key alone is refused afterwards.
func TestInstanceKeyRotate(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, p *place) {
		p.firstKey("--name=CRM")
		former := p.keysIn()[0]
		p.sealMuch(45)
		if p.shared {
			p.rotate(0, "A new key stands in")
			if keys := p.keysIn(); len(keys) != 2 || string(keys[0]) != string(former) {
				t.Fatal("the file has other keys")
			}
			p.serve("--mail.smtp=").terminate() // starts with both
		}
		p.rotate(0, "53 secrets were sealed under the new key.")
		keys := p.keysIn()
		if len(keys) != 1 || string(keys[0]) == string(former) {
			t.Fatal("the file has other keys")
		}
		p.sealedUnder(keys[0], 53)
		kept, err := os.ReadFile(filepath.Join(p.folder, keyFile+".former"))
		if err != nil || strings.TrimSpace(string(kept)) != base64.StdEncoding.EncodeToString(former) {
			t.Error("the former key is not kept: ", err)
		}
		s := p.serve("--mail.smtp=")
		for _, key := range [][]byte{former, keys[0]} {
			public, _ := seal.KeyOf(key).Signer("receipt").Public().(ed25519.PublicKey)
			name := "receipt-key " + base64.StdEncoding.EncodeToString(public)
			if p.number("SELECT count(*) FROM instance WHERE name = $1", name) != 1 {
				t.Error("a public key of receipts is not remembered")
			}
		}
		s.terminate()
		code, _, stderr := p.command("keys", "list", "--instance.key="+base64.StdEncoding.EncodeToString(former))
		if code != 1 || !strings.Contains(stderr, "another instance key") {
			t.Errorf("the former key: status %d: %s", code, stderr)
		}
	})
}

// TestInstanceKeyNextToService changes the key next to a service: not before that has been started with both.
// In the long size only.
func TestInstanceKeyNextToService(t *testing.T) {
	if !apptest.Long() {
		return
	}
	t.Parallel()
	onSQLite(t, func(t *testing.T, p *place) {
		key := p.firstKey("--name=CRM")
		p.sealMuch(1)
		s := p.serve("--mail.smtp=")
		p.rotate(0, "start each service again")
		p.rotate(1, "was started before the new key was there")
		s.terminate()
		s = p.serve("--mail.smtp=")
		s.key = key
		p.rotate(0, "9 secrets were sealed under the new key.")
		p.sealedUnder(p.keysIn()[0], 9)
		s.want(200, "GET", "/api/v10/ping", nil)
		s.terminate()
		p.serve("--mail.smtp=").terminate()
	})
}

// TestInstanceKeyKilled kills the command somewhere: a service needs both keys then, and the next run finishes.
// In the long size only.
func TestInstanceKeyKilled(t *testing.T) {
	if !apptest.Long() {
		return
	}
	t.Parallel()
	onSQLite(t, func(t *testing.T, p *place) {
		p.firstKey("--name=CRM")
		p.sealMuch(3000)
		former := p.keysIn()[0]
		cmd := exec.Command(binary, append([]string{"instance-key", "rotate"}, p.flags...)...)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		ended := make(chan error, 1)
		go func() { ended <- cmd.Wait() }()
		sealed := seal.KeyOf(former)
		wait.Until(t, "something is sealed under the new key", func() bool {
			var first []byte
			p.look(func(tx *store.Tx) error {
				rows := sqltest.In(tx).Query("SELECT sealed FROM stash ORDER BY path LIMIT 1")
				if rows.Next() {
					first = rows.Bytes(0)
				}
				return rows.Close()
			})
			_, err := sealed.Open("stash portal 7", first)
			return err != nil
		})
		_ = cmd.Process.Kill()
		if err := <-ended; err == nil {
			t.Fatal("it was done before it was killed")
		}
		if len(p.keysIn()) != 2 || p.number("SELECT count(*) FROM instance WHERE name = 'instance-key-former'") != 1 {
			t.Fatal("it was killed too late or too early")
		}
		now := base64.StdEncoding.EncodeToString(p.keysIn()[1])
		code, _, stderr := p.command("keys", "list", "--instance.key="+now)
		if code != 1 || !strings.Contains(stderr, "the former one is needed, too") {
			t.Errorf("without the former key: status %d: %s", code, stderr)
		}
		p.serve("--mail.smtp=").terminate()
		p.rotate(0, "secrets were sealed under the new key.")
		p.sealedUnder(p.keysIn()[0], 3008)

		// Killed before the file was written last, it makes no further key.
		both := base64.StdEncoding.EncodeToString(former) + "\n" + now + "\n"
		if err := os.WriteFile(filepath.Join(p.folder, keyFile), []byte(both), 0o600); err != nil {
			t.Fatal(err)
		}
		p.rotate(0, "Done.")
		if keys := p.keysIn(); len(keys) != 1 || base64.StdEncoding.EncodeToString(keys[0]) != now {
			t.Error("the file has other keys")
		}
	})
}

// TestInstanceKeyAsSetting changes a key that is given as a setting: the operator puts the new one there.
func TestInstanceKeyAsSetting(t *testing.T) {
	t.Parallel()
	onSQLite(t, func(t *testing.T, p *place) {
		former, fresh := seal.NewKey().Encode(), seal.NewKey().Encode()
		file := filepath.Join(t.TempDir(), "key")
		p.flags = append(p.flags, "--instance.key-file="+file)
		put := func(keys ...string) {
			if err := os.WriteFile(file, []byte(strings.Join(keys, "\n")+"\n"), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		put(former)
		p.firstKey("--name=CRM")
		for _, c := range []struct {
			status int
			words  string
			then   []string
		}{
			{1, "put a new one", []string{former, fresh}},
			{0, "Take the former key", []string{fresh}},
			{1, "put a new one", []string{fresh}},
		} {
			code, _, stderr := p.command("instance-key", "rotate")
			if code != c.status || !strings.Contains(stderr, c.words) {
				t.Errorf("status %d: %s", code, stderr)
			}
			put(c.then...)
		}
		p.must("keys", "list")
		for _, usage := range [][]string{{"instance-key"}, {"instance-key", "rotate", "now"}, {"instance-key", "turn"}} {
			if code, _, stderr := p.command(usage...); code != 2 || !strings.Contains(stderr, "Usage") {
				t.Errorf("%v: status %d: %s", usage, code, stderr)
			}
		}
	})
}
