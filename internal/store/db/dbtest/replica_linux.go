package dbtest

import (
	"os"
	"path/filepath"
	"slices"
	"syscall"
)

// Replica makes a streaming replica of the server and starts it; it ends with the test. The server must have been made
// with the settings wal_level=replica and max_wal_senders above 0; settings are those of the replica on top of them.
func (s *Server) Replica(settings ...string) *Server {
	s.t.Helper()
	r := &Server{t: s.t, as: s.as, postgres: s.postgres, settings: slices.Concat(s.settings, settings)}
	var err error
	if r.dir, err = newFolder(r.folder(), r.as); err == nil {
		r.port, err = freePort()
	}
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() {
		r.Kill()
		_ = os.RemoveAll(r.dir)
	})
	r.URL = "postgres://postgres@127.0.0.1:" + r.port + "/postgres?sslmode=disable"
	program, err := filepath.EvalSymlinks(s.postgres) // Debian has it next to the server, and not always in PATH
	if err != nil {
		s.t.Fatal(err)
	}
	copies := filepath.Join(filepath.Dir(program), "pg_basebackup")
	if out, err := command(r.dir, &syscall.SysProcAttr{Credential: r.as}, copies, "-D", r.data(), "-R", "-X", "stream",
		"-c", "fast",
		"--no-sync", "-h", "127.0.0.1", "-p", s.port, "-U", "postgres").CombinedOutput(); err != nil {
		s.t.Fatalf("pg_basebackup: %v: %s", err, out)
	}
	r.Start()
	return r
}
