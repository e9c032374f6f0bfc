package faults_test

import (
	"io"
	"net/http"
	"sync"
	"testing"
)

// One key asks for five lists over one HTTP/2 connection and takes of each what fits into its window, then 66 kB now
// and then. Its own further lists wait; everything small, everybody else's lists and /readyz go on as if nothing were.
func TestSlowReaders(t *testing.T) {
	t.Parallel()
	p := onSQLite(t)
	p.must("demo", "--applicants=2000")
	slow, _ := p.key()
	other, _ := p.key()
	// A list is bigger than all the memory that there is for them.
	s := p.serve("--memory.answers=1048576", "--quota.per-minute=0", "--quota.per-hour=0").as(other)
	protocols := new(http.Protocols)
	protocols.SetHTTP2(true)
	const window = 66_000
	client := &http.Client{Transport: &http.Transport{TLSClientConfig: p.trusting(), Protocols: protocols,
		DisableCompression: true,
		HTTP2:              &http.HTTP2Config{MaxReceiveBufferPerStream: window, MaxReceiveBufferPerConnection: 5 * window}}}
	defer client.CloseIdleConnections()
	begun := make(chan *http.Response, 5)
	quit := make(chan struct{})
	var running sync.WaitGroup
	for range 5 {
		running.Go(func() {
			r, err := http.NewRequest("GET", s.url+bigList, nil)
			if err != nil {
				t.Error(err)
				return
			}
			r.Header.Set("Authorization", `SERVICE apikey="`+slow+`"`)
			response, err := client.Do(r)
			if err != nil {
				select {
				case <-quit: // it never came to its turn
				default:
					t.Error(err)
				}
				return
			}
			begun <- response
			<-quit
			response.Body.Close()
		})
	}
	first := <-begun
	if first.ProtoMajor != 2 || first.StatusCode != 200 || first.ContentLength < 1<<20 {
		t.Errorf("%+v", first)
	}
	for range 5 {
		if a := s.want(200)(s.get(bigList)); len(a.body) < 1<<20 {
			t.Errorf("%d bytes", len(a.body))
		}
		s.want(200)(s.get("/api/v10/applicants/7"))
		for _, path := range []string{"/api/v10/ping", "/api/v10/applicants/7", "/api/v10/applicants?limit=50"} {
			s.want(200)(s.as(slow).get(path))
		}
		if !s.ready() {
			t.Error("not ready")
		}
		if _, err := io.CopyN(io.Discard, first.Body, window); err != nil {
			t.Error(err)
		}
	}
	close(quit)
	client.CloseIdleConnections()
	s.Kill() // those that wait for their turn
	running.Wait()
}
