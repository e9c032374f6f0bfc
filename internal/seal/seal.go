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
	"slices"
	"sync/atomic"
)

// Key is the instance key (cli.md, instance.key): 32 random bytes from which every sealing key is derived. While it is
// being changed there are two: one seals, and both open. Copies of a Key are one key, and change together.
// It prints as "(hidden)" whatever prints it; only Encode gives it away.
type Key struct{ ring *ring }

type ring struct {
	keys  [][size]byte
	seals atomic.Int32 // which of them
}

// size is the length of a key.
const size = 32

// KeyOf makes a key of its bytes; the first seals, the others open. A length that is wrong panics: who reads keys has
// looked at it.
func KeyOf(keys ...[]byte) Key {
	r := &ring{}
	for _, key := range keys {
		r.keys = append(r.keys, [size]byte(key))
	}
	return Key{r}
}

// now are the bytes of the one that seals.
func (k Key) now() (bytes [size]byte) {
	if k.ring == nil || len(k.ring.keys) == 0 {
		return bytes
	}
	return k.ring.keys[k.ring.seals.Load()]
}

// Use lets the key with a fingerprint seal from now on; false where there is none.
func (k Key) Use(fingerprint string) bool {
	at := slices.Index(k.Fingerprints(), fingerprint)
	if at >= 0 {
		k.ring.seals.Store(int32(at))
	}
	return at >= 0
}

// Fingerprints are those of all its keys, in their order.
func (k Key) Fingerprints() (list []string) {
	if k.ring == nil {
		return nil
	}
	for i := range k.ring.keys {
		list = append(list, fingerprintOf(k.ring.keys[i]))
	}
	return list
}

// version is the first byte of everything sealed, so that the format can change later.
const version = 1

const hidden = "(hidden)"

// NewKey makes a key from the random numbers of the operating system.
func NewKey() Key {
	var key [size]byte
	rand.Read(key[:]) // never fails, by contract of crypto/rand
	return KeyOf(key[:])
}

// Encode returns the key that seals in standard base64, for its file.
func (k Key) Encode() string {
	now := k.now()
	return base64.StdEncoding.EncodeToString(now[:])
}

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
// database to remember which key its secrets are sealed with (cli.md, instance.key). It is that of the key that seals.
func (k Key) Fingerprint() string { return fingerprintOf(k.now()) }

func fingerprintOf(key [size]byte) string {
	mac := hmac.New(sha256.New, key[:])
	mac.Write([]byte("admitto instance key fingerprint"))
	return hex.EncodeToString(mac.Sum(nil)[:16])
}

// Seal encrypts and authenticates plain with AES-256-GCM under a key of its own for each purpose, so that a
// sealed text moved to another column or table does not open there. The nonce is random, so sealing the same
// text twice has different results. Sealing with the zero Key panics: it is a fault of the program that
// would otherwise go unseen, since everybody knows that key.
func (k Key) Seal(purpose string, plain []byte) []byte {
	return aead(k.set(), purpose).Seal([]byte{version}, nil, plain, []byte{version})
}

// set are the bytes that seal; without a key it panics.
func (k Key) set() [size]byte {
	now := k.now()
	if now == ([size]byte{}) {
		panic("seal: the instance key is not set")
	}
	return now
}

// errSealed does not say what is wrong; who tampers should not learn it, and the caller cannot help it.
var errSealed = errors.New("seal: text was not sealed with this key for this purpose, or was changed since")

// Open returns what Seal was given. It fails when key or purpose differ or any bit was changed.
func (k Key) Open(purpose string, sealed []byte) ([]byte, error) {
	plain, _, err := k.open(purpose, sealed)
	return plain, err
}

// open also reports whether the key that seals now has sealed it.
func (k Key) open(purpose string, sealed []byte) (plain []byte, now bool, err error) {
	if k.ring == nil || len(sealed) == 0 || sealed[0] != version {
		return nil, false, errSealed
	}
	seals := k.now()
	for _, key := range append([][size]byte{seals}, k.ring.keys...) {
		if key == ([size]byte{}) {
			continue
		}
		if plain, err := aead(key, purpose).Open(nil, nil, sealed[1:], []byte{version}); err == nil {
			return plain, key == seals, nil
		}
	}
	return nil, false, errSealed
}

// Again seals under the key that seals now what another one of its keys has sealed; nil for what is sealed under it
// already.
func (k Key) Again(purpose string, sealed []byte) ([]byte, error) {
	plain, now, err := k.open(purpose, sealed)
	if err != nil || now {
		return nil, err
	}
	return k.Seal(purpose, plain), nil
}

// aead derives the key of the purpose. The nonce is random and stored in front of the text; by the bounds of
// NIST SP 800-38D that is safe for 2^32 texts of one purpose.
func aead(key [size]byte, purpose string) cipher.AEAD {
	sub, err := hkdf.Key(sha256.New, key[:], nil, "admitto seal 1: "+purpose, 32)
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
