package web

import (
	"io"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"
)

func prefixes(list ...string) (out []netip.Prefix) {
	for _, p := range list {
		out = append(out, netip.MustParsePrefix(p))
	}
	return out
}

func TestProxy(t *testing.T) {
	const trusted, stranger, local = "10.1.2.3:4711", "203.0.113.9:4711", "127.0.0.1:4711"
	type header = map[string][]string
	https := []string{"https"}
	for name, c := range map[string]struct {
		peer, path string
		header     header
		status     int
		client     string
	}{
		"trusted, https":         {trusted, "/", header{"X-Forwarded-Proto": https}, 200, "10.1.2.3"},
		"trusted, HTTPS":         {trusted, "/", header{"X-Forwarded-Proto": {"HTTPS"}}, 200, "10.1.2.3"},
		"trusted, nothing":       {trusted, "/", nil, 403, ""},
		"trusted, http":          {trusted, "/", header{"X-Forwarded-Proto": {"http"}}, 403, ""},
		"trusted, empty":         {trusted, "/", header{"X-Forwarded-Proto": {""}}, 403, ""},
		"trusted, list":          {trusted, "/", header{"X-Forwarded-Proto": {"https, http"}}, 403, ""},
		"trusted, list of https": {trusted, "/", header{"X-Forwarded-Proto": {"https,https"}}, 403, ""},
		"trusted, twice":         {trusted, "/", header{"X-Forwarded-Proto": {"https", "https"}}, 403, ""},
		"trusted, Forwarded":     {trusted, "/", header{"Forwarded": {"proto=https"}}, 403, ""},
		"trusted, mapped":        {"[::ffff:10.1.2.3]:1", "/", header{"X-Forwarded-Proto": https}, 200, "10.1.2.3"},
		"trusted IPv6":           {"[2001:db8::5]:1", "/", header{"X-Forwarded-Proto": https}, 200, "2001:db8::5"},
		"trusted, with zone":     {"[fe80::1%eth0]:1", "/", header{"X-Forwarded-Proto": https}, 200, "fe80::1"},
		"stranger, https":        {stranger, "/", header{"X-Forwarded-Proto": https}, 403, ""},
		"stranger, nothing":      {stranger, "/", nil, 403, ""},
		"stranger, claims trusted": {stranger, "/", header{"X-Forwarded-Proto": https, "X-Forwarded-For": {"10.1.2.3"}},
			403, ""},
		"loopback, https":           {local, "/", header{"X-Forwarded-Proto": https}, 403, ""},
		"no address":                {"@", "/", header{"X-Forwarded-Proto": https}, 403, ""},
		"probe, trusted":            {trusted, "/healthz", nil, 200, "probe"},
		"probe, loopback":           {local, "/readyz", nil, 200, "probe"},
		"probe, loopback IPv6":      {"[::1]:1", "/readyz", nil, 200, "probe"},
		"probe, stranger":           {stranger, "/healthz", nil, 403, ""},
		"probe, forwarded as http":  {trusted, "/healthz", header{"X-Forwarded-Proto": {"http"}}, 403, ""},
		"probe, forwarded as https": {trusted, "/healthz", header{"X-Forwarded-Proto": https}, 200, "probe"},
		"probe, loopback claims":    {local, "/healthz", header{"X-Forwarded-Proto": https}, 403, ""},
		"below a probe":             {local, "/healthz/", nil, 403, ""},
		"chain of one": {trusted, "/", header{"X-Forwarded-Proto": https, "X-Forwarded-For": {"203.0.113.1"}},
			200, "203.0.113.1"},
		"chain, forged at the left": {trusted, "/", header{"X-Forwarded-Proto": https,
			"X-Forwarded-For": {"198.51.100.1, 203.0.113.1,10.9.9.9"}}, 200, "203.0.113.1"},
		"chain over two headers": {trusted, "/", header{"X-Forwarded-Proto": https,
			"X-Forwarded-For": {"198.51.100.1,203.0.113.1", "10.9.9.9"}}, 200, "203.0.113.1"},
		"chain, all trusted": {trusted, "/", header{"X-Forwarded-Proto": https,
			"X-Forwarded-For": {"10.0.0.1, 10.0.0.2"}}, 200, "10.0.0.1"},
		"chain, IPv6": {trusted, "/", header{"X-Forwarded-Proto": https,
			"X-Forwarded-For": {"2001:db9::7, 2001:db8::1"}}, 200, "2001:db9::7"},
		"chain, IPv6 with port": {trusted, "/", header{"X-Forwarded-Proto": https,
			"X-Forwarded-For": {"[2001:db9::7]:99"}}, 200, "2001:db9::7"},
		"chain, IPv6 in brackets": {trusted, "/", header{"X-Forwarded-Proto": https, "X-Forwarded-For": {"[2001:db9::7]"}},
			200, "2001:db9::7"},
		"chain, port": {trusted, "/", header{"X-Forwarded-Proto": https,
			"X-Forwarded-For": {"203.0.113.1:99"}}, 200, "203.0.113.1"},
		"chain, mapped": {trusted, "/", header{"X-Forwarded-Proto": https,
			"X-Forwarded-For": {"::ffff:203.0.113.1"}}, 200, "203.0.113.1"},
		"chain, garbage stops": {trusted, "/", header{"X-Forwarded-Proto": https,
			"X-Forwarded-For": {"203.0.113.1, unknown, 10.0.0.2"}}, 200, "10.0.0.2"},
		"chain, empty entry stops": {trusted, "/", header{"X-Forwarded-Proto": https,
			"X-Forwarded-For": {"203.0.113.1,,10.0.0.2"}}, 200, "10.0.0.2"},
		"chain, garbage at once": {trusted, "/", header{"X-Forwarded-Proto": https, "X-Forwarded-For": {"<script>"}}, 200,
			"10.1.2.3"},
		"chain, garbage at the left": {trusted, "/", header{"X-Forwarded-Proto": https,
			"X-Forwarded-For": {"junk, 203.0.113.1"}}, 200, "203.0.113.1"},
	} {
		t.Run(name, func(t *testing.T) {
			reached := ""
			h := Chain(Config{TLS: TLS{Mode: Proxy, TrustedProxies: prefixes("::ffff:10.0.0.0/104", "2001:db8::/32",
				"fe80::/10")},
				Sites: only(http.HandlerFunc(func(_ http.ResponseWriter,
					r *http.Request) {
					reached = InfoOf(r.Context()).Client.String()
				}))})
			r := httptest.NewRequest("GET", c.path, nil)
			r.RemoteAddr = c.peer
			for k, v := range c.header {
				r.Header[k] = v
			}
			w := httptest.NewRecorder()
			h.ServeHTTP(w, r)
			if w.Code == 200 && w.Body.String() == "ok\n" {
				reached = "probe"
			}
			if w.Code != c.status || reached != c.client {
				t.Errorf("%d %q, want %d %q", w.Code, reached, c.status, c.client)
			}
			direct := c.header == nil
			if hsts := w.Header().Get("Strict-Transport-Security") != ""; hsts != (w.Code == 200 && !direct) {
				t.Errorf("HSTS %v", hsts)
			}
		})
	}
}

func TestForwardedIsIgnoredWithoutProxy(t *testing.T) {
	h := Chain(Config{TLS: TLS{TrustedProxies: prefixes("0.0.0.0/0")},
		Sites: only(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			io.WriteString(w, InfoOf(r.Context()).Client.String())
		}))})
	r := httptest.NewRequest("GET", "https://localhost/", nil)
	r.Header.Set("X-Forwarded-For", "198.51.100.1")
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	if w.Body.String() != "192.0.2.1" {
		t.Errorf("client %s", w.Body)
	}
	r = httptest.NewRequest("GET", "http://localhost/", nil)
	r.Header.Set("X-Forwarded-Proto", "https")
	w = httptest.NewRecorder()
	h.ServeHTTP(w, r)
	if w.Code != 403 {
		t.Errorf("status %d", w.Code)
	}
}

func TestProxyModeOverTheWire(t *testing.T) {
	s := start(t, Config{TLS: TLS{Mode: Proxy, TrustedProxies: prefixes("127.0.0.0/8")}})
	if !strings.HasPrefix(s.url, "http://") {
		t.Errorf("address %s", s.url)
	}
	resp, body := exchange(t, dial(t, s.host),
		"GET / HTTP/1.1\r\nHost: a\r\nX-Forwarded-Proto: https\r\nX-Forwarded-For: 203.0.113.5\r\n\r\n")
	if resp.StatusCode != 200 || body != "HTTP/1.1 203.0.113.5" {
		t.Errorf("%d %q", resp.StatusCode, body)
	}
	if resp, _ := exchange(t, dial(t, s.host), "GET / HTTP/1.1\r\nHost: a\r\n\r\n"); resp.StatusCode != 403 {
		t.Errorf("status %d", resp.StatusCode)
	}
	if resp, _ := exchange(t, dial(t, s.host), "GET /readyz HTTP/1.1\r\nHost: a\r\n\r\n"); resp.StatusCode != 200 {
		t.Errorf("status %d", resp.StatusCode)
	}
}

func FuzzForwarded(f *testing.F) {
	for _, s := range []string{"", "203.0.113.1", "a, b", "10.0.0.1,10.0.0.2", "[::1]:80, ::ffff:10.0.0.1",
		"fe80::1%x,10.0.0.1", ",,,"} {
		f.Add(s, "")
		f.Add("198.51.100.1", s)
	}
	trusted := prefixes("10.0.0.0/8")
	peer := netip.MustParseAddr("10.9.9.9")
	f.Fuzz(func(t *testing.T, first, second string) {
		got := clientOf(peer, []string{first, second}, trusted)
		if !got.IsValid() || got.Zone() != "" || got.Is4In6() {
			t.Fatalf("client %v", got)
		}
		// The same as asking the joined chain, entry by entry from the right.
		entries := strings.Split(first+","+second, ",")
		want := peer
		for i := len(entries) - 1; i >= 0 && trusts(trusted, want); i-- {
			a, ok := parseHop(strings.Trim(entries[i], " \t"))
			if !ok {
				break
			}
			want = a
		}
		if got != want {
			t.Fatalf("client %v, want %v", got, want)
		}
		if outside := clientOf(netip.MustParseAddr("203.0.113.9"), []string{first, second},
			trusted); outside.String() != "203.0.113.9" {
			t.Fatalf("a stranger was believed: %v", outside)
		}
	})
}
