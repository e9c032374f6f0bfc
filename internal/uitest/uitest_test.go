package uitest

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/admitto/admitto/internal/apptest"
	"github.com/admitto/admitto/internal/ui"
)

// A page with a fault of every kind, and what must be found.
func TestFaultsAreFound(t *testing.T) {
	if !apptest.Long() {
		return // as for all tests in a browser
	}
	filler := strings.Repeat("<!-- weight -->", 5000)
	const bad = `<!doctype html><html lang="en" dir="ltr"><head><title>Bad</title><style>p { color: red }</style><link rel="stylesheet" href="/bad.css"></head>
<body><main id="main"><h1>One</h1><h1>Two</h1><p>bulk.none <a class="tiny" href="/x">x</a></p><p class="pale">Pale words</p><p class="wide">Wide</p>
<a class="tiny" href="/y">y</a><button class="blind">Blind</button><div class="lid"><button>Covered</button></div><div class="cover"></div><div role="button" tabindex="-1">Not reached</div>
<button class="trap" id="trap">Trap</button><a href="/after">After the trap</a><input><select><option>One</select><img src="https://example.org/spy.png" alt="spy"><script>alert(1)</script><script src="/bad.js"></script></main>`
	const styles = `.tiny { display: block; font-size: 8px; width: 10px; height: 10px } .pale { color: #ddd } .wide { width: 2000px } .blind:focus { outline: none }
.dull { color: #eee } .dark { background: #333 } @media (prefers-color-scheme: dark) { .night { background: #222 } }
.cover { position: fixed; inset: 0; z-index: 9; pointer-events: auto; opacity: 0 } .lid { height: 20px }`
	const script = `document.getElementById("main").append("only with scripts"); console.error("a complaint");
document.getElementById("trap").addEventListener("keydown", (event) => { if (event.key === "Tab") event.preventDefault() });`
	site := http.NewServeMux()
	answer := func(path, kind, text string) {
		site.HandleFunc(path, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Security-Policy", ui.Policy)
			w.Header().Set("Content-Type", kind)
			_, _ = w.Write([]byte(text))
		})
	}
	answer("/bad", "text/html; charset=utf-8", bad+filler)
	answer("/next", "text/html; charset=utf-8", `<!doctype html><html lang="en" dir="ltr"><head><title>Next</title><link rel="stylesheet" href="/bad.css"></head>
<body><main id="main"><h1>One</h1><p class="pale">Pale words</p><p class="dull">Dull words</p><div class="dark"><p>Dark</p></div><p class="night">At night</p></main>`)
	answer("/bad.css", "text/css", styles)
	answer("/bad.js", "text/javascript", script)
	t.Setenv(folderVariable, t.TempDir())
	b := Open(t, site)
	page := Page{Name: "bad", Path: "/bad"}
	want := []string{
		"2 h1", `language "en"`, "says bulk.none", "color-contrast", "label: Form elements must have labels", "the page is 2",
		"ar-light-1280: no words name <input>", "no words name <select>",
		"is 10 × 10",
		"focus cannot be seen: <button .blind>", "focus is covered", "no key reaches <a> After the trap", "console:",
		"Content Security Policy",
		"a request to another host: https://example.org/spy.png", "a first visit weighs", "without scripts: the page says",
	}
	v := b.open(t)
	v.turn(t, page)
	v.inEveryWay()
	found := strings.Join(v.found, "\n")
	for _, want := range want {
		if !strings.Contains(found, want) {
			t.Errorf("not found: %s", want)
		}
	}
	if t.Failed() {
		t.Log(found)
	}
	b.shots.index(t)

	// Of the next page, the colours that none before had are judged: of words, and of what lies below them.
	v.turn(t, Page{Name: "next", Path: "/next"})
	v.inEveryWay()
	found = strings.Join(v.found, "\n")
	for name, wanted := range map[string]bool{".pale": false, ".dull": true, "div > p": true, ".night": true} {
		if strings.Contains(found, "color-contrast: Elements must meet minimum color contrast ratio thresholds: "+name) != wanted {
			t.Errorf("judged %s: %t in\n%s", name, !wanted, found)
		}
	}
	for _, name := range []string{"index.html", "bad-light-1280.png", "bad-ar-dark-320.png"} {
		if _, err := os.Stat(filepath.Join(b.shots.folder, name)); err != nil {
			t.Error(err)
		}
	}
}
