package config

import (
	"errors"
	"fmt"
	"maps"
)

// HaveSecrets reports whether a secret is among saved settings.
func HaveSecrets(saved map[string]string) bool {
	for name := range saved {
		if row, _ := Find(name); row.Secret {
			return true
		}
	}
	return false
}

// Save returns what is saved in the database after a setting is saved there too; a nil value takes it away. It refuses a
// name that is none, a setting that only the other sources may have or that one of them has, which would win, and a value
// that is not right by itself or with the others. saved has the secrets unsealed. No error has the value of a secret.
func (s *Settings) Save(saved map[string]string, name string, value *string) (map[string]string, error) {
	row, found := Find(name)
	if !found {
		l := &loader{table: Table()}
		return nil, errors.New(isNoSetting("", name, "", l.names(func(s Setting) string { return s.Name }, "")))
	}
	if row.StartOnly {
		return nil, fmt.Errorf("%s cannot be saved: it counts from the command line, the environment or the settings file only, "+
			"and from the next start on", name)
	}
	if v, _ := s.Value(name); v.Outside {
		return nil, fmt.Errorf("%s is fixed by %s, which wins over what is saved: change it there", name, v.Origin)
	}
	next := maps.Clone(saved)
	if next == nil {
		next = map[string]string{}
	}
	delete(next, name)
	if value != nil {
		if err := row.check(&Settings{}, *value); err != nil {
			text := refusal(row, given{text: *value, origin: "interface"}, err)
			if row.Unit != "" {
				text += " (" + row.Unit + ")"
			}
			return nil, errors.New(text)
		}
		next[name] = *value
	}
	_, err := s.WithSaved(next)
	return next, err
}
