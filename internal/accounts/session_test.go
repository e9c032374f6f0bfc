package accounts_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/iotest"
	"time"

	"github.com/admitto/admitto/internal/accounts"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/services/servicestest"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/store/sqltest"
)

// run runs a statement.
func run(t *testing.T, d *servicestest.Desk, sql string, args ...any) {
	t.Helper()
	err := d.Store.Write(t.Context(), func(tx *store.Tx) error {
		_, err := sqltest.In(tx).Exec(sql, args...)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// staff makes an administrator with a password ("" for none) and roles.
func staff(t *testing.T, d *servicestest.Desk, id int64, email, hash string, roles ...int64) {
	t.Helper()
	run(t, d, "INSERT INTO administrator (id, name, email, email_key, password) VALUES ($1, $2, $3, $3, $4)", id,
		fmt.Sprintf("Member %d", id), email, hash)
	for _, role := range roles {
		run(t, d, "INSERT INTO role (id, name) VALUES ($1, 'Role') ON CONFLICT (id) DO NOTHING", role)
		run(t, d, "INSERT INTO administrator_role (administrator_id, role_id) VALUES ($1, $2)", id, role)
	}
}

const newApplicant = `INSERT INTO applicant (id, type, registered, email, email_key, state, lead)
	VALUES (60, 'Natural', 1, 'a@example.org', 'a@example.org', 'live', FALSE)`

// keep commits a session with values and fails when it cannot.
func keep(t *testing.T, s *accounts.SessionStore, token string, values map[string]any) {
	t.Helper()
	b, err := accounts.SessionCodec{}.Encode(time.Time{}, values)
	if err == nil {
		err = s.CommitCtx(t.Context(), token, b, time.Time{})
	}
	if err != nil {
		t.Fatal(err)
	}
}

// values finds a session; nil when it does not count.
func values(t *testing.T, s *accounts.SessionStore, token string) map[string]any {
	t.Helper()
	b, found, err := s.FindCtx(t.Context(), token)
	if err != nil {
		t.Fatal(err)
	}
	if !found {
		return nil
	}
	_, got, err := accounts.SessionCodec{}.Decode(b)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func TestSessionLimits(t *testing.T) {
	servicestest.BySize(t, func(t *testing.T, d *servicestest.Desk) {
		staff(t, d, 50, "kim@example.edu", "", 1)
		run(t, d, newApplicant)
		admin := d.Services.Accounts.SessionStore(accounts.Administration)
		portal := d.Services.Accounts.SessionStore(accounts.Portal)
		now := func() int64 { return int64(d.Clock.Now()) / 1000 }
		keep(t, admin, "a", map[string]any{"account": int64(50), "begun": now(), "agent": "Firefox", "csrf": "x"})
		keep(t, portal, "p", map[string]any{"account": int64(60), "begun": now()})
		keep(t, portal, "nobody", map[string]any{"flash": "x"})
		if values(t, portal, "a") != nil || values(t, admin, "p") != nil || values(t, admin, "none") != nil {
			t.Error("a session of the other area counts")
		}
		if got := values(t, admin, "a"); got["account"] != int64(50) || got["csrf"] != "x" || got["session"] == nil {
			t.Errorf("%v", got)
		}
		if d.Number("SELECT count(*) FROM session WHERE hash = $1", []byte("a")) != 0 || d.Readable("\"a\"") {
			t.Error("tokens are stored")
		}
		d.Clock.Add(8*admitto.Hour - 1)
		if values(t, admin, "a") == nil || values(t, portal, "nobody") == nil {
			t.Error("a session ended early")
		}
		d.Clock.Add(8*admitto.Hour - 1) // it was used meanwhile
		if values(t, admin, "a") == nil || values(t, portal, "p") != nil {
			t.Error("use does not prolong, or 12 hours without use do not end")
		}
		d.Clock.Add(8*admitto.Hour + 2) // the 24 hours in all are over
		if values(t, admin, "a") != nil {
			t.Error("a session of staff lasts for more than 24 hours")
		}
		keep(t, portal, "new", map[string]any{})
		if err := d.Services.Accounts.TidyAccounts(t.Context(), admitto.SystemCaller()); err != nil ||
			d.Count("session") != 1 {
			t.Errorf("%d sessions are left, %v", d.Count("session"), err)
		}
	})
}

// Looking at pages does not write for each of them.
func TestSessionTouch(t *testing.T) {
	servicestest.BySize(t, func(t *testing.T, d *servicestest.Desk) {
		s := d.Services.Accounts.SessionStore(accounts.Portal)
		keep(t, s, "p", map[string]any{})
		seen := func() admitto.Time { return admitto.Time(d.Number("SELECT seen FROM session")) }
		first := seen()
		d.Clock.Add(admitto.Minute)
		if values(t, s, "p"); seen() != first {
			t.Error("a use within a minute is noted")
		}
		d.Clock.Add(1)
		if values(t, s, "p"); seen() != d.Clock.Now() {
			t.Error("a use is not noted")
		}
	})
}

// A session ends at once on all instances, and a request that is under way does not bring it back.
func TestSessionEnds(t *testing.T) {
	servicestest.BySize(t, func(t *testing.T, d *servicestest.Desk) {
		staff(t, d, 50, "kim@example.edu", "", 1)
		here := d.Services.Accounts.SessionStore(accounts.Administration)
		there := d.Another(d.Store, d.Post, nil).Accounts.SessionStore(accounts.Administration)
		keep(t, here, "a", map[string]any{"account": int64(50)})
		underWay := values(t, there, "a")
		if err := here.DeleteCtx(t.Context(), "a"); err != nil {
			t.Fatal(err)
		}
		keep(t, there, "a", underWay)
		if values(t, here, "a") != nil {
			t.Error("a session that was ended is back")
		}
		keep(t, there, "renewed", underWay) // with another token it is another session
		if values(t, here, "renewed") == nil {
			t.Error("a session cannot have another token")
		}
		for _, change := range []string{"suspended = TRUE", "removed = TRUE", "valid_until = '2026-03-08'"} {
			run(t, d, "UPDATE administrator SET "+change)
			if values(t, here, "renewed") != nil {
				t.Errorf("%s: the session counts", change)
			}
			run(t, d, "UPDATE administrator SET suspended = FALSE, removed = FALSE, valid_until = '2026-03-09'")
			if values(t, here, "renewed") == nil {
				t.Errorf("after %s: the session does not count", change)
			}
		}
		run(t, d, "DELETE FROM administrator_role")
		run(t, d, "DELETE FROM administrator")
		if values(t, here, "renewed") != nil {
			t.Error("a session of nobody counts")
		}
	})
}

func TestSessionOfApplicants(t *testing.T) {
	servicestest.BySize(t, func(t *testing.T, d *servicestest.Desk) {
		run(t, d, newApplicant)
		s := d.Services.Accounts.SessionStore(accounts.Portal)
		keep(t, s, "p", map[string]any{"account": int64(60)})
		for _, state := range []string{"blocked", "recovery", "pending"} {
			run(t, d, "UPDATE applicant SET state = $1", state)
			if values(t, s, "p") != nil {
				t.Errorf("%s: the session counts", state)
			}
		}
		run(t, d, "UPDATE applicant SET state = 'live'")
		if values(t, s, "p") == nil {
			t.Error("the session does not count")
		}
	})
}

func TestKeptForms(t *testing.T) {
	servicestest.BySize(t, func(t *testing.T, d *servicestest.Desk) {
		a, ctx := d.Services.Accounts, t.Context()
		for i := range 25 {
			d.Clock.Add(1)
			if err := a.KeepForm(ctx, accounts.Portal, 7, fmt.Sprintf("/my/%d", i), []byte("typed text")); err != nil {
				t.Fatal(err)
			}
		}
		if n := d.Count("stash"); n != 20 {
			t.Errorf("%d forms are kept", n)
		}
		if form, err := a.KeptForm(ctx, accounts.Portal, 7, "/my/24"); string(form) != "typed text" || err != nil {
			t.Errorf("%q, %v", form, err)
		}
		for _, other := range []struct {
			area    accounts.Area
			account int64
			path    string
		}{{accounts.Administration, 7, "/my/24"}, {accounts.Portal, 8, "/my/24"}, {accounts.Portal, 7, "/my/4"}} {
			if form, err := a.KeptForm(ctx, other.area, other.account, other.path); form != nil || err != nil {
				t.Errorf("%v: %q, %v", other, form, err)
			}
		}
		if d.Readable("typed text") {
			t.Error("a form is kept readable")
		}
		err := a.KeepForm(ctx, accounts.Portal, 7, "/my/x", make([]byte, accounts.MaxStash+1))
		servicestest.WantKind(t, err, admitto.TooLarge)
		if err := a.DropForm(ctx, accounts.Portal, 7, "/my/24"); err != nil || d.Count("stash") != 19 {
			t.Errorf("%d forms are kept, %v", d.Count("stash"), err)
		}
		d.Clock.Add(24 * admitto.Hour)
		if form, err := a.KeptForm(ctx, accounts.Portal, 7, "/my/23"); form != nil || err != nil {
			t.Errorf("%q, %v", form, err)
		}
		if err := a.TidyAccounts(ctx, admitto.SystemCaller()); err != nil || d.Count("stash") != 0 {
			t.Errorf("%d forms are kept, %v", d.Count("stash"), err)
		}
	})
}

// letters are so many bytes of which no part is like another.
func letters(n int) []byte {
	all := make([]byte, n)
	for i := range all {
		all[i] = byte(i>>16) ^ byte(i>>8) ^ byte(i)
	}
	return all
}

// TestFileArrives keeps a file that comes in pieces of any size, and gives it back as it was.
func TestFileArrives(t *testing.T) {
	servicestest.OnBoth(t, func(t *testing.T, d *servicestest.Desk) {
		a, whole := d.Services.Accounts, letters(3<<20+17)
		const area, account, path = accounts.Portal, 7, "/my/form"
		f, err := a.BeginFile(t.Context(), area, account, path, accounts.KeptFile{Field: "file", Name: "ä.pdf",
			Type: "application/pdf", Size: int64(len(whole))}, false)
		d.Must(err)
		broken := errors.New("the line broke")
		for _, n := range []int{0, 1, 1 << 20, 5, 1<<20 - 6, 300_000, 0} {
			at := int(f.Arrived)
			piece := io.MultiReader(bytes.NewReader(whole[at:at+n]), iotest.ErrReader(broken))
			if f, err = a.AddToFile(t.Context(), area, account, f, piece); !errors.Is(err, broken) || int(f.Arrived) != at+n {
				t.Fatalf("%d bytes more: %d, %v", n, f.Arrived, err)
			}
		}
		if found, err := a.ArrivingFile(t.Context(), area, account, f.ID); err != nil || found.Arrived != f.Arrived {
			t.Fatal(found, err)
		}
		if _, err := a.ArrivingFile(t.Context(), area, account+1, f.ID); admitto.KindOf(err) != admitto.NotFound {
			t.Error("somebody else finds it: ", err)
		}
		d.Must(a.DropForm(t.Context(), area, account, path))
		list, err := a.KeptFiles(t.Context(), area, account, path)
		if err != nil || len(list) != 1 || list[0].Whole() || list[0].Name != "ä.pdf" || list[0].Field != "file" {
			t.Fatal(list, err)
		}
		stale := f
		f, err = a.AddToFile(t.Context(), area, account, f, bytes.NewReader(whole[f.Arrived:]))
		if err != nil || !f.Whole() {
			t.Fatal(f, err)
		}
		if _, err := a.AddToFile(t.Context(), area, account, stale, strings.NewReader("other")); admitto.KindOf(
			err) != admitto.ChangedMeanwhile {
			t.Error("bytes are there twice: ", err)
		}
		var out bytes.Buffer
		d.Must(a.CopyFile(t.Context(), area, account, &f, &out))
		if !bytes.Equal(out.Bytes(), whole) {
			t.Errorf("%d bytes came back", out.Len())
		}
		if n := d.Number("SELECT count(*) FROM stash_part"); n != 4 {
			t.Errorf("%d parts", n)
		}
		if _, err := a.AddToFile(t.Context(), area, account, f, strings.NewReader("x")); admitto.KindOf(
			err) != admitto.TooLarge {
			t.Error("more than all: ", err)
		}
		d.Must(a.DropForm(t.Context(), area, account, path))
		if n := d.Number("SELECT count(*) FROM stash_part"); n != 0 {
			t.Errorf("%d parts stay behind", n)
		}
		// A release before kept all bytes with what it knew of a file.
		old, err := a.BeginFile(t.Context(), area, account, path, accounts.KeptFile{Field: "file", Name: "empty"}, false)
		d.Must(err)
		d.Must(a.CopyFile(t.Context(), area, account, &old, io.Discard))
	})
}

// TestRoomForFiles keeps as many bytes and files of an account as it may have: those of other forms make room, those of
// the same form only where nobody waits for an answer; a day later all are gone.
func TestRoomForFiles(t *testing.T) {
	servicestest.OnBoth(t, func(t *testing.T, d *servicestest.Desk) {
		a := d.Services.Accounts
		const area, account = accounts.Portal, 7
		begin := func(path string, size int64, force bool) error {
			d.Clock.Add(admitto.Second)
			_, err := a.BeginFile(t.Context(), area, account, path, accounts.KeptFile{Field: "f", Size: size}, force)
			return err
		}
		count := func(path string) int64 {
			return d.Number("SELECT count(*) FROM stash_file WHERE path = '" + path + "'")
		}
		most := a.MostFileBytes()
		for range 3 {
			d.Must(begin("/other", most, false))
		}
		for range 10 {
			d.Must(begin("/form", most, false))
		}
		if count("/other") != 0 || count("/form") != 10 {
			t.Errorf("%d of another form, %d of this one", count("/other"), count("/form"))
		}
		for size, kind := range map[int64]admitto.Kind{1: admitto.TooLarge, most + 1: admitto.TooLarge, 0: ""} {
			if err := begin("/form", size, false); admitto.KindOf(err) != kind {
				t.Errorf("%d bytes more: %v", size, err)
			}
		}
		d.Must(begin("/form", 1, true))
		if n := count("/form"); n != 11 {
			t.Errorf("%d files", n)
		}
		for range 25 {
			_ = begin("/form", 0, false)
		}
		if n := count("/form"); n != 20 {
			t.Errorf("%d files", n)
		}
		// Begun at once they do not miss one another.
		d.Clock.Add(25 * admitto.Hour)
		d.Must(a.TidyAccounts(t.Context(), admitto.SystemCaller()))
		var group sync.WaitGroup
		for n := range 30 {
			group.Go(func() {
				_, _ = a.BeginFile(t.Context(), area, account, "/form", accounts.KeptFile{Field: strconv.Itoa(n), Size: most},
					n%3 == 0)
			})
		}
		group.Wait()
		if n := count("/form"); n != 10 {
			t.Errorf("%d files that were begun at once are kept", n)
		}
		d.Clock.Add(25 * admitto.Hour)
		d.Must(begin("/form", most, false))
		d.Must(a.TidyAccounts(t.Context(), admitto.SystemCaller()))
		if n := d.Number("SELECT count(*) FROM stash_file"); n != 1 {
			t.Errorf("%d files are kept for ever", n)
		}
	})
}
