package api_test

import (
	"compress/gzip"
	"fmt"
	"io"
	"log/slog"
	"net/http/httptest"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/admitto/admitto/internal/api"
	"github.com/admitto/admitto/internal/config"
	"github.com/admitto/admitto/internal/devdocs"
	"github.com/admitto/admitto/internal/web"
	"golang.org/x/net/html"
)

// developerSite serves the public pages, which need no database.
func developerSite(t testing.TB, settings *config.Settings) *service {
	t.Helper()
	log, budget := slog.New(slog.DiscardHandler), web.NewBudget(32<<20, 2, 0)
	rest := api.New(nil, budget, config.NewLive(settings), log)
	s := &service{t: t, server: httptest.NewTLSServer(web.Chain(web.Config{Sites: sites(rest, nil, budget,
		config.NewLive(settings)), Log: log}))}
	t.Cleanup(s.server.Close)
	return s
}

// The one who follows the links from the first page finds every page, every link leads somewhere, and every page can be
// read by everybody: without scripts, by keyboard, by ear.
func TestDeveloperPages(t *testing.T) {
	s := developerSite(t, documentSettings())
	seen := map[string]*developerPage{}
	waiting := []string{"/developers"}
	for len(waiting) > 0 {
		path := waiting[0]
		waiting = waiting[1:]
		if seen[path] != nil || leftOut(path) {
			continue
		}
		a := s.get(path, noKey).want(t, 200)
		seen[path] = &developerPage{}
		if strings.HasSuffix(path, ".json") || strings.HasSuffix(path, ".css") {
			continue
		}
		checkPage(t, path, a)
		seen[path] = readPage(t, path, a.body)
		for _, link := range seen[path].links {
			target, _, _ := strings.Cut(link, "#")
			if target != "" {
				waiting = append(waiting, target)
			}
		}
	}
	for path, p := range seen {
		for _, link := range p.links {
			target, anchor, _ := strings.Cut(link, "#")
			if target == "" {
				target = path
			}
			if anchor != "" && !leftOut(target) && !slices.Contains(seen[target].ids, anchor) {
				t.Errorf("%s: %s leads nowhere", path, link)
			}
		}
	}
	want := []string{"/developers/changelog", "/developers/events", "/developers/codes", "/problems/",
		"/developers/style.css"}
	for _, v := range versions() {
		want = append(want, fmt.Sprintf("/developers/v%d", v), fmt.Sprintf("/developers/openapi-v%d.json", v))
	}
	for _, guide := range devdocs.Guides() {
		want = append(want, "/developers/guides/"+guide.Slug)
	}
	for slug := range contractProblems {
		want = append(want, "/problems/"+slug)
	}
	for _, path := range want {
		if seen[path] == nil {
			t.Errorf("no link leads to %s", path)
		}
	}
}

// developerPage is what a page has for others to refer to.
type developerPage struct{ links, ids []string }

// leftOut reports whether a path is the reference or the document of a version that short tests leave out.
func leftOut(path string) bool {
	of := regexp.MustCompile(`^/developers/(?:openapi-)?v(\d+)(?:\.json)?$`).FindStringSubmatch(path)
	if of == nil {
		return false
	}
	v, err := strconv.Atoi(of[1])
	return err == nil && !slices.Contains(versions(), v)
}

// readPage reads a page and checks what makes it accessible.
func readPage(t *testing.T, path, body string) *developerPage {
	t.Helper()
	root, err := html.Parse(strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	p, level, focusable := &developerPage{}, 0, 0
	for n := range root.Descendants() {
		if n.Type != html.ElementNode {
			continue
		}
		attributes := map[string]string{}
		for _, a := range n.Attr {
			attributes[a.Key] = a.Val
		}
		if id, ok := attributes["id"]; ok {
			if slices.Contains(p.ids, id) {
				t.Errorf("%s: two elements are called %s", path, id)
			}
			p.ids = append(p.ids, id)
		}
		switch n.Data {
		case "h1", "h2", "h3", "h4", "h5", "h6":
			if next := int(n.Data[1] - '0'); next > level+1 {
				t.Errorf("%s: h%d follows h%d", path, next, level)
			} else {
				level = next
			}
		case "a":
			if focusable++; focusable == 1 && attributes["href"] != "#content" {
				t.Errorf("%s: the first link is %s, not the one to the content", path, attributes["href"])
			}
			if textOf(n) == "" {
				t.Errorf("%s: the link to %s says nothing", path, attributes["href"])
			}
			p.links = append(p.links, attributes["href"])
		case "link":
			p.links = append(p.links, attributes["href"])
		case "pre":
			if attributes["tabindex"] != "0" {
				t.Errorf("%s: code that the keyboard cannot scroll", path)
			}
		case "details", "dialog", "iframe", "style", "img", "form":
			t.Errorf("%s: <%s>", path, n.Data)
		}
		if _, hides := attributes["hidden"]; hides {
			t.Errorf("%s: hidden text, which the browser's search does not find", path)
		}
	}
	for _, link := range p.links {
		if u, err := url.Parse(link); err != nil || u.Host != "" || u.Scheme != "" {
			t.Errorf("%s: a link to %s", path, link)
		}
	}
	return p
}

func textOf(n *html.Node) string {
	var b strings.Builder
	for d := range n.Descendants() {
		if d.Type == html.TextNode {
			b.WriteString(d.Data)
		}
	}
	return strings.TrimSpace(b.String())
}

// Pages come with validators, compressed where the client takes that, and only to be read.
func TestDeveloperPageTransport(t *testing.T) {
	s := developerSite(t, documentSettings())
	identity := header("Accept-Encoding", "identity")
	for _, path := range []string{"/developers", "/developers/v10", "/developers/guides/errors", "/developers/changelog",
		"/problems/", "/problems/not-found",
		"/developers/style.css"} {
		a := s.get(path, noKey, identity).want(t, 200)
		tag := a.header.Get("ETag")
		if !shownTag.MatchString(tag) || a.header.Get("Vary") != "Accept-Encoding" ||
			a.header.Get("Cache-Control") != "public, max-age=3600" ||
			a.header.Get("Content-Length") != strconv.Itoa(len(a.body)) {
			t.Errorf("%s: %v", path, a.header)
		}
		if policy := a.header.Get("Content-Security-Policy"); path != "/developers/style.css" &&
			!strings.Contains(policy, "script-src 'none'") {
			t.Errorf("%s: Content-Security-Policy %q", path, policy)
		}
		if again := s.get(path, noKey, header("If-None-Match", tag)).want(t, 304); again.body != "" {
			t.Errorf("%s: 304 with %q", path, again.body)
		}
		head := s.do("HEAD", path, "", noKey, identity).want(t, 200)
		if head.body != "" || head.header.Get("Content-Length") != a.header.Get("Content-Length") ||
			head.header.Get("ETag") != tag {
			t.Errorf("HEAD %s: %v", path, head.header)
		}
		packed := s.get(path, noKey, header("Accept-Encoding", "gzip")).want(t, 200)
		if len(a.body) > 1024 {
			plain, err := gzip.NewReader(strings.NewReader(packed.body))
			if err != nil {
				t.Fatalf("%s: %v", path, err)
			}
			if text, err := io.ReadAll(plain); err != nil || string(text) != a.body {
				t.Errorf("%s: compressed it is something else: %v", path, err)
			}
		}
		if len(packed.body) > 150<<10 { // screens.md U16
			t.Errorf("%s has %d bytes, compressed", path, len(packed.body))
		}
		if strings.TrimSuffix(path, "/") == path && path != "/developers/style.css" &&
			s.get(path+"/", noKey, identity).want(t, 200).body != a.body {
			t.Errorf("%s with a slash at its end differs", path)
		}
		if post := s.do("POST", path, "x", noKey).want(t, 405); post.header.Get("Allow") != "GET, HEAD" {
			t.Errorf("Allow %q", post.header.Get("Allow"))
		}
	}
	for _, path := range []string{"/developers/v0", "/developers/v11", "/developers/v03", "/developers/v99999",
		"/developers/guides", "/developers/guides/none",
		"/developers/frame.html", "/developers//", "/developers/v10/x"} {
		s.get(path, noKey).want(t, 404).problem(t, "no-such-path")
	}
}

// Without the interface there is no documentation, and of versions that are not served there is none.
func TestDeveloperPageSettings(t *testing.T) {
	off := documentSettings()
	off.API.Enabled = false
	s := developerSite(t, off)
	for _, path := range []string{"/developers", "/developers/v10", "/developers/style.css", "/problems/"} {
		s.get(path, noKey).want(t, 404)
	}
	some := documentSettings()
	some.API.OldestVersion, some.API.DefaultVersion, some.API.AuthSchemes, some.API.MaxLimit = 5, 6, []string{"OURS",
		"SERVICE"}, 20000
	s = developerSite(t, some)
	s.get("/developers/v4", noKey).want(t, 404)
	for path, want := range map[string]string{"/developers": "version 6 on this instance",
		"/developers/guides/first-call": "Authorization: OURS apikey=",
		"/developers/guides/reading":    "at most 20000", "/developers/v10": "integer from 1 to 20000",
		"/developers/changelog": "discontinued"} {
		if body := s.get(path, noKey).want(t, 200).body; !strings.Contains(body, want) ||
			strings.Contains(body, `href="/developers/v4`) {
			t.Errorf("%s does not say %q, or links to version 4", path, want)
		}
	}
}

// The reference of a version and its OpenAPI document say the same: operations, parameters, answers, refusals.
func TestReference(t *testing.T) {
	s := developerSite(t, documentSettings())
	for _, v := range versions() {
		document := documentOf(t, v)
		check := &validator{document: document}
		sections := operationSections(s.get(fmt.Sprintf("/developers/v%d", v), noKey).want(t, 200).body)
		operations := operationsOf(t, document)
		for name, o := range operations {
			if o.method == "head" {
				continue
			}
			text, known := sections[name]
			if !known {
				t.Errorf("version %d: the reference has no %s", v, name)
				continue
			}
			delete(sections, name)
			wants := []string{strings.ToUpper(o.method) + " " + o.path, at(o.op, "summary").(string)}
			parameters, _ := o.op["parameters"].([]any)
			ofPath, _ := o.item["parameters"].([]any)
			for _, p := range slices.Concat(ofPath, parameters) {
				resolved, err := check.resolve(p)
				if err != nil {
					t.Fatal(err)
				}
				wants = append(wants, resolved["name"].(string))
			}
			for status, r := range o.op["responses"].(map[string]any) {
				wants = append(wants, status)
				resolved, err := check.resolve(r)
				if err != nil {
					t.Fatal(err)
				}
				wants = append(wants, problemsOf(t, check, resolved)...)
			}
			for _, want := range wants {
				if !strings.Contains(text, want) {
					t.Errorf("version %d, %s: the reference does not say %q", v, name, want)
				}
			}
		}
		for name := range sections {
			t.Errorf("version %d: %s is not in the document", v, name)
		}
	}
}

// problemsOf lists the kinds of problems that a response of a document may be.
func problemsOf(t *testing.T, check *validator, response map[string]any) (kinds []string) {
	t.Helper()
	all := at(response, "content", "application/problem+json", "schema")
	if all == nil {
		return nil
	}
	types, _ := at(all, "properties", "type", "enum").([]any)
	parts, _ := at(all, "allOf").([]any)
	for _, part := range parts {
		more, _ := at(part, "properties", "type", "enum").([]any)
		types = append(types, more...)
	}
	if len(types) == 0 {
		t.Errorf("a refusal without types: %v", response)
	}
	for _, one := range types {
		kinds = append(kinds, strings.TrimPrefix(one.(string), "/problems/"))
	}
	return kinds
}

var operationHeading = regexp.MustCompile(`<h3 id="([a-z][A-Za-z]+)">`)

// operationSections divides a reference by its operations; the text is without tags.
func operationSections(page string) map[string]string {
	page, _, _ = strings.Cut(page, `<h2 id="records">`)
	places := operationHeading.FindAllStringSubmatchIndex(page, -1)
	all := map[string]string{}
	for i, at := range places {
		end := len(page)
		if i+1 < len(places) {
			end = places[i+1][0]
		}
		root, err := html.Parse(strings.NewReader(page[at[0]:end]))
		if err == nil {
			all[page[at[2]:at[3]]] = textOf(root)
		}
	}
	return all
}
