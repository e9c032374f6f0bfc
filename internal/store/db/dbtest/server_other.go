//go:build !linux

package dbtest

import "testing"

// Server is for Linux only, where it can be bound to the life of the test process.
type Server struct {
	URL string
}

// NewServer skips the test.
func NewServer(t testing.TB, _ ...string) *Server {
	t.Helper()
	t.Skip("a PostgreSQL that can be killed is started on Linux only")
	return nil
}

// Start does nothing.
func (*Server) Start() {}

// Kill does nothing.
func (*Server) Kill() {}

// Stop does nothing.
func (*Server) Stop() {}

// Continue does nothing.
func (*Server) Continue() {}

// Replica returns none.
func (*Server) Replica(_ ...string) *Server { return nil }

// Log returns nothing.
func (*Server) Log() string { return "" }
