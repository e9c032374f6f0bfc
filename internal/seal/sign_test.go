package seal_test

import (
	"crypto/ed25519"
	"testing"

	"github.com/admitto/admitto/internal/seal"
)

func TestSigner(t *testing.T) {
	k := seal.NewKey()
	signed := ed25519.Sign(k.Signer("receipt"), []byte("text"))
	for name, c := range map[string]struct {
		key     seal.Key
		purpose string
		text    string
		want    bool
	}{
		"the same": {k, "receipt", "text", true}, "another purpose": {k, "letter", "text", false},
		"another key": {seal.NewKey(), "receipt", "text", false}, "another text": {k, "receipt", "Text", false},
	} {
		public := c.key.Signer(c.purpose).Public().(ed25519.PublicKey)
		if got := ed25519.Verify(public, []byte(c.text), signed); got != c.want {
			t.Errorf("%s: %t", name, got)
		}
	}
	defer func() {
		if recover() == nil {
			t.Error("no key signs")
		}
	}()
	seal.Key{}.Signer("receipt")
}
