package web

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"sync"
	"sync/atomic"
	"time"
)

// TLSMode says who ends TLS and where the certificate comes from (setting tls.mode).
type TLSMode string

// The modes: an own certificate made at first start, certificate files of the operator, certificates that an
// ACME server gives, or a proxy in front that ends TLS.
const (
	SelfSigned TLSMode = "self-signed"
	Files      TLSMode = "files"
	ACME       TLSMode = "acme"
	Proxy      TLSMode = "proxy"
)

// TLS configures how a request becomes an HTTPS request.
type TLS struct {
	Mode TLSMode // "" is SelfSigned
	// CertFile and KeyFile are PEM files, for mode Files. They are read again when they change.
	CertFile, KeyFile string
	// Folder holds the self-signed pair tls-cert.pem and tls-key.pem, and in acme/ what the ACME server gave; it
	// is made if missing.
	Folder string
	// Domains are the names of the certificates, for mode ACME; the first is for clients that name none.
	Domains []string
	// Email is told to the ACME server, for mode ACME; it may be empty.
	Email string
	// Directory is the URL of the ACME server's directory, for mode ACME.
	Directory string
	// RootsFile has the certificates in PEM that Directory's own is checked with; "": those of the system.
	RootsFile string
	// Hosts are names and IP addresses for the self-signed certificate, besides localhost, 127.0.0.1
	// and ::1.
	Hosts []string
	// TrustedProxies are the addresses whose X-Forwarded-Proto and X-Forwarded-For are believed, for
	// mode Proxy. Elsewhere these headers are ignored.
	TrustedProxies []netip.Prefix
}

// Config is everything Serve and Chain need. Only Listen and Sites are required.
type Config struct {
	Listen string // address of the public port, host:port; port 0 picks a free one
	// MetricsListen is the address of the port for /metrics and /debug/pprof (plain HTTP, nobody is
	// asked for a key: never a public address); empty: none.
	MetricsListen string
	TLS           TLS
	Sites         []Site // what is behind the port
	// Ready tells why the service cannot work now, nil when it can; it must obey its context, which
	// ends after 2 s. nil: always ready.
	Ready func(ctx context.Context) error
	// Answers is the budget of the handler's answers: it is shown in the metrics, and while answers wait for it in vain
	// the service is not ready. nil: none.
	Answers     *Budget
	Log         *slog.Logger // nil: nothing is logged
	Metrics     *Metrics     // nil: an own one
	Connections Connections
	// Drain is how long running requests may take to finish once Serve is told to stop; 0 is 30 s.
	Drain time.Duration
	// Started is told once that the port is open, with the address in use: https://127.0.0.1:8443, in
	// proxy mode http://…. nil: nobody is told.
	Started func(address string)

	limits limits
}

// limits are the times that tests shorten; zero values are what the service runs with.
type limits struct {
	firstByte  time.Duration // for the first byte of a connection on the TLS port
	readHeader time.Duration // for the TLS handshake, and again for the headers of a request
	idle       time.Duration // between two requests of one connection
	stall      time.Duration // a client that takes or sends nothing for so long is cut off
	ready      time.Duration // for Config.Ready
	recheck    time.Duration // between two looks at the certificate files
	now        func() time.Time
	clock      func() time.Time                             // of answers
	days       func() (ticks <-chan time.Time, stop func()) // of the look at the certificates' times
	metricsUp  func(address string)
}

// maxHeaderBytes bounds the request line and headers (net/http allows 4 KiB more before it says 431).
const maxHeaderBytes = 64 << 10

func (c Config) withDefaults() Config {
	c.TLS.Mode = cmp.Or(c.TLS.Mode, SelfSigned)
	c.TLS.TrustedProxies = unmapPrefixes(c.TLS.TrustedProxies)
	c.Drain = cmp.Or(c.Drain, 30*time.Second)
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	if c.Metrics == nil {
		c.Metrics = NewMetrics()
	}
	l := &c.limits
	l.firstByte = cmp.Or(l.firstByte, 5*time.Second)
	l.readHeader = cmp.Or(l.readHeader, 10*time.Second)
	l.idle = cmp.Or(l.idle, 120*time.Second)
	l.stall = cmp.Or(l.stall, stallTime)
	l.ready = cmp.Or(l.ready, 2*time.Second)
	l.recheck = cmp.Or(l.recheck, time.Second)
	if l.now == nil {
		l.now = time.Now
	}
	if l.clock == nil {
		l.clock = time.Now
	}
	if l.days == nil {
		l.days = func() (<-chan time.Time, func()) {
			t := time.NewTicker(24 * time.Hour)
			return t.C, t.Stop
		}
	}
	return c
}

// part is one http.Server with the call that runs it.
type part struct {
	server *http.Server
	run    func() error
}

// Serve opens the ports and answers requests until ctx is done. Then it drains: /readyz says 503 at
// once, no connection is accepted any more, running requests have Config.Drain to finish, those still
// running after it are cut off (with a warning in the log), and Serve returns nil. An error means that
// the service could not start (address in use, bad certificate) or that a listener broke.
//
// The context of requests is not ended by ctx, only by the client going away or by the end of Drain.
func Serve(ctx context.Context, c Config) error {
	c = c.withDefaults()
	secure, err := serverTLS(c)
	if err != nil {
		return fmt.Errorf("web: %w", err)
	}
	port, err := listen(ctx, c.Listen)
	if err != nil {
		return err
	}
	public := newBounded(port, c)
	defer public.Close()

	requests, cut := context.WithCancel(context.WithoutCancel(ctx))
	defer cut()
	draining := new(atomic.Bool)
	chain := newChain(c, draining)
	parts := publicParts(requests, c, chain, secure.config, public)

	var metrics *http.Server
	if c.MetricsListen != "" {
		port, err := listen(ctx, c.MetricsListen)
		if err != nil {
			return err
		}
		defer port.Close()
		metrics = newServer(requests, c, c.Metrics.handler())
		parts = append(parts, part{metrics, func() error { return metrics.Serve(port) }})
		c.Log.Info("metrics", "address", port.Addr().String())
		if c.limits.metricsUp != nil {
			c.limits.metricsUp(port.Addr().String())
		}
	}

	if secure.validity != nil {
		c.Metrics.watchCertificates(secure.validity)
		days, end := c.limits.days()
		defer end()
		defer secure.validity.watch(ctx, days)()
	}
	ended := make(chan error, len(parts))
	for _, p := range parts {
		go func() { ended <- p.run() }()
	}
	if c.Started != nil {
		scheme := "https://"
		if secure.config == nil {
			scheme = "http://"
		}
		c.Started(scheme + public.Addr().String())
	}
	if secure.obtain != nil {
		defer secure.obtain(ctx, public.Addr())() // the port is open, so the ACME server finds who answers it
	}

	running := len(parts)
	var broken error
	select {
	case <-ctx.Done():
	case broken = <-ended:
		running--
	}
	draining.Store(true)
	c.Log.Info("draining", "at_most", c.Drain)
	drain(c, parts, metrics)
	cut()
	for range running {
		if err := <-ended; broken == nil && !errors.Is(err, http.ErrServerClosed) {
			broken = err
		}
	}
	if broken != nil && !errors.Is(broken, http.ErrServerClosed) {
		return fmt.Errorf("web: the server stopped: %w", broken)
	}
	return nil
}

func listen(ctx context.Context, address string) (net.Listener, error) {
	var lc net.ListenConfig
	l, err := lc.Listen(ctx, "tcp", address)
	if err != nil {
		return nil, fmt.Errorf("web: cannot listen on %q: %w", address, err)
	}
	return l, nil
}

// publicParts returns the server of the public port and, where that speaks TLS, the one that answers the
// plain HTTP arriving there. Both run the same chain: a request without TLS is refused by it.
func publicParts(ctx context.Context, c Config, chain http.Handler, secure *tls.Config, l net.Listener) []part {
	main := newServer(ctx, c, chain)
	if secure == nil {
		return []part{{main, func() error { return main.Serve(l) }}}
	}
	main.TLSConfig = secure
	sniffing := newSniffer(l, c.limits.firstByte)
	plain := newServer(ctx, c, chain)
	plain.SetKeepAlivesEnabled(false)
	return []part{
		{main, func() error { return main.ServeTLS(sniffing, "", "") }},
		{plain, func() error { return plain.Serve(sniffing.plain) }},
	}
}

// drain ends all servers; the metrics port is the last, so that draining can be watched.
func drain(c Config, parts []part, metrics *http.Server) {
	ctx, stop := context.WithTimeout(context.Background(), c.Drain)
	defer stop()
	var wait sync.WaitGroup
	for _, p := range parts {
		if p.server == metrics {
			continue
		}
		wait.Go(func() {
			if err := p.server.Shutdown(ctx); err != nil {
				c.Log.Warn("requests were cut off at the end of draining", "error", err)
				p.server.Close()
			}
		})
	}
	wait.Wait()
	if metrics != nil {
		metrics.Close()
	}
}

// newServer returns an http.Server with the limits of the service. It has no write timeout: an answer may
// take as long as its client keeps taking pieces of it.
func newServer(ctx context.Context, c Config, h http.Handler) *http.Server {
	return &http.Server{
		Handler:           h,
		BaseContext:       func(net.Listener) context.Context { return ctx },
		ReadHeaderTimeout: c.limits.readHeader,
		IdleTimeout:       c.limits.idle,
		MaxHeaderBytes:    maxHeaderBytes,
		// What net/http reports here is the noise of handshakes that scanners begin.
		ErrorLog: slog.NewLogLogger(c.Log.Handler(), slog.LevelDebug),
		// "OPTIONS *" goes through the chain like all others, so that it carries a request ID.
		DisableGeneralOptionsHandler: true,
		// A stream has its own deadlines; this ends a whole connection that takes nothing.
		HTTP2: &http.HTTP2Config{WriteByteTimeout: c.limits.stall},
	}
}
