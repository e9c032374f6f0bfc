package main

import (
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"time"

	"github.com/admitto/admitto/internal/config"
	"github.com/admitto/admitto/internal/web"
)

// healthCmd is `admitto health`.
type healthCmd struct{}

// Help is shown by --help.
func (*healthCmd) Help() string {
	return `For containers and watchdogs: exit status 0 when the service that runs with these settings is ready for requests, else 1.
It asks /readyz at the address of listen, or at the port that the service on the data folder has.

Example:

    admitto health --listen=0.0.0.0:8443`
}

// Run asks the service.
func (*healthCmd) Run(app *app) error {
	s := app.settings
	f, err := folderAt(s.Data)
	if err != nil {
		return err
	}
	address := s.Listen
	if noted := f.url(); noted != "" {
		if at, err := url.Parse(noted); err == nil {
			address = at.Host
		}
	}
	scheme := "https"
	if web.TLSMode(s.TLS.Mode) == web.Proxy {
		scheme = "http"
	}
	return probe(app.ctx, scheme+"://"+reachable(address)+"/readyz")
}

// reachable is the address at which a service is reached that listens on one: where it listens on all, that of this
// machine.
func reachable(listen string) string {
	host, port, err := net.SplitHostPort(listen)
	if ip := net.ParseIP(host); err == nil && (host == "" || ip.IsUnspecified()) {
		return net.JoinHostPort("localhost", port)
	}
	return listen
}

// probeTimeout is how long a service may take to say how it is.
const probeTimeout = 5 * time.Second

// probe asks a service of this machine how it is; the error says what is wrong. Nothing secret is sent and nothing is
// believed but yes or no, so the certificate is not looked at: it is self-signed, or that of another name.
func probe(ctx context.Context, address string) error {
	ctx, cancel := context.WithTimeout(ctx, probeTimeout)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, address, http.NoBody)
	if err != nil {
		return err
	}
	client := http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true},
		DisableKeepAlives: true}}
	a, err := client.Do(r)
	if err != nil {
		return fmt.Errorf("no service answers: %w", err)
	}
	defer a.Body.Close()
	if _, err := io.Copy(io.Discard, io.LimitReader(a.Body, 4096)); err != nil {
		return fmt.Errorf("no service answers: %w", err)
	}
	if a.StatusCode != http.StatusOK {
		return fmt.Errorf("the service is not ready: %s answers %s", address, a.Status)
	}
	return nil
}

// runningURL is the address that a service on the folder noted, as long as one answers there; "" for none. A process
// that was killed leaves its note.
func (f *folder) runningURL(ctx context.Context, s *config.Settings) string {
	noted := f.url()
	if noted == "" {
		return ""
	}
	at, err := url.Parse(noted)
	if err != nil {
		return ""
	}
	if web.TLSMode(s.TLS.Mode) == web.Proxy {
		at.Scheme = "http"
	}
	at.Path = "/healthz"
	at.Host = reachable(at.Host)
	if probe(ctx, at.String()) != nil {
		return ""
	}
	return noted
}
