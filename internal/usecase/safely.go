package usecase

import (
	"fmt"
	"runtime/debug"
)

// Safely returns what fn returns, or a panic in it as an error: for work in a goroutine of its own, where nobody else
// would stop it from ending the process.
func Safely(fn func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
		}
	}()
	return fn()
}
