package faults_test

import (
	"archive/tar"
	"bytes"
	"crypto/sha256"
	bits "encoding/binary"
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/admitto/admitto/test/internal/program"
)

// attacked is a service whose memory was measured before something small is sent to it that may take much.
type attacked struct {
	*service
	before int64
}

// underAttack is a service with data, without quotas.
func underAttack(t *testing.T, p *place) *attacked {
	t.Helper()
	p.must("demo", "--applicants=50")
	key, _ := p.key()
	s := p.serve("--quota.per-minute=0", "--quota.per-hour=0").as(key)
	s.want(200)(s.get("/api/v10/applications"))
	return &attacked{s, s.memory("VmHWM")}
}

// grown fails the test when the service has taken more than so many megabytes beyond what it had before.
func (a *attacked) grown(what string, most int64) {
	a.t.Helper()
	grown := (a.memory("VmHWM") - a.before) >> 20
	if a.t.Logf("%s: %d MB more", what, grown); grown > most {
		a.t.Fatalf("%s: %d MB more than before, at most %d are allowed", what, grown, most)
	}
}

// numbered writes n members of an object, "0" to "n-1".
func numbered(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `%q:1,`, fmt.Sprint(i))
	}
	return strings.TrimSuffix(b.String(), ",")
}

// A long name stands above many members: it takes no more memory than the body tells, and the answer is no longer than
// a client can read, whether it asks for all faults or not.
func TestLongNamesInJSON(t *testing.T) {
	t.Parallel()
	onBothEngines(t, func(t *testing.T, p *place) {
		a := underAttack(t, p)
		for _, attack := range []struct {
			method, path, contentType, body, prefer string
		}{
			{"POST", "/api/v10/applications/flags", "application/json", `{"` + strings.Repeat("k",
				500_000) + `":{` + numbered(1990) + `}}`, ""},
			{"POST", "/api/v10/applications/flags", "application/json", `{"` + strings.Repeat("k",
				100_000) + `":{` + numbered(1990) + `}}`, "handling=strict"},
			{"POST", "/api/v10/applications/flags", "application/json", `{` + numbered(1990) + `}`, "handling=strict"},
			{"POST", "/api/v10/applications/flags", "application/x-www-form-urlencoded", strings.Repeat("k", 500_000) + "=1",
				"handling=strict"},
			{"PATCH", "/api/v10/applications/1", "application/merge-patch+json",
				`{"` + strings.Repeat("k", 100_000) + `":{` + numbered(9_000) + `}}`, ""},
			{"PATCH", "/api/v10/applications/1", "application/merge-patch+json", `{` + numbered(20_000) + `}`, ""},
		} {
			r, err := http.NewRequest(attack.method, a.url+attack.path, strings.NewReader(attack.body))
			if err != nil {
				t.Fatal(err)
			}
			r.Header.Set("Content-Type", attack.contentType)
			if attack.prefer != "" {
				r.Header.Set("Prefer", attack.prefer)
			}
			answer, err := a.send(r)
			if err != nil || answer.status != 400 || len(answer.body) > 1<<20 {
				t.Fatalf("%s with %d bytes: %v, status %d with %d bytes", attack.path, len(attack.body), err, answer.status,
					len(answer.body))
			}
			a.grown(fmt.Sprintf("%s %s with %d bytes", attack.method, attack.path, len(attack.body)), 200)
		}
		a.Terminate()
	})
}

// forged is a backup whose entries unpack to far more than its size. It is written by hand, since what zstd makes of
// bytes that are all the same is known: each 128 KB are four bytes.
type forged struct{ packed []byte }

// block appends a block of zstd: its bytes as they are, or one byte so many times.
func (f *forged) block(data []byte, times int) {
	kind, size := 0, len(data)
	if times > 0 {
		kind, size, data = 1, times, data[:1]
	}
	head := kind<<1 | size<<3
	f.packed = append(append(f.packed, byte(head), byte(head>>8), byte(head>>16)), data...)
}

// entry appends an entry of a tar that begins with a text, goes on with one byte, and has the size in all.
func (f *forged) entry(t *testing.T, name, begin string, fill byte, size int64) {
	t.Helper()
	var head bytes.Buffer
	if err := tar.NewWriter(&head).WriteHeader(&tar.Header{Typeflag: tar.TypeReg, Name: name, Size: size,
		Mode: 0o600}); err != nil {
		t.Fatal(err)
	}
	f.block(append(head.Bytes(), begin...), 0)
	const most = 128 << 10
	for left := size - int64(len(begin)); left > 0; left -= most {
		f.block([]byte{fill}, int(min(left, most)))
	}
	if pad := (512 - size%512) % 512; pad > 0 {
		f.block([]byte{0}, int(pad))
	}
}

// write seals the backup and returns its path.
func (f *forged) write(t *testing.T) string {
	t.Helper()
	f.block(make([]byte, 1024), 0)                                          // the end of the tar
	last := []byte{1, 0, 0}                                                 // an empty block, the last of the frame
	frame := append([]byte{0x28, 0xb5, 0x2f, 0xfd, 0, 7 << 3}, f.packed...) // a window of 128 KB
	frame = append(frame, last...)
	sum := sha256.Sum256(frame)
	seal := append([]byte{0x50, 0x2a, 0x4d, 0x18, sha256.Size, 0, 0, 0}, sum[:]...)
	path := filepath.Join(t.TempDir(), "forged.tar.zst")
	if err := os.WriteFile(path, append(frame, seal...), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// memoryOf returns the most memory that an ended program took, in MiB. Linux counts what the test itself took when it
// started the program.
func memoryOf(cmd *exec.Cmd) int64 {
	return cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss >> 10
}

// memoryOfNothing is memoryOf of a program that does nothing.
func memoryOfNothing(t *testing.T) int64 {
	t.Helper()
	cmd := exec.Command(program.Path(t), "version")
	if err := cmd.Run(); err != nil {
		t.Fatal(err)
	}
	return memoryOf(cmd)
}

// A backup is read before it is believed: a forged one that unpacks to gigabytes is refused, for what each of its
// entries says about itself, and takes no more memory than a good one.
func TestForgedBackup(t *testing.T) {
	t.Parallel()
	const huge, usual = 7 << 30, int64(len("{\"format\": 1}"))
	for name, forge := range map[string]func(f *forged){
		"the format": func(f *forged) { f.entry(t, "format.json", `{"format": 1, "x": "`, 'x', huge) },
		"a table": func(f *forged) {
			f.entry(t, "format.json", `{"format": 1}`, 0, usual)
			f.entry(t, "tables/applicant/000001.jsonl", "[", '1', huge)
		},
		"the manifest": func(f *forged) {
			f.entry(t, "format.json", `{"format": 1}`, 0, usual)
			f.entry(t, "manifest.json", `{"engine": "`, 'x', huge)
		},
	} {
		t.Run(name, func(t *testing.T) {
			f := &forged{}
			forge(f)
			if len(f.packed) > 300<<10 {
				t.Fatalf("it has %d bytes", len(f.packed))
			}
			p := onSQLite(t)
			cmd := exec.Command(program.Path(t), append([]string{"restore", f.write(t)}, p.flags...)...)
			out, err := cmd.CombinedOutput()
			var exit *exec.ExitError
			if !errors.As(err, &exit) || !strings.Contains(string(out), "nothing was restored") {
				t.Errorf("%v: %s", err, out)
			}
			if most := memoryOf(cmd) - memoryOfNothing(t); most > 300 {
				t.Errorf("it took %d MB", most)
			} else {
				t.Logf("it took %d MB: %s", most, out)
			}
		})
	}
}

// allDirectory is a zip archive of so many bytes that is all directory: entries without a name and without content.
func allDirectory(size int) string {
	little := bits.LittleEndian
	entry := make([]byte, 46)
	copy(entry, "PK\x01\x02")
	n := size / len(entry)
	end := make([]byte, 22)
	copy(end, "PK\x05\x06")
	little.PutUint16(end[10:], uint16(n))
	little.PutUint32(end[12:], uint32(n*len(entry)))
	little.PutUint32(end[16:], 4)
	return "PK\x03\x04" + strings.Repeat(string(entry), n) + string(end)
}

// Forty uploads at once of an archive of 10 MB that is all directory are refused, and take little more than forty
// buffers.
func TestArchivesOfDirectory(t *testing.T) {
	t.Parallel()
	a := underAttack(t, onSQLite(t))
	var form bytes.Buffer
	w := multipart.NewWriter(&form)
	part, err := w.CreateFormFile("file", "a.docx")
	if err == nil {
		_, err = io.WriteString(part, allDirectory(10_000_000))
	}
	if err = errors.Join(err, w.Close()); err != nil {
		t.Fatal(err)
	}
	id := a.place.number("SELECT min(id) FROM application WHERE visible")
	var running sync.WaitGroup
	for range 40 {
		running.Go(func() {
			answer, err := a.do("POST", fmt.Sprintf("/api/v10/applications/%d/documents", id), w.FormDataContentType(),
				form.String())
			if err != nil || answer.status != 415 {
				t.Errorf("%v, status %d: %s", err, answer.status, answer.body)
			}
		})
	}
	running.Wait()
	a.grown("forty uploads", 150)
	a.Terminate()
}

// A filter of many events is answered on both engines, and no line of the log repeats it.
func TestManyEvents(t *testing.T) {
	t.Parallel()
	onBothEngines(t, func(t *testing.T, p *place) {
		a := underAttack(t, p)
		for _, n := range []int{2, 33, 998, 2500} {
			items := make([]string, n)
			for i := range items {
				items[i] = fmt.Sprintf("E-mail+was+sent:+%d", i)
			}
			a.want(200)(a.get("/api/v10/journal?byEvents=" + strings.Join(items, ",")))
		}
		a.grown("filters of events", 150)
		for line := range strings.Lines(a.Log()) {
			if len(line) > 10_000 {
				t.Errorf("a line of the log has %d bytes: %.200s", len(line), line)
			}
		}
		a.Terminate()
	})
}
