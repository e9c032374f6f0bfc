package api_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/admitto/admitto/internal/api"
)

// fuzzTarget is one row of THE table with what its document says.
type fuzzTarget struct {
	row     api.Row
	paths   []string // of the contract's world
	queries []string // names of parameters
	bodies  []madeRequest
	op      map[string]any
}

// fuzzPlan is where the fuzzer's requests begin.
type fuzzPlan struct {
	targets []*fuzzTarget
	byName  map[string]*fuzzTarget
	names   []string // of the parameters of all operations
}

func newFuzzPlan(t *testing.T) *fuzzPlan {
	p := &fuzzPlan{byName: map[string]*fuzzTarget{}}
	checks, operations := map[int]*validator{}, map[int]map[string]documented{}
	names := map[string]bool{}
	for _, r := range api.Rows() {
		if operations[r.Last] == nil {
			document := documentOf(t, r.Last)
			checks[r.Last], operations[r.Last] = newValidator(document), operationsOf(t, document)
		}
		check, op := checks[r.Last], operations[r.Last][r.Name].op
		target := &fuzzTarget{row: r, paths: contractPaths(t, r.Path), op: op}
		if r.Method != "GET" {
			target.bodies = requestsOf(t, check, op)
		}
		parameters, _ := at(op, "parameters").([]any)
		for _, one := range parameters {
			parameter, err := check.resolve(one)
			if err != nil {
				t.Fatal(err)
			}
			if name, _ := parameter["name"].(string); parameter["in"] == "query" {
				target.queries = append(target.queries, name)
				names[name] = true
			}
		}
		p.targets = append(p.targets, target)
		p.byName[r.Name] = target
	}
	p.names = slices.Sorted(maps.Keys(names))
	return p
}

// hostile are values that programs have stumbled over.
var hostile = []string{"", " ", "0", "-1", "1", "00", "+1", "1e3", "0x10", "1.5", "9007199254740993",
	"9223372036854775807", "9223372036854775808",
	strings.Repeat("9", 400), "1e400", "-0", "NaN", "null", "true", "*", ",", ";", "../../etc/passwd", "..%2f..%2fetc",
	`..\..\x`, "a\x00b", "\r\nX-Evil: y",
	"a\u2028b", "\u202egpj.exe", "\ufeff", "\xff\xfe", "\xed\xa0\x80", "%", "%zz", "%00", "'; DROP TABLE applicant; --",
	`" OR ""="`, "=1+1", "@SUM(1)",
	"<script>alert(1)</script>", "{{.}}", "%applicant-Name%", "<if", strings.Repeat("a", 300), strings.Repeat("é",
		5000), "\u0130", "ﬀ", "\u200d", "a\u0301\u0301",
	"2026-02-30", "0000-00-00", "9999-12-31T23:59:60Z", "2026-03-29T02:30:00+99:99", "-292277022657-01-27", "1,2,,x",
	"4711", "9001", "7001", "Draft", "Accepted",
	"ilse.varga@example.org", "a@b@c", "a@xn--", "a@\u0430pple.com", "EUR", "XX", "[]", "{}", "[0]", "a[b][c][d][e][f][g]",
	"trackers", "v10", "/", "//", ".", ".."}

// hostileJSON are JSON values and what looks like some.
var hostileJSON = []string{`null`, `true`, `0`, `-0`, `1e400`, `-1E-999`, `1.5`, `0.001`, `01`,
	strings.Repeat("9", 400), `9223372036854775808`, `"\ud800"`, `"\u0000"`,
	"\"\xff\"", `""`, `[]`, `{}`, `[null]`, `[[1]]`, `{"a":1,"a":2}`, `{"":""}`, strings.Repeat("[",
		20_000), strings.Repeat(`{"a":`, 10_000),
	strings.Repeat("[", 40) + strings.Repeat("]", 40), "[" + strings.Repeat("1,", 3000) + "1]", `"` + strings.Repeat("x",
		3000) + `"`, `"a`, `{`, `nul`, `'a'`, `//`,
	`{"given":"a","family":"b"}`, `"2026-04-01"`, `"Accepted"`, `4711`}

// hostileHeaders are headers that mean something here, with values that are right, strange and wrong.
var hostileHeaders = map[string][]string{
	"Accept": {"*/*", "text/plain", "text/*;q=0.1", "application/json", "application/json;q=0", "text/csv",
		"text/csv;q=1e9", ";;,,", "a/b/c"},
	"Accept-Encoding": {"gzip", "zstd", "identity;q=0", "gzip;q=nan", "*;q=0", "br", ",,,", "gzip, zstd;q=0.5"},
	"Accept-Language": {"de", "xx-yy-zz;q=9", strings.Repeat("de,", 500)},
	"Range": {"bytes=0-0", "bytes=-1", "bytes=0-,1-", "bytes=99999999999999999999-", "bytes=5-1", "items=1",
		"bytes=" + strings.Repeat("0-0,", 500)},
	"If-Match":            {"*", `"x"`, `W/"x"`, `"`, ",,,", strings.Repeat(`"a",`, 500)},
	"If-None-Match":       {"*", `"x"`, `W/"x"`, `"`, ",,,"},
	"If-Range":            {`"x"`, "Mon, 02 Jan 2026 00:00:00 GMT", "x"},
	"If-Modified-Since":   {"Mon, 02 Jan 2006 15:04:05 GMT", "yesterday"},
	"If-Unmodified-Since": {"Mon, 02 Jan 2006 15:04:05 GMT", "Mon, 02 Jan 2034 15:04:05 GMT"},
	"Prefer": {"handling=strict", "return=representation", "handling=strict, return=minimal", ";;=,",
		"handling=\"strict\""},
	"Idempotency-Key": {"k1", "k2", "k3", `"k4"`, strings.Repeat("k", 300), "a b", "é"},
	"Content-Type": {"application/json", "application/x-www-form-urlencoded", "multipart/form-data; boundary=b",
		"multipart/form-data", "text/plain", "x", "application/merge-patch+json",
		"application/json; charset=utf-16"},
	"X-Request-Id":           {"abc", "a b", strings.Repeat("x", 100), "<x>"},
	"X-Forwarded-For":        {"1.2.3.4", "x", strings.Repeat("1.1.1.1,", 500)},
	"X-Forwarded-Proto":      {"http", "https"},
	"X-Http-Method-Override": {"DELETE"},
	"Content-Encoding":       {"gzip", "identity", "br"},
	"Cookie":                 {"a=b", strings.Repeat("a=b;", 500)},
	"Authorization": {"", "SERVICE", "SERVICE apikey=", `SERVICE apikey="`, "Bearer x",
		"SERVICE apikey=\"" + strings.Repeat("x", 9000) + `"`, "SERVICE apikey=\xff"},
}

func sortedNames(h http.Header) []string { return slices.Sorted(maps.Keys(h)) }

func pick[T any](random *rand.Rand, list []T) T { return list[random.IntN(len(list))] }

// request makes a request that is right, or nearly.
func (p *fuzzPlan) request(random *rand.Rand, keys []string) *fuzzRequest {
	target := pick(random, p.targets)
	for (target.row.Method == "DELETE" || target.row.Name == "closeApplication") && random.IntN(10) > 0 {
		target = pick(random, p.targets) // else soon nothing would be left
	}
	prefix := fmt.Sprintf("/api/v%d", target.row.First+random.IntN(target.row.Last-target.row.First+1))
	path, query, _ := strings.Cut(pick(random, target.paths), "?")
	r := &fuzzRequest{method: target.row.Method, path: prefix + path, query: query, header: http.Header{}}
	if r.method == "GET" && random.IntN(10) == 0 {
		r.method = "HEAD"
	}
	r.header.Set("Authorization", `SERVICE apikey="`+keys[0]+`"`)
	if random.IntN(20) == 0 {
		r.header.Set("Authorization", `SERVICE apikey="`+pick(random, keys)+`"`)
	}
	if len(target.bodies) > 0 {
		body := pick(random, target.bodies)
		r.body = []byte(body.body)
		r.header.Set("Content-Type", body.kind)
	}
	for range random.IntN(5) {
		switch n := random.IntN(16); {
		case n < 7 && len(r.body) > 0:
			mutateBody(random, r)
		case n < 9:
			p.mutateQuery(random, r, target)
		case n < 10:
			mutatePath(random, r)
		case n < 11:
			mutateMethod(random, r)
		default:
			name := pick(random, slices.Sorted(maps.Keys(hostileHeaders)))
			r.header[name] = []string{pick(random, hostileHeaders[name])}
		}
	}
	r.chunked = random.IntN(10) == 0
	return r
}

// mutateMethod takes another method, or another version.
func mutateMethod(random *rand.Rand, r *fuzzRequest) {
	if random.IntN(2) == 0 {
		r.method = pick(random, []string{"GET", "HEAD", "POST", "PUT", "PATCH", "OPTIONS", "TRACE", "QUERY", "get"})
		return
	}
	_, rest, _ := strings.Cut(strings.TrimPrefix(r.path, "/api/"), "/")
	r.path = pick(random, []string{"/api", oldestPath(""), "/api/v3", "/api/v5", "/api/v7", "/api/v9", "/api/v10",
		"/api/v0", "/api/v11", "/api/v03", "/api/v99999999999999999999",
		"/api/V3", "/API/v3", "", "//api"}) + "/" + rest
}

// mutatePath changes one segment.
func mutatePath(random *rand.Rand, r *fuzzRequest) {
	segments := strings.Split(r.path, "/")
	at := random.IntN(len(segments))
	word := pick(random, hostile)
	if random.IntN(8) > 0 {
		word = url.PathEscape(word)
	}
	switch random.IntN(6) {
	case 0:
		segments = slices.Insert(segments, at, word)
	case 1:
		segments = slices.Delete(segments, at, at+1)
	case 2:
		segments = append(segments, word)
	default: // an ID, where there is one
		for range len(segments) {
			if segments[at] != "" && segments[at][0] >= '0' && segments[at][0] <= '9' {
				break
			}
			at = (at + 1) % len(segments)
		}
		segments[at] = word
	}
	r.path = "/" + strings.TrimPrefix(strings.Join(segments, "/"), "/")
}

// mutateQuery adds a parameter.
func (p *fuzzPlan) mutateQuery(random *rand.Rand, r *fuzzRequest, target *fuzzTarget) {
	name := pick(random, p.names)
	if len(target.queries) > 0 && random.IntN(4) > 0 {
		name = pick(random, target.queries)
	}
	switch random.IntN(10) {
	case 0:
		name = pick(random, hostile)
	case 1:
		name += pick(random, []string{"[]", "[0]", "[99999999999]", "[a]", "[a][b][c][d][e][f]", "[", "]"})
	}
	value := pick(random, hostile)
	pair := url.QueryEscape(name) + "=" + url.QueryEscape(value)
	switch random.IntN(12) {
	case 0:
		pair = name + "=" + value // as it is
	case 1:
		pair = strings.Repeat(pair+"&", 1+2000/len(pair))
	}
	r.query = strings.TrimPrefix(r.query+"&"+pair, "&")
}

// mutateBody changes a body by what it is.
func mutateBody(random *rand.Rand, r *fuzzRequest) {
	kind := r.header.Get("Content-Type")
	switch n := random.IntN(10); {
	case n == 0:
		r.body = nil
	case n == 1:
		mutateBytes(random, r)
	case n == 2:
		packed := bytes.Buffer{}
		w := gzip.NewWriter(&packed)
		w.Write(r.body)
		w.Close()
		r.body = packed.Bytes()
		r.header.Set("Content-Encoding", "gzip")
	case n == 3 && random.IntN(10) == 0:
		r.body = bytes.Repeat(r.body, (1<<20+100)/len(r.body)+1)
	case strings.HasPrefix(kind, "application/x-www-form-urlencoded"):
		mutateForm(random, r)
	case strings.HasPrefix(kind, "multipart/form-data"):
		r.body = bytes.Replace(r.body, []byte(pick(random, []string{"made.txt", `name="`, "--", "\r\n\r\n", "form-data"})),
			[]byte(pick(random, hostile)), 1+random.IntN(2))
	default:
		mutateJSON(random, r)
	}
}

func mutateBytes(random *rand.Rand, r *fuzzRequest) {
	r.body = slices.Clone(r.body)
	at := random.IntN(len(r.body))
	switch random.IntN(4) {
	case 0:
		r.body[at] = byte(random.IntN(256))
	case 1:
		r.body = r.body[:at]
	case 2:
		r.body = slices.Insert(r.body, at, []byte(pick(random, hostile))...)
	default:
		r.body = append(r.body, r.body[at:]...)
	}
}

func mutateForm(random *rand.Rand, r *fuzzRequest) {
	pairs := strings.Split(string(r.body), "&")
	at := random.IntN(len(pairs))
	name, _, _ := strings.Cut(pairs[at], "=")
	if random.IntN(6) == 0 {
		name += pick(random, []string{"[]", "[0]", "[a]", "[", "%", "[a][b][c][d][e][f]"})
	}
	pairs[at] = name + "=" + url.QueryEscape(pick(random, hostile))
	r.body = []byte(strings.Join(pairs, "&"))
}

// mutateJSON puts another value in the place of one, below which may be others.
func mutateJSON(random *rand.Rand, r *fuzzRequest) {
	members := map[string]json.RawMessage{}
	if json.Unmarshal(r.body, &members) != nil || len(members) == 0 {
		r.body = fuzzValue(random)
		return
	}
	names := slices.Sorted(maps.Keys(members))
	name := pick(random, names)
	inner := &fuzzRequest{body: members[name]}
	switch random.IntN(6) {
	case 0:
		if len(inner.body) > 0 && inner.body[0] == '{' {
			mutateJSON(random, inner)
		}
	case 1:
		inner.body = []byte(fmt.Sprintf("[%s,%s]", inner.body, fuzzValue(random)))
	default:
		inner.body = fuzzValue(random)
	}
	members[name] = inner.body
	if random.IntN(10) == 0 {
		names = append(names, name) // twice
	}
	var b bytes.Buffer
	for i, n := range names {
		if i > 0 {
			b.WriteByte(',')
		}
		quoted, _ := json.Marshal(n) // a text always can be
		fmt.Fprintf(&b, "%s:%s", quoted, members[n])
	}
	r.body = []byte("{" + b.String() + "}")
}

func fuzzValue(random *rand.Rand) []byte {
	if random.IntN(2) == 0 {
		return []byte(pick(random, hostileJSON))
	}
	quoted, _ := json.Marshal(pick(random, hostile)) // a text always can be
	return quoted
}
