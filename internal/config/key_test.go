package config

import (
	"encoding/base64"
	"strings"
	"testing"
)

// What is an instance key and what is none; the error never shows the text.
func TestDecodeKeys(t *testing.T) {
	const good = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="
	for _, text := range []string{good, good + "\n", "  " + good + "\r\n"} {
		if keys, err := DecodeKeys(text); err != nil || len(keys) != 1 || len(keys[0]) != KeyBytes || keys[0][31] != 31 {
			t.Errorf("%q: %v, %v", text, keys, err)
		}
	}
	other := base64.StdEncoding.EncodeToString(make([]byte, KeyBytes))
	if keys, err := DecodeKeys(good + "\r\n" + other + "\n"); err != nil || len(keys) != 2 || keys[1][31] != 0 {
		t.Errorf("two: %v, %v", keys, err)
	}
	for _, text := range []string{"", "x", good + "\n" + other + "\n" + other, good + "\nx",
		good[:43], good + good, "(hidden)",
		base64.StdEncoding.EncodeToString(make([]byte, 31)), base64.StdEncoding.EncodeToString(make([]byte, 33))} {
		if _, err := DecodeKeys(text); err == nil {
			t.Errorf("%q is taken", text)
		} else if len(text) > 8 && strings.Contains(err.Error(), text) {
			t.Errorf("the error shows the text: %v", err)
		}
	}
}
