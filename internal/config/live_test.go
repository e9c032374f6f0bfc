package config

import (
	"strings"
	"testing"
)

// What is saved in the database reaches those who read the settings; what comes from outside wins.
func TestLiveFollowsTheDatabase(t *testing.T) {
	s, err := Load(Sources{Env: []string{"ADMITTO_QUOTA_PER_HOUR=50"}})
	if err != nil {
		t.Fatal(err)
	}
	live := NewLive(s)
	live.Listening("https://127.0.0.1:4711")
	for _, c := range []struct {
		saved     map[string]string
		perMinute int
		fault     string
	}{
		{nil, 180, ""},
		{map[string]string{"quota.per_minute": "7", "quota.per_hour": "9"}, 7, ""},
		{map[string]string{"quota.per_minute": "8", "api.oldest_version": "9"}, 7, "is below api.oldest_version"},
		{map[string]string{"quota.per_minute": "8", "api.oldest_version": "9"}, 7, ""}, // told already
		{map[string]string{"quota.per_minute": "8", "gone.setting": "9"}, 7, "no setting"},
		{map[string]string{"quota.per_minute": "8"}, 8, ""},
		{map[string]string{}, 180, ""},
	} {
		err := live.Refresh(c.saved)
		if c.fault == "" && err != nil || c.fault != "" && (err == nil || !strings.Contains(err.Error(), c.fault)) {
			t.Errorf("%v: %v", c.saved, err)
		}
		got := live.Current()
		if got.Quota.PerMinute != c.perMinute || got.Quota.PerHour != 50 || got.BaseURL != "https://127.0.0.1:4711" {
			t.Errorf("%v: %+v, %s", c.saved, got.Quota, got.BaseURL)
		}
	}
}

// The sources outside of the database are read at the start only, files of secrets too.
func TestLiveReadsFilesOnce(t *testing.T) {
	secret := write(t, "smtp", "smtp://one.example")
	file := write(t, "admitto.toml", "quota.per_hour = 5\nmail.smtp_file = '"+secret+"'\n")
	s, err := Load(Sources{File: file})
	if err != nil {
		t.Fatal(err)
	}
	overwrite(t, file, "quota.per_hour = 6\n")
	overwrite(t, secret, "nonsense")
	again, err := s.WithSaved(map[string]string{"quota.per_minute": "1", "mail.smtp": "smtp://two.example"})
	if err != nil || again.Quota.PerHour != 5 || again.Quota.PerMinute != 1 || again.Mail.SMTP != "smtp://one.example" {
		t.Error(err)
	}
}
