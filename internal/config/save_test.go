package config

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// What is not saved says why, as data, and never with the value of a secret.
func TestSaveRefuses(t *testing.T) {
	s, err := Load(Sources{Env: []string{"ADMITTO_QUOTA_PER_HOUR=50"}})
	if err != nil {
		t.Fatal(err)
	}
	long := strings.Repeat("x", 300)
	for _, c := range []struct {
		name, value string
		want        Refusal
	}{
		{"quota.per_minuet", "1", Refusal{Reason: NoSetting, Name: "quota.per_minuet", Near: "quota.per_minute"}},
		{"", "1", Refusal{Reason: NoSetting}},
		{"a\nb", "1", Refusal{Reason: NoSetting, Name: `"a\nb"`}},
		{long, "1", Refusal{Reason: NoSetting, Name: `"` + long[:200] + `"`}},
		{"listen", ":1", Refusal{Reason: OutsideOnly, Name: "listen"}},
		{"quota.per_hour", "1", Refusal{Reason: Fixed, Name: "quota.per_hour", Origin: "environment ADMITTO_QUOTA_PER_HOUR"}},
		{"quota.per_minute", "many", Refusal{Reason: WrongValue, Name: "quota.per_minute", Value: `"many"`,
			Want: "a whole number from 0 to 1000000 (requests)"}},
		{"mail.smtp", "hunter2", Refusal{Reason: WrongValue, Name: "mail.smtp",
			Value: "the value (not shown, it is a secret)",
			Want:  "smtp://user:password@host:587 (with ?tls=none where STARTTLS is not wanted), smtps://user:password@host:465, or empty"}},
		{"instance.name", "a\x00b", Refusal{Reason: WrongValue, Name: "instance.name", Value: `"a\x00b"`,
			Detail: " (it is not one line of UTF-8)",
			Want:   "one line of 1 to 100 characters"}},
		{"api.oldest_version", "9", Refusal{Reason: Together, Name: "api.default_version",
			Detail: fmt.Sprintf("api.default_version (%d) is below api.oldest_version (9): raise the one or lower the other",
				usualVersion)}},
		{"offers.decision_days_default", "2", Refusal{Reason: Together, Name: "offers.decision_days_default",
			Detail: "offers.decision_days_default (2) is below offers.decision_days_min (3): raise the one or lower the other"}},
		{"offers.decision_days_min", "15", Refusal{Reason: Together, Name: "offers.decision_days_default",
			Detail: "offers.decision_days_default (14) is below offers.decision_days_min (15): raise the one or lower the other"}},
	} {
		_, err := s.Save(nil, c.name, &c.value)
		refusal, ok := errors.AsType[*Refusal](err)
		if !ok {
			t.Errorf("%.40q = %q: %v", c.name, c.value, err)
			continue
		}
		refusal.Detail = strings.NewReplacer(" from default", "", " from interface", "").Replace(refusal.Detail)
		if diff := cmp.Diff(c.want, *refusal); diff != "" {
			t.Errorf("%.40q = %q: %s", c.name, c.value, diff)
		}
		if strings.Contains(refusal.Error(), "hunter2") {
			t.Error(refusal)
		}
	}
}
