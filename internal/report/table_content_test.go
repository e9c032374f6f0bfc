package report

import (
	"testing"
)

func TestNamesOfRelatives(t *testing.T) {
	for whole, want := range map[string][2]string{
		"": {"", ""}, "Anna": {"Anna", ""}, "Anna Kiss": {"Anna", "Kiss"}, " Anna  Mária Kiss ": {"Anna Mária", "Kiss"},
		"de la Cruz, Ana María": {"Ana María", "de la Cruz"}, "Kiss,": {"", "Kiss"}, ",": {"", ""},
	} {
		if given, family := givenName(nil, whole), familyName(nil, whole); given != want[0] || family != want[1] {
			t.Errorf("%q: %q and %q, want %q", whole, given, family, want)
		}
	}
}
