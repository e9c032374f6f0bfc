package devdocs

import (
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

var colourToken = regexp.MustCompile(`--([a-z-]+): (#[0-9A-F]{6});`)

// Every colour reaches 4.5:1 as text and 3:1 as a line on each background it stands on, in both schemes (screens.md
// 1.1).
func TestStylesheetContrast(t *testing.T) {
	css := string(stylesheet())
	light, rest, _ := strings.Cut(css, "@media (prefers-color-scheme: dark)")
	dark, _, _ := strings.Cut(rest, "box-sizing")
	for scheme, text := range map[string]string{"light": light, "dark": dark} {
		colours := map[string]string{}
		for _, m := range colourToken.FindAllStringSubmatch(text, -1) {
			colours[m[1]] = m[2]
		}
		for _, pair := range []struct {
			front, back string
			least       float64
		}{{"text", "bg", 4.5}, {"text", "surface", 4.5}, {"muted", "bg", 4.5}, {"accent", "bg", 4.5}, {"accent", "surface",
			4.5}, {"warn", "warn-bg", 4.5},
			{"line", "bg", 3}, {"line", "surface", 3}, {"focus", "bg", 3}, {"focus", "surface", 3}, {"focus", "warn-bg", 3}} {
			if got := contrast(t, colours[pair.front], colours[pair.back]); got < pair.least {
				t.Errorf("%s: --%s on --%s has %.2f:1, not %.1f:1", scheme, pair.front, pair.back, got, pair.least)
			}
		}
	}
	if n := len(css); n > 40<<10 || strings.Contains(css, "url(") || strings.Contains(css, "@import") {
		t.Errorf("the stylesheet has %d bytes, or asks for more", n)
	}
	for used := range strings.SplitSeq(css, "var(--") {
		if name, _, ok := strings.Cut(used, ")"); ok && strings.Contains(css, "var(--"+name+")") &&
			!strings.Contains(css, "--"+name+":") {
			t.Errorf("--%s is not defined", name)
		}
	}
}

// contrast is the ratio of WCAG 2.2.
func contrast(t *testing.T, one, other string) float64 {
	t.Helper()
	luminance := func(colour string) (sum float64) {
		if len(colour) != 7 {
			t.Fatalf("no colour %q", colour)
		}
		for i, weight := range []float64{0.2126, 0.7152, 0.0722} {
			n, err := strconv.ParseUint(colour[1+2*i:3+2*i], 16, 8)
			if err != nil {
				t.Fatal(err)
			}
			part := float64(n) / 255
			if part <= 0.04045 {
				sum += weight * part / 12.92
			} else {
				sum += weight * math.Pow((part+0.055)/1.055, 2.4)
			}
		}
		return sum
	}
	a, b := luminance(one), luminance(other)
	return (max(a, b) + 0.05) / (min(a, b) + 0.05)
}
