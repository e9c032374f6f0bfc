package usecase

import (
	"context"
	"sync"
	"time"
)

// Bell lets calls that want the same thing wait for each other without asking the database all the time: creations of
// an address, for one. What is decided on other instances is noticed by asking again now and then.
type Bell struct {
	mu   sync.Mutex
	news chan struct{} // closed when anything here is decided
}

// NewBell returns a Bell that nobody has rung.
func NewBell() *Bell { return &Bell{news: make(chan struct{})} }

// Wait returns when something was decided here, soon after in any case, or when ctx is done.
func (c *Bell) Wait(ctx context.Context) {
	c.mu.Lock()
	news := c.news
	c.mu.Unlock()
	select {
	case <-news:
	case <-time.After(100 * time.Millisecond):
	case <-ctx.Done():
	}
}

// Decided wakes all that wait.
func (c *Bell) Decided() {
	c.mu.Lock()
	defer c.mu.Unlock()
	close(c.news)
	c.news = make(chan struct{})
}
