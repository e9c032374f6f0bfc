package records

import (
	"slices"
	"strconv"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/ui"
)

// Version is a text of a record that can be there in several languages (lifecycle.md R11).
type Version struct {
	Name  string // as in admitto.Versions
	Label string // in words
	First string // what it says in the first language
	Rows  int    // 0: a text of one line
}

// Versions are the texts of a record in the other languages of the instance, folded by language; of an instance with
// one language there are none.
func (m Maker[T]) Versions(list []Version, at func(*T) *admitto.Versions) Field[T] {
	r := m.R
	languages := r.Settings().FurtherLanguages()
	field := Field[T]{
		Put: func(v site.Values, of *T) {
			for _, lang := range languages {
				for n := range list {
					v[versionField(lang, n)] = site.One((*at(of))[lang][list[n].Name])
				}
			}
		},
		Take: func(f *site.Form, into *T) {
			kept := admitto.Versions{}
			for lang, texts := range *at(into) {
				if !slices.Contains(languages, lang) { // of a language that the instance does not have now
					kept[lang] = texts
				}
			}
			for _, lang := range languages {
				kept[lang] = map[string]string{}
				for n := range list {
					if words := f.Get(versionField(lang, n)); words != "" {
						kept[lang][list[n].Name] = words
					}
				}
			}
			*at(into) = kept
		},
		At: func(path admitto.Path) string {
			lang, name, ok := path.OfVersion()
			n := slices.IndexFunc(list, func(v Version) bool { return v.Name == name })
			if !ok || !slices.Contains(languages, lang) {
				return ""
			}
			return versionField(lang, max(n, 0))
		},
		Draw: func(f *site.Form) (parts []ui.Component) {
			for _, lang := range languages {
				parts = append(parts, versionFold(r, f, lang, list))
			}
			return parts
		},
	}
	for _, lang := range languages {
		for n := range list {
			field.Inputs = append(field.Inputs, [2]string{versionField(lang, n), "record.version"})
		}
	}
	return field
}

// versionField is the name of the field of a text.
func versionField(lang string, n int) string {
	if n == 0 {
		return "in-" + lang
	}
	return "in-" + lang + "-" + strconv.Itoa(n)
}

// beginning is as much of a text as one needs to know which it is.
func beginning(text string) string {
	const most = 300
	if letters := []rune(text); len(letters) > most {
		return string(letters[:most]) + " …"
	}
	return text
}

// versionFold has the texts in a language. Below each stands what it says in the first one.
func versionFold(r *site.Request, f *site.Form, lang string, list []Version) ui.Component {
	fold := ui.Fold{Title: r.T("record.in_language", "Language", r.Language(lang))}
	for n, v := range list {
		name := versionField(lang, n)
		fold.Open = fold.Open || f.Wrong(name)
		f.SetLabel(name, v.Label)
		settle := func(c *ui.Field) {
			c.Optional, c.Lang, c.Autocomplete = true, lang, "off"
			if v.First != "" && v.First != v.Label {
				c.Hint = beginning(v.First)
			}
		}
		if v.Rows > 0 {
			long := f.Long(name, "", v.Rows, 0)
			settle(&long.Field)
			fold.Parts = append(fold.Parts, long)
			continue
		}
		line := f.Text(name, "")
		settle(&line.Field)
		fold.Parts = append(fold.Parts, line)
	}
	return fold
}
