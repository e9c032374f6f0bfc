package seal

import (
	"crypto/ed25519"
	"crypto/hkdf"
	"crypto/sha256"
)

// Signer returns the Ed25519 key of a purpose (lifecycle.md 3.7). Its seed comes from the instance key, so that it
// stays the same as long as that does, and what is signed for one purpose is not signed for another.
func (k Key) Signer(purpose string) ed25519.PrivateKey {
	now := k.set()
	seed, err := hkdf.Key(sha256.New, now[:], nil, "admitto sign 1: "+purpose, ed25519.SeedSize)
	if err != nil {
		panic("seal: " + err.Error()) // only for lengths out of range
	}
	return ed25519.NewKeyFromSeed(seed)
}
