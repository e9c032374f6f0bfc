package site

import "context"

// SetPause puts a function in the place of the pauses between two looks at a form that is being saved, which are so
// many at most.
func (s *Site) SetPause(pause func(context.Context) error, looks int) {
	s.pause, s.looks = pause, looks
}
