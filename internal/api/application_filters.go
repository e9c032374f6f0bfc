package api

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/api/schema"
	"github.com/admitto/admitto/internal/api/version"
	"github.com/admitto/admitto/internal/text"
)

// momentSince is an inclusive lower bound of times, in whole seconds (type instant of resources.md 0.3).
type momentSince struct{ at admitto.Time }

func (m *momentSince) read(d *decoder, _ *inputField, a *arg) error {
	s, err := a.single()
	if err != nil {
		return err
	}
	at, err := text.Moment(s, d.settings.Instance.Timezone)
	// Zero would be no bound, which is not the same where a time may be unset.
	m.at = cmp.Or(at.Floor(), admitto.Microsecond)
	return err
}

func (momentSince) describe(*inputPlace, *inputField) *schema.Schema { return momentSchema() }

// yesOrNo is the type flag of resources.md 0.3; nil when not given.
type yesOrNo struct{ value *bool }

func (y *yesOrNo) read(_ *decoder, _ *inputField, a *arg) error {
	s, err := a.single()
	if err != nil {
		return err
	}
	var yes bool
	switch strings.ToLower(strings.TrimSpace(s)) {
	case "true", "1":
		yes = true
	case "false", "0":
	default:
		return errors.New(text.Quote(s) + " is neither true nor false")
	}
	y.value = &yes
	return nil
}

func (yesOrNo) describe(in *inputPlace, _ *inputField) *schema.Schema {
	s := &schema.Schema{Type: "string", Pattern: "^([Tt][Rr][Uu][Ee]|[Ff][Aa][Ll][Ss][Ee]|[01])$"}
	if in.isJSON {
		s.Type, s.Description = []string{"boolean", "string", "integer"}, "true, false, 1 or 0."
	}
	return s
}

// statusList holds statuses of applications. The names of older clients are no error; "" matches nothing.
type statusList []string

// applicationStatuses returns the status for every name that is allowed, in lower case.
func applicationStatuses(v version.Number) map[string]string {
	meaning := map[string]string{
		"prepare": string(admitto.Draft), "resubmitted": string(admitto.Submitted),
		"completed": "", "accepted": "", "problematic": "", "rejected": "", "blocked": "",
	}
	for _, s := range []admitto.ApplicationStatus{admitto.Blank, admitto.Draft, admitto.Inactive, admitto.Reopened,
		admitto.Submitted, admitto.Withdrawn, admitto.Closed} {
		meaning[strings.ToLower(string(s))] = string(s)
	}
	if !v.Has(version.OwnStatuses) {
		addOutcomes(v, meaning)
	}
	return meaning
}

// statusNames lists the statuses that the allowed names stand for.
func statusNames(meaning map[string]string) []string {
	return slices.DeleteFunc(slices.Compact(slices.Sorted(maps.Values(meaning))), func(s string) bool { return s == "" })
}

func (l *statusList) read(d *decoder, _ *inputField, a *arg) (err error) {
	meaning := applicationStatuses(d.version)
	*l, err = list(text.SplitList(a.values), func(s string) (string, error) {
		status, ok := meaning[strings.ToLower(s)]
		if !ok {
			return "", fmt.Errorf("%s is not one of %s", text.Quote(s), strings.Join(statusNames(meaning), ", "))
		}
		return status, nil
	})
	return err
}

func (statusList) describe(in *inputPlace, _ *inputField) *schema.Schema {
	s := filterOf(schema.Words(statusNames(applicationStatuses(in.version))))
	s.Description = "In any letter case."
	return s
}
