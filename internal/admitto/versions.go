package admitto

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
