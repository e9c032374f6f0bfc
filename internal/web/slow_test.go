package web

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/admitto/admitto/internal/admitto"
)

// reader is the ResponseWriter of a client that takes an answer at its own pace, on a clock of its own.
type reader struct {
	*httptest.ResponseRecorder
	clock    time.Time
	takes    func(taken int64, bytes int) time.Duration // how long it takes the next bytes
	taken    int64
	deadline time.Time
}

func (r *reader) now() time.Time { return r.clock }

func (r *reader) SetWriteDeadline(t time.Time) error {
	r.deadline = t
	return nil
}

func (r *reader) Write(b []byte) (int, error) {
	until := r.clock.Add(r.takes(r.taken, len(b)))
	if !r.deadline.IsZero() && until.After(r.deadline) {
		r.clock = r.deadline
		return 0, os.ErrDeadlineExceeded
	}
	r.clock = until
	r.taken += int64(len(b))
	return len(b), nil
}

// A client that takes an answer at less than 16 KB a second on average is cut off, once 10 s have passed.
func TestSlowestRate(t *testing.T) {
	steady := func(rate int64) func(int64, int) time.Duration {
		return func(_ int64, bytes int) time.Duration {
			return time.Duration(bytes) * time.Second / time.Duration(rate)
		}
	}
	const size = 4 << 20
	for name, c := range map[string]struct {
		takes func(int64, int) time.Duration
		size  int
		whole bool
	}{
		"fast":             {steady(100 << 20), size, true},
		"20 KB a second":   {steady(20 << 10), size, true},
		"16 KB a second":   {steady(16 << 10), size, true},
		"12 KB a second":   {steady(12 << 10), size, false},
		"66 KB every 20 s": {func(int64, int) time.Duration { return 20 * time.Second }, size, false},
		"a little, slowly": {steady(1 << 10), 10 << 10, true}, // within the first 10 s
		"1 byte a second":  {steady(1), size, false},
		"rests once for 9 s": {func(taken int64, _ int) time.Duration {
			return time.Duration(min(1, taken/pieceSize%60/59)) * 9 * time.Second
		}, size, true},
		"fast, then nothing": {func(taken int64, _ int) time.Duration {
			if taken > size/2 {
				return time.Hour
			}
			return 0
		}, size, false},
	} {
		r := &reader{ResponseRecorder: httptest.NewRecorder(), clock: time.Unix(1e9, 0), takes: c.takes}
		begun := r.clock
		a := newAnswer(r, httptest.NewRequest("GET", "/", nil), stallTime, r.now)
		n, err := a.Write(make([]byte, c.size))
		if took := r.clock.Sub(begun); (err == nil) != c.whole || c.whole && n != c.size ||
			took > graceTime+time.Duration(r.taken+pieceSize)*time.Second/slowest {
			t.Errorf("%s: %d bytes in %v: %v", name, n, took, err)
		}
	}
	// What the handler rests is not the client's fault.
	r := &reader{ResponseRecorder: httptest.NewRecorder(), clock: time.Unix(1e9, 0), takes: steady(20 << 10)}
	a := newAnswer(r, httptest.NewRequest("GET", "/", nil), stallTime, r.now)
	for range 100 {
		r.clock = r.clock.Add(time.Hour)
		if _, err := io.WriteString(a, "a line\n"); err != nil {
			t.Fatal(err)
		}
	}
}

// asKey is the context of a request with a key.
func asKey(t *testing.T, id int64) context.Context {
	return context.WithValue(t.Context(), infoKey{}, &Info{KeyID: id})
}

// hold builds an answer that nobody takes.
func hold(t *testing.T, b *Budget, key int64, pieces int) *Pieces {
	t.Helper()
	p, err := b.Answer(asKey(t, key), "", 0, func(p *Pieces) error {
		_, err := p.Write(make([]byte, pieces*pieceSize))
		return err
	})
	if err != nil {
		t.Fatalf("key %d: %v", key, err)
	}
	t.Cleanup(p.Release)
	return p
}

// What a key does not take, the others do not miss: its own big answers wait, theirs do not.
func TestShareOfAKey(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := NewBudget(8*pieceSize, 2, 0)
		held := hold(t, b, 1, 100) // more than the whole budget
		var done atomic.Bool
		var refused error
		go func() {
			var p *Pieces
			if p, refused = b.Build(asKey(t, 1), ""); refused == nil {
				p.Release()
			}
			done.Store(true)
		}()
		synctest.Wait()
		for key := int64(2); key < 20; key++ { // behind the one that waits
			hold(t, b, key, 1).Release()
		}
		if done.Load() || b.Ready() != nil {
			t.Errorf("done %v: %v, ready: %v", done.Load(), refused, b.Ready())
		}
		held.Release()
		synctest.Wait()
		if !done.Load() || refused != nil {
			t.Error(done.Load(), refused)
		}
		held = hold(t, b, 1, 2)
		_, err := b.Build(asKey(t, 1), "")
		var refusal *admitto.Error
		if !errors.As(err, &refusal) || refusal.Kind != admitto.Unavailable || refusal.RetryAfter != 5 ||
			!strings.Contains(refusal.Text.String(), "for this key") {
			t.Error(err)
		}
		if b.Ready() != nil {
			t.Error("one key makes the service unready")
		}
		held.Release()
		if b.InFlight() != 0 || b.charged != 0 || len(b.held) != 0 || b.building != 0 || b.waiting.Len() != 0 {
			t.Errorf("left: %+v", b)
		}
	})
}

// Small answers wait for nobody; others are built when it is their turn.
func TestSmallAnswersPass(t *testing.T) {
	for _, encoding := range []string{"", "gzip", "zstd"} {
		for _, above := range []int{0, 1024} {
			synctest.Test(t, func(t *testing.T) {
				b := NewBudget(4*pieceSize, 1, 0)
				held := hold(t, b, 7, 1)
				answer := func(size int) (built int, err error) {
					want := sample(size)
					if size > pieceSize { // so that it stays big
						rand.NewChaCha8([32]byte{}).Read(want)
					}
					p, err := b.Answer(asKey(t, 7), encoding, above, func(p *Pieces) error {
						built++
						for part := want; len(part) > 0; part = part[min(500, len(part)):] {
							if _, err := p.Write(part[:min(500, len(part))]); err != nil {
								return fmt.Errorf("on its way: %w", err)
							}
						}
						return nil
					})
					if err != nil {
						return built, err
					}
					defer p.Release()
					got := httptest.NewRecorder()
					used := p.Encoding()
					if err := p.SendTo(got); err != nil {
						t.Error(err)
					}
					if body := unzip(t, used, got.Body.Bytes()); !bytes.Equal(body, want) {
						t.Errorf("%d bytes of %d", len(body), size)
					}
					return built, nil
				}
				for _, size := range []int{0, 500, 5000, pieceSize} {
					if built, err := answer(size); err != nil || built != 1 {
						t.Errorf("%d bytes: %v, built %d times", size, err, built)
					}
				}
				var err error
				done := false
				var built int
				go func() { built, err = answer(1 << 20); done = true }()
				synctest.Wait()
				if done {
					t.Errorf("a big answer did not wait: %v", err)
				}
				held.Release()
				synctest.Wait()
				if !done || err != nil || built != 2 {
					t.Errorf("the big answer: %v, built %d times", err, built)
				}
				held = hold(t, b, 7, 1)
				wrong := errors.New("wrong")
				if _, err := b.Answer(asKey(t, 7), encoding, above, func(*Pieces) error { return wrong }); err != wrong {
					t.Error(err)
				}
				func() {
					defer func() { recover() }()
					b.Answer(asKey(t, 7), encoding, above, func(p *Pieces) error { p.Write(sample(2000)); panic(wrong) })
				}()
				held.Release()
				if b.InFlight() != 0 || b.charged != 0 || b.building != 0 {
					t.Errorf("left: %+v", b)
				}
			})
		}
	}
}

// While answers fail because others are not taken, the service does not say that it is ready.
func TestReadyWhileAnswersFail(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := NewBudget(4*pieceSize, 2, 0)
		chain := Chain(Config{Answers: b, Sites: only(http.NotFoundHandler())})
		ready := func() int {
			w := httptest.NewRecorder()
			chain.ServeHTTP(w, httptest.NewRequest("GET", "https://localhost/readyz", nil))
			return w.Code
		}
		var slow []*Pieces
		for key := range int64(keyShares) {
			slow = append(slow, hold(t, b, key+1, 2))
		}
		if ready() != 200 {
			t.Error("not ready before anything failed")
		}
		if p, err := b.Build(asKey(t, 99), ""); err == nil {
			p.Release()
			t.Fatal("the budget is not used up")
		}
		if ready() != 503 {
			t.Error("ready while answers fail")
		}
		slow[0].Release()
		if ready() != 200 {
			t.Error("not ready again")
		}
		hold(t, b, 1, 2)
		if ready() != 200 {
			t.Error("not ready, and nothing has failed since")
		}
	})
}
