package archtest

import (
	"go/ast"
	"go/constant"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/BurntSushi/toml"
)

// TestActionsHaveWords wants a message action.<name> in every language for each action that a page offers by name. The
// tests that look for keys in pages know those of the catalogue only, and so see none that is not there.
func TestActionsHaveWords(t *testing.T) {
	words := map[string]map[string]bool{}
	for _, lang := range []string{"en", "ar"} {
		words[lang] = map[string]bool{}
		names, err := filepath.Glob(filepath.Join(root, "internal/ui/locale/*"+lang+".toml"))
		if err != nil || len(names) == 0 {
			t.Fatal(names, err)
		}
		for _, name := range names {
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			var messages map[string]map[string]any
			if err := toml.Unmarshal(text, &messages); err != nil {
				t.Fatal(name, err)
			}
			for action := range messages["action"] {
				words[lang][action] = true
			}
		}
	}
	n := 0
	for _, p := range readTypes(t) {
		for _, f := range p.files {
			ast.Inspect(f, func(node ast.Node) bool {
				call, ok := node.(*ast.CallExpr)
				if !ok || len(call.Args) == 0 {
					return true
				}
				of, ok := call.Fun.(*ast.SelectorExpr)
				if !ok || nameOf(of.X) != "site" || !slices.Contains([]string{"Do", "Primary", "Danger"}, of.Sel.Name) {
					return true
				}
				value := p.info.Types[call.Args[0]].Value
				if value == nil || value.Kind() != constant.String {
					return true // a name out of a table
				}
				n++
				for lang := range words {
					if action := constant.StringVal(value); !words[lang][action] {
						t.Errorf("%s: there is no message action.%s in %s", p.set.Position(call.Pos()), action, lang)
					}
				}
				return true
			})
		}
	}
	if n < 100 {
		t.Errorf("only %d actions were found", n)
	}
}
