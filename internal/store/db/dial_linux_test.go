package db_test

import (
	"net"
	"strings"
	"syscall"
	"testing"

	"github.com/admitto/admitto/internal/store/db"
	"github.com/admitto/admitto/internal/store/db/dbtest"
	"github.com/jackc/pgx/v5"
)

// The first host of a URL takes connections and says nothing, as one that has just been switched off. A transaction
// does not give up before the second was tried.
func TestSilentFirstHost(t *testing.T) {
	t.Parallel()
	url, _ := dbtest.Schema(t)
	silent, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer silent.Close()
	head, rest, _ := strings.Cut(url, "@")
	d, err := db.Open(t.Context(), head+"@"+silent.Addr().String()+","+rest, db.Options{Lazy: true})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	if err := d.Read(t.Context(), func(tx *db.Tx) error { return tx.Query("SELECT 1").Close() }); err != nil {
		t.Error(err)
	}
}

// Connections to PostgreSQL end when its host falls silent; the system would wait for a quarter of an hour. A host that
// can be reached and then not, without a word, is more than a test may make of the machine, so this looks at the
// socket.
func TestSilenceIsLimited(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	config, err := pgx.ParseConfig("postgres://u@h/d")
	if err != nil {
		t.Fatal(err)
	}
	db.SetDialing(config)
	c, err := config.DialFunc(t.Context(), "tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	raw, err := c.(*net.TCPConn).SyscallConn()
	if err != nil {
		t.Fatal(err)
	}
	const userTimeout = 0x12 // of <linux/tcp.h>
	for _, option := range []struct {
		name       string
		level, opt int
		want       int
	}{
		{"TCP_USER_TIMEOUT", syscall.IPPROTO_TCP, userTimeout, 20_000},
		{"SO_KEEPALIVE", syscall.SOL_SOCKET, syscall.SO_KEEPALIVE, 1},
		{"TCP_KEEPIDLE", syscall.IPPROTO_TCP, syscall.TCP_KEEPIDLE, 5},
		{"TCP_KEEPINTVL", syscall.IPPROTO_TCP, syscall.TCP_KEEPINTVL, 5},
	} {
		if err := raw.Control(func(fd uintptr) {
			got, err := syscall.GetsockoptInt(int(fd), option.level, option.opt)
			if err != nil || got != option.want {
				t.Errorf("%s is %d, want %d: %v", option.name, got, option.want, err)
			}
		}); err != nil {
			t.Fatal(err)
		}
	}
}
