package config

import (
	"encoding/base64"
	"strings"
	"testing"
)

// What is an instance key and what is none; the error never shows the text.
func TestDecodeKey(t *testing.T) {
	const good = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="
	for _, text := range []string{good, good + "\n", "  " + good + "\r\n"} {
		if key, err := DecodeKey(text); err != nil || len(key) != KeyBytes || key[31] != 31 {
			t.Errorf("%q: %v, %v", text, key, err)
		}
	}
	for _, text := range []string{"", "x", good[:43], good + good, "(hidden)",
		base64.StdEncoding.EncodeToString(make([]byte, 31)), base64.StdEncoding.EncodeToString(make([]byte, 33))} {
		if _, err := DecodeKey(text); err == nil {
			t.Errorf("%q is taken", text)
		} else if len(text) > 8 && strings.Contains(err.Error(), text) {
			t.Errorf("the error shows the text: %v", err)
		}
	}
}
