package main

import (
	"io"
	"log"
	"net"
	"strings"
	"sync"

	"github.com/emersion/go-smtp"
)

// sink is a mail server that takes everything and keeps only the last message.
type sink struct {
	server  *smtp.Server
	address string
	heed    func(delivery)

	mu   sync.Mutex
	last delivery
}

// delivery is a message as it came in.
type delivery struct {
	from, to string
	content  []byte
}

// startSink starts one; heed is called with each message, unless it is nil.
func startSink(heed func(delivery)) (*sink, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	s := &sink{address: l.Addr().String(), heed: heed}
	s.server = smtp.NewServer(s)
	s.server.Domain = "sink.example.org"
	s.server.ErrorLog = log.New(io.Discard, "", 0) // a service that is gone at the end is no news
	go func() { _ = s.server.Serve(l) }()          // ends with close
	return s, nil
}

func (s *sink) close() { _ = s.server.Close() }

// NewSession is called for each connection.
func (s *sink) NewSession(*smtp.Conn) (smtp.Session, error) { return &sinkSession{sink: s}, nil }

// latest returns the last message.
func (s *sink) latest() delivery {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.last
}

type sinkSession struct {
	sink *sink
	now  delivery
}

func (s *sinkSession) Mail(from string, _ *smtp.MailOptions) error {
	s.now.from = from
	return nil
}

func (s *sinkSession) Rcpt(to string, _ *smtp.RcptOptions) error {
	s.now.to = to
	return nil
}

func (s *sinkSession) Data(r io.Reader) (err error) {
	if s.now.content, err = io.ReadAll(r); err != nil {
		return err
	}
	if s.sink.heed != nil {
		s.sink.heed(s.now)
	}
	s.sink.mu.Lock()
	defer s.sink.mu.Unlock()
	s.sink.last = s.now
	return nil
}

func (s *sinkSession) Reset()        { s.now = delivery{} }
func (s *sinkSession) Logout() error { return nil }

// post hands a message to the sink over a connection that stays open, as a mail client does at its best.
func (d delivery) post(c *smtp.Client) error {
	return c.SendMail(d.from, []string{d.to}, strings.NewReader(string(d.content)))
}
