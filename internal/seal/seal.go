// Package seal keeps secrets: it seals what must stay readable with the instance key, hashes passwords, and
// makes random passwords and tokens.
//
// It is a leaf: it may import the standard library and golang.org/x/crypto/argon2, nothing else.
package seal

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"log/slog"
)

// Key is the instance key (cli.md, instance.key): 32 random bytes from which every sealing key is derived.
// It prints as "(hidden)" whatever prints it; only Encode gives it away. One way around is left: package
// fmt reads unexported fields without asking, so a struct that holds a Key there must not be printed.
type Key [32]byte

// version is the first byte of everything sealed, so that the format can change later.
const version = 1

const hidden = "(hidden)"

// NewKey makes a key from the random numbers of the operating system.
func NewKey() Key {
	var k Key
	rand.Read(k[:]) // never fails, by contract of crypto/rand
	return k
}

// Encode returns the key in standard base64, for its file.
func (k Key) Encode() string { return base64.StdEncoding.EncodeToString(k[:]) }

// String hides the key.
func (k Key) String() string { return hidden }

// GoString hides the key from %#v.
func (k Key) GoString() string { return hidden }

// Format hides the key from every other verb of package fmt, above all %x and %d.
func (k Key) Format(f fmt.State, _ rune) { io.WriteString(f, hidden) }

// LogValue hides the key from package slog.
func (k Key) LogValue() slog.Value { return slog.StringValue(hidden) }

// MarshalText hides the key from encoders such as encoding/json.
func (k Key) MarshalText() ([]byte, error) { return []byte(hidden), nil }

// Fingerprint returns 32 hexadecimal digits that tell keys apart and reveal nothing about them, for the
// database to remember which key its secrets are sealed with (cli.md, instance.key).
func (k Key) Fingerprint() string {
	mac := hmac.New(sha256.New, k[:])
	mac.Write([]byte("admitto instance key fingerprint"))
	return hex.EncodeToString(mac.Sum(nil)[:16])
}

// Seal encrypts and authenticates plain with AES-256-GCM under a key of its own for each purpose, so that a
// sealed text moved to another column or table does not open there. The nonce is random, so sealing the same
// text twice has different results. Sealing with the zero Key panics: it is a fault of the program that
// would otherwise go unseen, since everybody knows that key.
func (k Key) Seal(purpose string, plain []byte) []byte {
	if k == (Key{}) {
		panic("seal: the instance key is not set")
	}
	return k.aead(purpose).Seal([]byte{version}, nil, plain, []byte{version})
}

// errSealed does not say what is wrong; who tampers should not learn it, and the caller cannot help it.
var errSealed = errors.New("seal: text was not sealed with this key for this purpose, or was changed since")

// Open returns what Seal was given. It fails when key or purpose differ or any bit was changed.
func (k Key) Open(purpose string, sealed []byte) ([]byte, error) {
	if k == (Key{}) || len(sealed) == 0 || sealed[0] != version {
		return nil, errSealed
	}
	plain, err := k.aead(purpose).Open(nil, nil, sealed[1:], []byte{version})
	if err != nil {
		return nil, errSealed
	}
	return plain, nil
}

// aead derives the key of the purpose. The nonce is random and stored in front of the text; by the bounds of
// NIST SP 800-38D that is safe for 2^32 texts of one purpose.
func (k Key) aead(purpose string) cipher.AEAD {
	sub, err := hkdf.Key(sha256.New, k[:], nil, "admitto seal 1: "+purpose, 32)
	if err != nil {
		panic("seal: " + err.Error()) // only for lengths out of range
	}
	block, err := aes.NewCipher(sub)
	if err != nil {
		panic("seal: " + err.Error()) // only for a wrong key length
	}
	gcm, err := cipher.NewGCMWithRandomNonce(block)
	if err != nil {
		panic("seal: " + err.Error()) // only for a wrong block size
	}
	return gcm
}
