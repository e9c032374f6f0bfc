package config

import (
	"fmt"
	"maps"
	"slices"
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

// Change is another value of a setting; nil takes away what is saved.
type Change struct {
	Name  string
	Value *string
}

// Save is SaveAll of one change. Its error is a *Refusal.
func (s *Settings) Save(saved map[string]string, name string, value *string) (map[string]string, error) {
	next, refused := s.SaveAll(saved, Change{name, value})
	if len(refused) > 0 {
		return nil, refused[0]
	}
	return next, nil
}

// SaveAll returns what is saved in the database after settings are saved there too, all of them or none; it refuses
// a name that is none, a setting that only the other sources may have or that one of them has, which would win, and a
// value that is not right by itself or with the others. saved has the secrets unsealed.
func (s *Settings) SaveAll(saved map[string]string, changes ...Change) (next map[string]string, refused []*Refusal) {
	if next = maps.Clone(saved); next == nil {
		next = map[string]string{}
	}
	for _, c := range changes {
		if r := s.refuses(c); r != nil {
			refused = append(refused, r)
			continue
		}
		delete(next, c.Name)
		if c.Value != nil {
			next[c.Name] = *c.Value
		}
	}
	if len(changes) == 0 {
		return next, nil
	}
	var together *Refusal
	if all, err := s.WithSaved(next); err != nil {
		together = &Refusal{Reason: Together, Name: firstOf(err.Error(), changes[0].Name), Detail: err.Error()}
	} else {
		together = all.tooFewDays(changes)
	}
	if together != nil && !slices.ContainsFunc(refused, together.names) {
		refused = append(refused, together)
	}
	if len(refused) > 0 {
		return nil, refused
	}
	return next, nil
}

// names reports whether a refusal of values that do not go together is about a setting that another one refuses
// already.
func (r *Refusal) names(other *Refusal) bool {
	return r.Name == other.Name || slices.Contains(strings.Fields(r.Detail), other.Name)
}

// firstOf is the setting that a sentence about several begins with, else the other name.
func firstOf(sentence, other string) string {
	first, _, _ := strings.Cut(sentence, " ")
	if row, found := Find(first); found && !row.StartOnly {
		return first
	}
	return other
}

// tooFewDays refuses fewer days to answer an offer than everybody has. What was saved before stays, so that an instance
// that has it starts.
func (s *Settings) tooFewDays(changes []Change) *Refusal {
	days, least := "offers.decision_days_default", "offers.decision_days_min"
	if s.Offers.DecisionDaysDefault >= s.Offers.DecisionDaysMin ||
		!slices.ContainsFunc(changes, func(c Change) bool { return c.Name == days || c.Name == least }) {
		return nil
	}
	return &Refusal{Reason: Together, Name: days, Detail: fmt.Sprintf(
		"%s (%s) is below %s (%s): raise the one or lower the other", days, s.told(days), least, s.told(least))}
}

// refuses says why one change is not made, nil where nothing speaks against it by itself.
func (s *Settings) refuses(c Change) *Refusal {
	row, found := Find(c.Name)
	if !found {
		known := map[string]bool{}
		for _, other := range Table() {
			known[other.Name] = true
		}
		return &Refusal{Reason: NoSetting, Name: shownName(c.Name), Near: nearest(c.Name, known)}
	}
	if row.StartOnly {
		return &Refusal{Reason: OutsideOnly, Name: c.Name}
	}
	if v, _ := s.Value(c.Name); v.Outside {
		return &Refusal{Reason: Fixed, Name: c.Name, Origin: v.Origin}
	}
	if c.Value == nil {
		return nil
	}
	if err := row.check(&Settings{}, *c.Value); err != nil {
		shown, detail := shownValue(row, *c.Value, err)
		want := row.kind.want
		if row.Unit != "" {
			want += " (" + row.Unit + ")"
		}
		return &Refusal{Reason: WrongValue, Name: c.Name, Value: shown, Detail: detail, Want: want}
	}
	return nil
}
