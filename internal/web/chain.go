package web

import (
	"context"
	"crypto/rand"
	"fmt"
	"log/slog"
	"net/http"
	"net/netip"
	"runtime/debug"
	"sync/atomic"
	"time"

	"github.com/admitto/admitto/internal/message"
)

// Info is what the chain and the handler tell each other about one request. The chain sets RequestID
// and Client before the handler runs; the handler sets the rest, for the log and the metrics. It belongs
// to the goroutine of the request.
type Info struct {
	RequestID string     // the caller's or a new one; also in X-Request-Id of the answer
	Client    netip.Addr // the client, behind trusted proxies too; the zero Addr if unknown. Never logged
	Route     string     // the pattern of the path ("/applicants/{id}"), never the path itself
	Version   int        // the API version that answers; 0: none
	KeyID     int64      // the API key; 0: none
	Problem   error      // the private cause of a failure, logged once with the request ID, at error level
}

type infoKey struct{}

// InfoOf returns the Info of the request that ctx belongs to; outside a chain an empty one, never nil.
func InfoOf(ctx context.Context) *Info {
	if info, ok := ctx.Value(infoKey{}).(*Info); ok {
		return info
	}
	return new(Info)
}

// Chain puts around c.Sites what happens to every request: request ID, recovering from panics, one line of log,
// metrics, the refusal of what is not HTTPS, security headers, /healthz and /readyz, the choice of the site, and the
// cutting off of a client that takes or sends nothing for 30 s, or takes an answer too slowly. Serve uses it; by itself
// it is for tests. In the modes with a certificate a request is HTTPS when it arrived by TLS (r.TLS).
func Chain(c Config) http.Handler {
	return newChain(c.withDefaults(), new(atomic.Bool))
}

type chain struct {
	Config
	draining *atomic.Bool
}

func newChain(c Config, draining *atomic.Bool) *chain {
	if c.Answers != nil {
		c.Metrics.watch(c.Answers)
	}
	return &chain{c, draining}
}

func (ch *chain) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	start := time.Now()
	info := &Info{RequestID: requestID(r, start), Client: peerOf(r)}
	r = r.WithContext(context.WithValue(r.Context(), infoKey{}, info))
	a := newAnswer(w, r, ch.limits.stall, ch.limits.clock)
	a.baseHeaders(info.RequestID)

	site := siteOf(ch.Sites, r.URL.Path)
	caught := ch.run(a, r, info, site)
	aborted := caught != nil && caught.value == http.ErrAbortHandler
	if caught != nil && !aborted {
		// An answer that has begun cannot be taken back; cut off, it at least never looks complete.
		aborted = a.status != 0
		if !aborted {
			a.baseHeaders(info.RequestID)
			site.begin(a.Header())
			aborted = guard(func() { site.fault(a, r, ErrPanicked) }) != nil
		}
	}
	if !aborted {
		a.finish()
	}
	ch.record(r, info, a, caught, aborted, time.Since(start))
	if aborted {
		panic(http.ErrAbortHandler)
	}
}

// run takes the request as far as it gets; it returns what was panicked with.
func (ch *chain) run(a *answer, r *http.Request, info *Info, site *Site) *caught {
	return guard(func() {
		if !ch.admit(r, info) {
			r.Header.Del("Authorization")
			r.Header.Del("Cookie")
			site.begin(a.Header())
			site.fault(a, r, ErrHTTPSRequired)
			return
		}
		if ch.isHTTPS(r) {
			a.secure = true
			a.baseHeaders(info.RequestID)
		}
		if ch.probe(a, r, info) {
			return
		}
		site.begin(a.Header())
		site.answer(a, r)
	})
}

// admit decides whether the request is let in, by nothing but where it comes from and how. It sets the
// client's address where a trusted proxy tells it.
func (ch *chain) admit(r *http.Request, info *Info) bool {
	if ch.TLS.Mode != Proxy {
		return r.TLS != nil
	}
	peer := info.Client
	trusted := trusts(ch.TLS.TrustedProxies, peer)
	if trusted {
		info.Client = clientOf(peer, r.Header["X-Forwarded-For"], ch.TLS.TrustedProxies)
	}
	if trusted && saysHTTPS(r.Header) {
		return true
	}
	// Probes of a load balancer or an orchestrator come straight to this port.
	_, forwarded := r.Header["X-Forwarded-Proto"]
	return isProbe(r.URL.Path) && !forwarded && (trusted || peer.IsLoopback())
}

// isHTTPS is asked after admit: in proxy mode only a trusted proxy's word gets so far.
func (ch *chain) isHTTPS(r *http.Request) bool {
	return r.TLS != nil || (ch.TLS.Mode == Proxy && saysHTTPS(r.Header))
}

func isProbe(path string) bool { return path == "/healthz" || path == "/readyz" }

// probe answers /healthz and /readyz, and reports whether it did.
func (ch *chain) probe(a *answer, r *http.Request, info *Info) bool {
	if !isProbe(r.URL.Path) {
		return false
	}
	info.Route = r.URL.Path
	a.Header().Set("Cache-Control", "no-store")
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		a.Header().Set("Allow", "GET, HEAD")
		plainText(a, http.StatusMethodNotAllowed, message.Of("web-method-not-allowed"))
		return true
	}
	if r.URL.Path == "/readyz" && !ch.isReady(r, info) {
		plainText(a, http.StatusServiceUnavailable, message.Of("web-not-ready"))
		return true
	}
	plainText(a, http.StatusOK, message.Of("web-ok"))
	return true
}

func (ch *chain) isReady(r *http.Request, info *Info) bool {
	if ch.draining.Load() {
		return false
	}
	if ch.Answers != nil {
		if err := ch.Answers.Ready(); err != nil {
			info.Problem = fmt.Errorf("not ready: %w", err)
			return false
		}
	}
	if ch.Ready == nil {
		return true
	}
	ctx, stop := context.WithTimeout(r.Context(), ch.limits.ready)
	defer stop()
	if err := ch.Ready(ctx); err != nil {
		info.Problem = fmt.Errorf("not ready: %w", err)
		return false
	}
	return true
}

// plainText answers a sentence in English.
func plainText(w http.ResponseWriter, status int, text message.Text) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.WriteHeader(status)
	w.Write([]byte(text.String() + "\n")) //nolint:errcheck // the client is gone then, and nobody else wants to know
}

// caught is a panic on its way out.
type caught struct {
	value any
	stack []byte
}

// guard runs f and returns its panic, nil if there was none.
func guard(f func()) (c *caught) {
	defer func() {
		if v := recover(); v != nil {
			c = &caught{value: v}
			if v != http.ErrAbortHandler {
				c.stack = debug.Stack()
			}
		}
	}()
	f()
	return nil
}

// record writes the one line of log of the request and counts it. Nothing of the line comes from the
// client but the request ID, which may hold no more than an identifier can.
func (ch *chain) record(r *http.Request, info *Info, a *answer, c *caught, aborted bool, took time.Duration) {
	route := info.Route
	if route == "" {
		route = "other"
	}
	class := fmt.Sprintf("%dxx", a.status/100)
	if aborted {
		class = "aborted"
	}
	ch.Metrics.count(route, info.Version, class, took)

	attrs := make([]slog.Attr, 0, 12)
	attrs = append(attrs,
		slog.String("method", methodOf(r)), slog.String("route", route), slog.Int("version", info.Version),
		slog.Int("status", a.status), slog.Int64("bytes", a.bytes), slog.Duration("duration", took),
		slog.Int64("key", info.KeyID), slog.String("request_id", info.RequestID))
	level := slog.LevelInfo
	if isProbe(route) {
		level = slog.LevelDebug // every few seconds, and only of interest when it fails for a reason
	} else if a.status >= 500 {
		level = slog.LevelError
	}
	if aborted {
		attrs = append(attrs, slog.Bool("aborted", true))
	}
	if info.Problem != nil {
		level = slog.LevelError
		attrs = append(attrs, slog.String("error", info.Problem.Error()))
	}
	if c != nil && c.stack != nil {
		level = slog.LevelError
		attrs = append(attrs, slog.String("panic", fmt.Sprint(c.value)), slog.String("stack", string(c.stack)))
	}
	ch.Log.LogAttrs(r.Context(), level, "request", attrs...)
}

// methodOf returns the method for the log; a client may send any word as one.
func methodOf(r *http.Request) string {
	switch r.Method {
	case "GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "CONNECT", "TRACE":
		return r.Method
	}
	return "OTHER"
}

// requestID returns the caller's X-Request-Id if it is one we may repeat, otherwise a new one.
func requestID(r *http.Request, now time.Time) string {
	if given := r.Header["X-Request-Id"]; len(given) == 1 && isRequestID(given[0]) {
		return given[0]
	}
	return newRequestID(now)
}

func isRequestID(s string) bool {
	if len(s) < 1 || len(s) > 64 {
		return false
	}
	for _, c := range []byte(s) {
		letter := 'a' <= c|0x20 && c|0x20 <= 'z'
		if !letter && !('0' <= c && c <= '9') && c != '.' && c != '_' && c != '-' {
			return false
		}
	}
	return true
}

// newRequestID makes an ID in the form of a ULID: 48 bits of milliseconds and 80 of randomness in
// Crockford's base 32, so that IDs sort by time.
func newRequestID(now time.Time) string {
	const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
	var random [10]byte
	rand.Read(random[:])
	var id [26]byte
	ms := uint64(now.UnixMilli())
	for i := 9; i >= 0; i-- {
		id[i] = alphabet[ms&31]
		ms >>= 5
	}
	for half := range 2 { // five bytes are eight characters
		var v uint64
		for _, b := range random[half*5 : half*5+5] {
			v = v<<8 | uint64(b)
		}
		for i := 7; i >= 0; i-- {
			id[10+half*8+i] = alphabet[v&31]
			v >>= 5
		}
	}
	return string(id[:])
}
