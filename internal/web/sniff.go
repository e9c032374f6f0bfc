package web

import (
	"errors"
	"net"
	"sync"
	"sync/atomic"
	"time"
)

// A TLS connection begins with a record of type 22. Whatever else arrives on the TLS port is handed to
// a second server, which speaks plain HTTP and refuses. The look at the first byte happens inside the
// first Read that the TLS handshake makes anyway, so a TLS connection pays neither a goroutine nor a
// system call for it.
const recordTypeHandshake = 0x16

// errHandedOver ends the handshake of a connection that turned out to be plain.
var errHandedOver = errors.New("not TLS, handed over to the plain HTTP server")

// sniffer is the listener of the TLS server; plain is the listener of the other.
type sniffer struct {
	net.Listener
	firstByte time.Duration
	plain     *plainListener
}

func newSniffer(l net.Listener, firstByte time.Duration) *sniffer {
	return &sniffer{l, firstByte, &plainListener{
		address: l.Addr(), conns: make(chan net.Conn), closed: make(chan struct{}),
	}}
}

func (s *sniffer) Accept() (net.Conn, error) {
	c, err := s.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return &sniffed{Conn: c, plain: s.plain, firstBy: time.Now().Add(s.firstByte)}, nil
}

// sniffed is a connection as the TLS server sees it. The handshake runs in one goroutine, which alone
// touches seen and readBy; Close may come from any.
type sniffed struct {
	net.Conn
	plain   *plainListener
	firstBy time.Time // when the first byte must have come
	readBy  time.Time // the deadline net/http asked for meanwhile
	seen    bool      // the first byte was TLS
	gone    atomic.Bool
}

func (c *sniffed) Read(b []byte) (int, error) {
	if c.seen {
		return c.Conn.Read(b)
	}
	if c.gone.Load() {
		return 0, errHandedOver
	}
	n, err := c.Conn.Read(b)
	if n == 0 {
		return n, err
	}
	if b[0] == recordTypeHandshake {
		c.seen = true
		c.Conn.SetReadDeadline(c.readBy)
		return n, err
	}
	c.gone.Store(true)
	c.Conn.SetDeadline(time.Time{})
	c.plain.take(&replayed{Conn: c.Conn, first: append([]byte(nil), b[:n]...)})
	return 0, errHandedOver
}

// After a handover the connection belongs to the other server: the TLS server may neither write an
// alert into it, nor move its deadlines, nor close it.

func (c *sniffed) Write(b []byte) (int, error) {
	if c.gone.Load() {
		return 0, errHandedOver
	}
	return c.Conn.Write(b)
}

func (c *sniffed) Close() error {
	if c.gone.Load() {
		return nil
	}
	return c.Conn.Close()
}

func (c *sniffed) SetReadDeadline(t time.Time) error {
	if c.gone.Load() {
		return nil
	}
	if !c.seen {
		c.readBy = t
		if t.IsZero() || t.After(c.firstBy) {
			t = c.firstBy
		}
	}
	return c.Conn.SetReadDeadline(t)
}

func (c *sniffed) SetWriteDeadline(t time.Time) error {
	if c.gone.Load() {
		return nil
	}
	return c.Conn.SetWriteDeadline(t)
}

func (c *sniffed) SetDeadline(t time.Time) error {
	return errors.Join(c.SetReadDeadline(t), c.SetWriteDeadline(t))
}

// replayed is a plain connection that gives what was already read of it once more.
type replayed struct {
	net.Conn
	first []byte
}

func (c *replayed) Read(b []byte) (int, error) {
	if len(c.first) > 0 {
		n := copy(b, c.first)
		c.first = c.first[n:]
		return n, nil
	}
	return c.Conn.Read(b)
}

// CloseWrite lets net/http close one half first, without which a refused upload would often see a
// reset instead of the answer.
func (c *replayed) CloseWrite() error {
	if half, ok := c.Conn.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return nil
}

// plainListener hands connections to their server.
type plainListener struct {
	address net.Addr
	conns   chan net.Conn
	closed  chan struct{}
	once    sync.Once
}

func (l *plainListener) take(c net.Conn) {
	select {
	case l.conns <- c:
	case <-l.closed:
		c.Close()
	}
}

func (l *plainListener) Accept() (net.Conn, error) {
	select {
	case c := <-l.conns:
		return c, nil
	case <-l.closed:
		return nil, net.ErrClosed
	}
}

func (l *plainListener) Close() error {
	l.once.Do(func() { close(l.closed) })
	return nil
}

func (l *plainListener) Addr() net.Addr { return l.address }
