package db

import (
	"net"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

const (
	// connectTimeout bounds one attempt to connect, which goes on when its transaction has given up.
	connectTimeout = 10 * time.Second

	// connectTimeoutOfSeveral bounds it when the URL names several hosts: the next is tried before a transaction gives
	// up on the first, which may be switched off.
	connectTimeoutOfSeveral = 2 * time.Second

	// silence is how long the host of a server may acknowledge nothing until the connection counts as broken. Linux
	// would wait for a quarter of an hour, and with it all transactions that were under way.
	silence = 20 * time.Second
)

// setDialing fills in what the URL does not say about making connections and noticing their end.
func setDialing(c *pgx.ConnConfig) {
	if c.ConnectTimeout == 0 { // the URL has no connect_timeout
		c.ConnectTimeout = connectTimeout
		// The fallbacks are further hosts, and the same host without TLS.
		if slices.ContainsFunc(c.Fallbacks, func(f *pgconn.FallbackConfig) bool {
			return f.Host != c.Host ||
				f.Port != c.Port
		}) {
			c.ConnectTimeout = connectTimeoutOfSeveral
		}
	}
	d := &net.Dialer{
		KeepAliveConfig: net.KeepAliveConfig{Enable: true, Idle: silence / 4, Interval: silence / 4, Count: 3},
		Control:         limitSilence,
	}
	c.DialFunc = d.DialContext
}
