package storetest

import (
	"bytes"
	"slices"
	"testing"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/store/db"
	"github.com/admitto/admitto/internal/store/sqltest"
	"github.com/admitto/admitto/internal/wait"
	"github.com/google/go-cmp/cmp"
)

// key makes an API key and returns its ID.
func (e *env) key(t *testing.T, n byte) (id int64) {
	t.Helper()
	e.write(t, func(tx *store.Tx) (err error) {
		id, err = tx.InsertKey(&admitto.Key{Label: "k", Scope: admitto.ScopeAll, Created: epoch}, [32]byte{n})
		return err
	})
	return id
}

func testKeys(t *testing.T, e *env) {
	e.migrate(t)
	zero, many := 0, 5000
	want := []admitto.Key{
		{Label: "Website", Owner: "IT", Scope: admitto.ScopeOperations, Operations: []string{"GET /applicants/{id}",
			"POST /applicants"},
			Created: epoch, Expires: epoch + 1, PerMinute: &zero, PerHour: &many},
		{Label: "all", Scope: admitto.ScopeAll, Operations: []string{}, Created: epoch},
	}
	var now admitto.Time
	e.write(t, func(tx *store.Tx) (err error) {
		now = tx.Now()
		for i := range want {
			if want[i].ID, err = tx.InsertKey(&want[i], [32]byte{byte(i)}); err != nil {
				return err
			}
		}
		got, err := tx.Keys()
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
		return err
	})
	e.write(t, func(tx *store.Tx) error {
		now = tx.Now()
		for _, step := range []bool{true, false} {
			if revoked, err := tx.RevokeKey(want[0].ID); revoked != step || err != nil {
				t.Errorf("revoked %v, %v", revoked, err)
			}
		}
		_, err := tx.RevokeKey(99)
		wantKind(t, err, admitto.NotFound)
		if err := tx.TouchKeys(map[int64]admitto.KeyCall{want[0].ID: {At: epoch + 5}, want[1].ID: {At: epoch + 9},
			99: {At: epoch}}); err != nil {
			return err
		}
		return tx.TouchKeys(map[int64]admitto.KeyCall{want[0].ID: {At: epoch + 7, Version: 9, Operation: "GET /ping"},
			want[1].ID: {At: epoch + 3, Version: 8, Operation: "GET /ping"}})
	})
	want[0].Revoked, want[0].LastUsed, want[1].LastUsed = now, epoch+7, epoch+9
	want[0].LastCall = admitto.KeyCall{Version: 9, Operation: "GET /ping"}
	e.read(t, func(tx *store.Tx) error {
		for i := range want {
			got, err := tx.KeyByHash([32]byte{byte(i)})
			if diff := cmp.Diff(want[i], got); err != nil || diff != "" {
				t.Errorf("%v %s", err, diff)
			}
		}
		_, err := tx.KeyByHash([32]byte{99})
		wantKind(t, err, admitto.NotFound)
		return nil
	})
	e.fails(t, db.ErrUnique, func(tx *store.Tx) error {
		_, err := tx.InsertKey(&want[1], [32]byte{1})
		return err
	})
}

func testIdempotency(t *testing.T, e *env) {
	e.migrate(t)
	key := e.key(t, 1)
	call := store.IdempotentCall{APIKey: key, Method: "POST", Path: "/applicants", Token: "abc"}
	hash := []byte{0, 1, 2}
	kept := func(c store.IdempotentCall, want *store.IdempotencyRecord) {
		t.Helper()
		e.write(t, func(tx *store.Tx) error {
			k, found, err := tx.IdempotencyRecord(c)
			if found != (want != nil) {
				t.Errorf("found %v", found)
			} else if found {
				if diff := cmp.Diff(*want, k); diff != "" {
					t.Error(diff)
				}
			}
			return err
		})
	}
	claim := func(c store.IdempotentCall, lease int64, want bool) {
		t.Helper()
		e.write(t, func(tx *store.Tx) error {
			claimed, err := tx.ClaimIdempotencyRecord(c, hash, lease, epoch+1, epoch+2)
			if claimed != want {
				t.Errorf("claimed %v, want %v", claimed, want)
			}
			return err
		})
	}
	holds := func(what string, want bool, do func(tx *store.Tx) (bool, error)) {
		t.Helper()
		e.write(t, func(tx *store.Tx) error {
			held, err := do(tx)
			if held != want {
				t.Errorf("%s: held %v, want %v", what, held, want)
			}
			return err
		})
	}
	finish := func(lease int64, body []byte) {
		t.Helper()
		holds("finish", lease == 11, func(tx *store.Tx) (bool, error) {
			return tx.FinishIdempotencyRecord(call, lease, 201, "/applicants/1", body)
		})
	}
	drop := func(c store.IdempotentCall, lease int64, want bool) {
		t.Helper()
		holds("drop", want, func(tx *store.Tx) (bool, error) { return tx.DropIdempotencyRecord(c, lease) })
	}
	renew := func(lease int64, until admitto.Time) {
		t.Helper()
		holds("renew", lease == 11, func(tx *store.Tx) (bool, error) { return tx.RenewIdempotencyRecord(call, lease, until) })
	}
	kept(call, nil)
	claim(call, 11, true)
	claim(call, 12, false)
	progress := &store.IdempotencyRecord{BodyHash: hash, Lease: 11, LeaseUntil: epoch + 1, Expires: epoch + 2}
	kept(call, progress)
	for _, other := range []store.IdempotentCall{{APIKey: key, Method: "PUT", Path: call.Path, Token: call.Token},
		{APIKey: key, Method: "POST", Path: "/trackers", Token: call.Token}, {APIKey: key, Method: "POST", Path: call.Path,
			Token: "ABC"},
		{APIKey: e.key(t, 2), Method: "POST", Path: call.Path, Token: call.Token}} {
		kept(other, nil)
		claim(other, 13, true)
		drop(other, 13, true)
		kept(other, nil)
	}
	finish(12, []byte("x")) // not under its lease
	kept(call, progress)
	drop(call, 12, false)
	renew(12, epoch)
	kept(call, progress)
	renew(11, epoch+7)
	progress.LeaseUntil = epoch + 7
	kept(call, progress)
	answered := *progress
	answered.Status, answered.Location = 201, "/applicants/1"
	finish(11, nil)
	kept(call, &answered)
	answered.HasBody, answered.Body = true, []byte{}
	finish(11, []byte{})
	kept(call, &answered)
	answered.Body = []byte("{\x00}")
	finish(11, answered.Body)
	kept(call, &answered)
	drop(call, 11, false) // it was answered
	kept(call, &answered)
	e.write(t, func(tx *store.Tx) error { return tx.ForgetIdempotencyRecord(call) })
	kept(call, nil)

	// Many claim the same call at once.
	won := make([]bool, 8)
	together(t, len(won), func(i int) error {
		return e.Write(e.ctx, func(tx *store.Tx) (err error) {
			won[i], err = tx.ClaimIdempotencyRecord(call, hash, int64(i), epoch, epoch)
			return err
		})
	})
	winners := 0
	for _, w := range won {
		if w {
			winners++
		}
	}
	if winners != 1 {
		t.Errorf("%d claims won", winners)
	}
	e.write(t, func(tx *store.Tx) error {
		now := tx.Now()
		for i, expires := range []admitto.Time{now - 1, now - admitto.Hour, now + admitto.Hour} {
			if _, err := tx.ClaimIdempotencyRecord(store.IdempotentCall{APIKey: key, Method: "POST", Path: "/x",
				Token: string(rune('a' + i))}, hash, 1, now, expires); err != nil {
				return err
			}
		}
		n, err := tx.TidyIdempotencyRecords()
		if left, err := number(tx, "SELECT count(*) FROM idempotency"); err != nil || left+n != 4 || left < 1 {
			t.Errorf("%d tidied, %d left, %v", n, left, err)
		}
		return err
	})
	e.fails(t, db.ErrForeignKey, func(tx *store.Tx) error {
		_, err := tx.ClaimIdempotencyRecord(store.IdempotentCall{APIKey: 99}, hash, 1, epoch, epoch)
		return err
	})
}

// mails makes n rows of the outbox whose leases end one microsecond after the other.
func (e *env) mails(t *testing.T, n int) (list []store.OutboxRow) {
	t.Helper()
	applicant := e.insert(t, 1, admitto.ApplicantPending)
	e.write(t, func(tx *store.Tx) (err error) {
		for i := range n {
			row := store.OutboxRow{Applicant: applicant, Kind: store.WelcomeSync, Template: "a", Created: epoch,
				Sealed: []byte{0, 255, byte(i)}, Lease: 1,
				LeaseUntil: epoch + admitto.Time(i)}
			if row.ID, err = tx.InsertOutbox(&row); err != nil {
				return err
			}
			list = append(list, row)
		}
		return nil
	})
	return list
}

func (e *env) lease(t *testing.T, n int, expired, until admitto.Time) (list []store.OutboxRow) {
	t.Helper()
	e.write(t, func(tx *store.Tx) (err error) {
		list, _, err = tx.LeaseOutbox(store.WelcomeSync, n, expired, until)
		return err
	})
	slices.SortFunc(list, func(a, b store.OutboxRow) int { return int(a.ID - b.ID) })
	return list
}

func (e *env) holds(t *testing.T, id, lease int64, want bool) {
	t.Helper()
	e.write(t, func(tx *store.Tx) error {
		held, err := tx.HoldsLease(id, lease)
		if held != want {
			t.Errorf("row %d is under lease %d: %v, want %v", id, lease, held, want)
		}
		return err
	})
}

func testOutbox(t *testing.T, e *env) {
	e.migrate(t)
	rows := e.mails(t, 4)
	e.holds(t, rows[0].ID, 1, true)
	e.holds(t, rows[0].ID, 2, false)
	e.holds(t, 99, 1, false)
	if got := e.lease(t, 9, epoch-1, epoch); len(got) != 0 {
		t.Errorf("took %v before its time", got)
	}
	want := slices.Clone(rows[:2])
	for i := range want {
		want[i].Lease, want[i].LeaseUntil = 2, epoch+100
	}
	if diff := cmp.Diff(want, e.lease(t, 2, epoch+2, epoch+100)); diff != "" {
		t.Error(diff)
	}
	e.holds(t, rows[0].ID, 1, false)
	e.holds(t, rows[0].ID, 2, true)
	if got := e.lease(t, 9, epoch+2, epoch+100); len(got) != 1 || got[0].ID != rows[2].ID ||
		!bytes.Equal(got[0].Sealed, rows[2].Sealed) {
		t.Errorf("took %v", got)
	}
	e.write(t, func(tx *store.Tx) error {
		if err := tx.PostponeOutbox(rows[0].ID, epoch+50); err != nil {
			return err
		}
		return tx.DeleteOutbox(rows[3].ID)
	})
	e.holds(t, rows[0].ID, 2, true)
	if got := e.lease(t, 9, epoch+50, epoch+100); len(got) != 1 || got[0].ID != rows[0].ID || got[0].Lease != 3 {
		t.Errorf("took %v", got)
	}
	e.holds(t, rows[3].ID, 1, false)
}

// testRecipients: of the rows to one recipient only the first is taken, and the next when that is deleted.
func testRecipients(t *testing.T, e *env) {
	e.migrate(t)
	var ids []int64
	queue := func(recipient int64, n int) {
		e.write(t, func(tx *store.Tx) error {
			for range n {
				id, err := tx.QueueMail(&store.OutboxRow{Kind: store.OrdinaryMail, Template: "a", Created: epoch,
					Sealed: []byte("s"), Recipient: recipient})
				if err != nil {
					return err
				}
				ids = append(ids, id)
			}
			return nil
		})
	}
	take := func(n int, expired, until admitto.Time, wantMore bool, want ...int) {
		t.Helper()
		e.write(t, func(tx *store.Tx) error {
			list, more, err := tx.LeaseOutbox(store.OrdinaryMail, n, expired, until)
			var got []int
			for _, r := range list {
				got = append(got, slices.Index(ids, r.ID))
			}
			slices.Sort(got)
			if !slices.Equal(got, want) || more != wantMore {
				t.Errorf("took %v, more %t, want %v, more %t", got, more, want, wantMore)
			}
			return err
		})
	}
	remove := func(i int) { e.write(t, func(tx *store.Tx) error { return tx.DeleteOutbox(ids[i]) }) }
	queue(-5, 2)
	queue(7, 1)
	queue(-5, 1)
	queue(0, 2)
	take(9, epoch, epoch+100, true, 0, 2, 4, 5)
	take(9, epoch, epoch+100, false)
	// Those behind a row wait as long as it does.
	e.write(t, func(tx *store.Tx) error { return tx.PostponeOutbox(ids[0], epoch+500) })
	for _, i := range []int{2, 4, 5} {
		remove(i)
	}
	take(9, epoch+100, epoch+200, true)
	take(9, epoch+499, epoch+600, false)
	remove(0)
	take(9, epoch, epoch+100, true, 1)
	take(9, epoch, epoch+100, false)
	// Only the next one is set free, and not one that was tried, which has its own time.
	queue(-5, 2)
	take(9, epoch, epoch+100, true)
	remove(1)
	take(9, epoch, epoch+100, true, 3)
	e.write(t, func(tx *store.Tx) error {
		_, err := sqltest.In(tx).Exec("UPDATE outbox SET lease = 3, lease_until = $2 WHERE id = $1", ids[6], epoch+300)
		return err
	})
	remove(3)
	take(9, epoch+299, epoch+400, true)
	take(9, epoch+300, epoch+400, true, 6)
	remove(6)
	take(9, epoch, epoch+100, true, 7)
	remove(7)
	// Many that wait hold nobody up who is behind them.
	queue(1, 40)
	queue(2, 1)
	take(1, epoch, epoch+100, true, 8)
	take(1, epoch, epoch+100, true)
	take(1, epoch, epoch+100, true)
	take(1, epoch, epoch+100, true, 48)
	take(1, epoch, epoch+100, true)
	take(1, epoch, epoch+100, false)
}

func testSkipLocked(t *testing.T, e *env) {
	e.migrate(t)
	if !e.Shared() {
		return // one writer
	}
	rows := e.mails(t, 20) // more than one transaction looks at
	taken, done := make(chan []store.OutboxRow, 1), make(chan error, 1)
	proceed := make(chan struct{})
	go func() {
		done <- e.Write(e.ctx, func(tx *store.Tx) error {
			list, _, err := tx.LeaseOutbox(store.WelcomeSync, 2, epoch+100, epoch+200)
			taken <- list
			<-proceed
			return err
		})
	}()
	var first []store.OutboxRow
	select {
	case first = <-taken:
	case err := <-done:
		t.Fatal(err)
	case <-wait.TooLong():
		t.Fatal("the first transaction hangs")
	}
	second := e.lease(t, 9, epoch+100, epoch+200)
	close(proceed)
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	seen := map[int64]bool{}
	third := e.lease(t, 99, epoch+100, epoch+200) // what the first has looked at and left
	for _, r := range slices.Concat(first, second, third) {
		if seen[r.ID] || r.Lease != 2 {
			t.Errorf("row %d was taken twice", r.ID)
		}
		seen[r.ID] = true
	}
	if len(first) != 2 || len(second) == 0 || len(seen) != len(rows) {
		t.Errorf("took %d, %d and %d rows", len(first), len(second), len(third))
	}
}

func testEmails(t *testing.T, e *env) {
	e.migrate(t)
	applicant := e.insert(t, 1, admitto.ApplicantLive)
	e.write(t, func(tx *store.Tx) error {
		id, err := tx.InsertEmail(&admitto.Email{Applicant: applicant, Inserted: epoch, FromName: "n", FromEmail: "f@x",
			Subject: "s", Message: "m"})
		if err != nil {
			return err
		}
		if _, err := tx.InsertOutbox(&store.OutboxRow{Applicant: applicant, Email: id, Kind: "x", Template: "a",
			Created: epoch, Sealed: []byte("x"), LeaseUntil: epoch}); err != nil {
			return err
		}
		if err := tx.SetEmailDelivered(id, epoch+3); err != nil {
			return err
		}
		n, err := number(tx, "SELECT count(*) FROM email e JOIN outbox o ON o.email_id = e.id WHERE delivered = $1 AND failed IS NULL AND subject = 's'", epoch+3)
		if n != 1 {
			t.Error("the e-mail is not as it was stored")
		}
		return err
	})
	for _, text := range []string{"first", "second"} {
		e.write(t, func(tx *store.Tx) error { return tx.SetEmailTemplate("welcome", "en", text, text+" body") })
		e.read(t, func(tx *store.Tx) error {
			texts, silenced, err := tx.EmailTexts("welcome")
			want := map[string]admitto.MailText{"en": {Code: "welcome", Language: "en", Subject: text, Body: text + " body"}}
			if diff := cmp.Diff(want, texts); diff != "" || silenced {
				t.Error(silenced, diff)
			}
			return err
		})
	}
}

// testMailKinds silences a kind of mail, and takes a text of it away.
func testMailKinds(t *testing.T, e *env) {
	e.migrate(t)
	e.write(t, func(tx *store.Tx) error {
		if _, err := sqltest.In(tx).Exec("INSERT INTO administrator (id, name, email, email_key) VALUES (7, 'A', 'a@b', 'a@b')"); err != nil {
			return err
		}
		if k, err := tx.MailKind("welcome"); err != nil || k != (admitto.MailKind{Version: 1}) {
			t.Errorf("%+v %v", k, err)
		}
		for _, language := range []string{"et", "en"} {
			if err := tx.SetEmailTemplate("welcome", language, "s", "b"); err != nil {
				return err
			}
		}
		if err := tx.SaveMailKind("welcome", false, 7); err != nil {
			return err
		}
		return tx.SaveMailKind("welcome", true, 0)
	})
	e.write(t, func(tx *store.Tx) error {
		k, err := tx.MailKind("welcome")
		if err != nil || !k.Silenced || k.EditedBy != 0 || k.Edited == 0 || k.Version != 3 {
			t.Errorf("%+v %v", k, err)
		}
		all, err := tx.MailKinds()
		if err != nil || len(all) != 1 || all["welcome"] != k {
			t.Errorf("%+v %v", all, err)
		}
		if texts, silenced, err := tx.EmailTexts("welcome"); err != nil || len(texts) != 2 || !silenced {
			t.Error(texts, silenced, err)
		}
		if texts, silenced, err := tx.EmailTexts("other"); err != nil || len(texts) != 0 || silenced {
			t.Error(texts, silenced, err)
		}
		return tx.DeleteEmailTemplate("welcome", "et")
	})
	e.read(t, func(tx *store.Tx) error {
		languages, err := tx.EmailTextLanguages()
		if diff := cmp.Diff(map[string][]string{"welcome": {"en"}}, languages); diff != "" {
			t.Error(diff)
		}
		return err
	})
}

func testInstance(t *testing.T, e *env) {
	e.migrate(t)
	for _, value := range []string{"", "one", "two"} {
		if value != "" {
			e.write(t, func(tx *store.Tx) error { return tx.SetInstanceFact("key", value) })
		}
		e.read(t, func(tx *store.Tx) error {
			got, err := tx.InstanceFact("key")
			if got != value {
				t.Errorf("got %q, want %q", got, value)
			}
			return err
		})
	}
	e.write(t, func(tx *store.Tx) error {
		if _, err := sqltest.In(tx).Exec("INSERT INTO setting (name, value) VALUES ('a', '1'), ('b', '2')"); err != nil {
			return err
		}
		got, err := tx.SavedSettings()
		if diff := cmp.Diff(map[string]string{"a": "1", "b": "2"}, got); diff != "" {
			t.Error(diff)
		}
		return err
	})
}
