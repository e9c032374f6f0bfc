package faults_test

import (
	"bufio"
	"bytes"
	"crypto/tls"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/admitto/admitto/internal/wait"
)

// bigList is a list of more than a megabyte in a place of crowded.
const bigList = "/api/v10/applicants?limit=2000"

// crowded is a service with enough data for a big list.
func crowded(t *testing.T) *service {
	t.Helper()
	p := onSQLite(t)
	p.must("demo", "--applicants=2000")
	key, _ := p.key()
	return p.serve("--quota.per-minute=0", "--quota.per-hour=0").as(key)
}

// dial opens a connection that takes little at once.
func (s *service) dial() (*tls.Conn, error) {
	d := net.Dialer{Timeout: 10 * time.Second, Control: func(_, _ string, c syscall.RawConn) error {
		var err error
		controlled := c.Control(func(fd uintptr) {
			err = syscall.SetsockoptInt(int(fd), syscall.SOL_SOCKET, syscall.SO_RCVBUF, 4096) // before the window is announced
		})
		if err == nil {
			err = controlled
		}
		return err
	}}
	return tls.DialWithDialer(&d, "tcp", strings.TrimPrefix(s.url, "https://"), s.place.trusting())
}

// ask writes a request on a connection of dial.
func (s *service) ask(c io.Writer, path string) error {
	_, err := fmt.Fprintf(c, "GET %s HTTP/1.1\r\nHost: localhost\r\nAuthorization: SERVICE apikey=%q\r\n\r\n", path, s.key)
	return err
}

// sockets counts the open connections of the service, with its listeners.
func (s *service) sockets() (n int) {
	s.t.Helper()
	folder := fmt.Sprintf("/proc/%d/fd", s.Cmd.Process.Pid)
	list, err := os.ReadDir(folder)
	if err != nil {
		s.t.Fatal(err)
	}
	for _, entry := range list {
		if to, err := os.Readlink(folder + "/" + entry.Name()); err == nil && strings.HasPrefix(to, "socket:") {
			n++
		}
	}
	return n
}

// times collects how long answers took.
type times struct {
	mu   sync.Mutex
	list []time.Duration
}

func (l *times) add(d time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.list = append(l.list, d)
}

func (l *times) count() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.list)
}

// at returns the time that this share of the answers kept below, of a thousand.
func (l *times) at(permille int) time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.list) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(l.list))
	return sorted[min(len(sorted)*permille/1000, len(sorted)-1)].Round(10 * time.Microsecond)
}

// goOn sends ordinary requests until stop is closed; every one must be answered.
func (s *service) goOn(stop <-chan struct{}, took *times) {
	for {
		select {
		case <-stop:
			return
		default:
		}
		for _, path := range []string{"/api/v10/ping", "/api/v10/applicants/7", "/api/v10/applicants?limit=100"} {
			begun := time.Now()
			if a, err := s.get(path); err != nil || a.status != 200 {
				s.t.Errorf("%s: %v, %d %s", path, err, a.status, a.body)
				return
			}
			took.add(time.Since(begun))
		}
	}
}

// Clients read a big list by single bytes, others send the headers of a request so. The ones are cut off when
// nothing has left for 30 seconds, the others after 10; everybody else is served meanwhile.
func TestSlowClients(t *testing.T) {
	t.Parallel()
	s := crowded(t)
	s.want(200)(s.get("/api/v10/ping"))
	before := s.sockets()
	slow := either(20, 200)
	quit, stop, took := make(chan struct{}), make(chan struct{}), &times{}
	var running sync.WaitGroup
	var refused atomic.Int64
	drip := func(c *tls.Conn, step func() error) {
		running.Go(func() {
			defer c.Close()
			for n := 1; ; n++ {
				// Slowly: a byte for every ten answers that the others got.
				if !wait.Ever(func() bool { return took.count() >= 10*n }, quit) {
					return
				}
				if step() != nil {
					refused.Add(1)
					<-quit
					return
				}
			}
		})
	}
	for i := range 2 * slow {
		c, err := s.dial()
		if err != nil {
			t.Fatal(err)
		}
		if i%2 == 0 {
			// Several at once: whatever the buffers between take, an answer remains that is not taken.
			for range 4 {
				if err := s.ask(c, bigList); err != nil {
					t.Fatal(err)
				}
			}
			one := make([]byte, 1)
			drip(c, func() error { _, err := c.Read(one); return err })
			continue
		}
		header := "GET /api/v10/ping HTTP/1.1\r\nHost: localhost\r\nX-Long: " + strings.Repeat("a", 30_000)
		drip(c, func() error { _, err := c.Write([]byte{header[0]}); header = header[1:]; return err })
	}
	begun := time.Now()
	if n := s.sockets(); n < before+slow {
		t.Errorf("%d connections, %d before", n, before)
	}
	for range 2 {
		running.Go(func() { s.goOn(stop, took) })
	}
	wait.Until(t, "the slow are cut off", func() bool { return s.sockets() <= before+2 })
	after := time.Since(begun)
	close(stop)
	close(quit)
	running.Wait()
	if refused.Load() < int64(slow) {
		t.Errorf("%d of %d senders noticed", refused.Load(), slow)
	}
	t.Logf("%d readers and as many senders were cut off within %v; meanwhile %d answers, p50 %v, p99 %v; %d MB at most",
		slow, after.Round(time.Second), len(took.list), took.at(500), took.at(990), s.memory("VmHWM")>>20)
	s.Terminate()
}

// 2,000 connections stay open and idle; others are served as if they were not there.
func TestIdleConnections(t *testing.T) {
	t.Parallel()
	s := crowded(t)
	s.want(200)(s.get("/api/v10/ping"))
	before := s.memory("VmRSS")
	const idle = 2000
	conns := make([]*tls.Conn, idle)
	var running sync.WaitGroup
	for worker := range 8 {
		running.Go(func() {
			for i := worker; i < idle; i += 8 {
				c, err := s.dial()
				if err == nil {
					err = s.ask(c, "/api/v10/ping")
				}
				if err != nil {
					t.Error(err)
					return
				}
				conns[i] = c
				response, err := http.ReadResponse(bufio.NewReader(c), nil)
				if err != nil || response.StatusCode != 200 {
					t.Errorf("%v, %+v", err, response)
					return
				}
			}
		})
	}
	running.Wait()
	defer func() {
		for _, c := range conns {
			if c != nil {
				c.Close()
			}
		}
	}()
	if n := s.sockets(); n < idle {
		t.Errorf("%d connections are open", n)
	}
	took, stop := &times{}, make(chan struct{})
	for range 2 {
		running.Go(func() { s.goOn(stop, took) })
	}
	wait.Until(t, "others are answered", func() bool { return took.count() >= 300 })
	close(stop)
	running.Wait()
	t.Logf("%d KB a connection; %d answers beside them, p50 %v, p99 %v", (s.memory("VmRSS")-before)>>10/idle,
		len(took.list), took.at(500), took.at(990))
	s.Terminate() // idle connections do not hold it up
}

// SIGTERM while a client is in the middle of a big list: nobody is let in any more, and the list comes to its end.
func TestTerminateMidList(t *testing.T) {
	t.Parallel()
	s := crowded(t)
	c, err := s.dial()
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	// More than all buffers between take: the service stands in the middle of one of them. They go out as one record,
	// since a connection that is closed while the system holds unread requests of it is reset.
	var requests bytes.Buffer
	for range 16 {
		if err := s.ask(&requests, bigList); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := c.Write(requests.Bytes()); err != nil {
		t.Fatal(err)
	}
	reader := bufio.NewReader(c)
	if _, err := reader.Peek(1); err != nil {
		t.Fatal(err)
	}
	sent, since := 0, time.Now()
	wait.Until(t, "it can send no more", func() bool {
		if now := s.answered(); now != sent {
			sent, since = now, time.Now()
		}
		return sent > 0 && time.Since(since) > 2*time.Second
	})
	_ = s.Cmd.Process.Signal(syscall.SIGTERM)
	wait.Until(t, "nobody is let in", func() bool {
		other, err := net.Dial("tcp", strings.TrimPrefix(s.url, "https://"))
		if err == nil {
			other.Close()
		}
		return err != nil
	})
	select {
	case <-s.Ended():
		t.Error("it did not wait for the list")
	default:
	}
	lists := 0
	for {
		if _, err := reader.Peek(1); err == io.EOF {
			break
		}
		response, err := http.ReadResponse(reader, nil)
		if err != nil || response.StatusCode != 200 || response.ContentLength < 1<<20 {
			t.Fatalf("%v, %+v", err, response)
		}
		body, err := io.ReadAll(response.Body)
		if err != nil || int64(len(body)) != response.ContentLength || !json.Valid(body) {
			t.Fatalf("list %d: %v, %d bytes of %d", lists+1, err, len(body), response.ContentLength)
		}
		lists++
	}
	if lists <= sent || lists == 16 {
		t.Errorf("%d whole lists; %d had left before the signal", lists, sent)
	}
	if code := s.End(); code != 0 {
		t.Errorf("status %d", code)
	}
	t.Logf("%d lists had left, the one under way was finished", sent)
}

// answered counts the big lists that the log tells of.
func (s *service) answered() int { return strings.Count(s.Log(), `"route":"/applicants"`) }
