package mail

import (
	"bufio"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"errors"
	"io"
	"maps"
	"math/big"
	"net"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/emersion/go-sasl"
	"github.com/emersion/go-smtp"
)

// certificate makes a self-signed one for 127.0.0.1.
func certificate(t testing.TB) (tls.Certificate, *x509.CertPool) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "test"},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, IsCA: true, BasicConstraintsValid: true,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	parsed, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	pool := x509.NewCertPool()
	pool.AddCert(parsed)
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}, pool
}

// delivery is what the server got.
type delivery struct {
	from     string
	to       []string
	data     []byte
	tls      bool
	password string
}

// server is a real SMTP server whose answers a test can replace.
type server struct {
	address string
	roots   *x509.CertPool
	refuse  func(step string) error // nil accepts all
	// refuseTo answers a recipient; nil accepts all.
	refuseTo func(to string) error

	mu  sync.Mutex
	got []delivery
}

func startServer(t testing.TB, implicit, withTLS bool) *server {
	t.Helper()
	s := &server{}
	be := smtp.NewServer(s)
	be.AllowInsecureAuth = true
	be.Domain = "upstream.test"
	be.ErrorLog = silent{}
	cert, roots := certificate(t)
	s.roots = roots
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s.address = l.Addr().String()
	config := &tls.Config{Certificates: []tls.Certificate{cert}}
	if withTLS {
		be.TLSConfig = config
	}
	if implicit {
		l = tls.NewListener(l, config)
	}
	done := make(chan struct{})
	go func() { defer close(done); _ = be.Serve(l) }()
	t.Cleanup(func() { _ = be.Close(); <-done })
	return s
}

type silent struct{}

func (silent) Printf(string, ...any) {}
func (silent) Println(...any)        {}

func (s *server) answer(step string) error {
	if s.refuse == nil {
		return nil
	}
	return s.refuse(step)
}

func (s *server) deliveries() []delivery {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]delivery(nil), s.got...)
}

func (s *server) NewSession(c *smtp.Conn) (smtp.Session, error) {
	return &serverSession{server: s, conn: c}, s.answer("EHLO")
}

type serverSession struct {
	server   *server
	conn     *smtp.Conn
	current  delivery
	password string
}

func (s *serverSession) AuthMechanisms() []string { return []string{sasl.Plain} }

func (s *serverSession) Auth(string) (sasl.Server, error) {
	return sasl.NewPlainServer(func(_, user, password string) error {
		if err := s.server.answer("AUTH"); err != nil {
			return err
		}
		if user != "user@example.org" {
			return errors.New("wrong user")
		}
		s.password = password
		return nil
	}), nil
}

func (s *serverSession) Reset()        { s.current = delivery{} }
func (s *serverSession) Logout() error { return nil }

func (s *serverSession) Mail(from string, _ *smtp.MailOptions) error {
	s.current = delivery{from: from}
	return s.server.answer("MAIL")
}

func (s *serverSession) Rcpt(to string, _ *smtp.RcptOptions) error {
	if s.server.refuseTo != nil {
		if err := s.server.refuseTo(to); err != nil {
			return err
		}
	}
	s.current.to = append(s.current.to, to)
	return s.server.answer("RCPT")
}

func (s *serverSession) Data(r io.Reader) error {
	data, err := io.ReadAll(r)
	if err != nil {
		return err
	}
	if err := s.server.answer("end of DATA"); err != nil {
		return err
	}
	s.current.data = data
	s.current.password = s.password
	_, s.current.tls = s.conn.TLSConnectionState()
	s.server.mu.Lock()
	defer s.server.mu.Unlock()
	s.server.got = append(s.server.got, s.current)
	return nil
}

// script is a server that plays a fixed part: for each line of the client that begins with a key it writes
// the answer. It records everything it is sent. An answer of "" is silence, "drop" closes the connection;
// the key "" is the greeting, "." the end of the data.
type script struct {
	address string

	mu          sync.Mutex
	lines       []string
	connections int
	ended       int
	once        map[string]string // instead of the usual answers
}

const hello = "250-upstream.test\r\n250 AUTH PLAIN"

func startScript(t testing.TB, answers map[string]string) *script {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := &script{address: l.Addr().String()}
	var running sync.WaitGroup
	var open []net.Conn
	running.Go(func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			s.mu.Lock()
			s.connections++
			open = append(open, c)
			s.mu.Unlock()
			running.Go(func() { s.play(c, answers) })
		}
	})
	t.Cleanup(func() {
		_ = l.Close()
		s.mu.Lock()
		for _, c := range open {
			_ = c.Close()
		}
		s.mu.Unlock()
		running.Wait()
	})
	return s
}

// change lets one connection answer a verb differently, once.
func (s *script) change(once map[string]string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.once = maps.Clone(once)
}

func (s *script) answerTo(verb string, answers map[string]string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if answer, ok := s.once[verb]; ok {
		delete(s.once, verb)
		return answer
	}
	return answers[verb]
}

func (s *script) play(c net.Conn, answers map[string]string) {
	defer func() {
		_ = c.Close()
		s.mu.Lock()
		defer s.mu.Unlock()
		s.ended++
	}()
	say := func(answer string) bool {
		if answer == "drop" {
			return false
		}
		if answer != "" {
			_, _ = io.WriteString(c, answer+"\r\n")
		}
		return true
	}
	if !say(answers[""]) {
		return
	}
	in := bufio.NewScanner(c)
	data := false
	for in.Scan() {
		line := in.Text()
		s.mu.Lock()
		s.lines = append(s.lines, line)
		s.mu.Unlock()
		if data && line != "." {
			continue
		}
		data = false
		verb, _, _ := strings.Cut(line, " ")
		if verb == "" {
			continue // it would be greeted again: a line that a TLS handshake happens to have in it
		}
		if !say(s.answerTo(verb, answers)) {
			return
		}
		data = verb == "DATA" && strings.HasPrefix(answers[verb], "354")
	}
}

// met reports whether the verb has been met that a connection stands at: "" is the greeting, "." the end of the data.
func (s *script) met(verb string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return verb == "" && s.connections > 0 || verb != "" && slices.ContainsFunc(s.lines, func(line string) bool {
		first, _, _ := strings.Cut(line, " ")
		return first == verb
	})
}

func (s *script) transcript() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return strings.Join(s.lines, "\n")
}

// over reports whether all connections have ended.
func (s *script) over() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.ended == s.connections
}

func (s *script) count() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.connections
}

// polite is a script in which everything works.
func polite(changes map[string]string) map[string]string {
	answers := map[string]string{
		"": "220 upstream.test", "EHLO": hello, "HELO": "250 hi", "AUTH": "235 ok", "MAIL": "250 ok", "RCPT": "250 ok",
		"DATA": "354 go", ".": "250 accepted", "RSET": "250 ok", "QUIT": "drop",
	}
	for verb, answer := range changes {
		answers[verb] = answer
	}
	return answers
}
