package seal

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// fixed is a key with known bytes; what is derived from it must never change, or nothing opens any more.
func fixed() Key {
	key := make([]byte, size)
	for i := range key {
		key[i] = byte(i)
	}
	return KeyOf(key)
}

func TestKeyText(t *testing.T) {
	k := NewKey()
	if k == NewKey() || k == (Key{}) {
		t.Fatal("keys are not random")
	}
	enc := fixed().Encode()
	if enc != "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=" {
		t.Errorf("Encode gives %s", enc)
	}
}

func TestKeyHides(t *testing.T) {
	k := fixed()
	type settings struct {
		Name string
		Key  Key
	}
	var out bytes.Buffer
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%X", "%d", "%o", "%c"} {
		fmt.Fprintf(&out, verb+" "+verb+" "+verb+"\n", k, &k, settings{"x", k})
	}
	for _, h := range []slog.Handler{slog.NewTextHandler(&out, nil), slog.NewJSONHandler(&out, nil)} {
		slog.New(h).Info("test", "key", k, "settings", settings{"x", k})
	}
	if err := json.NewEncoder(&out).Encode(settings{"x", k}); err != nil {
		t.Fatal(err)
	}
	fmt.Fprintln(&out, k.String(), k.GoString())
	for _, leak := range []string{k.Encode(), "000102", "0 1 2", "0, 1, 2", "0,1,2", "0x0, 0x1", "AAEC", "\x00"} {
		if strings.Contains(out.String(), leak) {
			t.Errorf("the key shows as %q in\n%s", leak, &out)
		}
	}
}

func TestFingerprint(t *testing.T) {
	if got := fixed().Fingerprint(); got != "3ee567bbb16c0a258eae6fe5d42cdbd7" {
		t.Errorf("the fingerprint has changed: %s", got)
	}
	if one, two := NewKey(), NewKey(); one.Fingerprint() == two.Fingerprint() {
		t.Error("two keys have the same fingerprint")
	}
}

// A text that was sealed once must open for ever; this one was sealed by the first version.
func TestOpenOld(t *testing.T) {
	old, err := base64.StdEncoding.DecodeString("AUVToFlZXjOltOUI4yWL6VssmMXRnHblUtN5WMEa116U75SyA26/vl3H")
	if err != nil {
		t.Fatal(err)
	}
	if plain, err := fixed().Open("mail-password", old); err != nil || string(plain) != "correct horse" {
		t.Errorf("Open = %q, %v", plain, err)
	}
}

func TestSealAndOpen(t *testing.T) {
	k := NewKey()
	rapid.Check(t, func(t *rapid.T) {
		purpose := rapid.String().Draw(t, "purpose")
		plain := rapid.SliceOf(rapid.Byte()).Draw(t, "plain")
		sealed := k.Seal(purpose, plain)
		got, err := k.Open(purpose, sealed)
		if err != nil || !bytes.Equal(got, plain) {
			t.Fatalf("Open = %q, %v; want %q", got, err, plain)
		}
		if bytes.Equal(sealed, k.Seal(purpose, plain)) {
			t.Fatal("sealing twice gives the same")
		}
		if _, err := k.Open(purpose+"x", sealed); err == nil {
			t.Fatal("opens for another purpose")
		}
		if _, err := NewKey().Open(purpose, sealed); err == nil {
			t.Fatal("opens with another key")
		}
		if _, err := (Key{}).Open(purpose, sealed); err == nil {
			t.Fatal("opens with the zero key")
		}
	})
}

func TestTampering(t *testing.T) {
	k := NewKey()
	sealed := k.Seal("outbox", []byte("the one-time link"))
	if bytes.Contains(sealed, []byte("link")) {
		t.Fatal("the plain text shows")
	}
	for i := range sealed {
		for bit := range 8 {
			changed := bytes.Clone(sealed)
			changed[i] ^= 1 << bit
			if plain, err := k.Open("outbox", changed); err == nil || plain != nil {
				t.Errorf("opens with bit %d of byte %d changed", bit, i)
			}
		}
	}
	for n := range sealed {
		if _, err := k.Open("outbox", sealed[:n]); err == nil {
			t.Errorf("opens when cut to %d bytes", n)
		}
	}
	if _, err := k.Open("outbox", append(bytes.Clone(sealed), 0)); err == nil {
		t.Error("opens with a byte more")
	}
	if _, err := k.Open("outbox", nil); err == nil {
		t.Error("opens nothing")
	}
}

func TestSealWithoutKeyPanics(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("seals with the zero key")
		}
	}()
	Key{}.Seal("outbox", []byte("x"))
}

func FuzzOpen(f *testing.F) {
	k := fixed()
	f.Add("outbox", []byte(nil))
	f.Add("outbox", []byte{1})
	f.Add("outbox", make([]byte, 40))
	f.Add("outbox", append([]byte{1}, make([]byte, 28)...))
	f.Fuzz(func(t *testing.T, purpose string, sealed []byte) {
		if plain, err := k.Open(purpose, sealed); err == nil {
			t.Errorf("Open(%q, %x) = %q", purpose, sealed, plain)
		}
		plain, err := k.Open(purpose, k.Seal(purpose, sealed))
		if err != nil || !bytes.Equal(plain, sealed) {
			t.Errorf("Open gives %q, %v for %q", plain, err, sealed)
		}
	})
}

// TestTwoKeys has two keys open and one seal, which may change; what the other one sealed is sealed again.
func TestTwoKeys(t *testing.T) {
	first, second := NewKey(), NewKey()
	one, other := first.now(), second.now()
	both := KeyOf(one[:], other[:])
	copied := both
	old := both.Seal("p", []byte("text"))
	if _, err := first.Open("p", old); err != nil {
		t.Error("the first one does not seal: ", err)
	}
	if again, err := both.Again("p", old); again != nil || err != nil {
		t.Error("sealed again by the same key: ", err)
	}
	if both.Use(NewKey().Fingerprint()) || !both.Use(second.Fingerprint()) ||
		copied.Fingerprint() != second.Fingerprint() {
		t.Error("the other one does not seal, or not for everybody")
	}
	again, err := copied.Again("p", old)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		key    Key
		sealed []byte
		opens  bool
	}{{both, old, true}, {both, again, true}, {second, again, true}, {second, old, false}, {first, again, false}} {
		if plain, err := c.key.Open("p", c.sealed); (err == nil) != c.opens || c.opens && string(plain) != "text" {
			t.Errorf("%q, %v", plain, err)
		}
	}
	if _, err := second.Again("p", old); err == nil {
		t.Error("what does not open was sealed again")
	}
	if _, err := both.Again("q", old); err == nil {
		t.Error("another purpose was sealed again")
	}
	if len(both.Fingerprints()) != 2 || (Key{}).Fingerprints() != nil {
		t.Error(both.Fingerprints())
	}
}
