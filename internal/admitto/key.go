package admitto

import (
	"crypto/rand"
	"crypto/sha256"
	"hash/crc32"
	"math/big"
)

// Scope says which operations an API key may call (lifecycle.md 12.2).
type Scope string

// The scopes of API keys.
const (
	ScopeAll        Scope = "all"
	ScopeReadOnly   Scope = "read-only"
	ScopeOperations Scope = "operations"
)

// Key is an API key as it is stored: never the key itself, only its hash.
type Key struct {
	ID         int64
	Label      string
	Owner      string
	Issuer     int64 // the administrator who issued it; 0: the command line
	Scope      Scope
	Operations []string // "GET /applicants/{id}" and so on, only with ScopeOperations
	Created    Time
	Expires    Time // zero: never
	Revoked    Time
	LastUsed   Time
	LastCall   KeyCall // the last one that reached an operation; its time is LastUsed
	PerMinute  *int    // own quota; nil: the setting
	PerHour    *int
	Replaced   int64 // the key that was made in its place; 0: none
}

// KeyCall is a call with a key. Operation is "" for one that reached none.
type KeyCall struct {
	At        Time
	Version   int
	Operation string // GET /applicants/{id}
}

// KeyHour is an hour in which the quota refused calls of a key.
type KeyHour struct {
	Key  int64
	Hour Time // its beginning
}

// Usable reports whether requests with the key are accepted at the time now.
func (k *Key) Usable(now Time) bool {
	return k.Revoked == 0 && (k.Expires == 0 || now < k.Expires)
}

// Allows reports whether the key may call the operation, which is written as method and path without prefix
// and version. HEAD follows GET.
func (k *Key) Allows(method, path string) bool {
	if method == "HEAD" {
		method = "GET"
	}
	switch k.Scope {
	case ScopeAll:
		return true
	case ScopeReadOnly:
		return method == "GET"
	}
	for _, op := range k.Operations {
		if op == method+" "+path {
			return true
		}
	}
	return false
}

// keyPrefix begins every key, so that secret scanners recognise one.
const keyPrefix = "admitto_"

const base62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

// keyDigits is how many base-62 digits 256 bits take; keySum how many the CRC-32 after them takes.
const (
	keyDigits = 43
	keySum    = 6
)

// NewKeySecret makes the text of a new key: prefix, 256 random bits, checksum. It is shown once.
func NewKeySecret() string {
	var raw [32]byte
	rand.Read(raw[:])
	body := keyPrefix + base62Of(new(big.Int).SetBytes(raw[:]), keyDigits)
	return body + keyChecksum(body)
}

// KeyHash is what is stored of a key and what it is looked up by.
func KeyHash(secret string) [32]byte { return sha256.Sum256([]byte(secret)) }

func keyChecksum(body string) string {
	return base62Of(big.NewInt(int64(crc32.ChecksumIEEE([]byte(body)))), keySum)
}

func base62Of(n *big.Int, width int) string {
	digits := make([]byte, width)
	base, rest := big.NewInt(62), new(big.Int)
	for i := width - 1; i >= 0; i-- {
		n.DivMod(n, base, rest)
		digits[i] = base62[rest.Int64()]
	}
	return string(digits)
}

// KeyUse is one way in which an API key uses what will end (conventions.md 1).
type KeyUse struct {
	Key       int64
	Operation string // GET /applicants/{id}
	Version   int    // that answered
	What      string // what of it will end, in the words of the interface: "version", "path", "parameter byCommenceYear"
	Day       Date   // in the time zone of the instance
}

// KeyUseSum is how often a key used something that will end, over all days that are kept.
type KeyUseSum struct {
	Operation   string
	Version     int
	What        string
	First, Last Date
	Count       int64
}
