package db

import (
	"net/netip"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5/pgxpool"
)

// PlainHosts names the hosts of a PostgreSQL URL, other than this machine, to which a connection may go without TLS:
// with sslmode disable, allow or prefer, the last of which PostgreSQL's own programs take when nothing is said. nil:
// none, or no such URL.
func PlainHosts(url string) (hosts []string) {
	if !strings.HasPrefix(url, "postgres") {
		return nil
	}
	config, err := pgxpool.ParseConfig(url)
	if err != nil {
		return nil // Open tells
	}
	one := func(host string, plain bool) {
		if plain && !isHere(host) && !slices.Contains(hosts, host) {
			hosts = append(hosts, host)
		}
	}
	one(config.ConnConfig.Host, config.ConnConfig.TLSConfig == nil)
	for _, f := range config.ConnConfig.Fallbacks { // further hosts, and the other way to the same one
		one(f.Host, f.TLSConfig == nil)
	}
	return hosts
}

// isHere reports whether the host is this machine: a socket in the file system, or the loopback interface.
func isHere(host string) bool {
	if strings.HasPrefix(host, "/") || strings.HasPrefix(host, "@") || strings.EqualFold(host, "localhost") {
		return true
	}
	address, err := netip.ParseAddr(host)
	return err == nil && address.Unmap().IsLoopback()
}
