package s3

import (
	"bufio"
	"crypto/tls"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/admitto/admitto/internal/wait"
)

// binary builds the program once for the tests of the package.
var binary = sync.OnceValues(func() (string, error) {
	folder, err := os.MkdirTemp("", "admitto-s3-")
	if err != nil {
		return "", err
	}
	path := filepath.Join(folder, "admitto")
	build := exec.Command("go", "build", "-o", path, "./cmd/admitto")
	build.Dir = "../.."
	if out, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w: %s", err, out)
	}
	return path, nil
})

func TestMain(m *testing.M) {
	code := m.Run()
	if path, err := binary(); err == nil {
		os.RemoveAll(filepath.Dir(path))
	}
	os.Exit(code)
}

// run runs the program to its end.
func run(t *testing.T, args ...string) (output string, err error) {
	t.Helper()
	path, err := binary()
	if err != nil {
		t.Fatal(err)
	}
	text, err := exec.CommandContext(t.Context(), path, args...).CombinedOutput()
	return strings.TrimSpace(string(text)), err
}

// A service with a bucket: it fills it, answers from it, says 503 while the server is away, and goes on afterwards.
func TestServe(t *testing.T) {
	server := newServer(t)
	data := "--data=" + filepath.Join(t.TempDir(), "data")
	files := "--files.url=" + server.url(bucket)
	if out, err := run(t, "demo", "--applicants=20", data, files); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	key, err := run(t, "keys", "create", "--name=Test", "--read-only", data, files)
	if err != nil {
		t.Fatalf("%v: %s", err, key)
	}
	key = key[strings.LastIndexByte(key, '\n')+1:]
	url := serve(t, data, files)
	client := &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}}}
	t.Cleanup(client.CloseIdleConnections)
	get := func(path string) (*http.Response, string) {
		t.Helper()
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url+"/api/v10"+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Authorization", `SERVICE apikey="`+key+`"`)
		answer, err := client.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer answer.Body.Close()
		body, err := io.ReadAll(answer.Body)
		if err != nil {
			t.Fatal(err)
		}
		return answer, string(body)
	}
	id := regexp.MustCompile(`"([0-9]+)":`)
	var document string
	_, applications := get("/applications?limit=50")
	for _, application := range id.FindAllStringSubmatch(applications, -1) {
		path := "/applications/" + application[1] + "/documents"
		if answer, list := get(path); answer.StatusCode == 200 && id.MatchString(list) {
			document = path + "/" + id.FindStringSubmatch(list)[1]
			break
		}
	}
	if document == "" {
		t.Fatalf("no documents in %.300s", applications)
	}
	answer, before := get(document)
	if answer.StatusCode != 200 || before == "" {
		t.Fatalf("%s %.300s", answer.Status, before)
	}
	server.sick.Store(true)
	if answer, body := get(document); answer.StatusCode != 503 || answer.Header.Get("Retry-After") == "" ||
		!strings.Contains(body, "The store of files does not answer") {
		t.Errorf("%s %v %s", answer.Status, answer.Header, body)
	}
	server.sick.Store(false)
	if answer, body := get(document); answer.StatusCode != 200 || body != before {
		t.Errorf("%s %.300s", answer.Status, body)
	}
}

// serve starts the service and returns its address.
func serve(t *testing.T, args ...string) (address string) {
	t.Helper()
	path, err := binary()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(path, append([]string{"serve", "--listen=127.0.0.1:0", "--log.format=json"}, args...)...)
	pipe, err := cmd.StderrPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	serving, exited := make(chan string, 1), make(chan struct{})
	go func() {
		defer close(exited)
		for lines := bufio.NewScanner(pipe); lines.Scan(); {
			var line struct{ Msg, Address string }
			if json.Unmarshal(lines.Bytes(), &line) == nil && line.Msg == "serving" {
				serving <- line.Address
			}
		}
		_ = cmd.Wait()
	}()
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		<-exited
	})
	select {
	case address = <-serving:
	case <-exited:
		t.Fatal("the service ended")
	case <-wait.TooLong():
		t.Fatal("the service does not start")
	}
	return address
}

// The service refuses to start without its bucket, and starts while the server is away.
func TestStart(t *testing.T) {
	server := newServer(t)
	data := "--data=" + filepath.Join(t.TempDir(), "data")
	out, err := run(t, "serve", "--listen=127.0.0.1:0", data, "--files.url="+server.url("missing"))
	if err == nil || !strings.Contains(out, "the bucket of files.url is not there; make it first") {
		t.Errorf("%v: %s", err, out)
	}
	server.Close()
	serve(t, data, "--files.url="+server.url(bucket))
}
