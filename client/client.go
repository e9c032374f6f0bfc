// Package client calls the REST interface of Admitto: a typed method for every operation of version 10, made from
// the OpenAPI document, and by hand what is the same for all of them — repeating what was refused for now, problem
// documents as errors, big lists page by page, files as streams. It imports the standard library only.
//
//	c, err := client.New(client.Config{BaseURL: "https://admissions.example.org", Key: os.Getenv("ADMITTO_KEY")})
//	…
//	for applicant, err := range c.AllApplicants(ctx, client.ListApplicantsQuery{BySince: client.FromID(481)}) {
//		…
//	}
package client

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

//go:generate go run ./internal/gen -document ../docs/openapi/openapi-v10.json -types types_gen.go -operations operations_gen.go

// Newest is the version of the interface that the types of this package have.
const Newest = 10

// What a Config that says nothing stands for.
const (
	defaultScheme   = "SERVICE"
	defaultAttempts = 4
	defaultMaxWait  = 2 * time.Minute
	defaultTimeout  = 2 * time.Minute
)

// Config says which instance to call, with which key and how. BaseURL and Key must be given.
type Config struct {
	BaseURL string // https and host, with a port where it is not 443: https://admissions.example.org
	Key     string // as "admitto keys create" has printed it
	Scheme  string // the word before the key in Authorization; SERVICE unless the operator has set another

	// Version is the one in the address, Newest unless given. The types are those of Newest: with an older one use the
	// methods whose answers have not changed since, or Raw.
	Version int

	TLS       *tls.Config       // for instance the certificates to trust; nil for those of the system
	Transport http.RoundTripper // instead of one that is made with TLS

	// of one request without the body of a file, 2 minutes unless given; the context bounds all together
	Timeout  time.Duration
	Attempts int // how often a call is sent at most, 4 unless given; 1 for no repetition
	// a longer Retry-After is not waited for but told, see Problem.RetryAfter; 2 minutes unless given
	MaxWait time.Duration

	Sleep func(context.Context, time.Duration) error // waits between attempts; nil for the real one
	Now   func() time.Time                           // to read a Retry-After that is a date; nil for the real one

	UserAgent string // what the log of the service should call the program
}

// Client calls one instance. It may be used by several goroutines at once.
type Client struct {
	config Config
	origin string // https://host:port
	prefix string // /api/v10
	http   *http.Client
}

// New makes a client; it sends nothing yet. An address that is not https is an error, since the key would be sent in
// the clear and the service refuses it anyway (conventions.md 2).
func New(config Config) (*Client, error) {
	base, err := url.Parse(strings.TrimSuffix(config.BaseURL, "/"))
	switch {
	case err != nil:
		return nil, fmt.Errorf("client: the base URL: %w", err)
	case base.Scheme != "https" || base.Host == "" || base.User != nil || base.Path != "" || base.RawQuery != "" ||
		base.Fragment != "":
		return nil, fmt.Errorf("client: the base URL must be https:// and a host, not %q", config.BaseURL)
	case config.Key == "" || strings.ContainsAny(config.Key, "\"\r\n"):
		return nil, errors.New("client: the key is missing or is none")
	case config.TLS != nil && config.Transport != nil:
		return nil, errors.New("client: TLS and Transport exclude each other")
	}
	config.Scheme = cmp.Or(config.Scheme, defaultScheme)
	config.Version = cmp.Or(config.Version, Newest)
	config.Timeout = cmp.Or(config.Timeout, defaultTimeout)
	config.Attempts = cmp.Or(config.Attempts, defaultAttempts)
	config.MaxWait = cmp.Or(config.MaxWait, defaultMaxWait)
	config.UserAgent = cmp.Or(config.UserAgent, "admitto-client")
	if config.Sleep == nil {
		config.Sleep = wait
	}
	if config.Now == nil {
		config.Now = time.Now
	}
	transport := config.Transport
	if transport == nil {
		own := http.DefaultTransport.(*http.Transport).Clone()
		own.TLSClientConfig = config.TLS
		transport = own
	}
	return &Client{
		config: config,
		origin: base.Scheme + "://" + base.Host,
		prefix: "/api/v" + strconv.Itoa(config.Version),
		// The interface never redirects; the one who does must not be given the key.
		http: &http.Client{Transport: transport, CheckRedirect: func(*http.Request,
			[]*http.Request) error {
			return http.ErrUseLastResponse
		}},
	}, nil
}

// wait waits for the time or the end of the context, whose error it returns then.
func wait(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// CloseIdle closes connections that nobody uses now.
func (c *Client) CloseIdle() { c.http.CloseIdleConnections() }
