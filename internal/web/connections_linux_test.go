package web

import (
	"crypto/tls"
	"net"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// from opens a connection from an address of the loopback and asks on it; answered reports whether it was let in.
func from(t *testing.T, s *server, address string) (c *tls.Conn, answered bool) {
	t.Helper()
	conf := s.tlsConfig(t)
	conf.NextProtos, conf.ServerName = []string{"http/1.1"}, "localhost"
	d := &net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(address)}, Timeout: 20 * time.Second}
	raw, err := d.DialContext(t.Context(), "tcp", s.host)
	if err != nil {
		return nil, false // closed before the dialer had looked
	}
	t.Cleanup(func() { raw.Close() })
	raw.SetDeadline(time.Now().Add(20 * time.Second))
	c = tls.Client(raw, conf)
	if c.Handshake() != nil {
		return c, false
	}
	resp, _ := exchange(t, c, "GET / HTTP/1.1\r\nHost: a\r\n\r\n")
	return c, resp.StatusCode == 200
}

// Beyond a bound a connection is closed; those that are open go on, and when one ends there is room again.
func TestConnectionsAreBounded(t *testing.T) {
	metrics := NewMetrics()
	s := start(t, Config{Connections: Connections{Total: 3, PerAddress: 2}, Metrics: metrics})
	first, answered := from(t, s, "127.0.0.1")
	if !answered {
		t.Fatal("the first connection is refused")
	}
	if _, answered := from(t, s, "127.0.0.1"); !answered {
		t.Fatal("the second connection is refused")
	}
	if _, answered := from(t, s, "127.0.0.1"); answered {
		t.Error("an address has more connections than its bound")
	}
	if _, answered := from(t, s, "127.0.0.2"); !answered {
		t.Error("another address is refused as well")
	}
	for _, address := range []string{"127.0.0.2", "127.0.0.3"} {
		if _, answered := from(t, s, address); answered {
			t.Error("there are more connections than the bound")
		}
	}
	if resp, _ := exchange(t, first, "GET / HTTP/1.1\r\nHost: a\r\n\r\n"); resp.StatusCode != 200 {
		t.Error("an open connection does not go on")
	}
	shown := httptest.NewRecorder()
	metrics.handler().ServeHTTP(shown, httptest.NewRequest("GET", "/metrics", nil))
	for _, line := range []string{"admitto_connections 3", `admitto_connections_refused_total{bound="address"} 1`,
		`admitto_connections_refused_total{bound="total"} 2`} {
		if !strings.Contains(shown.Body.String(), "\n"+line+"\n") {
			t.Errorf("the metrics have no line %s", line)
		}
	}
	if n := strings.Count(s.log.String(), "connections are refused"); n != 1 {
		t.Errorf("the log says so %d times in a minute", n)
	}
	first.Close()
	for answered = false; !answered; { // until the service has noticed
		if t.Context().Err() != nil {
			t.Fatal("there is no room after the end of a connection")
		}
		_, answered = from(t, s, "127.0.0.4")
	}
}
