package admitto

import (
	"cmp"
	"slices"
	"strings"
)

// Versions are the texts of a record in other languages than the first of the instance (lifecycle.md R11): by language,
// and by what the text is called among those of the record.
type Versions map[string]map[string]string

// In is a text in a language. Where there is no version it is the one in the first language, and fallback is true.
func (v Versions) In(lang, name, first string) (text string, fallback bool) {
	if text := v[lang][name]; text != "" {
		return text, false
	}
	return first, true
}

// Only are the versions of those texts that belong.
func (v Versions) Only(belongs func(name string) bool) Versions {
	some := Versions{}
	for lang, texts := range v {
		for name, text := range texts {
			if belongs(name) {
				some.Set(lang, name, text)
			}
		}
	}
	return some
}

// Clone are the same versions, to be changed.
func (v Versions) Clone() Versions { return v.Only(func(string) bool { return true }) }

// With has the versions of other texts as well.
func (v Versions) With(others Versions) Versions {
	if len(v) == 0 {
		return others
	}
	all := v.Clone()
	for lang, texts := range others {
		for name, text := range texts {
			all.Set(lang, name, text)
		}
	}
	return all
}

// Set puts in the version of a text in a language; "" takes it out.
func (v Versions) Set(lang, name, text string) {
	switch {
	case text == "":
		if delete(v[lang], name); len(v[lang]) == 0 {
			delete(v, lang)
		}
		return
	case v[lang] == nil:
		v[lang] = map[string]string{}
	}
	v[lang][name] = text
}

// AreOther reports whether a text reads otherwise than before in a language that it was in: a further language says the
// same in other words.
func (v Versions) AreOther(before Versions, name string) bool {
	for lang, texts := range before {
		if now := v[lang][name]; now != "" && texts[name] != "" && now != texts[name] {
			return true
		}
	}
	return false
}

// Kept are the languages, in order, whose version of a text reads as before.
func (v Versions) Kept(before Versions, name string) (langs []string) {
	for lang, texts := range before {
		if old := texts[name]; old != "" && v[lang][name] == old {
			langs = append(langs, lang)
		}
	}
	slices.Sort(langs)
	return langs
}

// VersionChange is what becomes of a text in a language.
type VersionChange struct{ Lang, Name, Old, New string }

// Changes are the texts that read otherwise than before, or are new or gone, by language and name.
func (v Versions) Changes(before Versions) (list []VersionChange) {
	for lang, texts := range v {
		for name, text := range texts {
			if before[lang][name] != text {
				list = append(list, VersionChange{lang, name, before[lang][name], text})
			}
		}
	}
	for lang, texts := range before {
		for name, text := range texts {
			if v[lang][name] == "" && text != "" {
				list = append(list, VersionChange{lang, name, text, ""})
			}
		}
	}
	slices.SortFunc(list, func(a, b VersionChange) int {
		return cmp.Or(cmp.Compare(a.Lang, b.Lang), cmp.Compare(a.Name, b.Name))
	})
	return list
}

// VersionPath is the path of faults with a text in another language of a record whose texts have paths below at.
func VersionPath(at, lang, name string) Path { return Path(at + ".in-" + lang + "/" + name) }

// OfVersion takes a VersionPath apart; ok is false for another path.
func (p Path) OfVersion() (lang, name string, ok bool) {
	_, version, ok := strings.Cut(string(p), ".in-")
	if !ok {
		return "", "", false
	}
	return strings.Cut(version, "/")
}
