package web

import (
	"container/list"
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/admitto/admitto"
)

// Budget bounds the memory of all answers together, and how many are built at once. An answer begins
// only while the bytes in flight are below the budget and one of the builders' places is free; once
// begun, it takes what it needs and never waits in the middle, so answers cannot block one another. The
// bound therefore is the budget plus one answer for each place. All methods are safe for concurrent use.
type Budget struct {
	bytes    int64
	builders int
	wait     time.Duration
	stall    time.Duration // for one piece to be taken by the client

	mu       sync.Mutex
	inFlight int64
	building int
	waiting  list.List // of *waiter, the longest waiting first

	pieces sync.Pool // of *piece
	gzip   sync.Pool // of *gzip.Writer
	zstd   sync.Pool // of *zstd.Encoder
}

// waiter is one Build that waits; granted is guarded by Budget.mu, turn is closed when it is granted.
type waiter struct {
	turn    chan struct{}
	granted bool
}

// NewBudget gives a budget of so many bytes in flight (memory, counted in whole pieces of 64 KiB; at
// least 1), for so many answers being built at the same time (encoding and compressing is work for the
// processors, so about as many as there are; at least 1). wait is how long an answer waits for its turn;
// 0 is 30 s.
func NewBudget(bytes int64, builders int, wait time.Duration) *Budget {
	if wait <= 0 {
		wait = 30 * time.Second
	}
	return &Budget{bytes: max(bytes, 1), builders: max(builders, 1), wait: wait, stall: stallTime}
}

// InFlight gives the bytes of memory held by answers that are built or sent now.
func (b *Budget) InFlight() int64 {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.inFlight
}

// Build waits for its turn and begins an answer, compressed as encoding says: "" (not), "gzip" or
// "zstd", as Encoding gives it. The caller must Release it (defer), and must not begin a second answer
// while it holds one. Errors: *admitto.Error of kind Unavailable with RetryAfter 5 when the turn did not
// come in time, the error of ctx when that ended first.
func (b *Budget) Build(ctx context.Context, encoding string) (*Pieces, error) {
	return b.BuildAbove(ctx, encoding, 0)
}

// BuildAbove is Build for an answer whose size is not known beforehand: it is compressed only if more
// than bytes (at most 64 KiB) are written. Ask Pieces.Encoding after Close which it was; Content-Encoding
// and the suffix of the ETag depend on it.
func (b *Budget) BuildAbove(ctx context.Context, encoding string, bytes int) (*Pieces, error) {
	switch encoding {
	case "", "gzip", "zstd":
	default:
		return nil, fmt.Errorf("web: unknown content coding %q", encoding)
	}
	if err := b.acquire(ctx); err != nil {
		return nil, err
	}
	p := &Pieces{budget: b, wanted: encoding, above: int64(min(bytes, pieceSize))}
	if encoding != "" && bytes <= 0 {
		p.compress()
	}
	return p, nil
}

// acquire takes a builder's place, first come first served.
func (b *Budget) acquire(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("web: before an answer was begun: %w", err)
	}
	b.mu.Lock()
	if b.waiting.Len() == 0 && b.free() {
		b.building++
		b.mu.Unlock()
		return nil
	}
	w := &waiter{turn: make(chan struct{})}
	element := b.waiting.PushBack(w)
	b.mu.Unlock()

	timer := time.NewTimer(b.wait)
	defer timer.Stop()
	var err error
	select {
	case <-w.turn:
		return nil
	case <-ctx.Done():
		err = fmt.Errorf("web: while waiting to begin an answer: %w", ctx.Err())
	case <-timer.C:
		unavailable := admitto.Errorf(admitto.Unavailable, "The service is busy with other answers. Send the request again in a few seconds.")
		unavailable.RetryAfter = 5
		err = unavailable
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if w.granted { // at the same moment: the turn came, take it
		return nil
	}
	b.waiting.Remove(element)
	return err
}

// free reports whether an answer may begin; b.mu is held.
func (b *Budget) free() bool { return b.building < b.builders && b.inFlight < b.bytes }

// take counts a piece that was begun.
func (b *Budget) take() *piece {
	b.mu.Lock()
	b.inFlight += pieceSize
	b.mu.Unlock()
	if p, ok := b.pieces.Get().(*piece); ok {
		return p
	}
	return new(piece)
}

// give takes a piece back. The bytes are free again before anybody waiting is let in.
func (b *Budget) give(p *piece) {
	b.pieces.Put(p)
	b.mu.Lock()
	b.inFlight -= pieceSize
	b.admit()
	b.mu.Unlock()
}

// leave gives a builder's place back.
func (b *Budget) leave() {
	b.mu.Lock()
	b.building--
	b.admit()
	b.mu.Unlock()
}

// admit lets those in whose turn it is; b.mu is held.
func (b *Budget) admit() {
	for e := b.waiting.Front(); e != nil && b.free(); e = b.waiting.Front() {
		w := b.waiting.Remove(e).(*waiter)
		w.granted = true
		b.building++
		close(w.turn)
	}
}
