package s3

import (
	"crypto/tls"
	"io"
	"net/http"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/admitto/admitto/test/internal/program"
)

func TestMain(m *testing.M) { program.Main(m) }

// A service with a bucket: it fills it, answers from it, says 503 while the server is away, and goes on afterwards.
func TestServe(t *testing.T) {
	server := newServer(t)
	data := "--data=" + filepath.Join(t.TempDir(), "data")
	files := "--files.url=" + server.url(bucket)
	program.Must(t, program.Path(t), "demo", "--applicants=20", data, files)
	key := program.Must(t, program.Path(t), "keys", "create", "--name=Test", "--read-only", data, files)
	url := program.Serve(t, program.Path(t), data, files).URL
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

// The service refuses to start without its bucket, and starts while the server is away.
func TestStart(t *testing.T) {
	server := newServer(t)
	data := "--data=" + filepath.Join(t.TempDir(), "data")
	code, _, said := program.Run(t.Context(), t, program.Path(t), "serve", "--listen=127.0.0.1:0", data,
		"--files.url="+server.url("missing"))
	if code == 0 || !strings.Contains(said, "the bucket of files.url is not there; make it first") {
		t.Errorf("status %d: %s", code, said)
	}
	server.Close()
	program.Serve(t, program.Path(t), data, "--files.url="+server.url(bucket))
}
