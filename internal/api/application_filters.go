package api

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/api/params"
	"github.com/admitto/admitto/internal/api/schema"
	"github.com/admitto/admitto/internal/api/version"
	"github.com/admitto/admitto/internal/message"
	"github.com/admitto/admitto/internal/text"
)

// instantSince is an inclusive lower bound of times, in whole seconds (type instant of resources.md 0.3).
type instantSince struct{ at admitto.Time }

func (m *instantSince) Read(d *params.Decoder, _ *params.Field, a *params.Arg) error {
	s, err := a.Single()
	if err != nil {
		return err
	}
	at, err := text.Instant(s, d.Settings.Instance.Timezone)
	// Zero would be no bound, which is not the same where a time may be unset.
	m.at = cmp.Or(at.Floor(), admitto.Microsecond)
	return err
}

func (instantSince) Describe(*params.Place, *params.Field) *schema.Schema {
	return params.InstantSchema()
}

// yesOrNo is the type flag of resources.md 0.3; nil when not given.
type yesOrNo struct{ value *bool }

func (y *yesOrNo) Read(_ *params.Decoder, _ *params.Field, a *params.Arg) error {
	s, err := a.Single()
	if err != nil {
		return err
	}
	var yes bool
	switch strings.ToLower(strings.TrimSpace(s)) {
	case "true", "1":
		yes = true
	case "false", "0":
	default:
		return message.Of("no-bool", text.Quote(s))
	}
	y.value = &yes
	return nil
}

func (yesOrNo) Describe(in *params.Place, _ *params.Field) *schema.Schema {
	s := &schema.Schema{Type: "string", Pattern: "^([Tt][Rr][Uu][Ee]|[Ff][Aa][Ll][Ss][Ee]|[01])$"}
	if in.IsJSON {
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

func (l *statusList) Read(d *params.Decoder, _ *params.Field, a *params.Arg) (err error) {
	meaning := applicationStatuses(d.Version)
	*l, err = params.List(text.SplitList(a.Values), func(s string) (string, error) {
		status, ok := meaning[strings.ToLower(s)]
		if !ok {
			return "", message.Of("not-one-of", text.Quote(s), strings.Join(statusNames(meaning), ", "))
		}
		return status, nil
	})
	return err
}

func (statusList) Describe(in *params.Place, _ *params.Field) *schema.Schema {
	s := params.FilterOf(schema.Words(statusNames(applicationStatuses(in.Version))))
	s.Description = "In any letter case."
	return s
}
