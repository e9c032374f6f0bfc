package dbtest

import (
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"runtime"
	"strconv"
	"syscall"

	"github.com/admitto/admitto/internal/wait"
)

// start makes a database cluster in a temporary folder and runs a server on it that ends with this process.
func start() (string, error) {
	initdb, postgres, err := find()
	if err != nil {
		return "", err
	}
	sweep()
	as, err := unprivileged()
	if err != nil {
		return "", err
	}
	dir, err := newFolder(quickFolder(), as)
	if err != nil {
		return "", err
	}
	data := filepath.Join(dir, "data")
	if err := newCluster(initdb, dir, as); err != nil {
		return "", err
	}
	port, err := freePort()
	if err != nil {
		return "", err
	}
	log, err := os.Create(filepath.Join(dir, "log"))
	if err != nil {
		return "", err
	}
	defer log.Close()
	// SIGQUIT stops the server at once, when the thread that started it ends: with the process.
	cmd := command(dir, &syscall.SysProcAttr{Credential: as, Pdeathsig: syscall.SIGQUIT}, postgres, "-D", data,
		"-h", "127.0.0.1", "-p", port, "-k", dir, "-c", "fsync=off", "-c", "synchronous_commit=off",
		"-c", "full_page_writes=off", "-c", "max_connections=200", "-c", "shared_buffers=64MB",
		"-c", "dynamic_shared_memory_type=mmap", "-c", "wal_level=minimal", "-c", "max_wal_senders=0", "-c", "autovacuum=off",
		"-c", "jit=off") // without statistics a plan looks so dear that it would be compiled
	cmd.Stdout, cmd.Stderr = log, log
	exited, err := startForLife(cmd)
	if err != nil {
		return "", err
	}
	url := "postgres://postgres@127.0.0.1:" + port + "/postgres?sslmode=disable"
	if wait.Ever(func() bool { err = try(url, "SELECT 1"); return err == nil }, exited) {
		return url, nil
	}
	select {
	case <-exited:
		text, _ := os.ReadFile(log.Name())
		return "", fmt.Errorf("postgres ended: %s", text)
	default:
	}
	_ = cmd.Process.Signal(syscall.SIGQUIT)
	return "", fmt.Errorf("postgres does not answer: %w", err)
}

// find looks for the programs in PATH and where Debian puts them.
func find() (initdb, postgres string, err error) {
	var folders []string
	if path, err := exec.LookPath("initdb"); err == nil {
		folders = append(folders, filepath.Dir(path))
	}
	more, _ := filepath.Glob("/usr/lib/postgresql/*/bin")
	for _, dir := range append(folders, more...) {
		initdb, postgres = filepath.Join(dir, "initdb"), filepath.Join(dir, "postgres")
		_, err1 := os.Stat(initdb)
		_, err2 := os.Stat(postgres)
		if err1 == nil && err2 == nil {
			return initdb, postgres, nil
		}
	}
	return "", "", errMissing
}

// unprivileged returns the user to run as: PostgreSQL refuses to run as root.
func unprivileged() (*syscall.Credential, error) {
	if os.Geteuid() != 0 {
		return nil, nil
	}
	for _, name := range []string{"postgres", "nobody"} {
		u, err := user.Lookup(name)
		if err != nil {
			continue
		}
		uid, err1 := strconv.ParseUint(u.Uid, 10, 32)
		gid, err2 := strconv.ParseUint(u.Gid, 10, 32)
		if err := errors.Join(err1, err2); err != nil {
			return nil, err
		}
		return &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}, nil
	}
	return nil, errors.New("PostgreSQL does not run as root, and there is no user postgres or nobody")
}

const folderPattern = "admitto-postgres-"

// quickFolder is where the data of tests that need not survive a crash lie: in memory where the system has such a
// folder with room in it, since a copy of a database takes a tenth of the time there.
func quickFolder() string {
	const inMemory, room = "/dev/shm", 2 << 30
	var stat syscall.Statfs_t
	if err := syscall.Statfs(inMemory, &stat); err != nil || stat.Bavail*uint64(stat.Bsize) < room ||
		syscall.Access(inMemory, 2 /* W_OK */) != nil {
		return os.TempDir()
	}
	return inMemory
}

// newFolder makes the folder of the server inside another, with a file that stays locked as long as this process lives.
func newFolder(inside string, owner *syscall.Credential) (string, error) {
	dir, err := os.MkdirTemp(inside, folderPattern)
	if err != nil {
		return "", err
	}
	fresh := filepath.Join(dir, "lock.new")
	fd, err := syscall.Open(fresh, syscall.O_CREAT|syscall.O_RDWR|syscall.O_CLOEXEC, 0o600)
	if err != nil {
		return "", err
	}
	if err := syscall.Flock(fd, syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		return "", err
	}
	// Under its final name it is never seen unlocked. The descriptor is left open on purpose.
	if err := os.Rename(fresh, filepath.Join(dir, "lock")); err != nil {
		return "", err
	}
	if owner != nil {
		err = os.Chown(dir, int(owner.Uid), int(owner.Gid))
	}
	return dir, err
}

// sweep removes the folders of processes that have ended.
func sweep() {
	folders, _ := filepath.Glob(filepath.Join(os.TempDir(), folderPattern+"*"))
	more, _ := filepath.Glob(filepath.Join(quickFolder(), folderPattern+"*"))
	for _, dir := range append(folders, more...) {
		fd, err := syscall.Open(filepath.Join(dir, "lock"), syscall.O_RDWR|syscall.O_CLOEXEC, 0)
		if err != nil {
			continue // being made, or of another user
		}
		if syscall.Flock(fd, syscall.LOCK_EX|syscall.LOCK_NB) == nil {
			_ = os.RemoveAll(dir)
		}
		_ = syscall.Close(fd)
	}
}

func command(dir string, attr *syscall.SysProcAttr, name string, args ...string) *exec.Cmd {
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.SysProcAttr = dir, attr
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "LC_ALL=C", "TZ=UTC"}
	return cmd
}

// startForLife starts the command from a thread that lives as long as the process, because the death signal
// is bound to the thread. exited is closed when the command has ended.
func startForLife(cmd *exec.Cmd) (exited <-chan struct{}, err error) {
	started := make(chan error)
	done := make(chan struct{})
	go func() {
		runtime.LockOSThread()
		err := cmd.Start()
		started <- err
		if err == nil {
			_ = cmd.Wait()
		}
		close(done)
		select {} // never lets go of the thread
	}()
	return done, <-started
}

func freePort() (string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	defer l.Close()
	_, port, err := net.SplitHostPort(l.Addr().String())
	return port, err
}
