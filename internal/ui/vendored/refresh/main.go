// Command refresh takes the files of vendor.json from the npm registry again: it packs each package with npm, compares
// the archive with the integrity that is written there, and writes the files and their sums. It imports the standard
// library only. Run it with make assets. To take another version, change the version and the integrity (npm view NAME
// dist.integrity) first.
package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
)

const (
	folder = "internal/ui/vendored" // from the root of the repository
	list   = folder + "/vendor.json"
)

// pack is one package of the registry; icons are the names of those that become symbols of a sprite.
type pack struct {
	Name      string   `json:"name"`
	Version   string   `json:"version"`
	Integrity string   `json:"integrity"`
	Licence   string   `json:"licence"`
	For       string   `json:"for"`
	Files     []file   `json:"files"`
	Icons     []string `json:"icons,omitempty"`
}

// file is one file that is kept: from is its path in the package ("" for the sprite), to the path in this folder.
type file struct {
	From   string `json:"from,omitempty"`
	To     string `json:"to"`
	SHA256 string `json:"sha256"`
}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "refresh:", err)
		os.Exit(1)
	}
}

func run() error {
	text, err := os.ReadFile(list)
	if err != nil {
		return fmt.Errorf("%w (run it from the root of the repository)", err)
	}
	var packs []pack
	if err := json.Unmarshal(text, &packs); err != nil {
		return err
	}
	for i := range packs {
		if err := packs[i].refresh(); err != nil {
			return fmt.Errorf("%s: %w", packs[i].Name, err)
		}
	}
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "\t")
	if err := encoder.Encode(packs); err != nil {
		return err
	}
	return os.WriteFile(list, out.Bytes(), 0o644)
}

// refresh writes the files of one package.
func (p *pack) refresh() error {
	archive, err := p.download()
	if err != nil {
		return err
	}
	sum := sha512.Sum512(archive)
	if got := "sha512-" + base64.StdEncoding.EncodeToString(sum[:]); got != p.Integrity {
		return fmt.Errorf("the archive is %s, not %s", got, p.Integrity)
	}
	contents, err := unpack(archive)
	if err != nil {
		return err
	}
	for i := range p.Files {
		f := &p.Files[i]
		content, found := contents["package/"+f.From]
		if f.From == "" {
			content, err = sprite(contents, p.Icons)
			found = true
		}
		if err != nil {
			return err
		}
		if !found {
			return fmt.Errorf("there is no %s in it", f.From)
		}
		if err := os.WriteFile(filepath.Join(folder, filepath.FromSlash(f.To)), content, 0o644); err != nil {
			return err
		}
		sum := sha256.Sum256(content)
		f.SHA256 = hex.EncodeToString(sum[:])
	}
	return nil
}

// download returns the archive as the registry has it.
func (p *pack) download() ([]byte, error) {
	dir, err := os.MkdirTemp("", "admitto-assets-")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	command := exec.Command("npm", "pack", "--silent", p.Name+"@"+p.Version)
	command.Dir, command.Stderr = dir, os.Stderr
	name, err := command.Output()
	if err != nil {
		return nil, err
	}
	return os.ReadFile(filepath.Join(dir, strings.TrimSpace(string(name))))
}

// unpack returns the files of an archive by path.
func unpack(archive []byte) (map[string][]byte, error) {
	plain, err := gzip.NewReader(bytes.NewReader(archive))
	if err != nil {
		return nil, err
	}
	contents := map[string][]byte{}
	for reader := tar.NewReader(plain); ; {
		header, err := reader.Next()
		if errors.Is(err, io.EOF) {
			return contents, nil
		}
		if err != nil {
			return nil, err
		}
		content, err := io.ReadAll(reader)
		if err != nil {
			return nil, err
		}
		contents[header.Name] = content
	}
}

var (
	drawing = regexp.MustCompile(`(?s)<svg[^>]*>(.*)</svg>`)
	blanks  = regexp.MustCompile(`\s+`)
)

// sprite makes one SVG of the icons, each a symbol that takes its colour and width of line from where it is used.
func sprite(contents map[string][]byte, icons []string) ([]byte, error) {
	out := []byte(`<svg xmlns="http://www.w3.org/2000/svg">` + "\n")
	for _, name := range icons {
		match := drawing.FindSubmatch(contents["package/icons/"+name+".svg"])
		if match == nil {
			return nil, fmt.Errorf("there is no icon %s", name)
		}
		inner := strings.TrimSpace(blanks.ReplaceAllString(string(match[1]), " "))
		inner = strings.ReplaceAll(strings.ReplaceAll(inner, "> <", "><"), " />", "/>")
		out = append(out, `<symbol id="`+name+`" viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-linecap="round" stroke-linejoin="round">`+
			inner+"</symbol>\n"...)
	}
	return append(out, "</svg>\n"...), nil
}
