// Package servicestest makes the services of an instance on a fresh database of each engine, with a clock that tests
// move by hand and a mail server of the test.
package servicestest

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

	"github.com/admitto/admitto/internal/accounts"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/blob"
	"github.com/admitto/admitto/internal/config"
	"github.com/admitto/admitto/internal/files"
	"github.com/admitto/admitto/internal/links"
	"github.com/admitto/admitto/internal/mail"
	"github.com/admitto/admitto/internal/message"
	"github.com/admitto/admitto/internal/pdf"
	"github.com/admitto/admitto/internal/seal"
	"github.com/admitto/admitto/internal/services"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/store/db"
	"github.com/admitto/admitto/internal/store/db/dbtest"
	"github.com/admitto/admitto/internal/store/sqltest"
	"github.com/admitto/admitto/internal/store/storetest"
	"github.com/admitto/admitto/internal/usecase"
)

// Desk is an instance on a fresh database, with a clock that tests move by hand and a mail server of the test.
type Desk struct {
	T        *testing.T
	url      string
	opts     db.Options
	Store    *store.Store
	Services *services.Services
	Clock    *clock
	Post     *Post
	Log      *syncBuffer
	Shelf    Shelf
	seen     int                                                      // how many mails were looked at
	Papers   func(language string) func(group, english string) string // words of papers; nil: in English
	// Sentences are those of use cases in a language; nil: in English. Who sets them opens the desk once more.
	Sentences func(language string) message.Catalogue
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

// Post is a mail server that keeps what it takes. answer, when set, decides about each mail.
type Post struct {
	mu     sync.Mutex
	answer func(ctx context.Context, m *mail.Message) error
	down   error // what every connection fails with
	begun  int
	tried  int
	taken  []mail.Message
}

// Stop has every connection fail with err from now on; nil starts the mail server again.
func (p *Post) Stop(err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.down = err
}

// Try implements mail.Trial.
func (p *Post) Try(context.Context) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.down
}

// SendAhead implements mail.Ahead: it counts what it hears of.
func (p *Post) SendAhead(ctx context.Context, m *mail.Message, ready func() error) error {
	p.mu.Lock()
	p.begun++
	p.mu.Unlock()
	if err := ready(); err != nil {
		return err
	}
	return p.Send(ctx, m)
}

// Begun is how many mails the mail server has heard of before they could leave.
func (p *Post) Begun() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.begun
}

func (p *Post) Send(ctx context.Context, m *mail.Message) error {
	p.mu.Lock()
	answer, down := p.answer, p.down
	p.tried++
	p.mu.Unlock()
	if down != nil {
		return down
	}
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

// Will sets the answer to all mails from now on; nil takes them.
func (p *Post) Will(answer func(ctx context.Context, m *mail.Message) error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.answer = answer
}

func (p *Post) Taken() []mail.Message {
	p.mu.Lock()
	defer p.mu.Unlock()
	return append([]mail.Message{}, p.taken...)
}

func (p *Post) Tried() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.tried
}

// syncBuffer is what an instance logs.
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

// LeaseTime is how long a creation holds its lease with syncTimeout.
const LeaseTime = 15 * admitto.Second

func settings() *config.Settings {
	s := config.Defaults()
	s.Instance.Name, s.BaseURL = "Northfield University", "https://admissions.example.edu"
	s.Mail.From, s.Mail.SyncTimeout = &netmail.Address{Name: "Admissions Office",
		Address: "admissions@example.edu"}, syncTimeout
	s.Quota.PerMinute, s.Quota.PerHour = 0, 0
	s.Instance.Languages = []string{"en", "ar"}
	return s
}

var instanceKey = seal.NewKey()

// OnFile is an instance on a copy of a template in SQLite. Its clock stands at the day that the demo is made for.
func OnFile(t *testing.T, prepared *dbtest.Template) *Desk {
	t.Helper()
	return onDatabase(t, prepared.File(t), db.Options{CheckLocks: true, Again: func() {}})
}

// Key seals and signs in all tests.
func Key() seal.Key { return instanceKey }

// Began is the time at which the clock of every instance stands at first.
func Began() time.Time { return time.Date(2026, 3, 9, 9, 0, 0, 0, time.UTC) }

// OnBoth runs a test on a fresh office of each engine.
func OnBoth(t *testing.T, test func(t *testing.T, d *Desk)) {
	t.Helper()
	storetest.Migrated.Each(t, onCopy(test))
}

// BySize runs a test on a fresh office, on SQLite in short and on PostgreSQL in the long size: CI runs both.
func BySize(t *testing.T, test func(t *testing.T, d *Desk)) {
	t.Helper()
	storetest.Migrated.BySize(t, onCopy(test))
}

func onCopy(test func(t *testing.T, d *Desk)) func(t *testing.T, url string, o db.Options) {
	return func(t *testing.T, url string, o db.Options) { test(t, onDatabase(t, url, o)) }
}

// OnSQLite runs a test on a fresh office of that engine.
func OnSQLite(t *testing.T, test func(t *testing.T, d *Desk)) {
	t.Helper()
	t.Run("sqlite", func(t *testing.T) { test(t, OnFile(t, storetest.Migrated)) })
}

func onDatabase(t *testing.T, url string, o db.Options) *Desk {
	t.Helper()
	d := &Desk{T: t, url: url, opts: o, Clock: &clock{now: admitto.TimeOf(Began())},
		Post: &Post{}, Log: &syncBuffer{}, Shelf: Shelf{blob.InMemory()}}
	d.opts.Clock = d.Clock.Now
	d.Open()
	t.Cleanup(func() {
		d.Store.Close()
		if t.Failed() {
			t.Log(d.Log.String())
		}
	})
	return d
}

// Shelf is a store of files whose content a test may exchange between two calls.
type Shelf struct{ files.Backend }

// Check asks the store whether it works, where it can say so.
func (s *Shelf) Check(ctx context.Context) error {
	if store, can := s.Backend.(interface {
		Check(ctx context.Context) error
	}); can {
		return store.Check(ctx)
	}
	return nil
}

// Open connects to the database, as a start of the service does.
func (d *Desk) Open() {
	d.T.Helper()
	d.Store = d.Connect()
	d.Services = d.Another(d.Store, d.Post, nil)
}

// Connect returns one more store on the database.
func (d *Desk) Connect() *store.Store {
	d.T.Helper()
	s, err := store.Open(context.Background(), d.url, d.opts)
	if err == nil {
		_, err = s.Migrate(context.Background(), false)
	}
	if err != nil {
		d.T.Fatal(err)
	}
	return s
}

// Another makes one more office on a store, as another instance of the service would be.
func (d *Desk) Another(s *store.Store, p *Post, change func(*config.Settings)) *services.Services {
	set := settings()
	if change != nil {
		change(set)
	}
	return services.New(services.Needs{Store: s, Mailer: p, Files: &d.Shelf, Printer: printer(),
		Key: instanceKey, Live: config.NewLive(set), Sentences: d.Sentences,
		Links: links.At, Paths: paths{}, Words: func(language string) func(group, english string) string {
			if d.Papers == nil {
				return func(_, english string) string { return english }
			}
			return d.Papers(language)
		}, Clock: d.Clock.Now, Log: slog.New(slog.NewTextHandler(d.Log, nil))})
}

// printer prints, with the fonts that are compiled in; they are read once.
var printer = sync.OnceValue(func() *pdf.Printer {
	p, err := pdf.New(nil)
	if err != nil {
		panic(err)
	}
	return p
})

// ByKey is a caller with the API key 7.
func ByKey() usecase.Caller {
	return usecase.Caller{Caller: admitto.KeyCaller(7, admitto.AllPermissions(), "r1")}
}

// Ilse is an applicant to create.
func Ilse() accounts.NewApplicant {
	return accounts.NewApplicant{Name: admitto.SplitName("Ilse Varga"), Email: "Ilse.Varga@example.org", Citizenship: "HU",
		Notes: "Called twice", Reference: "R-1"}
}

// Create creates and must succeed.
func (d *Desk) Create(in accounts.NewApplicant) int64 {
	d.T.Helper()
	id, err := d.Services.Accounts.CreateApplicant(d.T.Context(), ByKey(), in)
	if err != nil {
		d.T.Fatal(err)
	}
	return id
}

// Crash creates an applicant up to the time when the mail is on its way, and dies there.
func (d *Desk) Crash(in accounts.NewApplicant) {
	d.T.Helper()
	d.CrashAs(ByKey(), in)
}

func (d *Desk) CrashAs(by usecase.Caller, in accounts.NewApplicant) {
	d.T.Helper()
	dead := errors.New("dead")
	d.Post.Will(func(context.Context, *mail.Message) error { panic(dead) })
	func() {
		defer func() {
			if p := recover(); p != dead {
				d.T.Fatalf("recovered %v", p)
			}
		}()
		_, err := d.Services.Accounts.CreateApplicant(d.T.Context(), by, in)
		d.T.Fatalf("the creation came back with %v", err)
	}()
	d.Post.Will(nil)
}

// Tracker makes a tracker.
func (d *Desk) Tracker(code string) int64 {
	d.T.Helper()
	tr, err := d.Services.Admissions.CreateTracker(d.T.Context(), ByKey(), admitto.Tracker{Code: code})
	if err != nil {
		d.T.Fatal(err)
	}
	return tr.ID
}

// Number reads one integer.
func (d *Desk) Number(sql string, args ...any) (n int64) {
	d.T.Helper()
	d.first(func(row *db.Rows) { n = row.Int64(0) }, sql, args)
	return n
}

// Words reads one text.
func (d *Desk) Words(sql string, args ...any) (text string) {
	d.T.Helper()
	d.first(func(row *db.Rows) { text = row.Text(0) }, sql, args)
	return text
}

// first reads the first row, where there is one.
func (d *Desk) first(read func(row *db.Rows), sql string, args []any) {
	d.T.Helper()
	err := d.Store.Read(context.Background(), func(tx *store.Tx) error {
		rows := sqltest.In(tx).Query(sql, args...)
		if rows.Next() {
			read(rows)
		}
		return rows.Close()
	})
	if err != nil {
		d.T.Fatal(err)
	}
}

// Count counts the rows of a table, pending applicants included.
func (d *Desk) Count(table string) int64 {
	d.T.Helper()
	return d.Number("SELECT count(*) FROM " + table)
}

// personal are the tables in which something of a person may lie.
var personal = []string{"applicant", "sign_in_token", "note", "applicant_tracker", "email", "outbox"}

// Nothing fails unless nothing of anybody is left.
func (d *Desk) Nothing() {
	d.T.Helper()
	for _, table := range personal {
		if n := d.Count(table); n != 0 {
			d.T.Errorf("%d rows in %s", n, table)
		}
	}
}

// raw returns everything the database holds, as near to the disk as can be: the files of SQLite, the rows of
// PostgreSQL with bytes in hex.
func (d *Desk) raw() string {
	d.T.Helper()
	if path, isFile := strings.CutPrefix(d.url, "sqlite:"); isFile {
		var all strings.Builder
		for _, end := range []string{"", "-wal"} {
			b, err := os.ReadFile(path + end)
			if err != nil && !errors.Is(err, os.ErrNotExist) {
				d.T.Fatal(err)
			}
			all.Write(b)
		}
		return all.String()
	}
	var all strings.Builder
	err := d.Store.Read(context.Background(), func(tx *store.Tx) error {
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
		d.T.Fatal(err)
	}
	return all.String()
}

// Readable reports whether a text lies in the database, as it is or in hex.
func (d *Desk) Readable(text string) bool {
	raw := d.raw()
	return strings.Contains(raw, text) || strings.Contains(raw, hex.EncodeToString([]byte(text)))
}

var signInLink = regexp.MustCompile(`https://admissions\.example\.edu/sign-in/link/([A-Za-z0-9_-]+)`)

// Token returns the sign-in token in a mail.
func Token(t *testing.T, m mail.Message) string {
	t.Helper()
	found := signInLink.FindStringSubmatch(m.Text)
	if found == nil {
		t.Fatalf("no link in %s", m.Text)
	}
	return found[1]
}

// Journal returns the patterns of all records.
func (d *Desk) Journal() (list []admitto.Record) {
	d.T.Helper()
	found, err := d.Services.Query.Journal(context.Background(), admitto.SystemCaller(), admitto.JournalQuery{Limit: 1000})
	return All(d.T, found, err)
}

// Applicants returns all visible applicants, and checks that the count is theirs.
func (d *Desk) Applicants() (list []admitto.Applicant) {
	d.T.Helper()
	found, err := d.Services.Query.Applicants(context.Background(), admitto.SystemCaller(),
		admitto.ApplicantQuery{Limit: 1000}, nil, nil)
	list = All(d.T, found, err)
	if found.Total != int64(len(list)) {
		d.T.Errorf("%d applicants are counted, %d are there", found.Total, len(list))
	}
	return list
}

// All returns the items of a list.
func All[T any](t testing.TB, list *usecase.List[T], err error) (all []T) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	for item, err := range list.All() {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, *item)
	}
	return all
}

// Sound fails unless counts and journal are in order, and nothing in the log tells of persons and secrets.
func (d *Desk) Sound(secrets ...string) {
	d.T.Helper()
	err := d.Store.Read(context.Background(), func(tx *store.Tx) error { return tx.VerifyCounters() })
	if err != nil {
		d.T.Error(err)
	}
	if id, reason, err := d.Services.Maintenance.VerifyJournal(context.Background(), admitto.SystemCaller(), 1, 0,
		func(int64) {}); id != 0 || err != nil {
		d.T.Errorf("the journal is broken at %d: %s, %v", id, reason, err)
	}
	logged := strings.ToLower(d.Log.String())
	for _, secret := range append(secrets, "varga", "example.org", "/sign-in/") {
		if strings.Contains(logged, strings.ToLower(secret)) {
			d.T.Errorf("%q is in the log: %s", secret, logged)
		}
	}
}

// WantKind fails unless the error is of the kind.
func WantKind(t *testing.T, err error, kind admitto.Kind) *admitto.Error {
	t.Helper()
	var e *admitto.Error
	if errors.As(err, &e) && e.Kind == kind {
		return e
	}
	t.Fatalf("want %s, got %v", kind, err)
	return nil
}
