package admissions_test

import (
	"bytes"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	netmail "net/mail"
	"os"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/admitto/admitto/internal/admissions"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/config"
	"github.com/admitto/admitto/internal/links"
	"github.com/admitto/admitto/internal/mail"
	"github.com/admitto/admitto/internal/seal"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/store/db"
	"github.com/admitto/admitto/internal/store/db/dbtest"
	"github.com/admitto/admitto/internal/store/sqltest"
)

// desk is an office on a fresh database, with a clock that tests move by hand and an upstream of the test.
type desk struct {
	t      *testing.T
	url    string
	opts   db.Options
	store  *store.Store
	office *admissions.Office
	clock  *clock
	post   *post
	log    *syncBuffer
}

// clock is moved by hand.
type clock struct {
	mu  sync.Mutex
	now admitto.Time
}

func (c *clock) Now() admitto.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) Add(d admitto.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now += d
}

// post is an upstream that keeps what it takes. answer, when set, decides about each mail.
type post struct {
	mu     sync.Mutex
	answer func(ctx context.Context, m *mail.Message) error
	tried  int
	taken  []mail.Message
}

func (p *post) Send(ctx context.Context, m *mail.Message) error {
	p.mu.Lock()
	answer := p.answer
	p.tried++
	p.mu.Unlock()
	if answer != nil {
		if err := answer(ctx, m); err != nil {
			return err
		}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.taken = append(p.taken, *m)
	return nil
}

// will sets the answer to all mails from now on; nil takes them.
func (p *post) will(answer func(ctx context.Context, m *mail.Message) error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.answer = answer
}

func (p *post) Taken() []mail.Message {
	p.mu.Lock()
	defer p.mu.Unlock()
	return append([]mail.Message{}, p.taken...)
}

func (p *post) Tried() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.tried
}

// syncBuffer is what an office logs.
type syncBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (s *syncBuffer) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.Write(p)
}

func (s *syncBuffer) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.String()
}

const syncTimeout = 5 * time.Second

// leaseTime is how long a creation holds its lease with syncTimeout.
const leaseTime = 15 * admitto.Second

func settings() *config.Settings {
	s := config.Defaults()
	s.Instance.Name, s.BaseURL = "Northfield University", "https://admissions.example.edu"
	s.Mail.From, s.Mail.SyncTimeout = &netmail.Address{Name: "Admissions Office", Address: "admissions@example.edu"}, syncTimeout
	s.Quota.PerMinute, s.Quota.PerHour = 0, 0
	return s
}

var instanceKey = seal.NewKey()

// migrated is a database with the schema and nothing in it.
var migrated = dbtest.NewTemplate(func(ctx context.Context, url string, o db.Options) error {
	s, err := store.Open(ctx, url, o)
	if err != nil {
		return err
	}
	_, err = s.Migrate(ctx, false)
	return errors.Join(err, s.Close())
})

// onBoth runs a test on a fresh office of each engine.
func onBoth(t *testing.T, test func(t *testing.T, d *desk)) {
	t.Helper()
	migrated.Each(t, func(t *testing.T, url string, o db.Options) {
		d := &desk{t: t, url: url, opts: o, clock: &clock{now: admitto.TimeOf(time.Date(2026, 3, 9, 9, 0, 0, 0, time.UTC))}, post: &post{}, log: &syncBuffer{}}
		d.opts.Clock = d.clock.Now
		d.open()
		t.Cleanup(func() {
			d.store.Close()
			if t.Failed() {
				t.Log(d.log.String())
			}
		})
		test(t, d)
	})
}

// open connects to the database, as a start of the service does.
func (d *desk) open() {
	d.t.Helper()
	d.store = d.connect()
	d.office = d.another(d.store, d.post, nil)
}

// connect returns one more store on the database.
func (d *desk) connect() *store.Store {
	d.t.Helper()
	s, err := store.Open(context.Background(), d.url, d.opts)
	if err == nil {
		_, err = s.Migrate(context.Background(), false)
	}
	if err != nil {
		d.t.Fatal(err)
	}
	return s
}

// another makes one more office on a store, as another instance of the service would be.
func (d *desk) another(s *store.Store, p *post, change func(*config.Settings)) *admissions.Office {
	set := settings()
	if change != nil {
		change(set)
	}
	return admissions.New(s, p, instanceKey, config.NewLive(set), links.At, d.clock.Now, slog.New(slog.NewTextHandler(d.log, nil)))
}

// byKey is a caller with the API key 7.
func byKey() admissions.Caller {
	return admissions.Caller{Caller: admitto.KeyCaller(7, admitto.AllPermissions(), "r1")}
}

// ilse is an applicant to create.
func ilse() admissions.NewApplicant {
	return admissions.NewApplicant{Name: admitto.SplitName("Ilse Varga"), Email: "Ilse.Varga@example.org", Citizenship: "HU", Notes: "Called twice", Reference: "R-1"}
}

// create creates and must succeed.
func (d *desk) create(in admissions.NewApplicant) int64 {
	d.t.Helper()
	id, err := d.office.CreateApplicant(d.t.Context(), byKey(), in)
	if err != nil {
		d.t.Fatal(err)
	}
	return id
}

// crash creates an applicant up to the time when the mail is on its way, and dies there.
func (d *desk) crash(in admissions.NewApplicant) {
	d.t.Helper()
	d.crashAs(byKey(), in)
}

func (d *desk) crashAs(by admissions.Caller, in admissions.NewApplicant) {
	d.t.Helper()
	dead := errors.New("dead")
	d.post.will(func(context.Context, *mail.Message) error { panic(dead) })
	func() {
		defer func() {
			if p := recover(); p != dead {
				d.t.Fatalf("recovered %v", p)
			}
		}()
		_, err := d.office.CreateApplicant(d.t.Context(), by, in)
		d.t.Fatalf("the creation came back with %v", err)
	}()
	d.post.will(nil)
}

// tracker makes a tracker.
func (d *desk) tracker(code string) int64 {
	d.t.Helper()
	tr, err := d.office.CreateTracker(d.t.Context(), byKey(), admitto.Tracker{Code: code})
	if err != nil {
		d.t.Fatal(err)
	}
	return tr.ID
}

// number reads one integer.
func (d *desk) number(sql string, args ...any) (n int64) {
	d.t.Helper()
	err := d.store.Read(context.Background(), func(tx *store.Tx) error {
		rows := sqltest.In(tx).Query(sql, args...)
		if rows.Next() {
			n = rows.Int64(0)
		}
		return rows.Close()
	})
	if err != nil {
		d.t.Fatal(err)
	}
	return n
}

// count counts the rows of a table, pending applicants included.
func (d *desk) count(table string) int64 {
	d.t.Helper()
	return d.number("SELECT count(*) FROM " + table)
}

// personal are the tables in which something of a person may lie.
var personal = []string{"applicant", "sign_in_token", "note", "applicant_tracker", "email", "outbox"}

// nothing fails unless nothing of anybody is left.
func (d *desk) nothing() {
	d.t.Helper()
	for _, table := range personal {
		if n := d.count(table); n != 0 {
			d.t.Errorf("%d rows in %s", n, table)
		}
	}
}

// raw returns everything the database holds, as near to the disk as can be: the files of SQLite, the rows of
// PostgreSQL with bytes in hex.
func (d *desk) raw() string {
	d.t.Helper()
	if path, isFile := strings.CutPrefix(d.url, "sqlite:"); isFile {
		var all strings.Builder
		for _, end := range []string{"", "-wal"} {
			b, err := os.ReadFile(path + end)
			if err != nil && !errors.Is(err, os.ErrNotExist) {
				d.t.Fatal(err)
			}
			all.Write(b)
		}
		return all.String()
	}
	var all strings.Builder
	err := d.store.Read(context.Background(), func(tx *store.Tx) error {
		for _, table := range append([]string{"journal", "journal_detail", "idempotency", "tally", "instance"}, personal...) {
			rows := sqltest.In(tx).Query(fmt.Sprintf("SELECT t::text FROM %s t", table))
			for rows.Next() {
				fmt.Fprintln(&all, rows.Text(0))
			}
			if err := rows.Close(); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		d.t.Fatal(err)
	}
	return all.String()
}

// readable reports whether a text lies in the database, as it is or in hex.
func (d *desk) readable(text string) bool {
	raw := d.raw()
	return strings.Contains(raw, text) || strings.Contains(raw, hex.EncodeToString([]byte(text)))
}

var signInLink = regexp.MustCompile(`https://admissions\.example\.edu/sign-in/([A-Za-z0-9_-]+)`)

// token returns the sign-in token in a mail.
func token(t *testing.T, m mail.Message) string {
	t.Helper()
	found := signInLink.FindStringSubmatch(m.Text)
	if found == nil {
		t.Fatalf("no link in %s", m.Text)
	}
	return found[1]
}

// journal returns the patterns of all records.
func (d *desk) journal() (list []admitto.Record) {
	d.t.Helper()
	_, err := d.office.Journal(context.Background(), admitto.SystemCaller(), admitto.JournalQuery{Limit: 1000}, func(int64, int64) {},
		func(r *admitto.Record) error { list = append(list, *r); return nil })
	if err != nil {
		d.t.Fatal(err)
	}
	return list
}

// applicants returns all visible applicants, and checks that the count is theirs.
func (d *desk) applicants() (list []admitto.Applicant) {
	d.t.Helper()
	var n int64
	_, err := d.office.Applicants(context.Background(), admitto.SystemCaller(), admitto.ApplicantQuery{Limit: 1000}, nil, nil, func(count, _ int64) { n = count },
		func(a *admitto.Applicant) error { list = append(list, *a); return nil })
	if err != nil {
		d.t.Fatal(err)
	}
	if n != int64(len(list)) {
		d.t.Errorf("%d applicants are counted, %d are there", n, len(list))
	}
	return list
}

// sound fails unless counts and journal are in order, and nothing in the log tells of persons and secrets.
func (d *desk) sound(secrets ...string) {
	d.t.Helper()
	err := d.store.Read(context.Background(), func(tx *store.Tx) error { return tx.VerifyTallies() })
	if err != nil {
		d.t.Error(err)
	}
	if id, reason, err := d.office.VerifyJournal(context.Background(), admitto.SystemCaller(), 1, 0, func(int64) {}); id != 0 || err != nil {
		d.t.Errorf("the journal is broken at %d: %s, %v", id, reason, err)
	}
	logged := strings.ToLower(d.log.String())
	for _, secret := range append(secrets, "varga", "example.org", "/sign-in/") {
		if strings.Contains(logged, strings.ToLower(secret)) {
			d.t.Errorf("%q is in the log: %s", secret, logged)
		}
	}
}

// wantKind fails unless the error is of the kind.
func wantKind(t *testing.T, err error, kind admitto.Kind) *admitto.Error {
	t.Helper()
	var e *admitto.Error
	if errors.As(err, &e) && e.Kind == kind {
		return e
	}
	t.Fatalf("want %s, got %v", kind, err)
	return nil
}
