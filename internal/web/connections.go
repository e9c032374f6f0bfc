package web

import (
	"log/slog"
	"net"
	"net/netip"
	"sync"
	"time"
)

// Connections bounds the open connections of the public port; 0 is no bound. One beyond a bound is closed at once,
// before its handshake: that costs little, and a proxy with several instances behind it goes to the next.
type Connections struct {
	Total int
	// PerAddress is for one client: an IPv4 address, or the 64 bits of an IPv6 network that one gets. Trusted proxies,
	// through which everybody comes, are not counted so.
	PerAddress int
}

// complainEvery is how often the log says that connections are refused.
const complainEvery = time.Minute

// bounded is a listener that keeps to Connections.
type bounded struct {
	net.Listener
	bounds  Connections
	trusted []netip.Prefix
	metrics *Metrics
	log     *slog.Logger
	now     func() time.Time

	mu         sync.Mutex // for the following
	open       int
	by         map[netip.Addr]int // open connections of each client
	complained time.Time
}

func newBounded(l net.Listener, c Config) *bounded {
	b := &bounded{Listener: l, bounds: c.Connections, metrics: c.Metrics, log: c.Log, now: c.limits.now,
		by: map[netip.Addr]int{}}
	if c.TLS.Mode == Proxy {
		b.trusted = c.TLS.TrustedProxies
	}
	return b
}

// Accept returns the next connection that is within the bounds.
func (b *bounded) Accept() (net.Conn, error) {
	for {
		c, err := b.Listener.Accept()
		if err != nil {
			return nil, err
		}
		client := b.client(c.RemoteAddr())
		bound := b.take(client)
		if bound == "" {
			return &held{TCPConn: c.(*net.TCPConn), give: func() { b.give(client) }}, nil // a listener on "tcp" gives no other
		}
		b.metrics.refused.WithLabelValues(bound).Inc() // first: who sees the end may look at the metrics
		c.Close()
	}
}

// client is whom a connection counts for, the zero Addr for a trusted proxy.
func (b *bounded) client(remote net.Addr) netip.Addr {
	tcp, ok := remote.(*net.TCPAddr)
	if !ok {
		return netip.Addr{}
	}
	a := tcp.AddrPort().Addr().Unmap().WithZone("")
	if trusts(b.trusted, a) {
		return netip.Addr{}
	}
	if a.Is6() {
		network, _ := a.Prefix(64) // of an IPv6 address it is never an error
		return network.Addr()
	}
	return a
}

// take counts a connection in, or names the bound that it is beyond.
func (b *bounded) take(client netip.Addr) (bound string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch {
	case b.bounds.Total > 0 && b.open >= b.bounds.Total:
		bound = "total"
	case b.bounds.PerAddress > 0 && client.IsValid() && b.by[client] >= b.bounds.PerAddress:
		bound = "address"
	default:
		b.open++
		b.by[client]++
		b.metrics.connections.Inc()
		return ""
	}
	if now := b.now(); now.Sub(b.complained) >= complainEvery {
		b.complained = now
		b.log.Warn("connections are refused, there are too many", "bound", bound, "open", b.open)
	}
	return bound
}

// give counts a connection out.
func (b *bounded) give(client netip.Addr) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.open--
	b.metrics.connections.Dec()
	if b.by[client]--; b.by[client] == 0 {
		delete(b.by, client)
	}
}

// held is a connection that is counted until it is closed. It stays a TCPConn to net/http, which sends files by the
// system.
type held struct {
	*net.TCPConn
	once sync.Once
	give func()
}

func (h *held) Close() error {
	h.once.Do(h.give)
	return h.TCPConn.Close()
}
