package web

import (
	"io"
	"net"
	"net/netip"
	"testing"
)

// A connection on the TLS port that turns out to be plain is another server's, and counted out when that one closes it.
func TestPlainConnectionsAreCountedOut(t *testing.T) {
	s := start(t, Config{Connections: Connections{Total: 2}})
	for range 10 {
		c := dial(t, s.host)
		if resp, _ := exchange(t, c, "GET / HTTP/1.1\r\nHost: a\r\n\r\n"); resp.StatusCode != 403 {
			t.Fatal(resp.StatusCode)
		}
		if _, err := io.Copy(io.Discard, c); err != nil { // up to its end
			t.Fatal(err)
		}
	}
}

func TestWhoseConnectionItIs(t *testing.T) {
	c := Config{TLS: TLS{Mode: Proxy, TrustedProxies: []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")}}}.withDefaults()
	behind := newBounded(nil, c)
	c.TLS.Mode = SelfSigned
	open := newBounded(nil, c)
	for _, test := range []struct{ remote, client, proxied string }{
		{"192.0.2.7:1234", "192.0.2.7", "192.0.2.7"},
		{"10.1.2.3:1234", "10.1.2.3", "invalid IP"},
		{"[::ffff:10.1.2.3]:1234", "10.1.2.3", "invalid IP"},
		{"[2001:db8:1:2:3:4:5:6]:1234", "2001:db8:1:2::", "2001:db8:1:2::"},
		{"[fe80::1%lo]:1234", "fe80::", "fe80::"},
	} {
		remote := net.TCPAddrFromAddrPort(netip.MustParseAddrPort(test.remote))
		if got := open.client(remote).String(); got != test.client {
			t.Errorf("%s counts for %s", test.remote, got)
		}
		if got := behind.client(remote).String(); got != test.proxied {
			t.Errorf("behind a proxy %s counts for %s", test.remote, got)
		}
	}
}

// Trusted proxies have as many connections as there may be, other addresses their own.
func TestTrustedProxiesAreNotCounted(t *testing.T) {
	c := Config{Connections: Connections{Total: 50, PerAddress: 2}}.withDefaults()
	b := newBounded(nil, c)
	address := netip.MustParseAddr("192.0.2.7")
	for range 48 {
		if bound := b.take(netip.Addr{}); bound != "" {
			t.Fatal(bound)
		}
	}
	if a, second, third := b.take(address), b.take(address), b.take(address); a != "" || second != "" || third != "total" {
		t.Error(a, second, third)
	}
	b.give(netip.Addr{})
	if bound := b.take(address); bound != "address" {
		t.Error(bound)
	}
	b.give(address)
	b.give(address)
	if _, there := b.by[address]; there || b.open != 47 {
		t.Errorf("%d are counted as open, %v", b.open, b.by)
	}
}
