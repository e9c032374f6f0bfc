package web

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/klauspost/compress/zstd"

	"github.com/admitto/admitto/internal/admitto"
)

// unzip returns what a client reads.
func unzip(t *testing.T, encoding string, b []byte) []byte {
	t.Helper()
	var r io.Reader = bytes.NewReader(b)
	switch encoding {
	case "gzip":
		z, err := gzip.NewReader(r)
		if err != nil {
			t.Fatal(err)
		}
		r = z
	case "zstd":
		z, err := zstd.NewReader(r)
		if err != nil {
			t.Fatal(err)
		}
		defer z.Close()
		r = z
	}
	out, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func sample(n int) []byte {
	var b bytes.Buffer
	for i := 0; b.Len() < n; i++ {
		fmt.Fprintf(&b, `"%d":{"id":%d,"name":"Näme %d"},`, i, i, i%97)
	}
	return b.Bytes()[:n]
}

func TestRoundTrip(t *testing.T) {
	b := NewBudget(1<<20, 1, 0)
	for _, encoding := range []string{"", "gzip", "zstd"} {
		for _, size := range []int{0, 1, 1024, 1025, pieceSize - 1, pieceSize, pieceSize + 1, 5*pieceSize + 7, 1 << 20} {
			for _, above := range []int{0, 1024, pieceSize, 1 << 30} {
				want := sample(size)
				p, err := b.BuildAbove(t.Context(), encoding, above)
				if err != nil {
					t.Fatal(err)
				}
				step := 1 + size/7
				for rest := want; len(rest) > 0; {
					part := rest[:min(step, len(rest))]
					rest = rest[len(part):]
					var n int
					if len(rest)%2 == 0 {
						n, err = p.Write(part)
					} else {
						n, err = p.WriteString(string(part))
					}
					if n != len(part) || err != nil {
						t.Fatal(n, err)
					}
				}
				if err := errors.Join(p.Close(), p.Close()); err != nil {
					t.Fatal(err)
				}
				used := encoding
				if above > 0 && size <= min(above, pieceSize) {
					used = ""
				}
				if p.Encoding() != used {
					t.Errorf("%q above %d of %d: used %q", encoding, above, size, p.Encoding())
				}
				length := p.Len()
				w := httptest.NewRecorder()
				if err := p.SendTo(w); err != nil {
					t.Fatal(err)
				}
				if int64(w.Body.Len()) != length || !bytes.Equal(unzip(t, used, w.Body.Bytes()), want) {
					t.Errorf("%q above %d of %d: not the same", encoding, above, size)
				}
				if used != "" && size > pieceSize && length > int64(size)/2 {
					t.Errorf("%q: %d bytes of %d", encoding, length, size)
				}
				if b.InFlight() != 0 {
					t.Fatalf("%d bytes in flight", b.InFlight())
				}
			}
		}
	}
}

func TestMisuse(t *testing.T) {
	b := NewBudget(1, 1, 0)
	if _, err := b.Build(t.Context(), "br"); err == nil {
		t.Error("br was accepted")
	}
	for _, encoding := range []string{"", "gzip", "zstd"} {
		p, err := b.Build(t.Context(), encoding)
		if err != nil {
			t.Fatal(err)
		}
		p.Write(sample(1 << 20))
		if p.SendTo(httptest.NewRecorder()) == nil {
			t.Error("sent before it was closed")
		}
		p.Release() // never closed
		p.Release()
		if _, err := p.WriteString("x"); err == nil {
			t.Error("written after Release")
		}
		if _, err := p.Write([]byte("x")); err == nil {
			t.Error("written after Release")
		}
		if err := p.Close(); err != nil {
			t.Error(err)
		}
		if b.InFlight() != 0 || b.building != 0 {
			t.Errorf("%d bytes, %d builders", b.InFlight(), b.building)
		}
	}
}

func TestManyBuildsHoldTheBound(t *testing.T) {
	const limit, builders, answer = 1 << 20, 3, 8 * pieceSize
	b := NewBudget(limit, builders, time.Minute)
	want := make([]byte, answer)
	rand.NewChaCha8([32]byte{}).Read(want)
	var wait sync.WaitGroup
	for range 100 {
		wait.Go(func() {
			p, err := b.Build(t.Context(), "")
			if err != nil {
				t.Error(err)
				return
			}
			defer p.Release()
			for part := want; len(part) > 0; part = part[pieceSize/2:] {
				p.Write(part[:pieceSize/2])
				if n := b.InFlight(); n > limit+builders*answer {
					t.Errorf("%d bytes in flight", n)
				}
			}
			p.Close()
			w := httptest.NewRecorder()
			if err := p.SendTo(w); err != nil || !bytes.Equal(w.Body.Bytes(), want) {
				t.Errorf("not the same: %v", err)
			}
		})
	}
	wait.Wait()
	if b.InFlight() != 0 || b.building != 0 || b.waiting.Len() != 0 {
		t.Errorf("left: %d bytes, %d builders, %d waiting", b.InFlight(), b.building, b.waiting.Len())
	}
}

func TestWaitingForMemoryEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := NewBudget(pieceSize, 5, 0)
		full, err := b.Build(t.Context(), "")
		if err != nil {
			t.Fatal(err)
		}
		full.WriteString("x")
		full.Close()
		begun := time.Now()
		_, err = b.Build(t.Context(), "gzip")
		var refusal *admitto.Error
		if !errors.As(err, &refusal) || refusal.Kind != admitto.Unavailable || refusal.RetryAfter != 5 {
			t.Errorf("error %v", err)
		}
		if waited := time.Since(begun); waited != 30*time.Second {
			t.Errorf("waited %v", waited)
		}
		full.Release()
		again, err := b.Build(t.Context(), "")
		if err != nil {
			t.Fatal(err)
		}
		again.Release()
	})
}

func TestWaitingForABuilder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := NewBudget(1<<30, 1, time.Second)
		first, err := b.Build(t.Context(), "")
		if err != nil {
			t.Fatal(err)
		}
		var order []int
		for i := range 3 {
			go func() {
				p, err := b.Build(t.Context(), "")
				if err != nil {
					t.Error(err)
					return
				}
				order = append(order, i)
				p.Release()
			}()
			synctest.Wait()
		}
		ctx, cancel := context.WithCancel(t.Context())
		gone := make(chan error)
		go func() { _, err := b.Build(ctx, ""); gone <- err }()
		synctest.Wait()
		cancel()
		if err := <-gone; !errors.Is(err, context.Canceled) {
			t.Errorf("error %v", err)
		}
		if _, err := b.Build(ctx, ""); !errors.Is(err, context.Canceled) {
			t.Errorf("error %v", err)
		}
		first.Close()
		synctest.Wait()
		if fmt.Sprint(order) != "[0 1 2]" {
			t.Errorf("order %v", order)
		}
		first.Release()
	})
}

func TestSlowClientIsCutOff(t *testing.T) {
	t.Parallel()
	for _, proto := range []string{"http/1.1", "h2"} {
		t.Run(proto, func(t *testing.T) {
			b := NewBudget(1<<20, 1, 0)
			sent := make(chan error, 1)
			s := start(t, Config{Drain: time.Second, Sites: only(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				p, err := b.Build(r.Context(), "")
				if err != nil {
					t.Error(err)
					return
				}
				defer p.Release()
				p.Write(make([]byte, 32<<20))
				p.Close()
				w.Header().Set("Content-Length", strconv.FormatInt(p.Len(), 10))
				sent <- p.SendTo(w)
			})), limits: limits{stall: 200 * time.Millisecond}})
			if proto == "h2" {
				resp, err := s.client(t).Get(s.url)
				if err != nil {
					t.Fatal(err)
				}
				defer resp.Body.Close()
			} else {
				io.WriteString(dialTLS(t, s), "GET / HTTP/1.1\r\nHost: a\r\n\r\n")
			}
			err := <-sent
			if err == nil || (proto != "h2" && !errors.Is(err, os.ErrDeadlineExceeded)) {
				t.Errorf("error %v", err)
			}
			if b.InFlight() != 0 {
				t.Errorf("%d bytes in flight", b.InFlight())
			}
		})
	}
}

func TestBigAnswerOverTheWire(t *testing.T) {
	b := NewBudget(1<<20, 2, 0)
	want := sample(8 << 20)
	s := start(t, Config{Sites: only(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		p, err := b.BuildAbove(r.Context(), Encoding(r), 1024)
		if err != nil {
			t.Error(err)
			return
		}
		defer p.Release()
		p.Write(want)
		p.Close()
		if p.Encoding() != "" {
			w.Header().Set("Content-Encoding", p.Encoding())
		}
		w.Header().Set("Content-Length", strconv.FormatInt(p.Len(), 10))
		if err := p.SendTo(w); err != nil {
			t.Error(err)
		}
	}))})
	client := s.client(t)
	for _, accept := range []string{"identity", "gzip", "gzip, deflate, br, zstd"} {
		r, _ := http.NewRequest("GET", s.url, nil)
		r.Header.Set("Accept-Encoding", accept)
		resp, err := client.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(resp.Body)
		resp.Body.Close()
		if err != nil || int64(len(body)) != resp.ContentLength || !bytes.Equal(unzip(t, resp.Header.Get("Content-Encoding"),
			body), want) {
			t.Errorf("%s: %d bytes of %d: %v", accept, len(body), resp.ContentLength, err)
		}
	}
	if !strings.Contains(s.log.String(), "bytes="+strconv.Itoa(len(want))) {
		t.Error("the bytes are not logged")
	}
}

func BenchmarkPieces(b *testing.B) {
	for _, size := range []int{2 << 10, 1 << 20} {
		data := sample(size)
		for _, encoding := range []string{"", "gzip", "zstd"} {
			b.Run(fmt.Sprintf("%d%s", size, encoding), func(b *testing.B) {
				budget := NewBudget(1<<30, 1, 0)
				b.ReportAllocs()
				b.SetBytes(int64(size))
				for b.Loop() {
					p, _ := budget.Build(b.Context(), encoding)
					p.Write(data)
					p.Close()
					p.Release()
				}
			})
		}
	}
}
