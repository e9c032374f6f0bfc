package web

import (
	"net/http"
	"net/netip"
	"strings"
)

// peerOf returns the address at the other end of the connection, without zone and never as an IPv4
// address inside an IPv6 one; the zero Addr when there is none.
func peerOf(r *http.Request) netip.Addr {
	p, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil {
		return netip.Addr{}
	}
	return p.Addr().Unmap().WithZone("")
}

func trusts(proxies []netip.Prefix, a netip.Addr) bool {
	for _, p := range proxies {
		if p.Contains(a) {
			return true
		}
	}
	return false
}

// unmapPrefixes turns ::ffff:10.0.0.0/104 into 10.0.0.0/8, since addresses are compared unmapped.
func unmapPrefixes(in []netip.Prefix) []netip.Prefix {
	out := make([]netip.Prefix, 0, len(in))
	for _, p := range in {
		if p.Addr().Is4In6() && p.Bits() >= 96 {
			p = netip.PrefixFrom(p.Addr().Unmap(), p.Bits()-96)
		}
		out = append(out, p.Masked())
	}
	return out
}

// saysHTTPS reports whether a proxy vouches for HTTPS: exactly one X-Forwarded-Proto, which is https.
// Two of them, or a list, mean that a client's own header got through.
func saysHTTPS(h http.Header) bool {
	said := h["X-Forwarded-Proto"]
	return len(said) == 1 && strings.EqualFold(said[0], "https")
}

// clientOf returns the client's address: the last one in the chain of X-Forwarded-For that is not a
// trusted proxy. peer is whom the connection comes from and must be trusted itself, otherwise the chain
// is ignored. An entry that is no address stops the search, the answer then is the last good one; what
// lies to its left could be written by anybody.
func clientOf(peer netip.Addr, forwarded []string, trusted []netip.Prefix) netip.Addr {
	client := peer
	for i := len(forwarded) - 1; i >= 0; i-- {
		rest := forwarded[i]
		for more := true; more; {
			if !trusts(trusted, client) {
				return client
			}
			var entry string
			if comma := strings.LastIndexByte(rest, ','); comma >= 0 {
				rest, entry = rest[:comma], rest[comma+1:]
			} else {
				entry, more = rest, false
			}
			a, ok := parseHop(strings.Trim(entry, " \t"))
			if !ok {
				return client
			}
			client = a
		}
	}
	return client
}

// parseHop reads an address as proxies write it: bare, in brackets, or with a port.
func parseHop(s string) (netip.Addr, bool) {
	a, err := netip.ParseAddr(s)
	if err != nil {
		if len(s) > 2 && s[0] == '[' && s[len(s)-1] == ']' {
			a, err = netip.ParseAddr(s[1 : len(s)-1])
		} else {
			var p netip.AddrPort
			p, err = netip.ParseAddrPort(s)
			a = p.Addr()
		}
	}
	if err != nil {
		return netip.Addr{}, false
	}
	return a.Unmap().WithZone(""), true
}
