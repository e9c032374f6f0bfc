package servicestest

import (
	"slices"

	"github.com/admitto/admitto/internal/form"
)

// FormRequiring is the stored form of a course that requires these fields only, by their paths.
func FormRequiring(paths ...string) string {
	s := form.Settings{Sections: map[string]form.Show{}, Fields: map[string]form.Show{}}
	for _, section := range form.Sections() {
		if section.OneRow {
			s.Sections[section.Key] = form.Shown
		}
	}
	for _, f := range form.Fields() {
		switch {
		case slices.Contains(paths, f.Path):
			s.Fields[f.Path] = form.Required
		case f.Show == form.Required:
			s.Fields[f.Path] = form.Shown
		}
	}
	return s.Stored()
}
