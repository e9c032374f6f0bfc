package api_test

import (
	"fmt"
	"io"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/admitto/admitto/internal/api"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// college is an applicant with a tracker set.
type college struct{ applicant, tracker, association string }

func (s *service) college() college {
	s.t.Helper()
	c := college{applicant: s.postForm("/api/applicants",
		"email=a@example.org&name=A+B&reference=R1&notes=Hello").want(s.t, 201).header.Get("Location"),
		tracker: s.postForm("/api/applicants/trackers", "code=fair26").want(s.t, 201).header.Get("Location")}
	c.association = c.applicant + "/trackers/" + c.tracker[strings.LastIndexByte(c.tracker, '/')+1:]
	s.do("PUT", c.association, "").want(s.t, 204)
	return c
}

var strongTag = regexp.MustCompile(`^"[0-9a-f]{32}"$`)

// What has an ETag, and when it is 304 (conventions.md 5).
func TestETags(t *testing.T) {
	onAll(t, func(t *testing.T, s *service) {
		c := s.college()
		for _, path := range []string{c.applicant, c.applicant + "/reference", c.applicant + "/matriculation",
			c.applicant + "/trackers",
			c.association, c.tracker, "/api/applicants/trackers", "/api/version"} {
			first := s.get(path).want(t, 200)
			tag := first.header.Get("ETag")
			if !strongTag.MatchString(tag) || first.header.Get("Vary") != "Accept-Encoding" {
				t.Errorf("%s: ETag %q, Vary %q", path, tag, first.header.Get("Vary"))
			}
			inner := strings.Trim(tag, `"`)
			cases := map[string]int{
				tag: 304, "W/" + tag: 304, "*": 304, `"x", ` + tag: 304, `"x",W/"y" , ` + tag + `, "z"`: 304,
				`"` + inner + `-gzip"`: 304, `"` + inner + `-zstd"`: 304, `W/"` + inner + `-gzip"`: 304,
				`"x"`: 200, inner: 200, `"` + inner: 200, `"` + inner + `-br"`: 200, ",": 200, `"` + strings.ToUpper(inner) +
					`x"`: 200,
			}
			for value, want := range cases {
				for _, method := range []string{"GET", "HEAD"} {
					a := s.do(method, path, "", header("If-None-Match", value))
					if a.status != want || a.header.Get("ETag") != tag {
						t.Errorf("%s %s, If-None-Match %s: status %d, ETag %q", method, path, value, a.status, a.header.Get("ETag"))
					}
					if a.status == 304 && (a.body != "" || a.header.Get("Content-Type") != "" ||
						a.header.Get("Cache-Control") != "private, no-cache") {
						t.Errorf("%s: 304 with %v %q", path, a.header, a.body)
					}
				}
			}
		}
		for _, path := range []string{"/api/applicants", "/api/journal", "/api/applicants/999", "/api/nowhere"} {
			if a := s.get(path, header("If-None-Match", "*")); a.header.Get("ETag") != "" || a.status == 304 {
				t.Errorf("%s: status %d, ETag %q", path, a.status, a.header.Get("ETag"))
			}
		}
		// One body, one tag; another body, another tag.
		tags := map[string]string{}
		for prefix := range prefixes() {
			a := s.get(prefix+strings.TrimPrefix(c.applicant, "/api")).want(t, 200)
			if body, known := tags[a.header.Get("ETag")]; known && body != a.body {
				t.Errorf("one ETag for %s and %s", body, a.body)
			}
			tags[a.header.Get("ETag")] = a.body
		}
		if len(tags) != len(prefixes()) {
			t.Errorf("%d tags for %d prefixes", len(tags), len(prefixes()))
		}
	})
}

// If-Match on what changes things: it passes, or nothing is written.
func TestIfMatch(t *testing.T) {
	onEach(t, func(t *testing.T, s *service) {
		c := s.college()
		spare := s.postForm("/api/applicants/trackers", "code=spare").want(t, 201).header.Get("Location")
		unset := c.applicant + "/trackers/" + spare[strings.LastIndexByte(spare, '/')+1:]
		reference, matriculation := c.applicant+"/reference", c.applicant+"/matriculation"
		const now = "the tag it has now" // stands for it in the cases below
		n := 0
		cases := []struct {
			method, path, match string
			status              int
		}{
			{"PUT", reference, `"x"`, 412},
			{"PUT", reference, `W/` + now, 412},
			{"PUT", reference, `,`, 412},
			{"PUT", reference, now, 204},
			{"PUT", reference, `"x", ` + now, 204},
			{"PUT", reference, "*", 204},
			{"PUT", matriculation, `"x"`, 412},
			{"PUT", matriculation, now, 204},
			{"PUT", c.association, `"x"`, 412},
			{"PUT", c.association, now, 204},
			{"PUT", unset, "*", 412},
			{"PUT", unset, `"x"`, 412},
			{"DELETE", unset, "*", 412},
			{"DELETE", unset, "", 404},
			{"DELETE", c.association, `"x"`, 412},
			{"DELETE", c.tracker, `"x"`, 412},
			{"DELETE", c.association, now, 204},
			{"DELETE", c.association, "*", 412},
			{"PUT", c.association, "", 204},
			{"DELETE", c.association, "*", 204},
			{"DELETE", c.tracker, now, 204},
			{"DELETE", c.tracker, "*", 404},
			{"DELETE", spare, "*", 204},
		}
		for _, k := range cases {
			before := s.get(k.path, header("Accept-Encoding", "identity"))
			journal := s.do("HEAD", "/api/journal", "").header.Get("X-Count")
			var changes []with
			if k.match != "" {
				changes = append(changes, header("If-Match", strings.ReplaceAll(k.match, now, before.header.Get("ETag"))))
			}
			n++
			a := s.do(k.method, k.path, fmt.Sprintf(`"N%d"`, n), changes...)
			if a.status != k.status {
				t.Errorf("%s %s, If-Match %s: status %d, want %d: %s", k.method, k.path, k.match, a.status, k.status, a.body)
			}
			if a.status == 412 {
				a.problem(t, "changed-meanwhile")
			}
			if a.status >= 400 && (s.get(k.path).body != before.body && before.status == 200 ||
				s.do("HEAD", "/api/journal", "").header.Get("X-Count") != journal) {
				t.Errorf("%s %s, If-Match %s: something was written", k.method, k.path, k.match)
			}
			if after := s.get(k.path); a.status == 204 && k.path == reference &&
				(after.body != fmt.Sprintf(`"N%d"`, n) || after.header.Get("ETag") == before.header.Get("ETag")) {
				t.Errorf("%s %s: %s, ETag %s", k.method, k.path, after.body, after.header.Get("ETag"))
			}
		}
		// A header without a value is there, and names nothing.
		kept := s.postForm("/api/applicants/trackers", "code=kept").want(t, 201).header.Get("Location")
		last := s.lastEvent(t)
		for method, path := range map[string]string{"PUT": reference, "DELETE": kept} {
			s.do(method, path, `"N0"`, header("If-Match", "")).want(t, 412).problem(t, "changed-meanwhile")
		}
		s.wantHanging(t, last)
		// The tag is that of the version asked, and what compression adds does not matter.
		v5, v10 := "/api/v5"+strings.TrimPrefix(c.applicant, "/api")+"/reference", "/api/v10"+strings.TrimPrefix(c.applicant,
			"/api")+"/reference"
		tag := s.get(v5).header.Get("ETag")
		s.do("PUT", v10, `"V10"`, header("If-Match", strings.TrimSuffix(tag, `"`)+`-gzip"`)).want(t, 204)
		s.do("PUT", v5, `"V5"`, header("If-Match", tag)).want(t, 412)
		s.get(v5, header("If-Match", `"x"`)).want(t, 200)
		s.postForm("/api/applicants/trackers", "code=again", header("If-Match", `"x"`)).want(t, 201)
	})
}

// Of several who saw the same, one may write.
func TestIfMatchRace(t *testing.T) {
	onBoth(t, func(t *testing.T, s *service) {
		path := s.college().applicant + "/reference"
		tag := s.get(path).header.Get("ETag")
		var wg sync.WaitGroup
		statuses := make([]int, 8)
		for i := range statuses {
			wg.Add(1)
			go func() {
				defer wg.Done()
				statuses[i] = s.do("PUT", path, fmt.Sprintf(`"racer-%d"`, i), header("If-Match", tag)).status
			}()
		}
		wg.Wait()
		slices.Sort(statuses)
		if want := []int{204, 412, 412, 412, 412, 412, 412, 412}; !slices.Equal(statuses, want) {
			t.Errorf("%v", statuses)
		}
	})
}

// Compression: only when asked, only above 1 KiB, and told truly.
func TestCompression(t *testing.T) {
	probes := &api.Probes{}
	eachInTurn(t, func(t *testing.T, s *service) {
		for _, c := range []struct {
			size             int64
			accept, encoding string
		}{
			{1024, "gzip, zstd", ""},
			{1025, "gzip, zstd", "zstd"},
			{1025, "gzip", "gzip"},
			{1025, "zstd", "zstd"},
			{1025, "zstd;q=0.5, gzip", "gzip"},
			{1025, "*", "gzip"},
			{1025, "br, deflate", ""},
			{1025, "identity", ""},
			{1025, "gzip;q=0", ""},
			{300_000, "gzip", "gzip"},
			{300_000, "zstd", "zstd"},
			{300_000, "identity", ""},
		} {
			probes.Size.Store(c.size)
			plain := s.get("/api/probe/text", header("Accept-Encoding", "identity")).want(t, 200)
			a := s.get("/api/probe/text", header("Accept-Encoding", c.accept)).want(t, 200)
			tag := plain.header.Get("ETag")
			if c.encoding != "" {
				tag = strings.TrimSuffix(tag, `"`) + "-" + c.encoding + `"`
			}
			h := a.header
			if h.Get("Content-Encoding") != c.encoding || h.Get("Vary") != "Accept-Encoding" || h.Get("ETag") != tag ||
				h.Get("Content-Length") != fmt.Sprint(len(a.body)) || h.Get("Content-Type") != "application/json" {
				t.Errorf("%d bytes for %q: %v, %d bytes", c.size, c.accept, h, len(a.body))
			}
			if got := unpacked(t, a); got != plain.body || int64(len(got)) != c.size {
				t.Errorf("%d bytes for %q: %d bytes come out", c.size, c.accept, len(got))
			}
			head := s.do("HEAD", "/api/probe/text", "", header("Accept-Encoding", c.accept)).want(t, 200)
			if head.header.Get("Content-Encoding") != "" || head.header.Get("Content-Length") != fmt.Sprint(c.size) ||
				head.header.Get("ETag") != plain.header.Get("ETag") {
				t.Errorf("HEAD of %d bytes for %q: %v", c.size, c.accept, head.header)
			}
			s.get("/api/probe/text", header("Accept-Encoding", c.accept), header("If-None-Match", tag)).want(t, 304)
			s.do("PUT", "/api/probe/text", "", header("If-Match", tag)).want(t, 204)
			s.do("PUT", "/api/probe/text", "", header("If-Match", `"x"`)).want(t, 412)
		}
		for i := range 5 {
			s.postForm("/api/applicants", fmt.Sprintf("email=a%d@example.org&name=A+B", i)).want(t, 201)
		}
		plain := s.get("/api/applicants", header("Accept-Encoding", "identity")).want(t, 200)
		for _, coding := range []string{"gzip", "zstd"} {
			a := s.get("/api/applicants", header("Accept-Encoding", coding)).want(t, 200)
			if unpacked(t, a) != plain.body || a.header.Get("Content-Encoding") != coding || a.header.Get("ETag") != "" ||
				a.header.Get("Content-Length") != fmt.Sprint(len(a.body)) || len(a.body) >= len(plain.body) ||
				a.header.Get("X-Count") != "5" {
				t.Errorf("list: %v, %d bytes", a.header, len(a.body))
			}
			if head := s.do("HEAD", "/api/applicants", "", header("Accept-Encoding",
				coding)); head.header.Get("Content-Encoding") != "" || head.header.Get("Vary") != "Accept-Encoding" {
				t.Errorf("HEAD of a list: %v", head.header)
			}
			if small := s.get("/api/applicants?limit=1", header("Accept-Encoding",
				coding)); small.header.Get("Content-Encoding") != "" {
				t.Errorf("one applicant: %v", small.header)
			}
		}
	}, probing(probes))
}

// Lengths over HTTP/1.1, where net/http adds what a handler leaves out.
func TestLengthsInHTTP1(t *testing.T) {
	onEach(t, func(t *testing.T, s *service) {
		for i := range 5 {
			s.postForm("/api/applicants", fmt.Sprintf("email=a%d@example.org&name=A+B", i)).want(t, 201)
		}
		client := s.plainHTTP1()
		defer client.CloseIdleConnections()
		for _, c := range []struct {
			method, path, accept string
			status, length       int // length: -1 none, 0 that of the body
		}{
			{"GET", "/api/applicants", "", 200, 0},
			{"GET", "/api/applicants", "gzip", 200, 0},
			{"GET", "/api/applicants", "zstd", 200, 0},
			{"HEAD", "/api/applicants", "gzip", 200, -1},
			{"HEAD", "/api/journal", "", 200, -1},
			{"HEAD", "/api/applicants/1/reference", "gzip", 200, 4},
			{"HEAD", "/problems/", "", 200, len(s.get("/problems/").body)},
			{"GET", "/api/nowhere", "gzip", 404, 0},
			{"PUT", "/api/applicants/1/reference", "", 204, -1},
		} {
			r, _ := http.NewRequestWithContext(t.Context(), c.method, s.server.URL+c.path, strings.NewReader(`"R1"`))
			key(s.key)(r)
			r.Header.Set("Accept-Encoding", c.accept)
			response, err := client.Do(r)
			if err != nil {
				t.Fatal(err)
			}
			body, err := io.ReadAll(response.Body)
			response.Body.Close()
			want := fmt.Sprint(c.length)
			if c.length == 0 {
				want = fmt.Sprint(len(body))
			} else if c.length < 0 {
				want = ""
			}
			if err != nil || response.ProtoMajor != 1 || response.StatusCode != c.status ||
				response.Header.Get("Content-Length") != want || len(response.TransferEncoding) > 0 {
				t.Errorf("%s %s for %q: %v %d %v, Content-Length %q want %q", c.method, c.path, c.accept, err, response.StatusCode,
					response.TransferEncoding, response.Header.Get("Content-Length"), want)
			}
		}
	})
}

// unpacked returns the body without its compression.
func unpacked(t *testing.T, a answer) string {
	t.Helper()
	var from io.Reader = strings.NewReader(a.body)
	switch a.header.Get("Content-Encoding") {
	case "gzip":
		r, err := gzip.NewReader(from)
		if err != nil {
			t.Fatal(err)
		}
		from = r
	case "zstd":
		r, err := zstd.NewReader(from)
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close()
		from = r
	}
	text, err := io.ReadAll(from)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// The preferences of RFC 7240.
func TestPrefer(t *testing.T) {
	onEach(t, func(t *testing.T, s *service) {
		c := s.college()
		for i, k := range []struct {
			prefer string
			strict bool
			body   bool
		}{
			{"", false, false},
			{"handling=strict", true, false},
			{"handling=lenient", false, false},
			{"Handling = Strict", true, false},
			{`handling="strict"`, true, false},
			{"respond-async, handling=strict;x=y", true, false},
			{"return=representation", false, true},
			{`wait=5, return="representation"`, false, true},
			{"return=minimal", false, false},
			{"handling=strict, return=representation", true, true},
		} {
			prefer := func(r *http.Request) {
				if k.prefer != "" {
					r.Header.Set("Prefer", k.prefer)
				}
			}
			for _, path := range []string{"/api/ping", "/api/version", "/api/applicants", "/api/journal", c.applicant,
				c.applicant + "/reference",
				c.applicant + "/trackers", c.association, c.tracker, "/api/applicants/trackers"} {
				a := s.get(path+"?bogus=1&bo%20gus%5B0%5D=2", prefer)
				if k.strict {
					if p := a.want(t, 400).problem(t, "invalid-parameter"); len(p["errors"].([]any)) != 2 {
						t.Errorf("%s, Prefer %s: %s", path, k.prefer, a.body)
					}
				} else if a.want(t, 200).header.Get("Ignored-Parameters") == "" {
					t.Errorf("%s, Prefer %s: %v", path, k.prefer, a.header)
				}
			}
			s.postForm("/api/applicants", "email=x@example.org&name=A+B&bogus=1", prefer,
				header("Prefer", "handling=strict")).want(t, 400)
			made := s.postForm("/api/v10/applicants", fmt.Sprintf("email=p%d@example.org&name=A+B", i), prefer).want(t, 201)
			if !k.body && (made.body != "" || made.header.Get("Content-Length") != "0" ||
				made.header.Get("Preference-Applied") != "") {
				t.Errorf("Prefer %s: %v %s", k.prefer, made.header, made.body)
			}
			if got := s.get(made.header.Get("Location")).want(t, 200).body; k.body &&
				(made.body != got || made.header.Get("Preference-Applied") != "return=representation") {
				t.Errorf("Prefer %s: %v %s, want %s", k.prefer, made.header, made.body, got)
			}
		}
	})
}
