package db

import (
	"strings"
	"syscall"
)

// tcpUserTimeout is TCP_USER_TIMEOUT of Linux, in milliseconds, which package syscall does not have.
const tcpUserTimeout = 0x12

// limitSilence bounds how long what was sent may stay unacknowledged, for the control function of a dialer.
func limitSilence(network, _ string, c syscall.RawConn) error {
	if !strings.HasPrefix(network, "tcp") {
		return nil
	}
	var err error
	if e := c.Control(func(fd uintptr) {
		err = syscall.SetsockoptInt(int(fd), syscall.IPPROTO_TCP, tcpUserTimeout, int(silence.Milliseconds()))
	}); e != nil {
		return e
	}
	return err
}
