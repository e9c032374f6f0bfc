package web

import (
	"container/list"
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/admitto/admitto/internal/message"

	"github.com/admitto/admitto/internal/admitto"
)

// Budget bounds the memory of all answers together, and how many are built at once. An answer begins only while the
// bytes in flight are below the budget, those of its key below the share of a key, and one of the builders' places is
// free; once begun, it takes what it needs and never waits in the middle, so answers cannot block one another. What a
// key holds beyond its share is not counted against the others, so a key that takes answers slowly slows down itself
// alone. The bound therefore is the budget plus one answer for each place, and that for each key that holds its share;
// four keys can use the budget up. All methods are safe for concurrent use.
type Budget struct {
	bytes    int64
	share    int64 // of bytes, for one key
	builders int
	wait     time.Duration

	mu       sync.Mutex
	inFlight int64
	held     map[int64]int64 // in flight, by key
	charged  int64           // in flight, of each key at most its share
	building int
	starved  bool      // an answer whose key holds less than its share waited in vain, and none was let in since
	waiting  list.List // of *waiter, the longest waiting first

	pieces sync.Pool // of *piece
	gzip   sync.Pool // of *gzip.Writer
	zstd   sync.Pool // of *zstd.Encoder
}

// waiter is one answer that waits; granted is guarded by Budget.mu, turn is closed when it is granted.
type waiter struct {
	key     int64
	turn    chan struct{}
	granted bool
}

// keyShares is how many keys can use the budget up between them.
const keyShares = 4

// NewBudget returns a budget of so many bytes in flight (memory, counted in whole pieces of 64 KiB; at
// least 1), for so many answers being built at the same time (encoding and compressing is work for the
// processors, so about as many as there are; at least 1). wait is how long an answer waits for its turn;
// 0 is 30 s.
func NewBudget(bytes int64, builders int, wait time.Duration) *Budget {
	if wait <= 0 {
		wait = 30 * time.Second
	}
	bytes = max(bytes, 1)
	return &Budget{bytes: bytes, share: max(bytes/keyShares, 1), builders: max(builders, 1), wait: wait,
		held: map[int64]int64{}}
}

// InFlight returns the bytes of memory held by answers that are built or sent now.
func (b *Budget) InFlight() int64 {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.inFlight
}

// Ready returns why ordinary answers fail, nil when they do not. What a key cannot have for its own share's sake does
// not count.
func (b *Budget) Ready() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.building < b.builders && b.charged < b.bytes {
		b.starved = false
	}
	if b.starved {
		return errors.New("web: answers wait in vain until others have been taken")
	}
	return nil
}

// Answer builds an answer and closes it. One of at most 64 KiB as it is sent waits for nobody: while there is no turn,
// build is tried as far as that, and called again on fresh Pieces when its turn has come and the answer was bigger. So
// build may be called twice, and must write the whole answer each time. Encoding and bytes are those of BuildAbove, so
// are the errors next to those of build. The caller must Release the answer (defer).
func (b *Budget) Answer(ctx context.Context, encoding string, bytes int, build func(*Pieces) error) (*Pieces, error) {
	p, err := b.begin(ctx, encoding, bytes)
	if err != nil {
		return nil, err
	}
	if err = p.fill(build); err == nil || !p.outgrown {
		return p, err
	}
	if p, err = b.BuildAbove(ctx, encoding, bytes); err != nil {
		return nil, err
	}
	return p, p.fill(build)
}

// begin begins an answer at once: with a place when it is its turn, else one that must stay small.
func (b *Budget) begin(ctx context.Context, encoding string, bytes int) (*Pieces, error) {
	key := InfoOf(ctx).KeyID
	b.mu.Lock()
	small := !b.free(key)
	if !small {
		b.enter()
	}
	b.mu.Unlock()
	return b.newPieces(key, encoding, bytes, small)
}

// BuildAbove waits for its turn and begins an answer whose size is not known beforehand, compressed as encoding says if
// more than bytes (at most 64 KiB) are written: "" (not), "gzip" or "zstd", as Encoding returns it. Ask Pieces.Encoding
// after Close which it was; Content-Encoding and the suffix of the ETag depend on it. The caller must Release it
// (defer), and must not begin a second answer while it holds one. Errors: *admitto.Error of kind Unavailable with
// RetryAfter 5 when the turn did not come in time, the error of ctx when that ended first.
func (b *Budget) BuildAbove(ctx context.Context, encoding string, bytes int) (*Pieces, error) {
	key := InfoOf(ctx).KeyID
	if err := b.acquire(ctx, key); err != nil {
		return nil, err
	}
	return b.newPieces(key, encoding, bytes, false)
}

func (b *Budget) newPieces(key int64, encoding string, bytes int, small bool) (*Pieces, error) {
	p := &Pieces{budget: b, key: key, small: small, wanted: encoding, above: int64(min(bytes, pieceSize))}
	switch encoding {
	case "":
	case "gzip", "zstd":
		if bytes <= 0 {
			p.compress()
		}
	default:
		p.Release()
		return nil, fmt.Errorf("web: unknown content coding %q", encoding)
	}
	return p, nil
}

// acquire takes a builder's place, first come first served among the keys that hold less than their share.
func (b *Budget) acquire(ctx context.Context, key int64) error {
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("web: before an answer was begun: %w", err)
	}
	b.mu.Lock()
	if b.free(key) { // then nobody who waits could begin instead
		b.enter()
		b.mu.Unlock()
		return nil
	}
	w := &waiter{key: key, turn: make(chan struct{})}
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
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if w.granted { // at the same time: the turn came, take it
		return nil
	}
	b.waiting.Remove(element)
	if err == nil {
		return b.refuse(key)
	}
	return err
}

// refuse says why an answer waited in vain; b.mu is held.
func (b *Budget) refuse(key int64) error {
	why := message.Of("answers-busy")
	if b.held[key] >= b.share {
		why = message.Of("answers-unsent")
	} else {
		b.starved = true
	}
	unavailable := admitto.Refused(admitto.Unavailable, why)
	unavailable.RetryAfter = 5
	return unavailable
}

// free reports whether an answer for the key may begin; b.mu is held.
func (b *Budget) free(key int64) bool {
	return b.building < b.builders && b.charged < b.bytes && b.held[key] < b.share
}

// enter takes a builder's place; b.mu is held.
func (b *Budget) enter() {
	b.building++
	b.starved = false
}

// hold changes what is in flight for a key; b.mu is held.
func (b *Budget) hold(key, bytes int64) {
	before := b.held[key]
	after := before + bytes
	b.inFlight += bytes
	b.charged += min(after, b.share) - min(before, b.share)
	if b.held[key] = after; after == 0 {
		delete(b.held, key)
	}
}

// take counts a piece that was begun.
func (b *Budget) take(key int64) *piece {
	b.mu.Lock()
	b.hold(key, pieceSize)
	b.mu.Unlock()
	if p, ok := b.pieces.Get().(*piece); ok {
		return p
	}
	return new(piece)
}

// give takes a piece back. The bytes are free again before anybody waiting is let in.
func (b *Budget) give(key int64, p *piece) {
	b.pieces.Put(p)
	b.mu.Lock()
	b.hold(key, -pieceSize)
	b.admit()
	b.mu.Unlock()
}

// leave frees the place of a builder.
func (b *Budget) leave() {
	b.mu.Lock()
	b.building--
	b.admit()
	b.mu.Unlock()
}

// admit lets those in whose turn it is; b.mu is held.
func (b *Budget) admit() {
	for e := b.waiting.Front(); e != nil && b.building < b.builders && b.charged < b.bytes; {
		next, w := e.Next(), e.Value.(*waiter)
		if b.free(w.key) {
			b.waiting.Remove(e)
			w.granted = true
			b.enter()
			close(w.turn)
		}
		e = next
	}
}
