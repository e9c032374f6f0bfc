package ui_test

import (
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// tokens reads the tokens of colour of each block of 00-tokens.css: light, dark by the system, dark by choice.
func tokens(t *testing.T) (blocks []map[string]string) {
	t.Helper()
	text := readText(t, "css/00-tokens.css")
	declaration := regexp.MustCompile(`--([a-z0-9-]+):\s*(#[0-9A-Fa-f]{6,8});`)
	for block := range strings.SplitSeq(text, "color-scheme:") {
		found := map[string]string{}
		for _, match := range declaration.FindAllStringSubmatch(block, -1) {
			found[match[1]] = match[2]
		}
		if len(found) > 0 {
			blocks = append(blocks, found)
		}
	}
	if len(blocks) != 3 {
		t.Fatalf("%d blocks of tokens, not 3", len(blocks))
	}
	return blocks
}

func readText(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.FromSlash(path))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// luminance is the relative luminance of #RRGGBB (WCAG 2.2).
func luminance(colour string) float64 {
	channel := func(at int) float64 {
		n, _ := strconv.ParseUint(colour[at:at+2], 16, 8)
		v := float64(n) / 255
		if v <= .04045 {
			return v / 12.92
		}
		return math.Pow((v+.055)/1.055, 2.4)
	}
	return .2126*channel(1) + .7152*channel(3) + .0722*channel(5)
}

func contrast(a, b string) float64 {
	x, y := luminance(a), luminance(b)
	return (max(x, y) + .05) / (min(x, y) + .05)
}

// TestContrasts computes the contrast of every pair of tokens that meets on pages (screens.md 1.1): 4.5 for text, 3 for
// what carries meaning.
func TestContrasts(t *testing.T) {
	blocks := tokens(t)
	if !maps.Equal(blocks[1], blocks[2]) {
		t.Error("dark by the system and dark by choice are not the same tokens")
	}
	for n, scheme := range blocks[:2] {
		var pairs [][3]any
		for _, ground := range []string{"bg", "surface", "raised", "well", "hover", "select", "note-bg"} {
			for _, ink := range []string{"text", "muted", "accent", "bad"} {
				pairs = append(pairs, [3]any{ink, ground, 4.5})
			}
			if ground != "note-bg" {
				pairs = append(pairs, [3]any{"line", ground, 3.0}, [3]any{"focus", ground, 3.0}, [3]any{"ok", ground, 3.0},
					[3]any{"warn", ground, 3.0})
			}
		}
		for _, tone := range []string{"ok", "warn", "bad", "info"} {
			pairs = append(pairs, [3]any{tone, tone + "-bg", 4.5})
		}
		for i := 1; i <= 5; i++ {
			pairs = append(pairs, [3]any{fmt.Sprintf("c%d", i), "raised", 3.0}, [3]any{fmt.Sprintf("c%d", i), "note-bg", 3.0})
		}
		pairs = append(pairs, [3]any{"on-accent", "accent", 4.5}, [3]any{"on-accent", "accent-2", 4.5},
			[3]any{"accent-2", "bg", 4.5})
		for _, pair := range pairs {
			ink, ground, least := pair[0].(string), pair[1].(string), pair[2].(float64)
			if scheme[ink] == "" || scheme[ground] == "" {
				t.Errorf("scheme %d has no --%s or --%s", n, ink, ground)
			} else if got := contrast(scheme[ink], scheme[ground]); got < least {
				t.Errorf("scheme %d: --%s on --%s has a contrast of %.2f, less than %.1f", n, ink, ground, got, least)
			}
		}
	}
}

// TestLogicalProperties refuses left and right where start and end are meant (screens.md U2).
func TestLogicalProperties(t *testing.T) {
	physical := regexp.MustCompile(`(?:^|[\s;{])(?:((?:margin|padding|border)-(?:left|right|top|bottom)\S*|left|right|top|bottom|(?:min-|max-)?(?:width|height))\s*:|(text-align|float):\s*(?:left|right)\b)`)
	names, err := filepath.Glob("css/*.css")
	if err != nil || len(names) == 0 {
		t.Fatal("no styles: ", err)
	}
	for _, name := range names {
		for i, line := range strings.Split(readText(t, name), "\n") {
			if strings.Contains(line, "@media") || strings.Contains(line, "@container") {
				continue
			}
			if match := physical.FindStringSubmatch(line); match != nil {
				t.Errorf("%s:%d: %s: use a logical property", name, i+1, match[0])
			}
		}
	}
}

// TestTemplatesKeepThePolicy refuses what the policy forbids and what needs eval (screens.md U1 and U3).
func TestTemplatesKeepThePolicy(t *testing.T) {
	refused := []*regexp.Regexp{
		regexp.MustCompile(`\sstyle\s*=`), regexp.MustCompile(`\son[a-z]+\s*=`),
		regexp.MustCompile(`hx-on|js:|hx-vals|hx-trigger="[^"]*\[`),
		regexp.MustCompile(`<script(?:[^>]*)>[^<]`), // data of schema.org is no script regexp.MustCompile(`<style`),
		regexp.MustCompile(`(?:src|href|action)="(?:https?:)?//`),
	}
	var names []string
	for _, folder := range []string{"components", "layouts", "samples"} {
		found, err := filepath.Glob(folder + "/*.html")
		if err != nil || len(found) == 0 {
			t.Fatal("no templates in ", folder, err)
		}
		names = append(names, found...)
	}
	for _, name := range names {
		text := strings.ReplaceAll(readText(t, name), `<script type="application/ld+json">`, "")
		for _, pattern := range refused {
			if found := pattern.FindString(text); found != "" {
				t.Errorf("%s has %q", name, found)
			}
		}
	}
}
