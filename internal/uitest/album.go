package uitest

import (
	"bytes"
	"cmp"
	"flag"
	"html/template"
	"os"
	"path/filepath"
	"testing"
)

// folderVariable names the folder of the pictures.
const folderVariable = "ADMITTO_TEST_SCREENSHOTS"

// album is the folder of the pictures.
type album struct {
	folder string // empty: nobody keeps them, and none are taken
	pages  []*albumPage
}

type albumPage struct {
	Name     string
	Pictures []albumPicture
}

type albumPicture struct{ Look, File string }

func newAlbum(t *testing.T) *album {
	t.Helper()
	a := &album{folder: cmp.Or(os.Getenv(screensVariable), os.Getenv(folderVariable))}
	if a.folder == "" && artifacts() {
		a.folder = t.ArtifactDir()
	}
	if a.folder == "" {
		return a
	}
	if err := os.MkdirAll(a.folder, 0o755); err != nil {
		t.Fatal(err)
	}
	return a
}

// artifacts reports whether go test keeps what tests make.
func artifacts() bool { return flag.Lookup("test.artifacts").Value.String() == "true" }

// add keeps a picture of a page.
func (a *album) add(t *testing.T, page, look string, picture []byte) {
	t.Helper()
	name := page + "-" + look + ".png"
	if os.Getenv(screensVariable) != "" {
		name = screens()[page] + "-" + name
		var err error
		if picture, err = shrink(picture); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(a.folder, name), picture, 0o644); err != nil {
		t.Fatal(err)
	}
	if len(a.pages) == 0 || a.pages[len(a.pages)-1].Name != page {
		a.pages = append(a.pages, &albumPage{Name: page})
	}
	last := a.pages[len(a.pages)-1]
	last.Pictures = append(last.Pictures, albumPicture{look, name})
}

// index writes the page that shows all pictures.
func (a *album) index(t *testing.T) {
	t.Helper()
	if len(a.pages) == 0 || os.Getenv(screensVariable) != "" {
		return
	}
	page, err := template.New("").Parse(`<!doctype html><html lang="en"><meta charset="utf-8"><title>Screenshots</title>
<style>body{font:14px system-ui;margin:2em}div{display:flex;gap:1em;align-items:start;overflow-x:auto}img{max-width:420px;border:1px solid #888}</style>
<h1>Screenshots</h1>{{range .}}<h2>{{.Name}}</h2><div>{{range .Pictures}}<figure><figcaption>{{.Look}}</figcaption><a href="{{.File}}"><img src="{{.File}}" alt="" loading="lazy"></a></figure>{{end}}</div>{{end}}
`)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := page.Execute(&out, a.pages); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(a.folder, "index.html"), out.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	t.Log("pictures are in ", a.folder)
}
