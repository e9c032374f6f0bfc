package config

import (
	"maps"
	"sync"
	"sync/atomic"
)

// Live holds the current settings of a process. Consumers call Current whenever they need a value and keep no copy, so
// that what is saved in the database counts while they run. It is safe for concurrent use.
type Live struct {
	current atomic.Pointer[Settings]

	mu      sync.Mutex // one change after the other
	saved   map[string]string
	address string // the public address where base_url is empty; "" until the service listens
}

// NewLive returns a Live with these settings.
func NewLive(s *Settings) *Live {
	l := &Live{}
	l.Set(s)
	return l
}

// Current returns the settings that count now. The caller must not change them.
func (l *Live) Current() *Settings { return l.current.Load() }

// Set puts other settings in the place of the current ones.
func (l *Live) Set(s *Settings) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.set(s)
}

func (l *Live) set(s *Settings) {
	if s.BaseURL == "" && l.address != "" {
		named := *s
		named.BaseURL = l.address
		s = &named
	}
	l.current.Store(s)
}

// Listening says at which address the service is reached, for base_url where it is not set.
func (l *Live) Listening(url string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.address = url
	l.set(l.Current())
}

// Refresh makes the settings follow what is saved in the database, secrets unsealed. Faulty ones leave the current
// settings as they are; the error, a *Faults, is returned once and not again for the same values.
func (l *Live) Refresh(saved map[string]string) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if maps.Equal(saved, l.saved) {
		return nil
	}
	l.saved = maps.Clone(saved)
	s, err := l.Current().WithSaved(saved)
	if err != nil {
		return err
	}
	l.set(s)
	return nil
}
