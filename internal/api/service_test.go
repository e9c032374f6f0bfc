package api_test

import (
	"bytes"
	"context"
	"crypto/tls"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	netmail "net/mail"
	"os"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/api"
	"github.com/admitto/admitto/internal/apikey"
	"github.com/admitto/admitto/internal/apptest"
	"github.com/admitto/admitto/internal/blob"
	"github.com/admitto/admitto/internal/config"
	"github.com/admitto/admitto/internal/devdocs"
	"github.com/admitto/admitto/internal/links"
	"github.com/admitto/admitto/internal/mail"
	"github.com/admitto/admitto/internal/pdf"
	"github.com/admitto/admitto/internal/seal"
	"github.com/admitto/admitto/internal/services"
	"github.com/admitto/admitto/internal/services/servicestest"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/store/db"
	"github.com/admitto/admitto/internal/store/db/dbtest"
	"github.com/admitto/admitto/internal/store/storetest"
	"github.com/admitto/admitto/internal/usecase"
	"github.com/admitto/admitto/internal/web"
)

// service is a whole service behind HTTPS, on one database, with a clock that tests move by hand.
type service struct {
	live     *config.Live
	t        testing.TB
	store    *store.Store
	files    *blob.Store
	shelf    servicestest.Shelf // what the service takes for files
	services *services.Services
	server   *httptest.Server
	clock    *clock
	mail     *postbox
	log      *bytes.Buffer
	key      string // an all-powerful key
	keyID    int64

	lacking  *api.Lacking // of its options
	everyRow string       // the statement of contents, once it is known
	url      string       // of the database
	db       db.Options
	read     map[string]string // what contents has read last
	readAt   string            // the commits when it did
}

// newServices makes the services of one more instance on the database and the files.
func (s *service) newServices(log *slog.Logger) *services.Services {
	printer, err := pdf.New(nil)
	if err != nil {
		s.t.Fatal(err)
	}
	return services.New(services.Needs{Store: s.store, Mailer: s.mail, Files: &s.shelf, Printer: printer, Key: testKey,
		Live: s.live, Links: links.At,
		Paths: api.Paths{}, Clock: s.clock.Now, Log: log})
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

// postbox is a mail server that keeps what it takes. Answer, when set, decides about each mail.
type postbox struct {
	mu     sync.Mutex
	taken  []mail.Message
	Answer func(ctx context.Context, m *mail.Message) error
}

func (p *postbox) Send(ctx context.Context, m *mail.Message) error {
	if p.Answer != nil {
		if err := p.Answer(ctx, m); err != nil {
			return err
		}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.taken = append(p.taken, *m)
	return nil
}

func (p *postbox) Taken() []mail.Message {
	p.mu.Lock()
	defer p.mu.Unlock()
	return append([]mail.Message{}, p.taken...)
}

// options change the service of a test before it starts.
type options struct {
	settings *config.Settings
	clock    *clock         // nil: a new one, at start
	rest     func(*api.API) // is given the interface before the first request
	lacking  *api.Lacking   // takes a permission from all keys
	fill     func(*service) // puts data into the seeded database before anything else is in it
}

// start is the first time of every test.
var start = admitto.TimeOf(time.Date(2026, 3, 9, 9, 0, 0, 0, time.UTC))

// onBoth runs a test on a fresh service of each engine, on both at the same time. Quotas are off unless change sets
// them.
func onBoth(t *testing.T, test func(t *testing.T, s *service), change ...func(*options)) {
	if *update { // the first engine writes what the second compares
		inTurn(t, test, change...)
		return
	}
	templateOf(change).Each(t, func(t *testing.T, url string, o db.Options) {
		test(t, newService(t, url, o, change...))
	})
}

// onEach is for SQLite in short, and for PostgreSQL in the long size. It is for all tests but those that show each kind
// of statement, lock and list on both engines: what the API makes of an answer does not depend on the engine, and
// storetest runs every statement on both.
func onEach(t *testing.T, test func(t *testing.T, s *service), change ...func(*options)) {
	if *update {
		onBoth(t, test, change...)
		return
	}
	templateOf(change).BySize(t, func(t *testing.T, url string, o db.Options) {
		test(t, newService(t, url, o, change...))
	})
}

// onAll is onBoth in the long size, and for SQLite alone in short. It is for tests that have more cases in the long
// size, such as all versions.
func onAll(t *testing.T, test func(t *testing.T, s *service), change ...func(*options)) {
	if apptest.Long() || *update {
		onBoth(t, test, change...)
		return
	}
	onEach(t, test, change...)
}

// inTurn is onBoth for a test that measures the memory of the process, changes its environment, or holds what only one
// service can have: one engine after the other.
func inTurn(t *testing.T, test func(t *testing.T, s *service), change ...func(*options)) {
	templateOf(change).InTurn(t, func(t *testing.T, url string, o db.Options) {
		test(t, newService(t, url, o, change...))
	})
}

// eachInTurn is inTurn in the long size, and for SQLite alone in short.
func eachInTurn(t *testing.T, test func(t *testing.T, s *service), change ...func(*options)) {
	apptest.Size(onEach, inTurn)(t, test, change...)
}

// templateOf is the template that tests with the options begin with.
func templateOf(change []func(*options)) *dbtest.Template {
	if o := optionsOf(change); o.clock != nil || o.settings.Instance.Name != instanceName {
		return storetest.Migrated
	}
	return seeded
}

// seeded has the defaults of a new instance.
var seeded = storetest.Seeded(func() admitto.Time { return start }, instanceName, 2026)

const instanceName = "Northfield University"

// optionsOf are the options of a test before its service starts.
func optionsOf(change []func(*options)) options {
	set := config.Defaults()
	set.Instance.Name, set.BaseURL = instanceName, "https://admissions.example.edu"
	set.Mail.From = &netmail.Address{Name: "Admissions Office", Address: "admissions@example.edu"}
	set.Mail.SyncTimeout = 5 * time.Second
	set.Quota.PerMinute, set.Quota.PerHour = 0, 0
	o := options{settings: set}
	for _, c := range change {
		c(&o)
	}
	return o
}

// set changes settings while the service runs.
func (s *service) set(change func(*config.Settings)) {
	other := *s.live.Current()
	change(&other)
	s.live.Set(&other)
}

// newService starts a service on the database; several may share one.
func newService(t testing.TB, url string, dbOptions db.Options, change ...func(*options)) *service {
	t.Helper()
	s := &service{t: t, url: url, db: dbOptions, clock: &clock{now: start}, mail: &postbox{}, log: &bytes.Buffer{}}
	o := optionsOf(change)
	if o.clock != nil {
		s.clock = o.clock
	}
	dbOptions.Clock = s.clock.Now
	var err error
	if s.store, err = store.Open(t.Context(), url, dbOptions); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.store.Close() })
	if _, err := s.store.Migrate(t.Context(), false); err != nil {
		t.Fatal(err)
	}
	if err := s.store.Seed(t.Context(), o.settings.Instance.Name, 2026); err != nil {
		t.Fatal(err)
	}
	log := slog.New(slog.NewJSONHandler(&lockedWriter{w: s.log}, nil))
	s.live = config.NewLive(o.settings)
	s.files = blob.InMemory()
	s.shelf.Backend = s.files
	s.services = s.newServices(log)
	if o.fill != nil {
		o.fill(s)
	}
	s.keyID, s.key = s.newKey(apikey.NewKey{Label: "test", Scope: admitto.ScopeAll})
	budget := web.NewBudget(32<<20, runtime.GOMAXPROCS(0), 0)
	rest := api.New(s.services, budget, s.live, log)
	if o.rest != nil {
		o.rest(rest)
	}
	if s.lacking = o.lacking; s.lacking != nil {
		s.lacking.Install(rest)
	}
	s.server = httptest.NewUnstartedServer(web.Chain(web.Config{Sites: sites(rest, s.services, budget, s.live), Log: log}))
	s.server.EnableHTTP2 = true
	s.server.StartTLS()
	s.server.Client().CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	t.Cleanup(s.server.Close)
	t.Cleanup(func() {
		if t.Failed() {
			t.Log(s.log.String())
		}
	})
	return s
}

var testKey = seal.NewKey()

type lockedWriter struct {
	mu sync.Mutex
	w  io.Writer
}

func (l *lockedWriter) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.w.Write(b)
}

// newKey makes an API key.
func (s *service) newKey(in apikey.NewKey) (int64, string) {
	s.t.Helper()
	id, secret, err := s.services.Keys.CreateKey(context.Background(), usecase.Caller{Caller: admitto.SystemCaller()}, in)
	if err != nil {
		s.t.Fatal(err)
	}
	return id, secret
}

// answer is a response with its body read.
type answer struct {
	status int
	header http.Header
	body   string
}

// with changes a request before it is sent.
type with func(*http.Request)

func header(name, value string) with {
	return func(r *http.Request) { r.Header.Set(name, value) }
}

func key(secret string) with {
	return header("Authorization", `SERVICE apikey="`+secret+`"`)
}

func noKey(r *http.Request) { r.Header.Del("Authorization") }

// do sends a request with the all-powerful key. Body "" is no body; a path is below the server.
func (s *service) do(method, path, body string, changes ...with) answer {
	s.t.Helper()
	var reader io.Reader
	if body != "" {
		reader = strings.NewReader(body)
	}
	r, err := http.NewRequestWithContext(s.t.Context(), method, s.server.URL+path, reader)
	if err != nil {
		s.t.Fatal(err)
	}
	key(s.key)(r)
	for _, change := range changes {
		change(r)
	}
	response, err := s.server.Client().Do(r)
	if err != nil {
		s.t.Fatalf("%s %s: %v", method, path, err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		s.t.Fatalf("%s %s: %v", method, path, err)
	}
	got := answer{response.StatusCode, response.Header, string(text)}
	checkSaidCodes(s.t, method, path, got)
	return got
}

func (s *service) get(path string, changes ...with) answer {
	s.t.Helper()
	return s.do("GET", path, "", changes...)
}

// postForm sends a form.
func (s *service) postForm(path, form string, changes ...with) answer {
	s.t.Helper()
	return s.do("POST", path, form, append([]with{header("Content-Type", "application/x-www-form-urlencoded")},
		changes...)...)
}

// postJSON sends a JSON body.
func (s *service) postJSON(path, body string, changes ...with) answer {
	s.t.Helper()
	return s.do("POST", path, body, append([]with{header("Content-Type", "application/json")}, changes...)...)
}

// want fails the test unless the answer has the status.
func (a answer) want(t testing.TB, status int) answer {
	t.Helper()
	if a.status != status {
		t.Fatalf("status %d, want %d: %s", a.status, status, a.body)
	}
	return a
}

// problem reads a problem document and checks what every one must have.
func (a answer) problem(t testing.TB, slug string) map[string]any {
	t.Helper()
	var p map[string]any
	if err := json.Unmarshal([]byte(a.body), &p); err != nil {
		t.Fatalf("no problem document: %v: %s", err, a.body)
	}
	if p["type"] != "/problems/"+slug || p["status"] != float64(a.status) ||
		a.header.Get("Content-Type") != "application/problem+json" ||
		p["request_id"] != a.header.Get("X-Request-Id") || p["detail"] == "" || p["title"] == "" {
		t.Fatalf("want the problem %s with all its members, got status %d, %s: %s", slug, a.status,
			a.header.Get("Content-Type"), a.body)
	}
	checkCodes(t, p)
	return p
}

// dropped reports whether the path is of a version that this release does not know any more; one without a version is
// meant of version 3, which answers it as long as there is one.
func dropped(path string) bool {
	version := 3
	fmt.Sscanf(path, "/api/v%d", &version)
	return version < config.OldestVersion
}

// versions are those that a test goes through whose subject all versions share: in short the oldest, the newest and one
// between them.
func versions() (list []int) {
	for v := config.OldestVersion; v <= 10; v++ {
		list = append(list, v)
	}
	return apptest.Size([]int{list[0], list[len(list)/2], list[len(list)-1]}, list)
}

// oldestVersion is the segment of the oldest version there is, as in paths.
var oldestVersion = fmt.Sprintf("v%d", config.OldestVersion)

// oldestPath is a path in the oldest version there is.
func oldestPath(path string) string { return "/api/" + oldestVersion + path }

// defaultPath is a path in the version that answers paths without one, version 3 as long as there is one.
func defaultPath(path string) string {
	return fmt.Sprintf("/api/v%d%s", documentSettings().API.DefaultVersion, path)
}

// prefixesTo are the ways to ask for the versions up to last, as far as this release knows them.
func prefixesTo(last int) (list []string) {
	for v := config.OldestVersion; v <= last; v++ {
		list = append(list, fmt.Sprintf("/api/v%d", v))
	}
	if documentSettings().API.DefaultVersion <= last {
		list = append(list, "/api")
	}
	return list
}

// object reads a JSON object.
func (a answer) object(t testing.TB) map[string]any {
	t.Helper()
	var v map[string]any
	if err := json.Unmarshal([]byte(a.body), &v); err != nil {
		t.Fatalf("%v: %s", err, a.body)
	}
	return v
}

// plainHTTP1 is a client that speaks HTTP/1.1 and does not decompress by itself.
func (s *service) plainHTTP1() *http.Client {
	return &http.Client{Transport: &http.Transport{DisableCompression: true,
		TLSClientConfig: &tls.Config{RootCAs: s.server.Client().Transport.(*http.Transport).TLSClientConfig.RootCAs}}}
}

func TestMain(m *testing.M) { os.Exit(apptest.Run(m)) }

// sites are the API and its documentation, as cmd/admitto puts them together.
func sites(rest *api.API, s *services.Services, budget *web.Budget, settings *config.Live) []web.Site {
	return append(devdocs.New(s, budget, settings, rest.Site()).Sites(), rest.Site())
}
