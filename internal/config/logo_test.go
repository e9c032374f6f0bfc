package config

import (
	"strings"
	"testing"
)

// TestLogo takes the names of pictures and nothing that leads elsewhere.
func TestLogo(t *testing.T) {
	t.Parallel()
	hash := strings.Repeat("0af9", 16)
	for _, text := range []string{"", hash + ".png", hash + ".jpg"} {
		if l, err := ParseLogo(text); err != nil || l.String() != text {
			t.Errorf("%q: %v %v", text, l, err)
		}
	}
	for _, text := range []string{hash, hash + ".", hash + ".svg", hash + ".png.png", hash[1:] + ".png",
		"0" + hash + ".png",
		strings.ToUpper(hash) + ".png", "../" + hash[3:] + ".png", " " + hash + ".png", ".png", "logo.png"} {
		if l, err := ParseLogo(text); err == nil {
			t.Errorf("%q is taken: %v", text, l)
		}
	}
}

// FuzzLogo wants what is taken to be the same when it is written, and to hold no character of a path.
func FuzzLogo(f *testing.F) {
	f.Add(strings.Repeat("0af9", 16) + ".png")
	f.Fuzz(func(t *testing.T, text string) {
		l, err := ParseLogo(text)
		if err == nil && (l.String() != text || strings.ContainsAny(text, `/\%"<> `)) {
			t.Errorf("%q: %v", text, l)
		}
	})
}
