package seal

import (
	"crypto/sha256"
	"encoding/base64"
	"regexp"
	"strings"
	"testing"
)

func TestPassword(t *testing.T) {
	for _, password := range []string{"correct horse battery", "", "pässwörd 😀", "a\x00b", strings.Repeat("x", 1000)} {
		hash := HashPassword(password)
		if !regexp.MustCompile(`^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$`).MatchString(hash) {
			t.Errorf("the hash is not in PHC format: %s", hash)
		}
		if !CheckPassword(hash, password) {
			t.Errorf("%q is not recognised", password)
		}
		if CheckPassword(hash, password+"x") {
			t.Errorf("%q is taken for another", password)
		}
	}
	if one, two := HashPassword("x"), HashPassword("x"); one == two {
		t.Error("the salt is not random")
	}
}

// Hashes of other makers of argon2id are understood; this one is in the tests of the reference
// implementation.
func TestCheckPasswordOfReference(t *testing.T) {
	const hash = "$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc"
	if !CheckPassword(hash, "password") || CheckPassword(hash, "Password") {
		t.Error("the hash of the reference implementation is not understood")
	}
}

func TestCheckPasswordGarbage(t *testing.T) {
	const salt, sum = "c29tZXNhbHRzb21lc2FsdA", "MTIzNDU2Nzg5MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTI"
	for _, hash := range []string{
		"", "$", "$$$$$", "password", "$2a$10$abcdefghijklmnopqrstuv",
		"$argon2i$v=19$m=19456,t=2,p=1$" + salt + "$" + sum,
		"$argon2id$v=16$m=19456,t=2,p=1$" + salt + "$" + sum,
		"$argon2id$v=19$m=19456,t=0,p=1$" + salt + "$" + sum,
		"$argon2id$v=19$m=19456,t=2,p=0$" + salt + "$" + sum,
		"$argon2id$v=19$m=19456,t=2,p=256$" + salt + "$" + sum,
		"$argon2id$v=19$m=1,t=2,p=1$" + salt + "$" + sum,
		"$argon2id$v=19$m=4294967295,t=2,p=1$" + salt + "$" + sum,
		"$argon2id$v=19$m=19456,t=4294967295,p=1$" + salt + "$" + sum,
		"$argon2id$v=19$m=19456,t=2,p=1,x=1$" + salt + "$" + sum,
		"$argon2id$v=19$m=+19456,t=2,p=1$" + salt + "$" + sum,
		"$argon2id$v=19$m=019456,t=2,p=1$" + salt + "$" + sum,
		"$argon2id$v=19$t=2,m=19456,p=1$" + salt + "$" + sum,
		"$argon2id$v=19$m=19456,t=2,p=1$" + salt + "=$" + sum,
		"$argon2id$v=19$m=19456,t=2,p=1$c29t$" + sum,
		"$argon2id$v=19$m=19456,t=2,p=1$" + salt + "$",
		"$argon2id$v=19$m=19456,t=2,p=1$" + salt + "$MTIz",
		"$argon2id$v=19$m=19456,t=2,p=1$" + salt + "$" + sum + "$x",
		"x$argon2id$v=19$m=19456,t=2,p=1$" + salt + "$" + sum,
	} {
		if _, ok := parseHash(hash); ok || CheckPassword(hash, "") {
			t.Errorf("%s is taken for a hash", hash)
		}
	}
	if _, ok := parseHash("$argon2id$v=19$m=19456,t=2,p=1$" + salt + "$" + sum); !ok {
		t.Error("the pattern of this test is no hash itself")
	}
}

func FuzzCheckPassword(f *testing.F) {
	f.Add("$argon2id$v=19$m=8,t=1,p=1$c29tZXNhbHQ$MTIzNDU2Nzg5MDEyMzQ1Ng", "x")
	f.Add("$argon2id$v=19$m=19456,t=2,p=1$c29tZXNhbHQ$", "")
	f.Add("", "")
	f.Fuzz(func(t *testing.T, hash, password string) {
		if CheckPassword(hash, password) {
			t.Errorf("CheckPassword(%q, %q)", hash, password)
		}
	})
}

func TestNewPassword(t *testing.T) {
	const n = 4000
	count := map[rune]int{}
	seen := map[string]bool{}
	for range n {
		p := NewPassword()
		if len(p) != 14 || seen[p] {
			t.Fatalf("NewPassword gives %d characters, or the same twice", len(p))
		}
		seen[p] = true
		for _, c := range p {
			if !strings.ContainsRune(alphabet, c) {
				t.Fatalf("%q is not in the alphabet", c)
			}
			count[c]++
		}
	}
	if strings.ContainsAny(alphabet, "0Oo1Il") {
		t.Error("the alphabet has characters that are mistaken for others")
	}
	// 1000 of each are expected, with a deviation of 31; seven times that never happens by chance, while a
	// plain remainder would favour the first 32 by a quarter.
	for _, c := range alphabet {
		if count[c] < 780 || count[c] > 1220 {
			t.Errorf("%q comes %d times of %d", c, count[c], n*14)
		}
	}
}

func TestNewToken(t *testing.T) {
	seen := map[string]bool{}
	for range 1000 {
		token, hash := NewToken()
		raw, err := base64.RawURLEncoding.DecodeString(token)
		if err != nil || len(raw) != 32 || len(token) != 43 || seen[token] {
			t.Fatalf("NewToken gives %q", token)
		}
		if hash != TokenHash(token) || hash != sha256.Sum256([]byte(token)) {
			t.Fatal("the hash is not the one of the token")
		}
		seen[token] = true
	}
	if TokenHash("a") == TokenHash("b") || TokenHash("") == ([32]byte{}) {
		t.Error("TokenHash")
	}
}
