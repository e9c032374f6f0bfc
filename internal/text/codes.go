package text

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/bojanz/currency"
	"golang.org/x/text/language"
	"golang.org/x/text/language/display"

	"github.com/admitto/admitto/internal/message"
)

// Country returns the upper-case form of an assigned ISO 3166-1 alpha-2 code in any letter case, or of XK for
// Kosovo (resources.md 0.4 and 1). Reserved, withdrawn and private codes are refused.
func Country(s string) (string, error) {
	code := upperASCII(strings.TrimSpace(s))
	if _, ok := countryNames[code]; !ok {
		return "", message.Of("no-country", Quote(s))
	}
	return code, nil
}

// Countries returns all codes that Country accepts, in alphabetical order of the codes.
func Countries() []string { return slices.Sorted(maps.Keys(countryNames)) }

// CountryName returns the English name of a code in the normal form of Country, as CLDR spells it, and "" for
// other codes.
func CountryName(code string) string { return countryNames[code] }

// CountryNameIn returns the name of a code in the normal form of Country in a language (BCP 47, empty is en): the
// English one where CLDR has none, and "" for other codes.
func CountryNameIn(code, lang string) string {
	english := countryNames[code]
	if english == "" || lang == "" || lang == "en" {
		return english
	}
	names := display.Regions(language.Make(lang))
	region, err := language.ParseRegion(code)
	if names == nil || err != nil {
		return english
	}
	return cmp.Or(names.Name(region), english)
}

// Language returns the lower-case form of an assigned ISO 639-1 code in any letter case (resources.md 0.4).
// Withdrawn codes (bh, in, iw, ji, jw, mo, sh) are refused.
func Language(s string) (string, error) {
	code := lowerASCII(strings.TrimSpace(s))
	if _, ok := languageNames[code]; !ok {
		return "", message.Of("no-language", Quote(s))
	}
	return code, nil
}

// Languages returns all codes that Language accepts, in alphabetical order of the codes.
func Languages() []string { return slices.Sorted(maps.Keys(languageNames)) }

// LanguageName returns the English name of a code in the normal form of Language, as CLDR spells it, and ""
// for other codes.
func LanguageName(code string) string { return languageNames[code] }

// LanguageNameIn is LanguageName in a language (BCP 47, empty is en): the English one where CLDR has none.
func LanguageNameIn(code, lang string) string {
	english := languageNames[code]
	if english == "" || lang == "" || lang == "en" {
		return english
	}
	names := display.Languages(language.Make(lang))
	if names == nil {
		return english
	}
	return cmp.Or(names.Name(language.Make(code)), english)
}

// IsRightToLeft reports whether a language is written from right to left, by its code.
func IsRightToLeft(lang string) bool { return slices.Contains([]string{"ar", "fa", "he", "ur"}, lang) }

// Currency returns the upper-case form of a presently assigned ISO 4217 code in any letter case (resources.md
// 0.4). Codes that are no money (metals, testing, no currency) and withdrawn ones are refused.
func Currency(s string) (string, error) {
	code := upperASCII(strings.TrimSpace(s))
	if code == "" || !currency.IsValid(code) {
		return "", message.Of("no-currency", Quote(s))
	}
	return code, nil
}

// upperASCII leaves everything but a to z alone: strings.ToUpper would turn ı into I and ſ into S, and a
// code written with those is not that code.
func upperASCII(s string) string {
	return strings.Map(func(r rune) rune {
		if 'a' <= r && r <= 'z' {
			return r - 'a' + 'A'
		}
		return r
	}, s)
}

// lowerASCII is upperASCII the other way: strings.ToLower would turn the Kelvin sign into k.
func lowerASCII(s string) string {
	return strings.Map(func(r rune) rune {
		if 'A' <= r && r <= 'Z' {
			return r - 'A' + 'a'
		}
		return r
	}, s)
}
