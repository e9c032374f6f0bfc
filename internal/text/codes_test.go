package text

import (
	"slices"
	"strings"
	"testing"

	"golang.org/x/text/language"
	"golang.org/x/text/language/display"
)

// The assigned codes of ISO 3166-1 alpha-2, from the package iso-codes of Debian, which has them from the
// maintenance agency. They are written out again so that a slip in the table of names shows.
const assignedCountries = `
AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT
BV BW BY BZ CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH
ER ES ET FI FJ FK FM FO FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT
HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS
LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI
NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC SD SE SG
SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG
UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW`

// The assigned codes of ISO 639-1, from the same package, without bh (withdrawn in 2021).
const assignedLanguages = `
aa ab ae af ak am an ar as av ay az ba be bg bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de dv
dz ee el en eo es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia id ie
ig ii ik io is it iu ja jv ka kg ki kj kk kl km kn ko kr ks ku kv kw ky la lb lg li ln lo lt lu lv
mg mh mi mk ml mn mr ms mt my na nb nd ne ng nl nn no nr nv ny oc oj om or os pa pi pl ps pt qu rm
rn ro ru rw sa sc sd se sg si sk sl sm sn so sq sr ss st su sv sw ta te tg th ti tk tl tn to tr ts
tt tw ty ug uk ur uz ve vi vo wa wo xh yi yo za zh zu`

// every calls f with all texts of n letters from a to z.
func every(n int, f func(string)) {
	var rec func(string)
	rec = func(s string) {
		if len(s) == n {
			f(s)
			return
		}
		for c := 'a'; c <= 'z'; c++ {
			rec(s + string(c))
		}
	}
	rec("")
}

func TestCountryIsComplete(t *testing.T) {
	assigned := strings.Fields(assignedCountries)
	if len(assigned) != 249 {
		t.Fatalf("the list of the test has %d codes", len(assigned))
	}
	want := append(slices.Clone(assigned), "XK")
	slices.Sort(want)
	if got := Countries(); !slices.Equal(got, want) {
		t.Errorf("Countries() = %v", got)
	}
	every(2, func(s string) {
		code, err := Country(s)
		if upper := strings.ToUpper(s); slices.Contains(want, upper) != (err == nil) || err == nil && code != upper {
			t.Errorf("Country(%q) = %q, %v", s, code, err)
		}
	})
}

func TestLanguageIsComplete(t *testing.T) {
	assigned := strings.Fields(assignedLanguages)
	if len(assigned) != 183 || len(languageNames) != 183 {
		t.Fatalf("%d codes in the test, %d in the table", len(assigned), len(languageNames))
	}
	every(2, func(s string) {
		code, err := Language(strings.ToUpper(s))
		if slices.Contains(assigned, s) != (err == nil) || err == nil && code != s {
			t.Errorf("Language(%q) = %q, %v", s, code, err)
		}
	})
}

func TestCodes(t *testing.T) {
	type parser func(string) (string, error)
	for _, c := range []struct {
		name     string
		parse    parser
		in, want string // want "" means refused
	}{
		{"Country", Country, "ee", "EE"},
		{"Country", Country, " eE ", "EE"},
		{"Country", Country, "xk", "XK"},
		{"Country", Country, "SU", ""},
		{"Country", Country, "EU", ""},
		{"Country", Country, "UK", ""},
		{"Country", Country, "AN", ""},
		{"Country", Country, "", ""},
		{"Country", Country, "EST", ""},
		{"Country", Country, "ıs", ""},
		{"Country", Country, "ſE", ""},
		{"Country", Country, "ＥＥ", ""},
		{"Language", Language, "EN", "en"},
		{"Language", Language, " et", "et"},
		{"Language", Language, "iw", ""},
		{"Language", Language, "sh", ""},
		{"Language", Language, "eng", ""},
		{"Language", Language, "en-GB", ""},
		{"Language", Language, "\u212ao", ""}, // the Kelvin sign
		{"Language", Language, "", ""},
		{"Currency", Currency, "eur", "EUR"},
		{"Currency", Currency, " uSd", "USD"},
		{"Currency", Currency, "XCG", "XCG"},
		{"Currency", Currency, "ZWG", "ZWG"},
		{"Currency", Currency, "", ""},
		{"Currency", Currency, "   ", ""},
		{"Currency", Currency, "EEK", ""},
		{"Currency", Currency, "HRK", ""},
		{"Currency", Currency, "BGN", ""}, // Bulgaria has the euro since 2026
		{"Currency", Currency, "XXX", ""},
		{"Currency", Currency, "XTS", ""},
		{"Currency", Currency, "XAU", ""},
		{"Currency", Currency, "BTC", ""},
		{"Currency", Currency, "EU", ""},
	} {
		got, err := c.parse(c.in)
		if got != c.want || (err == nil) != (c.want != "") {
			t.Errorf("%s(%q) = %q, %v; want %q", c.name, c.in, got, err, c.want)
		}
		if err != nil && !strings.HasPrefix(err.Error(), Quote(c.in)+" is not an ISO ") {
			t.Errorf("%s(%q): error %q", c.name, c.in, err)
		}
	}
	if _, err := Country("XX"); err.Error() != `"XX" is not an ISO 3166-1 alpha-2 country code` {
		t.Errorf("the error is not the one of conventions.md 6: %v", err)
	}
}

// Names are checked against CLDR 32 as golang.org/x/text has it; what differs must be in this list.
func TestNames(t *testing.T) {
	countries := map[string]string{
		"MK": "North Macedonia", "MO": "Macao SAR China", "SZ": "Eswatini", "TR": "Türkiye",
		"CZ": "Czechia", "EE": "Estonia", "XK": "Kosovo", "CI": "Côte d’Ivoire",
	}
	names := display.English.Regions()
	for _, code := range Countries() {
		want := names.Name(language.MustParseRegion(code))
		if w, ok := countries[code]; ok {
			want = w
		}
		if got := CountryName(code); got != want {
			t.Errorf("CountryName(%q) = %q, want %q", code, got, want)
		}
	}
	languages := map[string]string{
		"ff": "Fula", "mi": "Māori", "no": "Norwegian", "tl": "Tagalog", "tw": "Twi", "en": "English",
	}
	spoken := display.English.Languages()
	seen := map[string]string{}
	for code := range languageNames {
		want := spoken.Name(language.MustParseBase(code))
		if w, ok := languages[code]; ok {
			want = w
		}
		got := LanguageName(code)
		if got != want {
			t.Errorf("LanguageName(%q) = %q, want %q", code, got, want)
		}
		if other, ok := seen[got]; ok {
			t.Errorf("%s and %s are both called %q", code, other, got)
		}
		seen[got] = code
	}
	for _, code := range []string{"", "ee", "UK", "ZZ"} {
		if got := CountryName(code); got != "" {
			t.Errorf("CountryName(%q) = %q", code, got)
		}
	}
	if got := LanguageName("EN"); got != "" {
		t.Errorf("LanguageName(%q) = %q", "EN", got)
	}
}

func TestCurrencyEveryCode(t *testing.T) {
	n := 0
	every(3, func(s string) {
		code, err := Currency(s)
		if err == nil {
			n++
			if code != strings.ToUpper(s) {
				t.Errorf("Currency(%q) = %q", s, code)
			}
		}
	})
	if n < 150 || n > 180 {
		t.Errorf("%d currencies are accepted; the source of the list has changed", n)
	}
}
