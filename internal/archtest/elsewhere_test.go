package archtest

import (
	"encoding/json"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/admitto/admitto/internal/apptest"
)

// TestElsewhere type-checks the command with all it imports for other systems than that of the test, which takes a
// small part of the time of compiling it for them.
func TestElsewhere(t *testing.T) {
	if !apptest.Long() {
		return
	}
	for _, system := range []string{"darwin", "windows"} {
		t.Run(system, func(t *testing.T) { checkElsewhere(t, system) })
	}
}

func checkElsewhere(t *testing.T, system string) {
	command := exec.Command("go", "list", "-deps", "-json=ImportPath,Dir,GoFiles,ImportMap", "./cmd/admitto")
	command.Dir, command.Stderr = root, os.Stderr
	command.Env = append(os.Environ(), "GOOS="+system, "CGO_ENABLED=0")
	out, err := command.Output()
	if err != nil {
		t.Fatal(err)
	}
	checked := map[string]*types.Package{"unsafe": types.Unsafe}
	for decoder := json.NewDecoder(strings.NewReader(string(out))); ; { // each package comes after what it imports
		var p struct {
			ImportPath, Dir string
			GoFiles         []string
			ImportMap       map[string]string
		}
		if err := decoder.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		if checked[p.ImportPath] != nil {
			continue
		}
		set, files := token.NewFileSet(), []*ast.File{}
		for _, name := range p.GoFiles {
			f, err := parser.ParseFile(set, filepath.Join(p.Dir, name), nil, parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			files = append(files, f)
		}
		config := types.Config{Sizes: types.SizesFor("gc", "amd64"),
			IgnoreFuncBodies: !strings.HasPrefix(p.ImportPath, module),
			Importer: imported(func(path string) (*types.Package, error) {
				if other, ok := p.ImportMap[path]; ok {
					path = other
				}
				return checked[path], nil
			})}
		if checked[p.ImportPath], err = config.Check(p.ImportPath, set, files, nil); err != nil {
			t.Fatal(err)
		}
	}
	if checked[module+"/internal/admitto"] == nil {
		t.Error("the packages of the module were not read")
	}
}

// imported is an importer of packages that were checked before.
type imported func(path string) (*types.Package, error)

func (f imported) Import(path string) (*types.Package, error) { return f(path) }
