package seal

import (
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"fmt"
	"strings"

	"golang.org/x/crypto/argon2"
)

// Parameters of new hashes (lifecycle.md 2.3). RFC 9106 asks for 64 MiB and more, too much for small
// machines; these are on the list of OWASP. One check takes 19 MiB, so the caller bounds how many run at
// once.
const (
	hashMemory  = 19 * 1024 // KiB
	hashTime    = 2
	hashThreads = 1
	saltSize    = 16
	hashSize    = 32
)

// The most a stored hash may ask for, so that a damaged or planted one cannot exhaust the machine.
const (
	maxMemory  = 64 * 1024 // KiB
	maxTime    = 8
	maxThreads = 4
)

// HashPassword returns the argon2id hash of a password in PHC string format (lifecycle.md 2.3). Bytes count:
// bring the password into one Unicode form before hashing and before checking.
func HashPassword(password string) string {
	salt := make([]byte, saltSize)
	rand.Read(salt)
	sum := argon2.IDKey([]byte(password), salt, hashTime, hashMemory, hashThreads, hashSize)
	return fmt.Sprintf("$argon2id$v=%d$m=%d,t=%d,p=%d$%s$%s", argon2.Version, hashMemory, hashTime, hashThreads,
		base64.RawStdEncoding.EncodeToString(salt), base64.RawStdEncoding.EncodeToString(sum))
}

// CheckPassword reports whether hash, as HashPassword made it, belongs to the password; the sums are compared
// in constant time. Anything that is not such a hash is false, and at once: where the time must not show
// that there is no account, check against a spare hash when there is none.
func CheckPassword(hash, password string) bool {
	h, ok := parseHash(hash)
	if !ok {
		return false
	}
	sum := argon2.IDKey([]byte(password), h.salt, h.time, h.memory, h.threads, uint32(len(h.sum)))
	return subtle.ConstantTimeCompare(sum, h.sum) == 1
}

type phc struct {
	memory, time uint32
	threads      uint8
	salt, sum    []byte
}

func parseHash(s string) (h phc, ok bool) {
	parts := strings.Split(s, "$")
	if len(parts) != 6 || parts[0] != "" || parts[1] != "argon2id" || parts[2] != fmt.Sprintf("v=%d", argon2.Version) {
		return phc{}, false
	}
	if _, err := fmt.Sscanf(parts[3], "m=%d,t=%d,p=%d", &h.memory, &h.time, &h.threads); err != nil {
		return phc{}, false
	}
	// Sscanf takes more spellings than one and ignores what follows.
	if parts[3] != fmt.Sprintf("m=%d,t=%d,p=%d", h.memory, h.time, h.threads) {
		return phc{}, false
	}
	if h.time < 1 || h.time > maxTime || h.threads < 1 || h.threads > maxThreads ||
		h.memory < 8*uint32(h.threads) || h.memory > maxMemory {
		return phc{}, false
	}
	var err error
	encoding := base64.RawStdEncoding.Strict()
	if h.salt, err = encoding.DecodeString(parts[4]); err != nil || len(h.salt) < 8 || len(h.salt) > 64 {
		return phc{}, false
	}
	if h.sum, err = encoding.DecodeString(parts[5]); err != nil || len(h.sum) < 16 || len(h.sum) > 64 {
		return phc{}, false
	}
	return h, true
}

// alphabet leaves out what is mistaken for something else when read aloud or typed from paper: 0 O o, 1 I l.
const alphabet = "23456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnpqrstuvwxyz"

const passwordLength = 14

// NewPassword makes a password of 14 characters, some 81 bits (lifecycle.md 2.3).
func NewPassword() string {
	// Bytes from the first multiple of the alphabet's size upward are thrown away; a plain remainder would
	// make the first characters of the alphabet likelier.
	const limit = 256 - 256%len(alphabet)
	password := make([]byte, 0, passwordLength)
	var random [2 * passwordLength]byte
	for {
		rand.Read(random[:])
		for _, b := range random {
			if int(b) >= limit {
				continue
			}
			password = append(password, alphabet[int(b)%len(alphabet)])
			if len(password) == passwordLength {
				return string(password)
			}
		}
	}
}

// NewToken makes a token of 256 random bits in base64url without padding (43 characters), and the hash
// under which it is stored. The token itself is shown or sent once and never kept (lifecycle.md 2.3, 12.2).
func NewToken() (token string, hash [32]byte) {
	var random [32]byte
	rand.Read(random[:])
	token = base64.RawURLEncoding.EncodeToString(random[:])
	return token, TokenHash(token)
}

// TokenHash returns the SHA-256 of a token as text. It needs no salt and no work factor because tokens are
// random, and a lookup by it reveals nothing useful by its timing.
func TokenHash(token string) [32]byte { return sha256.Sum256([]byte(token)) }
