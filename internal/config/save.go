package config

import (
	"maps"
	"strings"
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

// Reason is why a setting is not saved.
type Reason int

// The reasons, and which fields of a Refusal they have next to the name.
const (
	NoSetting   Reason = iota // Near
	OutsideOnly               // none: it counts from the other sources, and from the next start on
	Fixed                     // Origin: it wins over what is saved
	WrongValue                // Value, Detail, Want
	Together                  // Detail: with the others the value is not right
)

// Refusal says why a setting is not saved. Nothing in it has the value of a secret.
type Refusal struct {
	Reason Reason
	Name   string
	Near   string // the setting that was meant, perhaps
	Origin string // the source that has it
	Value  string // in quotes, or that it is a secret
	Detail string // what a check says of the value, or the sentences about several settings
	Want   string // completes the sentence "it must be …"
}

// Error is for logs; users read the sentence of the catalogue.
func (r *Refusal) Error() string {
	parts := []string{"the setting", r.Name, "is not saved:"}
	for _, part := range []string{r.Near, r.Origin, r.Value, r.Detail, r.Want} {
		if part != "" {
			parts = append(parts, part)
		}
	}
	return strings.Join(parts, " ")
}

// Save returns what is saved in the database after a setting is saved there too; a nil value takes it away. It refuses
// a name that is none, a setting that only the other sources may have or that one of them has, which would win, and a
// value that is not right by itself or with the others. saved has the secrets unsealed. Its error is a *Refusal.
func (s *Settings) Save(saved map[string]string, name string, value *string) (map[string]string, error) {
	row, found := Find(name)
	if !found {
		known := map[string]bool{}
		for _, other := range Table() {
			known[other.Name] = true
		}
		return nil, &Refusal{Reason: NoSetting, Name: shownName(name), Near: nearest(name, known)}
	}
	if row.StartOnly {
		return nil, &Refusal{Reason: OutsideOnly, Name: name}
	}
	if v, _ := s.Value(name); v.Outside {
		return nil, &Refusal{Reason: Fixed, Name: name, Origin: v.Origin}
	}
	next := maps.Clone(saved)
	if next == nil {
		next = map[string]string{}
	}
	delete(next, name)
	if value != nil {
		if err := row.check(&Settings{}, *value); err != nil {
			shown, detail := shownValue(row, *value, err)
			want := row.kind.want
			if row.Unit != "" {
				want += " (" + row.Unit + ")"
			}
			return nil, &Refusal{Reason: WrongValue, Name: name, Value: shown, Detail: detail, Want: want}
		}
		next[name] = *value
	}
	if _, err := s.WithSaved(next); err != nil {
		return nil, &Refusal{Reason: Together, Name: name, Detail: err.Error()}
	}
	return next, nil
}
