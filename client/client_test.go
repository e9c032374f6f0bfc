package client_test

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/admitto/admitto/client"
)

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// instance answers the requests of one test, one function after the other; the last one stays.
type instance struct {
	t      *testing.T
	server *httptest.Server
	seen   []*http.Request
	bodies []string
	slept  []time.Duration
	client *client.Client
}

type reply func(w http.ResponseWriter, r *http.Request)

func start(t *testing.T, change func(*client.Config), replies ...reply) *instance {
	t.Helper()
	i := &instance{t: t}
	i.server = httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		n := min(len(i.seen), len(replies)-1)
		i.seen, i.bodies = append(i.seen, r.Clone(context.Background())), append(i.bodies, string(body))
		replies[n](w, r)
	}))
	i.server.Config.ErrorLog = nil
	t.Cleanup(i.server.Close)
	roots := x509.NewCertPool()
	roots.AddCert(i.server.Certificate())
	config := client.Config{BaseURL: i.server.URL, Key: "admitto_secret", TLS: &tls.Config{RootCAs: roots},
		Now: func() time.Time { return noon },
		Sleep: func(ctx context.Context, d time.Duration) error {
			i.slept = append(i.slept, d)
			return ctx.Err()
		}}
	if change != nil {
		change(&config)
	}
	var err error
	if i.client, err = client.New(config); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(i.client.CloseIdle)
	return i
}

// answering returns a status, header fields as "Name: value", and a body.
func answering(status int, body string, fields ...string) reply {
	return func(w http.ResponseWriter, _ *http.Request) {
		for _, field := range fields {
			name, value, _ := strings.Cut(field, ": ")
			w.Header().Set(name, value)
		}
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}
}

func refusing(status int, name string, fields ...string) reply {
	return answering(status,
		fmt.Sprintf(`{"type":"/problems/%s","title":"T","status":%d,"detail":"D","instance":"/i","request_id":"R"}`, name,
			status), fields...)
}

// lost breaks the connection off before anything is answered.
func lost(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }

func TestNewRefuses(t *testing.T) {
	for _, c := range []struct {
		config client.Config
		says   string
	}{
		{client.Config{BaseURL: "http://a.example", Key: "k"}, "must be https://"},
		{client.Config{BaseURL: "https://a.example/api", Key: "k"}, "must be https://"},
		{client.Config{BaseURL: "https://u:p@a.example", Key: "k"}, "must be https://"},
		{client.Config{BaseURL: "a.example", Key: "k"}, "must be https://"},
		{client.Config{BaseURL: "https://a b", Key: "k"}, "base URL"},
		{client.Config{BaseURL: "https://a.example"}, "the key is missing"},
		{client.Config{BaseURL: "https://a.example", Key: "a\nb"}, "the key is missing"},
		{client.Config{BaseURL: "https://a.example", Key: "k", TLS: &tls.Config{}, Transport: http.DefaultTransport},
			"exclude each other"},
	} {
		if _, err := client.New(c.config); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%+v: %v, want %q", c.config, err, c.says)
		}
	}
	if _, err := client.New(client.Config{BaseURL: "https://a.example:8443/", Key: "k"}); err != nil {
		t.Error(err)
	}
}

// What is refused for now is sent again, after as long as the answer says, and only so often.
func TestRetries(t *testing.T) {
	ok := answering(200, `{"pong":7}`)
	seconds := func(list ...float64) (d []time.Duration) {
		for _, s := range list {
			d = append(d, time.Duration(s*float64(time.Second)))
		}
		return d
	}
	for _, c := range []struct {
		name    string
		change  func(*client.Config)
		replies []reply
		sent    int
		slept   []time.Duration
		fails   string // name of the problem
	}{
		{"at once", nil, []reply{ok}, 1, nil, ""},
		{"seconds", nil, []reply{refusing(429, "quota-exceeded", "Retry-After: 17"), ok}, 2, seconds(17), ""},
		{"a date", nil, []reply{refusing(503, "unavailable",
			"Retry-After: "+noon.Add(45*time.Second).Format(http.TimeFormat)), ok}, 2, seconds(45), ""},
		{"a date that has passed", nil, []reply{refusing(503, "unavailable",
			"Retry-After: "+noon.Add(-time.Hour).Format(http.TimeFormat)), ok}, 2, seconds(1), ""},
		{"0 seconds", nil, []reply{refusing(503, "unavailable", "Retry-After: 0"), ok}, 2, seconds(1), ""},
		{"nothing said", nil, []reply{refusing(503, "unavailable"), refusing(503, "unavailable"), ok}, 3, seconds(1, 2), ""},
		{"a proxy's page", nil, []reply{answering(503, "<h1>Busy</h1>"), ok}, 2, seconds(1), ""},
		{"never", nil, []reply{refusing(429, "quota-exceeded", "Retry-After: 2")}, 4, seconds(2, 2, 2), "quota-exceeded"},
		{"longer than one wants", nil, []reply{refusing(429, "quota-exceeded", "Retry-After: 3000")}, 1, nil,
			"quota-exceeded"},
		{"as long as one wants", func(c *client.Config) { c.MaxWait = time.Hour },
			[]reply{refusing(429, "quota-exceeded", "Retry-After: 3000"), ok}, 2, seconds(3000), ""},
		{"one attempt", func(c *client.Config) { c.Attempts = 1 }, []reply{refusing(503, "unavailable", "Retry-After: 2"),
			ok}, 1, nil, "unavailable"},
		{"other refusals", nil, []reply{refusing(500, "internal"), ok}, 1, nil, "internal"},
		{"mail refused", nil, []reply{refusing(502, "mail-refused"), ok}, 1, nil, "mail-refused"},
		{"lost", nil, []reply{lost, lost, ok}, 3, seconds(1, 2), ""},
		{"cut off", nil, []reply{answering(200, `{"po`, "Content-Length: 10"), ok}, 2, seconds(1), ""},
	} {
		i := start(t, c.change, c.replies...)
		ping, err := i.client.GetPing(t.Context())
		if len(i.seen) != c.sent || !slices.Equal(i.slept, c.slept) {
			t.Errorf("%s: sent %d times, waited %v, want %d and %v", c.name, len(i.seen), i.slept, c.sent, c.slept)
		}
		if c.fails == "" && (err != nil || ping.Pong != 7) || c.fails != "" && !client.IsProblem(err, c.fails) {
			t.Errorf("%s: %v, %v", c.name, ping, err)
		}
	}
}

// Every request says who calls, and for which version.
func TestRequest(t *testing.T) {
	i := start(t, func(c *client.Config) { c.Version, c.Scheme, c.UserAgent = 9, "UNI", "crm/2" },
		answering(200, `{"pong":1}`))
	if _, err := i.client.GetPing(t.Context(), client.Strict(), client.Header("X-Request-Id", "mine")); err != nil {
		t.Fatal(err)
	}
	r := i.seen[0]
	for name, want := range map[string]string{"Authorization": `UNI apikey="admitto_secret"`, "User-Agent": "crm/2",
		"Prefer": "handling=strict", "X-Request-Id": "mine", "Accept": "application/json"} {
		if r.Header.Get(name) != want {
			t.Errorf("%s: %q, want %q", name, r.Header.Get(name), want)
		}
	}
	if r.URL.Path != "/api/v9/ping" {
		t.Error(r.URL)
	}
}

// A creation has a key that stays the same whatever becomes of its answers; no two creations have the same.
func TestIdempotency(t *testing.T) {
	i := start(t, nil, lost, refusing(409, "idempotency-in-progress"), refusing(429, "quota-exceeded", "Retry-After: 5"),
		answering(201, `{"id":7,"code":"FAIR"}`, "Location: /api/v10/applicants/trackers/7"))
	for range 2 {
		tracker, err := i.client.CreateApplicantsTracker(t.Context(), client.CreateApplicantsTrackerInput{Code: "FAIR"})
		if err != nil || tracker.ID != 7 {
			t.Fatal(tracker, err)
		}
	}
	var keys []string
	for n, r := range i.seen {
		keys = append(keys, r.Header.Get("Idempotency-Key"))
		if i.bodies[n] != `{"code":"FAIR"}` || r.Header.Get("Content-Type") != "application/json" {
			t.Errorf("%d: %s %v", n, i.bodies[n], r.Header)
		}
	}
	if len(keys) != 5 || keys[0] == "" || keys[0] != keys[1] || keys[0] != keys[2] || keys[0] != keys[3] ||
		keys[4] == keys[0] {
		t.Error(keys)
	}
	if _, err := i.client.CreateApplicantsTracker(t.Context(), client.CreateApplicantsTrackerInput{Code: "FAIR"},
		client.IdempotencyKey("order-7")); err != nil {
		t.Fatal(err)
	}
	if key := i.seen[5].Header.Get("Idempotency-Key"); key != "order-7" {
		t.Error(key)
	}
}

// A write is not repeated when that could do harm: its answer is lost and it would not be the same the second time.
func TestLostWrites(t *testing.T) {
	for name, c := range map[string]struct {
		call func(*client.Client) error
		sent int
	}{
		"PUT": {func(c *client.Client) error { return c.SetApplicantTracker(t.Context(), 1, 2) }, 2},
		"PUT with a guard": {func(c *client.Client) error {
			return c.SetApplicantTracker(t.Context(), 1, 2,
				client.IfMatch(`"a"`))
		}, 1},
		"DELETE": {func(c *client.Client) error { return c.DeleteApplicantTracker(t.Context(), 1, 2) }, 1},
		"PATCH": {func(c *client.Client) error {
			return c.PatchApplication(t.Context(), 1, client.PatchApplicationInput{})
		}, 1},
		"action": {func(c *client.Client) error { return c.ConfirmOffer(t.Context(), 1, 2) }, 2},
	} {
		i := start(t, nil, lost, answering(204, ""))
		if err := c.call(i.client); (err != nil) != (c.sent == 1) || len(i.seen) != c.sent {
			t.Errorf("%s: sent %d times, %v", name, len(i.seen), err)
		}
	}
}

func TestContextEnds(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	why := errors.New("shutting down")
	i := start(t, func(c *client.Config) {
		c.Sleep = func(ctx context.Context, _ time.Duration) error { cancel(why); return ctx.Err() }
	}, refusing(503, "unavailable"))
	_, err := i.client.GetPing(ctx)
	if !errors.Is(err, context.Canceled) || !client.IsProblem(err, "unavailable") || len(i.seen) != 1 {
		t.Errorf("%d: %v", len(i.seen), err)
	}
	if _, err = i.client.GetPing(ctx); !errors.Is(err, why) && !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

func TestTimeout(t *testing.T) {
	i := start(t, func(c *client.Config) { c.Timeout, c.Attempts = 30*time.Millisecond, 1 },
		func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	if _, err := i.client.GetPing(t.Context()); err == nil || !strings.Contains(err.Error(), "no answer within 30ms") {
		t.Error(err)
	}
}

// lateTransport answers with nothing when the request has ended, as a server may that sees its end first.
type lateTransport struct{}

func (lateTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	<-r.Context().Done()
	return &http.Response{StatusCode: 200, Body: http.NoBody, Request: r}, nil
}

func TestAnswerAfterTimeout(t *testing.T) {
	c, err := client.New(client.Config{BaseURL: "https://example.org", Key: "admitto_secret", Timeout: time.Millisecond,
		Attempts: 1, Transport: lateTransport{}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.GetPing(t.Context()); err == nil || !strings.Contains(err.Error(), "no answer within 1ms") {
		t.Error(err)
	}
}

func TestProblem(t *testing.T) {
	i := start(t, nil, answering(409, `{"type":"/problems/already-exists","title":"It exists","status":409,"detail":"code: \"A\" is taken","instance":"/api/v10/applicants","request_id":"01M",
		"code":"email-taken","errors":[{"parameter":"email","detail":"is taken","code":"email-taken"},{"pointer":"/a","detail":"b","code":"other"},{"detail":"c"}]}`, "Location: /api/v10/applicants/9"))
	_, err := i.client.CreateApplicant(t.Context(), client.CreateApplicantInput{Email: "a@example.org"})
	var p *client.Problem
	if !errors.As(err, &p) || p.Status != 409 || p.Name() != "already-exists" || p.Code != "email-taken" ||
		p.RequestID != "01M" || p.Location.ID() != 9 || len(p.Errors) != 3 || p.Errors[1].Pointer != "/a" {
		t.Fatalf("%#v", err)
	}
	for name, want := range map[string]bool{"already-exists": true, "email-taken": true, "other": true, "not-found": false,
		"": false} {
		if client.IsProblem(fmt.Errorf("creating: %w", err), name) != want {
			t.Error(name)
		}
	}
	if err.Error() != `409 It exists: code: "A" is taken (request 01M)` ||
		i.seen[0].Header.Get("Prefer") != "return=representation" {
		t.Error(err, i.seen[0].Header)
	}
	i = start(t, nil, answering(404, "<h1>nothing</h1>"))
	_, err = i.client.GetPing(t.Context())
	if !errors.As(err, &p) || p.Type != "about:blank" || p.Status != 404 ||
		err.Error() != "404 Not Found: <h1>nothing</h1>" {
		t.Errorf("%#v", err)
	}
	// Nobody is followed: the key would go along.
	i = start(t, nil, answering(302, "", "Location: https://elsewhere.example/"))
	if _, err = i.client.GetPing(t.Context()); !errors.As(err, &p) || p.Status != 302 || len(i.seen) != 1 {
		t.Error(err)
	}
}

// transport answers without a network: a status and a Retry-After.
type transport func() (status int, retryAfter string)

func (f transport) RoundTrip(r *http.Request) (*http.Response, error) {
	status, retryAfter := f()
	return &http.Response{StatusCode: status, Header: http.Header{"Retry-After": {retryAfter}},
		Body: io.NopCloser(strings.NewReader("{}")), Request: r}, nil
}
