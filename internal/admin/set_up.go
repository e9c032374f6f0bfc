package admin

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"strings"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/config"
	"github.com/admitto/admitto/internal/maintenance"
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/ui"
)

// setUp is screens.md A01: the first administrator, and what the instance cannot do without.
func (p *pages) setUp(r *site.Request) error {
	token := r.Part("token")
	if err := p.Maintenance.SetupOpen(r.Context(), token); err != nil {
		return deadSetUp(r, err)
	}
	s := setUpForm{p: p, r: r, token: token}
	stored := site.Values{}
	for _, name := range maintenance.SetupSettings() {
		if v, ok := p.Core.Settings().Value(name); ok && !v.Secret {
			stored[fieldOf(name)] = site.One(v.Text)
		}
	}
	f, err := r.Form(stored, 0)
	if err != nil {
		return err
	}
	s.Form = f
	if r.Posted() {
		s.readPassword()
		if done, err := s.posted(); done || err != nil {
			return err
		}
	}
	return s.show()
}

// deadSetUp says how to get another link; once there is an administrator the address is no page.
func deadSetUp(r *site.Request, err error) error {
	var e *admitto.Error
	if !errors.As(err, &e) || len(e.Faults) == 0 || e.Faults[0].Code != "setup-link-dead" {
		return err
	}
	r.SetGone()
	return site.Sheet{Intro: []string{r.T("set_up.dead")}, Parts: []ui.Component{ui.Secret{ID: "command",
		Label: r.T("set_up.command"), Code: "admitto setup-link", Hint: r.T("set_up.command_hint")}}}.Show(r)
}

// setUpForm is the form of the set-up while it is answered.
type setUpForm struct {
	*site.Form
	p        *pages
	r        *site.Request
	token    string
	password string
	kept     bool   // the password comes from an earlier try
	notice   string // of a test that went well
	failing  bool   // the mail server would not take mails
}

// fieldOf is the name of the field of a setting.
func fieldOf(setting string) string { return strings.ReplaceAll(setting, ".", "_") }

const (
	fieldKept  = "password_kept" // the password of an earlier try, sealed
	sealedKept = "password of a set-up"
)

// readPassword takes the password that was typed, or the one of an earlier try of the same form: a mail server that
// does not answer takes nothing away.
func (s *setUpForm) readPassword() {
	if s.password = s.Typed("password"); s.password != "" || s.Typed("password_again") != "" {
		if s.Typed("password_again") != s.password {
			s.Fail("password_again", "new_password.different")
		}
		return
	}
	sealed, err := base64.RawURLEncoding.DecodeString(s.Typed(fieldKept))
	if err != nil || len(sealed) == 0 {
		return
	}
	plain, err := s.p.key.Open(sealedKept, sealed)
	var token, password string
	if err == nil && json.Unmarshal(plain, &[]any{&token, &password}) == nil && token == s.token {
		s.password, s.kept = password, true
	}
}

// keptPassword is the hidden field that carries the password on.
func (s *setUpForm) keptPassword() []ui.Option {
	if s.password == "" || s.Typed("password_again") != s.Typed("password") {
		return nil
	}
	plain, err := json.Marshal([]any{s.token, s.password})
	if err != nil {
		return nil
	}
	s.kept = true
	return []ui.Option{{Text: fieldKept, Value: base64.RawURLEncoding.EncodeToString(s.p.key.Seal(sealedKept, plain))}}
}

// posted tests the mail server, or sets the instance up; done reports that the answer is made.
func (s *setUpForm) posted() (done bool, err error) {
	smtp := s.Get("mail_smtp")
	if s.Has("test") {
		if smtp == "" {
			s.Fail("mail_smtp", "set_up.no_server")
			return false, nil
		}
		if s.isWrong("mail.smtp") {
			return false, nil
		}
		if err := s.tryMail(smtp); err == nil && !s.failing {
			s.notice = s.r.T("set_up.test_went_well")
		}
		return false, err
	}
	ask := smtp != "" && !s.Has("mail_later")
	for _, name := range maintenance.SetupSettings() {
		if s.isWrong(name) && name == "mail.smtp" {
			ask = false
		}
	}
	if ask {
		if err := s.tryMail(smtp); err != nil {
			return false, err
		}
	}
	wrong := s.Failed() // then all other faults are told, too
	settings := map[string]string{}
	paths := map[admitto.Path]string{"administrator.name": "name", "administrator.email": "email",
		"administrator.password": "password"}
	for _, name := range maintenance.SetupSettings() {
		settings[name] = s.Get(fieldOf(name))
		paths[admitto.Path(name)] = fieldOf(name)
	}
	id, err := s.p.Maintenance.SetUp(s.r.Context(), s.token, maintenance.Setup{Settings: settings, Name: s.Get("name"),
		Email: s.Get("email"), Password: s.password, Check: wrong})
	if wrong && err == nil {
		return false, nil
	}
	if refused, err := s.Refused(err, paths); refused || err != nil {
		return false, err
	}
	m, err := s.p.Accounts.StaffMember(s.r.Context(), id)
	if err != nil {
		return false, err
	}
	if err := s.p.enter(s.r, id, m.NeedsSecondFactor, s.r.At("dashboard")); err != nil {
		return false, err
	}
	s.r.Notify(ui.OK, s.r.T("set_up.done"))
	return true, nil
}

// isWrong says what is wrong with a setting that was typed.
func (s *setUpForm) isWrong(setting string) bool {
	typed := s.Get(fieldOf(setting))
	row, found := config.Find(setting)
	if set, _ := s.p.Core.Settings().Value(setting); !found || typed == "" || set.Outside || row.Takes(typed) {
		return false
	}
	s.Fail(fieldOf(setting), wrongSetting(s.r, setting))
	return true
}

func (s *setUpForm) tryMail(smtp string) error {
	words, err := s.p.Maintenance.TrySetupMail(s.r.Context(), s.token, smtp)
	if words != "" {
		s.failing = true
		s.Fail("mail_smtp", "set_up.server_says", "Words", words)
	}
	return err
}

func (s *setUpForm) show() error {
	r := s.r
	hidden := s.keptPassword()
	setting := func(name, label string) ui.TextField {
		field := s.Text(fieldOf(name), label)
		if v, ok := s.p.Core.Settings().Value(name); ok && v.Outside {
			field.ReadOnly, field.Value, field.Hint = true, v.Text, r.T("set_up.outside")
		}
		return field
	}
	address := ui.TextField{Field: ui.Field{ID: "f-address", Name: "address", Label: r.T("set_up.address"),
		Value: s.p.Core.Settings().BaseURL, ReadOnly: true, Hint: r.T("set_up.address_hint")}, Type: "url"}
	// Fields are made in the order of the page: so are the faults with them.
	institution, zone := setting("instance.name", "set_up.instance_name"), setting("instance.timezone",
		"set_up.instance_timezone")
	currency := setting("instance.currency", "set_up.instance_currency")
	currency.Width = "w4"
	name := s.Text("name", "set_up.your_name")
	name.Autocomplete = "name"
	email := s.Email("email", "sign_in.email", "username")
	password := s.Password("password", "new_password.new", "new-password")
	if s.kept {
		password.Hint = r.T("set_up.password_kept")
	}
	parts := []ui.Component{
		ui.Heading{ID: "instance", Title: r.T("set_up.step_instance")}, institution, address, zone, currency,
		ui.Heading{ID: "you", Title: r.T("set_up.step_you"), Text: r.T("set_up.step_you_text")},
		name, email, password,
		s.Password("password_again", "new_password.again", "new-password"),
		ui.Heading{ID: "mail", Title: r.T("set_up.step_mail"), Text: r.T("set_up.step_mail_text")},
		setting("mail.smtp", "set_up.mail_smtp"),
	}
	if s.failing || s.Has("mail_later") {
		parts = append(parts, s.Tick("mail_later", "set_up.mail_later", "set_up.mail_later_yes"))
	}
	box := s.Box([]ui.Button{r.Save("action.set-up"), {Text: r.T("action.set-up-test"), Name: "test", Value: "yes",
		Busy: r.T("set_up.testing")}}, parts...)
	box.Head.Hidden = append(box.Head.Hidden, hidden...)
	if s.notice != "" {
		box.Head.Notices = append(box.Head.Notices, ui.Notice{Tone: ui.OK, Text: s.notice})
	}
	return site.Sheet{Intro: []string{r.T("set_up.intro")}, Parts: []ui.Component{box}}.Show(r)
}
