package api_test

import (
	"bytes"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/apikey"
	"github.com/admitto/admitto/internal/apptest"
	"github.com/admitto/admitto/internal/devdocs"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/store/db"
	"github.com/google/go-cmp/cmp"
	"golang.org/x/net/html"
)

const examplesFile = "../devdocs/guides/examples.txt"

// Every curl that the guides show is sent to a service, and answers what is shown. The calls are taken apart here and
// sent without curl, which not every machine has.
func TestExamples(t *testing.T) {
	onEach(t, func(t *testing.T, s *service) {
		runExamples(t, s, func(t *testing.T, command string) answer {
			r, err := parseCurl(command, fileNextTo)
			if err != nil {
				t.Fatal(err)
			}
			response, err := s.plainHTTP1().Do(r)
			if err != nil {
				t.Fatal(err)
			}
			defer response.Body.Close()
			body, err := io.ReadAll(response.Body)
			if err != nil {
				t.Fatal(err)
			}
			return answer{response.StatusCode, response.Header, string(body)}
		})
	})
}

// Where there is a curl, a shell gives it the same commands, and the answers are the same: what the other test makes
// of the commands is what curl makes of them. In the long size only.
func TestExamplesByCurl(t *testing.T) {
	if !apptest.Long() {
		return // TestExamples runs the same commands without curl
	}
	if _, err := exec.LookPath("curl"); err != nil {
		t.Log("there is no curl: the commands were run by TestExamples only")
		return
	}
	s := newService(t, "sqlite:"+filepath.Join(t.TempDir(), "admitto.db"), db.Options{})
	folder := t.TempDir()
	certificate := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: s.server.Certificate().Raw})
	for name, content := range map[string][]byte{"certificate.pem": certificate, "transcript.pdf": []byte(transcript)} {
		if err := os.WriteFile(filepath.Join(folder, name), content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	runExamples(t, s, func(t *testing.T, command string) answer {
		command = strings.Replace(command, "curl ", "curl -s --http1.1 --max-time 30 -D header.txt ", 1)
		run := exec.CommandContext(t.Context(), "sh", "-c", command)
		run.Dir = folder
		run.Env = append(os.Environ(), "CURL_CA_BUNDLE="+filepath.Join(folder, "certificate.pem"), "no_proxy=*")
		body, err := run.Output()
		if err != nil {
			t.Fatalf("%s: %v", command, err)
		}
		head, err := os.ReadFile(filepath.Join(folder, "header.txt"))
		if err != nil {
			t.Fatal(err)
		}
		return curlAnswer(t, head, body)
	})
}

// curlAnswer reads what curl -D wrote; a 100 Continue comes before the answer.
func curlAnswer(t *testing.T, head, body []byte) answer {
	t.Helper()
	blocks := strings.Split(strings.TrimSpace(string(head)), "\r\n\r\n")
	lines := strings.Split(blocks[len(blocks)-1], "\r\n")
	status, err := strconv.Atoi(strings.Fields(lines[0])[1])
	if err != nil {
		t.Fatal(err)
	}
	header := http.Header{}
	for _, line := range lines[1:] {
		name, value, _ := strings.Cut(line, ":")
		header.Add(name, strings.TrimSpace(value))
	}
	return answer{status, header, string(body)}
}

// transcript is what the upload sends.
var transcript = "%PDF-1.7\n" + numbered("transcript", 2_048)

func fileNextTo(name string) ([]byte, error) {
	if name != "transcript.pdf" {
		return nil, fmt.Errorf("the test has no file %s", name)
	}
	return []byte(transcript), nil
}

var shownTag = regexp.MustCompile(`"[0-9a-f]{32}"`)

// runExamples sends all examples in their order and compares the file with what came; with -update it writes it.
// A tag in a command is that of the example before which shows one.
func runExamples(t *testing.T, s *service, send func(t *testing.T, command string) answer) {
	t.Helper()
	putContract(s)
	err := s.store.Write(t.Context(), func(tx *store.Tx) error { // the next IDs are the same on both engines
		return errors.Join(tx.SkipIDs("tracker", 16), tx.SkipIDs("document", 501))
	})
	if err != nil {
		t.Fatal(err)
	}
	one, hour := 1, 600
	_, readOnly := s.newKey(apikey.NewKey{Label: "reader", Scope: admitto.ScopeReadOnly})
	_, small := s.newKey(apikey.NewKey{Label: "small", Scope: admitto.ScopeAll, PerMinute: &one, PerHour: &hour})
	keys := strings.NewReplacer(`apikey="KEY"`, `apikey="`+s.key+`"`, `apikey="READ-ONLY-KEY"`, `apikey="`+readOnly+`"`,
		`apikey="SMALL-KEY"`, `apikey="`+small+`"`, devdocs.ShownAddress, s.server.URL)
	examples, err := devdocs.Examples()
	if err != nil {
		t.Fatal(err)
	}
	var got strings.Builder
	tag := ""
	for i, e := range examples {
		if i > 0 {
			got.WriteByte('\n')
		}
		if tag != "" {
			e.Command = shownTag.ReplaceAllLiteralString(e.Command, tag)
		}
		a := send(t, keys.Replace(e.Command))
		if shows := a.header.Get("ETag"); slices.Contains(e.Headers, "ETag") && a.status == http.StatusOK {
			tag = shows
		}
		e.Answer = shownAnswer(e, a)
		got.WriteString(e.String())
	}
	if *update {
		if err := os.WriteFile(examplesFile, []byte(got.String()), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(examplesFile)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got.String()); diff != "" {
		t.Errorf("%s (-want +got), write it again by go test ./internal/api -run Examples -update: %s", examplesFile, diff)
	}
}

var requestID = regexp.MustCompile(`("request_id": "|request_id: )[0-9A-Za-z]+`)

// shownAnswer is what is shown of an answer: the status, the headers that the example names, and the first lines of
// the body, JSON laid out for reading.
func shownAnswer(e devdocs.Example, a answer) string {
	lines := []string{fmt.Sprintf("< %d", a.status)}
	for _, name := range e.Headers {
		for _, value := range a.header.Values(name) {
			lines = append(lines, "< "+name+": "+value)
		}
	}
	body := a.body
	var b bytes.Buffer
	if strings.HasSuffix(a.header.Get("Content-Type"), "json") && json.Indent(&b, []byte(body), "", "  ") == nil {
		body = b.String()
	}
	body = requestID.ReplaceAllString(strings.ReplaceAll(body, "\r\n", "\n"), "${1}01KM7Q3V5W9XJ2A8YB4C6D0EFG")
	shown := strings.Split(strings.TrimRight(body, "\n"), "\n")
	switch {
	case body == "" || e.Lines == 0:
		shown = nil
	case len(shown) > e.Lines:
		shown = append(shown[:e.Lines], "…")
	}
	return strings.Join(append(lines, shown...), "\n")
}

// parseCurl makes the request that curl would send for a command with the options that the examples use.
func parseCurl(command string, file func(name string) ([]byte, error)) (*http.Request, error) {
	words, err := shellWords(command)
	if err != nil {
		return nil, err
	}
	c := curlCall{header: http.Header{}}
	for i := 1; i < len(words); i++ {
		word := words[i]
		if !strings.HasPrefix(word, "-") {
			c.address = append(c.address, word)
			continue
		}
		value := ""
		if word != "-I" && word != "-G" {
			if i++; i == len(words) {
				return nil, fmt.Errorf("%s has no value", word)
			}
			value = words[i]
		}
		if err := c.option(word, value); err != nil {
			return nil, err
		}
	}
	return c.request(file)
}

// curlCall is a command being read.
type curlCall struct {
	address      []string
	method       string
	header       http.Header
	data, upload []string
	isGet        bool
}

func (c *curlCall) option(name, value string) error {
	switch name {
	case "-I":
		c.method = http.MethodHead
	case "-G":
		c.isGet = true
	case "-X":
		c.method = value
	case "-H":
		name, value, _ := strings.Cut(value, ":")
		c.header.Add(name, strings.TrimSpace(value))
	case "-d":
		c.data = append(c.data, value)
	case "--data-urlencode":
		name, value, _ := strings.Cut(value, "=")
		c.data = append(c.data, name+"="+url.QueryEscape(value))
	case "-F":
		c.upload = append(c.upload, value)
	case "-o":
	default:
		return fmt.Errorf("the test does not know the option %s", name)
	}
	return nil
}

func (c *curlCall) request(file func(name string) ([]byte, error)) (*http.Request, error) {
	if len(c.address) != 1 {
		return nil, fmt.Errorf("%d addresses", len(c.address))
	}
	address, method := c.address[0], http.MethodGet
	var body []byte
	switch {
	case c.isGet:
		address += "?" + strings.Join(c.data, "&")
	case c.upload != nil:
		var form bytes.Buffer
		parts := multipart.NewWriter(&form)
		for _, one := range c.upload {
			name, from, isFile := strings.Cut(one, "=@")
			if !isFile {
				return nil, errors.New("-F without a file")
			}
			content, err := file(from)
			if err != nil {
				return nil, err
			}
			part, err := parts.CreateFormFile(name, from)
			if err != nil {
				return nil, err
			}
			part.Write(content)
		}
		parts.Close()
		method, body = http.MethodPost, form.Bytes()
		c.header.Set("Content-Type", parts.FormDataContentType())
	case c.data != nil:
		method, body = http.MethodPost, []byte(strings.Join(c.data, "&"))
		if c.header.Get("Content-Type") == "" {
			c.header.Set("Content-Type", "application/x-www-form-urlencoded")
		}
	}
	if c.method != "" {
		method = c.method
	}
	r, err := http.NewRequest(method, address, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	r.Header = c.header
	return r, nil
}

// shellWords divides a command as a shell does that knows quotes and a backslash before a line break, and nothing else.
func shellWords(command string) (words []string, err error) {
	var word strings.Builder
	quote, isWord := rune(0), false
	for _, r := range strings.ReplaceAll(command, "\\\n", " ") {
		switch {
		case quote != 0 && r == quote:
			quote = 0
		case quote != 0:
			word.WriteRune(r)
		case r == '\'' || r == '"':
			quote, isWord = r, true
		case r == ' ' || r == '\n':
			if isWord {
				words = append(words, word.String())
			}
			isWord = false
			word.Reset()
		case strings.ContainsRune("\\$`&;|<>*?()#", r):
			return nil, fmt.Errorf("the test does not know an unquoted %q: %s", r, command)
		default:
			word.WriteRune(r)
			isWord = true
		}
	}
	if quote != 0 {
		return nil, fmt.Errorf("a quote is open: %s", command)
	}
	if isWord {
		words = append(words, word.String())
	}
	return words, nil
}

// The commands are read as a shell reads them.
func TestShellWords(t *testing.T) {
	got, err := shellWords("curl -H 'A: \"b c\"' \\\n  -d \"x y\"z ''")
	if want := []string{"curl", "-H", `A: "b c"`, "-d", "x yz", ""}; err != nil || !slices.Equal(got, want) {
		t.Errorf("%q, %v", got, err)
	}
	for _, bad := range []string{"curl 'x", "curl $X", "curl a&b", "curl a?b"} {
		if words, err := shellWords(bad); err == nil {
			t.Errorf("%s is read as %q", bad, words)
		}
	}
}

// The guides show every example of the file, and no call that is not one.
func TestGuidesShowExamples(t *testing.T) {
	s := developerSite(t, documentSettings())
	examples, err := devdocs.Examples()
	if err != nil {
		t.Fatal(err)
	}
	shown := map[string]int{}
	for _, guide := range devdocs.Guides() {
		root, err := html.Parse(strings.NewReader(s.get("/developers/guides/"+guide.Slug, noKey).want(t, 200).body))
		if err != nil {
			t.Fatal(err)
		}
		for n := range root.Descendants() {
			if n.Data == "pre" && strings.HasPrefix(textOf(n), "curl") {
				shown[textOf(n)]++
			} else if n.Type == html.TextNode && n.Parent.Data == "p" && strings.Contains(n.Data, "curl -") {
				t.Errorf("%s: a call in the text: %s", guide.Slug, n.Data)
			}
		}
	}
	run := map[string]int{}
	for _, e := range examples {
		run[e.Command]++
	}
	if diff := cmp.Diff(run, shown); diff != "" {
		t.Errorf("calls that are run and how often they are shown (-run +shown): %s", diff)
	}
}
