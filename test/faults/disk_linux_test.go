package faults_test

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"unsafe"

	"github.com/admitto/admitto/internal/wait"
	"github.com/admitto/admitto/test/internal/program"
)

// mountDisk mounts a small disk in memory; false where the process may not mount.
func mountDisk(t *testing.T, megabytes int) (folder string, ok bool) {
	t.Helper()
	folder = t.TempDir()
	err := syscall.Mount("tmpfs", folder, "tmpfs", 0, fmt.Sprintf("size=%dm,mode=0700", megabytes))
	if errors.Is(err, syscall.EPERM) || errors.Is(err, syscall.EACCES) {
		return folder, false
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(folder, syscall.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	return folder, true
}

// limitFiles keeps a running service from making any file longer than so many bytes: what it writes beyond fails. It is
// the disk that can be broken without any right. Negative: no limit.
func (s *service) limitFiles(bytes int64) {
	s.t.Helper()
	var limit syscall.Rlimit
	id, which := uintptr(s.Cmd.Process.Pid), uintptr(syscall.RLIMIT_FSIZE)
	if _, _, errno := syscall.RawSyscall6(syscall.SYS_PRLIMIT64, id, which, 0, uintptr(unsafe.Pointer(&limit)), 0,
		0); errno != 0 {
		s.t.Fatal(errno)
	}
	limit.Cur = uint64(bytes)
	if bytes < 0 {
		limit.Cur = limit.Max // the lower one can be moved up to the upper one
	}
	if _, _, errno := syscall.RawSyscall6(syscall.SYS_PRLIMIT64, id, which, uintptr(unsafe.Pointer(&limit)), 0, 0,
		0); errno != 0 {
		s.t.Fatal(errno)
	}
}

// fill writes until the disk is full, and returns what makes room again.
func fill(t *testing.T, folder string) (makeRoom func()) {
	t.Helper()
	path := filepath.Join(folder, "filler")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	block := make([]byte, 4096)
	for err == nil {
		_, err = f.Write(block)
	}
	if !errors.Is(err, syscall.ENOSPC) {
		t.Fatal(err)
	}
	_ = f.Close()
	return func() {
		if err := os.Remove(path); err != nil {
			t.Error(err)
		}
	}
}

// troubled writes before, during and after a fault of the disk, and looks that writes are told to come back later
// meanwhile, that reading goes on, and that nothing acknowledged is lost.
func troubled(t *testing.T, p *place, breakIt func(s *service) (repair func())) {
	t.Helper()
	mails := startMailServer(t)
	key, _ := p.key()
	s := p.serve("--mail.smtp="+mails.url, "--mail.sync-timeout=2s", "--quota.per-minute=0", "--quota.per-hour=0").as(key)
	w, stop := newWriters(), make(chan struct{})
	var running sync.WaitGroup
	for i := range 3 {
		running.Go(func() { w.run(s, fmt.Sprintf("w%d", i), stop) })
	}
	wait.Until(t, "writes pass", func() bool { return w.served.Load() > 60 })
	repair := breakIt(s)
	wait.Until(t, "writes are told to come back later", func() bool { return w.later.Load() > 20 })
	s.want(200)(s.get("/api/v10/applicants?limit=5"))
	repair()
	before := w.served.Load()
	wait.Until(t, "writes pass again", func() bool { return w.served.Load() > before+60 })
	close(stop)
	running.Wait()
	wait.Until(t, "all creations are decided", func() bool { return p.number("SELECT count(*) FROM outbox") == 0 })
	w.check(s)
	s.Terminate()
	p.whole()
}

// The disk of database and files is full: where the tests may mount, a small disk in memory that is filled up, else a
// limit of the size of files.
func TestFullDisk(t *testing.T) {
	t.Parallel()
	folder, mounted := mountDisk(t, 64)
	troubled(t, placeIn(t, filepath.Join(folder, "data")), func(s *service) func() {
		if mounted {
			return fill(t, folder)
		}
		t.Log("the tests may not mount a disk: the size of files is limited instead")
		s.limitFiles(8192)
		return func() { s.limitFiles(-1) }
	})
}

// Every write to the disk fails for a while.
func TestFailingDisk(t *testing.T) {
	t.Parallel()
	troubled(t, onSQLite(t), func(s *service) func() {
		s.limitFiles(0)
		return func() { s.limitFiles(-1) }
	})
}

// On a disk that cannot be written the service does not start, and says why. When only the files become read-only,
// uploads are told to come back later and everything else goes on.
func TestReadOnlyDisk(t *testing.T) {
	t.Parallel()
	folder, mounted := mountDisk(t, 64)
	p := placeIn(t, filepath.Join(folder, "data"))
	p.must("demo", "--applicants=20")
	key, _ := p.key()
	application := fmt.Sprintf("/api/v10/applications/%d/documents",
		p.number("SELECT min(id) FROM application WHERE visible AND status = 'Submitted'"))
	s := p.serve().as(key)
	upload := func(text string) (answer, error) {
		return s.do("POST", application, "multipart/form-data; boundary=b",
			"--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.txt\"\r\n\r\n"+text+"\r\n--b--\r\n")
	}
	location := s.want(201)(upload("before")).header.Get("Location")
	if mounted {
		files := filepath.Join(p.folder, "files")
		readOnly(t, files)
		for range 3 {
			if a, err := upload("during"); err != nil || !a.isLater() {
				t.Errorf("%v, %+v", err, a)
			}
		}
		s.want(201)(s.create("ilse@example.org"))
		s.want(200)(s.get(location))
		if err := syscall.Unmount(files, syscall.MNT_DETACH); err != nil {
			t.Fatal(err)
		}
		s.want(201)(upload("during"))
	}
	s.Terminate()
	p.whole()
	if mounted {
		if err := syscall.Mount("", folder, "", syscall.MS_REMOUNT|syscall.MS_RDONLY, ""); err != nil {
			t.Fatal(err)
		}
	} else {
		t.Log("the tests may not mount a disk: only a file in place of the folder is tried")
		p = placeIn(t, filepath.Join(program.Path(t), "data"))
	}
	code, _, stderr := p.command("serve", "--listen=127.0.0.1:0")
	if code != 1 || !strings.HasPrefix(stderr, "admitto: ") || strings.Contains(stderr, "panic") {
		t.Errorf("status %d: %s", code, stderr)
	}
	t.Log(strings.TrimSpace(stderr))
}

// readOnly lays a read-only view of the folder over it.
func readOnly(t *testing.T, folder string) {
	t.Helper()
	err := syscall.Mount(folder, folder, "", syscall.MS_BIND, "")
	if err == nil {
		err = syscall.Mount("", folder, "", syscall.MS_BIND|syscall.MS_REMOUNT|syscall.MS_RDONLY, "")
	}
	if err == nil {
		_, err = os.Create(filepath.Join(folder, "x"))
		if errors.Is(err, syscall.EROFS) {
			return
		}
	}
	t.Fatal(errors.Join(err, io.ErrUnexpectedEOF))
}

// The folder for temporary files takes no more: uploads are told to come back later, everything else goes on.
func TestFullTemporaryFolder(t *testing.T) {
	t.Parallel()
	p := onSQLite(t)
	p.must("demo", "--applicants=20")
	key, _ := p.key()
	application := fmt.Sprintf("/api/v10/applications/%d/documents",
		p.number("SELECT min(id) FROM application WHERE visible AND status = 'Submitted'"))
	s := p.serve().as(key)
	upload := func() (answer, error) {
		return s.do("POST", application, "multipart/form-data; boundary=b",
			"--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.txt\"\r\n\r\n"+
				strings.Repeat("A line of text.\n", 1<<16)+"\r\n--b--\r\n")
	}
	s.limitFiles(64 << 10)
	if a, err := upload(); err != nil || !a.isLater() {
		t.Errorf("%v, %+v", err, a)
	}
	s.want(200)(s.get("/api/v10/applicants?limit=5"))
	s.limitFiles(-1)
	s.want(201)(upload())
	s.Terminate()
	p.whole()
}
