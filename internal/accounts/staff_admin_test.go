package accounts_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/admitto/admitto/internal/accounts"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/services/servicestest"
	"github.com/admitto/admitto/internal/usecase"
	"github.com/pquerna/otp/totp"
)

// desk is an instance with roles, a Superuser (50) who is Kim, and an Accountant (51) who is Lee.
func desk(t *testing.T, d *servicestest.Desk) (kim, lee usecase.Caller) {
	t.Helper()
	if err := d.Store.Seed(t.Context(), "Northfield University", 2026); err != nil {
		t.Fatal(err)
	}
	staff(t, d, 50, "kim@example.edu", kimsHash, 1)
	staff(t, d, 51, "lee@example.edu", kimsHash, 8)
	at, _ := admitto.BuiltInRole(8)
	return usecase.Caller{Caller: admitto.AdministratorCaller(50, admitto.AllPermissions(), "r1")},
		usecase.Caller{Caller: admitto.AdministratorCaller(51, at.Permissions.With(admitto.AdministratorsEdit), "r2")}
}

var staffLink = regexp.MustCompile(`https://admissions\.example\.edu/admin/(?:invite|reset|email)/([A-Za-z0-9_-]+)`)

// mailed delivers the mails and returns the token in the last one, and whom it went to.
func mailed(t *testing.T, d *servicestest.Desk) (token, to string) {
	t.Helper()
	if _, err := d.Services.Notify.DeliverMails(t.Context(), admitto.SystemCaller()); err != nil {
		t.Fatal(err)
	}
	list := d.Post.Taken()
	if len(list) == 0 {
		t.Fatal("there is no mail")
	}
	last := list[len(list)-1]
	if found := staffLink.FindStringSubmatch(last.Text); found != nil {
		token = found[1]
	}
	return token, last.To.Email
}

func patterns(d *servicestest.Desk) (list []string) {
	for _, r := range d.Journal() {
		list = append(list, string(r.Pattern))
	}
	return list
}

func signsIn(t *testing.T, d *servicestest.Desk, email, password string) bool {
	t.Helper()
	_, err := d.Services.Accounts.SignInStaff(t.Context(),
		accounts.SignIn{Email: email, Password: password, Network: home})
	return err == nil
}

func TestInvitation(t *testing.T) {
	servicestest.BySize(t, func(t *testing.T, d *servicestest.Desk) {
		kim, lee := desk(t, d)
		a, ctx := d.Services.Accounts, t.Context()
		_, err := a.Invite(ctx, lee, accounts.NewStaff{Name: "New", Email: "new@example.edu", Roles: []int64{1}})
		if codeOf(t, err) != "role-above-own" {
			t.Errorf("a role above the own: %v", err)
		}
		_, err = a.Invite(ctx, kim, accounts.NewStaff{Name: "", Email: "x", Roles: []int64{1}})
		if e := servicestest.WantKind(t, err, admitto.InvalidParameter); len(e.Faults) != 2 {
			t.Errorf("%v", err)
		}
		_, err = a.Invite(ctx, kim, accounts.NewStaff{Name: "Twin", Email: "LEE@example.edu", Roles: []int64{8}})
		if servicestest.WantKind(t, err, admitto.AlreadyExists).Existing != 51 {
			t.Errorf("%v", err)
		}
		id, err := a.Invite(ctx, kim, accounts.NewStaff{Name: "New Person", Email: "new@example.edu",
			Roles: []int64{2, 8, 2}})
		if err != nil {
			t.Fatal(err)
		}
		token, to := mailed(t, d)
		if to != "new@example.edu" || token == "" {
			t.Fatalf("%s, %q", to, token)
		}
		if state, err := a.TokenState(ctx, token); err != nil || !state.Works || state.Purpose != accounts.ForInvitation ||
			state.Name != "New Person" {
			t.Errorf("%+v, %v", state, err)
		}
		d.Clock.Add(7 * admitto.Day)
		if _, err := a.AcceptToken(ctx, token, "a fine new password"); codeOf(t, err) != "link-dead" {
			t.Errorf("%v", err)
		}
		if err := a.NewLinkFor(ctx, token, home); err != nil {
			t.Fatal(err)
		}
		newer, to := mailed(t, d)
		if newer == token || to != "new@example.edu" {
			t.Errorf("%s", to)
		}
		for _, bad := range []string{"short", "password123", "newperson1", "1234567890", strings.Repeat("b", 12)} {
			if _, err := a.AcceptToken(ctx, newer, bad); codeOf(t, err) != "password-refused" {
				t.Errorf("%q: %v", bad, err)
			}
		}
		who, err := a.AcceptToken(ctx, newer, "a fine new password")
		if err != nil || who.Account != id || who.NeedsCode || !signsIn(t, d, "new@example.edu", "a fine new password") {
			t.Errorf("%+v, %v", who, err)
		}
		if n := d.Number("SELECT count(*) FROM administrator WHERE id = $1 AND last_sign_in IS NOT NULL", id); n != 1 {
			t.Error("the first sign-in is not kept")
		}
		for _, dead := range []string{newer, token, "", "x"} {
			if _, err := a.AcceptToken(ctx, dead, "another fine password"); codeOf(t, err) != "link-dead" {
				t.Errorf("%v", err)
			}
		}
		d.Sound(token, newer)
	})
}

func TestReset(t *testing.T) {
	servicestest.BySize(t, func(t *testing.T, d *servicestest.Desk) {
		desk(t, d)
		a, ctx := d.Services.Accounts, t.Context()
		sessions := a.SessionStore(accounts.Administration)
		keep(t, sessions, "a", map[string]any{"account": int64(50)})
		if err := a.RequestReset(ctx, "nobody@example.edu", home); err != nil || d.Count("outbox") != 0 ||
			d.Count("account_token") != 0 {
			t.Errorf("%d mails, %v", d.Count("outbox"), err)
		}
		if err := a.RequestReset(ctx, " Kim@example.edu", home); err != nil {
			t.Fatal(err)
		}
		token, to := mailed(t, d)
		if to != "kim@example.edu" || values(t, sessions, "a") == nil {
			t.Error("the session ended early, or the mail went astray")
		}
		if _, err := a.AcceptToken(ctx, token, "a fine new password"); err != nil {
			t.Fatal(err)
		}
		if values(t, sessions, "a") != nil || signsIn(t, d, "kim@example.edu", kimsPassword) ||
			!signsIn(t, d, "kim@example.edu", "a fine new password") {
			t.Error("the reset did not end what was before")
		}
		if n := d.Count("sign_in_failure"); n != 3 {
			t.Errorf("%d attempts are counted", n)
		}
		for range 20 {
			if err := a.RequestReset(ctx, "kim@example.edu", home); err != nil {
				t.Fatal(err)
			}
		}
		if n := d.Count("outbox"); n > 6 {
			t.Errorf("%d mails wait", n)
		}
		if got := patterns(d); !slices.Contains(got, string(admitto.StaffPasswordChanged)) {
			t.Errorf("%v", got)
		}
		d.Sound(token)
	})
}

// The last active Superuser stays one; of two who disable one another at the same time, one does.
func TestLastSuperuser(t *testing.T) {
	servicestest.BySize(t, func(t *testing.T, d *servicestest.Desk) {
		kim, _ := desk(t, d)
		a, ctx := d.Services.Accounts, t.Context()
		today := admitto.DateOf(d.Clock.Now().Std())
		edit := accounts.StaffEdit{Name: "Kim", ValidUntil: today.AddDays(-1)}
		// Another one was invited, and is not active before there is a password.
		staff(t, d, 52, "ana@example.edu", "", 1)
		for name, err := range map[string]error{
			"disable": a.DisableStaff(ctx, kim, 50, accounts.TakeOver{}), "roles": a.SetRoles(ctx, kim, 50, []int64{2}),
			"validity": a.EditStaff(ctx, kim, 50, edit),
		} {
			if codeOf(t, err) != "last-superuser" {
				t.Errorf("%s: %v", name, err)
			}
		}
		for range 5 {
			run(t, d, "UPDATE administrator SET suspended = FALSE")
			run(t, d, "DELETE FROM administrator_role")
			run(t, d, "INSERT INTO administrator_role (administrator_id, role_id) VALUES (50, 1), (51, 1)")
			var all sync.WaitGroup
			results := make([]error, 2)
			all.Go(func() { results[0] = a.DisableStaff(ctx, kim, 50, accounts.TakeOver{}) })
			all.Go(func() { results[1] = a.SetRoles(ctx, kim, 51, []int64{2}) })
			all.Wait()
			active := d.Number(`SELECT count(*) FROM administrator a JOIN administrator_role r ON r.administrator_id = a.id
				WHERE r.role_id = 1 AND NOT a.suspended`)
			if active != 1 || (results[0] == nil) == (results[1] == nil) {
				t.Fatalf("%d are left: %v", active, results)
			}
		}
	})
}

func TestDisable(t *testing.T) {
	servicestest.BySize(t, func(t *testing.T, d *servicestest.Desk) {
		kim, lee := desk(t, d)
		a, ctx := d.Services.Accounts, t.Context()
		key := d.Key()
		run(t, d, "UPDATE api_key SET administrator_id = 51 WHERE id = $1", key)
		sessions := a.SessionStore(accounts.Administration)
		keep(t, sessions, "l", map[string]any{"account": int64(51)})
		if h, err := a.WhatHangsOn(ctx, kim.Caller, 51); err != nil || len(h.Keys) != 1 || len(h.Tableviews) != 0 {
			t.Errorf("%+v, %v", h, err)
		}
		statements := d.Store.Statements() // accounts, roles and sessions, of however many
		if all, err := a.StaffList(ctx, kim.Caller); err != nil || len(all) != 2 || len(all[1].Sessions) != 1 ||
			len(all[0].Sessions) != 0 || d.Store.Statements()-statements != 3 {
			t.Errorf("%+v, %v, %d statements", all, err, d.Store.Statements()-statements)
		}
		before, err := a.WhatHangsOn(ctx, kim.Caller, 51)
		run(t, d, "UPDATE scoresheet SET scorers = '[50,51]' WHERE id = (SELECT min(id) FROM scoresheet)")
		if h, failed := a.WhatHangsOn(ctx, kim.Caller, 51); err != nil || failed != nil || before.Scoresheets != 0 ||
			h.Scoresheets != d.Number("SELECT min(1) FROM scoresheet") || h.Applications != 0 || h.Batches != 0 {
			t.Errorf("%+v %+v %v %v", before, h, err, failed)
		}
		err = a.DisableStaff(ctx, kim, 51, accounts.TakeOver{Keys: 51})
		servicestest.WantKind(t, err, admitto.InvalidParameter)
		if err := a.DisableStaff(ctx, kim, 51, accounts.TakeOver{Keys: 50}); err != nil {
			t.Fatal(err)
		}
		if d.Number("SELECT administrator_id FROM api_key WHERE id = $1", key) != 50 || values(t, sessions, "l") != nil ||
			signsIn(t, d, "lee@example.edu", kimsPassword) {
			t.Error("what was Lee's, or Lee, is still there")
		}
		if codeOf(t, a.EndStaffSessions(ctx, lee, 50)) != "staff-above-own" {
			t.Error("somebody changes an account that may do more")
		}
		if err := a.EnableStaff(ctx, kim, 51); err != nil || !signsIn(t, d, "lee@example.edu", kimsPassword) {
			t.Errorf("not enabled: %v", err)
		}
		list, err := a.StaffList(ctx, kim.Caller)
		if err != nil || len(list) != 2 || !list[1].HasPassword || list[1].Disabled {
			t.Errorf("%+v, %v", list, err)
		}
		d.Sound()
	})
}

func TestRoles(t *testing.T) {
	servicestest.BySize(t, func(t *testing.T, d *servicestest.Desk) {
		kim, lee := desk(t, d)
		a, ctx := d.Services.Accounts, t.Context()
		may := admitto.PermissionsOf(admitto.ReportsView, admitto.FlagsEdit)
		if _, err := a.CreateRole(ctx, lee, "Flags", may); codeOf(t, err) != "role-above-own" {
			t.Errorf("%v", err)
		}
		id, err := a.CreateRole(ctx, kim, "Flags", may)
		if err != nil || id < 101 {
			t.Fatalf("%d, %v", id, err)
		}
		_, err = a.CreateRole(ctx, kim, " flags ", may)
		servicestest.WantKind(t, err, admitto.InvalidParameter)
		if err := a.SetRoles(ctx, kim, 51, []int64{8, id}); err != nil {
			t.Fatal(err)
		}
		if m, err := a.StaffMember(ctx, 51); err != nil || !m.Permissions.Has(admitto.FlagsEdit) {
			t.Errorf("%v, %v", m.Permissions.List(), err)
		}
		if err := a.EditRole(ctx, kim, id, "Reports", admitto.PermissionsOf(admitto.ReportsView)); err != nil {
			t.Fatal(err)
		}
		if m, err := a.StaffMember(ctx, 51); err != nil || m.Permissions.Has(admitto.FlagsEdit) {
			t.Errorf("%v, %v", m.Permissions.List(), err)
		}
		if codeOf(t, a.DeleteRole(ctx, kim, id)) != "role-in-use" ||
			codeOf(t, a.EditRole(ctx, kim, 1, "x", may)) != "role-built-in" {
			t.Error("a role in use, or a built-in one, can be changed")
		}
		if err := a.SetRoles(ctx, kim, 51, []int64{8}); err != nil {
			t.Fatal(err)
		}
		if err := a.DeleteRole(ctx, kim, id); err != nil {
			t.Error(err)
		}
		if list, err := a.Roles(ctx, kim.Caller); err != nil || len(list) != 8 || list[0].Code != "SU" {
			t.Errorf("%+v, %v", list, err)
		}
		d.Sound()
	})
}

func TestOwnSecondFactor(t *testing.T) {
	servicestest.BySize(t, func(t *testing.T, d *servicestest.Desk) {
		kim, _ := desk(t, d)
		a, ctx := d.Services.Accounts, t.Context()
		f, err := a.BeginSecondFactor(ctx, kim)
		if err != nil || !strings.HasPrefix(f.URI, "otpauth://totp/") || d.Readable(f.Secret) {
			t.Fatalf("%+v, %v", f, err)
		}
		if !signsIn(t, d, "kim@example.edu", kimsPassword) {
			t.Error("an unconfirmed second factor is asked for")
		}
		if _, err := a.ConfirmSecondFactor(ctx, kim, "000000"); codeOf(t, err) != "code-wrong" {
			t.Errorf("%v", err)
		}
		code := func() string {
			code, err := totp.GenerateCode(f.Secret, d.Clock.Now().Std())
			if err != nil {
				t.Fatal(err)
			}
			return code
		}
		recovery, err := a.ConfirmSecondFactor(ctx, kim, code())
		if err != nil || len(recovery) != 10 || signsIn(t, d, "kim@example.edu", kimsPassword) {
			t.Fatalf("%v, %v", recovery, err)
		}
		prove := func(p accounts.Proof) string {
			p.Network = home
			return codeOf(t, a.ProveIdentity(ctx, kim, p))
		}
		if prove(accounts.Proof{Code: code()}) != "code-wrong" || prove(accounts.Proof{Code: recovery[3]}) != "" ||
			prove(accounts.Proof{Code: recovery[3]}) != "code-wrong" ||
			prove(accounts.Proof{Password: "x"}) != "sign-in-wrong" ||
			prove(accounts.Proof{Password: kimsPassword}) != "" {
			t.Error("the proofs are not right")
		}
		d.Clock.Add(admitto.Time(time.Minute.Microseconds()))
		if prove(accounts.Proof{Code: code()}) != "" {
			t.Error("a new code is no proof")
		}
		if err := a.RemoveSecondFactor(ctx, kim); err != nil || d.Count("recovery_code") != 0 ||
			!signsIn(t, d, "kim@example.edu", kimsPassword) {
			t.Errorf("%v", err)
		}
		if _, err := a.NewRecoveryCodes(ctx, kim); codeOf(t, err) != "no-second-factor" {
			t.Errorf("%v", err)
		}
		d.Sound(f.Secret)
	})
}

func TestOwnAccount(t *testing.T) {
	servicestest.BySize(t, func(t *testing.T, d *servicestest.Desk) {
		kim, _ := desk(t, d)
		a, ctx := d.Services.Accounts, t.Context()
		servicestest.WantKind(t, a.EditOwnName(ctx, servicestest.ByKey(), "Key"), admitto.NotPermitted)
		sessions := a.SessionStore(accounts.Administration)
		for _, token := range []string{"here", "there", "elsewhere"} {
			keep(t, sessions, token, map[string]any{"account": int64(50), "agent": token})
		}
		here := values(t, sessions, "here")["session"].(string)
		list, err := a.OwnSessions(ctx, kim.Caller)
		if err != nil || len(list) != 3 {
			t.Fatalf("%+v, %v", list, err)
		}
		other := values(t, sessions, "elsewhere")["session"].(string)
		if err := a.EndSession(ctx, kim, other); err != nil || values(t, sessions, "elsewhere") != nil {
			t.Errorf("%v", err)
		}
		if err := a.ChangeOwnPassword(ctx, kim, "a fine new password", here); err != nil ||
			values(t, sessions, "there") != nil ||
			values(t, sessions, "here") == nil || !signsIn(t, d, "kim@example.edu", "a fine new password") {
			t.Errorf("%v", err)
		}
		p := accounts.Preferences{Language: "ar", Scheme: "dark", Density: "comfortable", Term: 4}
		if err := a.SetPreferences(ctx, kim, p); err != nil {
			t.Fatal(err)
		}
		servicestest.WantKind(t, a.SetPreferences(ctx, kim, accounts.Preferences{Scheme: "pink"}), admitto.InvalidParameter)
		if err := a.EditOwnName(ctx, kim, " Kim  Doe "); err != nil {
			t.Fatal(err)
		}
		if m, err := a.StaffMember(ctx, 50); err != nil || m.Preferences != p || !strings.HasPrefix(m.Name, "Kim") {
			t.Errorf("%+v, %v", m, err)
		}
		servicestest.WantKind(t, a.ChangeOwnEmail(ctx, kim, "lee@example.edu"), admitto.AlreadyExists)
		if err := a.ChangeOwnEmail(ctx, kim, "kim.doe@example.edu"); err != nil {
			t.Fatal(err)
		}
		token, to := mailed(t, d)
		if to != "kim.doe@example.edu" || !signsIn(t, d, "kim@example.edu", "a fine new password") {
			t.Errorf("the mail went to %s", to)
		}
		if err := a.ConfirmStaffEmail(ctx, token); err != nil {
			t.Fatal(err)
		}
		if _, to := mailed(t, d); to != "kim@example.edu" || !signsIn(t, d, "kim.doe@example.edu", "a fine new password") {
			t.Errorf("%s was told", to)
		}
		if codeOf(t, a.ConfirmStaffEmail(ctx, token)) != "link-dead" {
			t.Error("a link works twice")
		}
		d.Sound(token)
	})
}

func TestStrength(t *testing.T) {
	for password, want := range map[string]accounts.Strength{
		"": accounts.TooShort, "123456789": accounts.TooShort, "1234567890": accounts.Common, "0987654321": accounts.Common,
		"abcabcabcabc": accounts.Common, "Password2026!": accounts.Common, "p@ssw0rd1234": accounts.Common,
		"Qwertyuiop":  accounts.Common,
		"kim.doe2026": accounts.Common, "Doe, Kím Doe!": accounts.Common, "doedoekim 1": accounts.Common,
		"kim doe likes tea": accounts.Strong, "kimono doe": accounts.Weak, "USER123456": accounts.Common,
		"aabbaabbcc": accounts.Weak, "hrvatska14": accounts.Weak,
		"lamp bridge stone": accounts.Strong,
		"Xk4.pQz-91":        accounts.Good, strings.Repeat("long ", 300): accounts.TooLong, "пароль навсегда": accounts.Good,
	} {
		if got := accounts.StrengthOf(password, "Kim Doe", "kim.doe@example.edu", "user123456@example.edu"); got != want {
			t.Errorf("%q is %s, want %s", password, got, want)
		}
	}
}

// TestTakeOver gives applications and scoresheets to others while an account is disabled: to those who may work on
// them, all or none.
func TestTakeOver(t *testing.T) {
	servicestest.BySize(t, func(t *testing.T, d *servicestest.Desk) {
		d.Fair()
		staff(t, d, 50, "kim@example.edu", kimsHash, 1)
		staff(t, d, 51, "lee@example.edu", kimsHash, 1)
		staff(t, d, 52, "mo@example.edu", kimsHash)
		d.Write(`INSERT INTO scoresheet (id, created, name, type, depth, range_min, range_max, scale, scorers) VALUES
			(1, 1, 'Interview', 'Number', 'Offer', 0, 100, 0, '[51]'), (2, 1, 'Essay', 'Number', 'Offer', 0, 100, 0, '[50,51]'),
			(3, 1, 'Test', 'Number', 'Offer', 0, 100, 0, '[510]')`,
			"UPDATE application SET officer_id = 51 WHERE id = 12")
		kim := servicestest.As(admitto.ByAdministrator, 50)
		a := d.Services.Accounts
		disable := func(to accounts.TakeOver) error { return a.DisableStaff(t.Context(), kim, 51, to) }
		for field, to := range map[admitto.Path]accounts.TakeOver{
			"administrator.applications": {Applications: 52, Scoresheets: 50},
			"administrator.scoresheets":  {Applications: 50, Scoresheets: 52},
			"administrator.tableviews":   {Tableviews: 52},
			"administrator.keys":         {Keys: 51}, "administrator.views": {Views: 99},
		} {
			if e := servicestest.WantKind(t, disable(to), admitto.InvalidParameter); e.Faults[0].Path != field {
				t.Errorf("%+v instead of %s", e.Faults, field)
			}
		}
		many := int64(accounts.TakenOverAtOnce)
		insert := `INSERT INTO application (id, applicant_id, academic_term_id, status, created, revised, officer_id)
			VALUES (%d, 1, 13, 'Closed', 1, 1, 51)`
		var more []string
		for n := range many {
			more = append(more, fmt.Sprintf(insert, 1000+n))
		}
		d.Write(more...)
		if e := servicestest.WantKind(t, disable(accounts.TakeOver{Applications: 50, Scoresheets: 50}),
			admitto.InvalidParameter); e.Faults[0].Path != "administrator.applications" {
			t.Errorf("%+v", e.Faults)
		}
		theirs := "SELECT count(*) FROM application WHERE officer_id = 51"
		if n := d.Number(theirs); n != many+1 || d.Number("SELECT count(*) FROM administrator WHERE suspended") != 0 {
			t.Errorf("%d are left after refusals", n)
		}
		d.Write("UPDATE application SET officer_id = NULL WHERE id > 1001")
		before := len(d.Journal())
		if err := disable(accounts.TakeOver{Applications: 50, Scoresheets: 50}); err != nil {
			t.Fatal(err)
		}
		if d.Number(theirs) != 0 || d.Number("SELECT count(*) FROM application WHERE officer_id = 50") != 3 ||
			d.Number("SELECT count(*) FROM scoresheet WHERE scorers = '[50]' OR scorers = '[510]'") != 3 {
			t.Error("something is still theirs, or was given to nobody")
		}
		d.WantSince(before, "Administrator was disabled: 51", "Application officer was set: 50",
			"Application officer was set: 50", "Application officer was set: 50", "Scoresheet was edited: 1",
			"Scoresheet was edited: 2")

		// What was left where it was can be given later.
		d.Write("UPDATE application SET officer_id = 51 WHERE id = 12")
		before = len(d.Journal())
		if e := servicestest.WantKind(t, disable(accounts.TakeOver{Applications: 52}),
			admitto.InvalidParameter); e.Faults[0].Path != "administrator.applications" {
			t.Errorf("%+v", e.Faults)
		}
		d.Must(disable(accounts.TakeOver{Applications: 50}))
		if d.Number(theirs) != 0 {
			t.Error("what somebody left who is disabled stays theirs")
		}
		d.WantSince(before, "Application officer was set: 50")
	})
}
