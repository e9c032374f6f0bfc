package mail

import (
	"context"
	"net"
	"sync/atomic"
	"time"
)

// maxAnswers is how many bytes a mail server may send during one Send, TLS included. The replies to one message are
// some kilobytes, and the protocol client keeps a reply in memory until its last line has come.
const maxAnswers = 1 << 20

// bounded is a connection on which the other side may say only so much.
type bounded struct {
	net.Conn
	said atomic.Int64
}

// Read implements net.Conn.
func (b *bounded) Read(p []byte) (int, error) {
	left := maxAnswers - b.said.Load()
	if left <= 0 {
		return 0, plainReason("the answers of the upstream have no end")
	}
	n, err := b.Conn.Read(p[:min(int64(len(p)), left)])
	b.said.Add(int64(n))
	return n, err
}

// past is a deadline that ends every read and write at once.
func past() time.Time { return time.Unix(1, 0) }

// bind makes every step on the connection end with the context. Release undoes it and reports whether the
// context left the connection alone.
func (c *session) bind(ctx context.Context) (release func() bool) {
	c.conn.said.Store(0)
	if deadline, ok := ctx.Deadline(); ok {
		_ = c.conn.SetDeadline(deadline)
	}
	return context.AfterFunc(ctx, func() { _ = c.conn.SetDeadline(past()) })
}

// check asks a connection that has waited whether it still lives. It gets only a part of the time, since a
// dead one must leave enough for a fresh one.
func (c *session) check(ctx context.Context) bool {
	deadline, ok := ctx.Deadline()
	if !ok {
		return false
	}
	_ = c.conn.SetDeadline(time.Now().Add(min(checkTime, time.Until(deadline)/4)))
	if c.client.Reset() != nil || ctx.Err() != nil {
		return false
	}
	if c.conn.SetDeadline(deadline) != nil {
		return false
	}
	if ctx.Err() != nil { // it ended between the check and the deadline, which has undone its effect
		_ = c.conn.SetDeadline(past())
		return false
	}
	return true
}

// hangsUp is the reply of a mail server that ends the connection, whatever it was asked (RFC 5321 3.8).
const hangsUp = 421

// deliver is one mail transaction. No refusal means that the mail server has said 250 to the end of DATA. A blind copy
// that is refused keeps the mail from nobody else (lifecycle.md 8.1). ready is asked before the end of DATA; its error
// is returned as kept, and the message has no end then.
func (c *session) deliver(m *Message, content []byte, ready func() error) (copies []RefusedCopy, refusal *Refusal,
	kept error) {
	if err := c.client.Mail("<" + m.From.Email + ">"); err != nil {
		return nil, refuse("MAIL", err), nil
	}
	for i, recipient := range m.recipients() {
		err := c.client.Rcpt("<" + recipient + ">")
		if err == nil {
			continue
		}
		refused := refuse("RCPT", err)
		if i == 0 || refused.Code == 0 || refused.Code == hangsUp { // the first is the person the mail goes to
			return nil, refused, nil
		}
		copies = append(copies, RefusedCopy{recipient, refused.Code})
	}
	body, err := c.client.Data()
	if err != nil {
		return nil, refuse("DATA", err), nil
	}
	if _, err := body.Write(content); err != nil {
		return nil, refuse("DATA", err), nil
	}
	if err := ready(); err != nil {
		return nil, nil, err
	}
	if err := body.Close(); err != nil {
		return nil, refuse("end of DATA", err), nil
	}
	return copies, nil, nil
}

// quit says goodbye without waiting for an answer and closes. The time for it is short: a connection that
// hangs is closed without.
func (c *session) quit() {
	if c.client != nil && c.client.HasConnection() {
		_ = c.conn.SetDeadline(time.Now().Add(100 * time.Millisecond))
		_ = c.client.Text.PrintfLine("QUIT")
	}
	_ = c.conn.Close()
}
