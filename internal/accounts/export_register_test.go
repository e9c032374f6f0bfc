package accounts

import (
	"strings"
	"testing"

	"github.com/admitto/admitto/internal/seal"
	"github.com/admitto/admitto/internal/store"
)

// HashWith hashes passwords with another function.
func (s *Service) HashWith(hash func(password string) string) { s.hash = hash }

var PasswordFault = passwordFault

// FuzzStep opens what is no first step of a sign-in that this instance made.
func FuzzStep(f *testing.F) {
	s := &Service{key: seal.NewKey()}
	real, err := s.sealStep(&store.StaffAccount{Password: "hash"}, 1)
	if err != nil {
		f.Fatal(err)
	}
	made, ok := s.openStep(real)
	if !ok || made.Until != 1+stepLasts {
		f.Fatal("our own step does not open")
	}
	for _, text := range []string{"", "AAAA", real[1:], real + "A", strings.ToUpper(real), strings.Repeat("A", 2000)} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		// An encoding has several texts; what they open as is what was sealed.
		if step, ok := s.openStep(text); ok && step != made {
			t.Fatalf("%q opens as %v", text, step)
		}
	})
	other := &Service{key: seal.NewKey()}
	if _, ok := other.openStep(real); ok {
		f.Fatal("the step of another instance opens")
	}
}
