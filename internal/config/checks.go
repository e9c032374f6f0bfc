package config

import (
	"fmt"
	"net"
	"net/netip"
	"slices"
	"strings"
)

// crossChecks returns which settings do not go together. A check whose settings are not all right by
// themselves is left out, since it would find what has been told already. savedLater leaves out what a value
// saved in the interface can still put right.
func crossChecks(s *Settings, savedLater bool) (faults []string) {
	fault := func(format string, args ...any) { faults = append(faults, fmt.Sprintf(format, args...)) }

	if !savedLater && s.right("api.default_version", "api.oldest_version") && s.API.DefaultVersion < s.API.OldestVersion {
		fault("api.default_version (%s) is below api.oldest_version (%s): raise the one or lower the other",
			s.told("api.default_version"), s.told("api.oldest_version"))
	}
	if s.TLS.Mode == TLSFiles && s.right("tls.cert") && s.TLS.Cert == "" {
		fault("tls.mode (%s) needs tls.cert, the path of the certificate in PEM", s.told("tls.mode"))
	}
	if s.TLS.Mode == TLSFiles && s.right("tls.key") && s.TLS.Key == "" {
		fault("tls.mode (%s) needs tls.key, the path of the certificate's private key in PEM", s.told("tls.mode"))
	}
	if s.TLS.Mode == TLSACME && s.right("tls.domains") && len(s.TLS.Domains) == 0 {
		fault("tls.mode (%s) needs tls.domains, the host names that certificates are for", s.told("tls.mode"))
	}
	if s.TLS.Mode == TLSProxy && s.right("tls.trusted_proxies") && len(s.TLS.TrustedProxies) == 0 {
		fault("tls.mode (%s) needs tls.trusted_proxies, the addresses of the proxies, such as 10.0.0.0/8",
			s.told("tls.mode"))
	}
	if s.Database.Replica != "" && s.right("database.url") && !strings.HasPrefix(string(s.Database.URL), "postgres:") {
		fault("database.replica (%s) needs a database.url that is postgres://…: SQLite has no replicas",
			s.told("database.replica"))
	}
	if samePort(s.Listen, s.Metrics.Listen) {
		fault("metrics.listen (%s) is the public port, listen (%s): metrics need a port of their own",
			s.told("metrics.listen"), s.told("listen"))
	}
	return faults
}

// Ignored returns which settings of TLS do nothing in the mode that is set. Somebody meant them, so they are warned of.
func Ignored(s *Settings) (sentences []string) {
	for _, set := range []struct {
		name, text, mode string
	}{{"tls.cert", s.TLS.Cert, TLSFiles}, {"tls.key", s.TLS.Key, TLSFiles}, {"tls.domains",
		strings.Join(s.TLS.Domains, ","), TLSACME}} {
		if set.text != "" && s.TLS.Mode != set.mode {
			sentences = append(sentences,
				fmt.Sprintf("%s (%s) does nothing while tls.mode is %s; set tls.mode to %s, or leave %s out",
					set.name, s.told(set.name), s.TLS.Mode, set.mode, set.name))
		}
	}
	return sentences
}

// Value returns a setting as a person reads it; found is false when there is none of the name, or its value was
// refused.
func (s *Settings) Value(name string) (v Value, found bool) {
	i := slices.IndexFunc(s.Values, func(v Value) bool { return v.Name == name })
	if i < 0 {
		return Value{}, false
	}
	return s.Values[i], true
}

// right reports whether all these settings have been accepted.
func (s *Settings) right(names ...string) bool {
	for _, name := range names {
		if _, found := s.Value(name); !found {
			return false
		}
	}
	return true
}

// told joins value and origin of a setting for a sentence.
func (s *Settings) told(name string) string {
	switch v, found := s.Value(name); {
	case !found:
		return "not set"
	case v.Secret:
		return "from " + v.Origin
	default:
		return v.Text + " from " + v.Origin
	}
}

// samePort reports whether both addresses would take the same port. Port 0 is always another one.
func samePort(a, b string) bool {
	hostA, portA, errA := net.SplitHostPort(a)
	hostB, portB, errB := net.SplitHostPort(b)
	if errA != nil || errB != nil || portA != portB || portA == "0" {
		return false
	}
	return hostA == hostB || isEverywhere(hostA) || isEverywhere(hostB)
}

func isEverywhere(host string) bool {
	ip, err := netip.ParseAddr(host)
	return host == "" || err == nil && ip.IsUnspecified()
}
