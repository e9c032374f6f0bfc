package admitto_test

import (
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/admitto/admitto/internal/admitto"
)

// The permissions and the built-in roles are the table of lifecycle.md 12.1, in its order.
func TestRolesAreTheTable(t *testing.T) {
	text, err := os.ReadFile("../../docs/spec/lifecycle.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(text), "### 12.1 ")
	section, _, _ = strings.Cut(section, "### 12.2 ")
	roles := admitto.BuiltInRoles()
	want := make([]admitto.Role, len(roles))
	for i, m := range regexp.MustCompile(`(\d+) ([A-Z]{2}) ([A-Z][a-z ]+?)[,.]`).FindAllStringSubmatch(section, -1) {
		id, _ := strconv.ParseInt(m[1], 10, 64)
		want[i] = admitto.Role{ID: id, Code: m[2], Name: m[3]}
	}
	var columns []string
	number := 0
	for line := range strings.Lines(section) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		switch {
		case len(cells) != 2+len(roles) || strings.HasPrefix(cells[0], "--"):
			continue
		case cells[0] == "Permission":
			columns = cells[2:]
			continue
		}
		number++
		code := strings.Trim(cells[0], "`")
		p, ok := admitto.ParsePermission(code)
		if !ok || int(p) != number || p.String() != code {
			t.Fatalf("row %d is %s, which is permission %d, %t", number, code, p, ok)
		}
		for i, cell := range cells[2:] {
			if columns[i] != want[i].Code {
				t.Fatalf("column %d is %s, want %s", i, columns[i], want[i].Code)
			}
			if cell == "x" {
				want[i].Permissions = want[i].Permissions.With(p)
			}
		}
	}
	if number != admitto.AllPermissions().Len() {
		t.Errorf("the table has %d permissions, the code %d", number, admitto.AllPermissions().Len())
	}
	if diff := cmp.Diff(want, roles); diff != "" {
		t.Errorf("the roles differ from the table:\n%s", diff)
	}
	for _, r := range want {
		if got, ok := admitto.BuiltInRole(r.ID); !ok || !cmp.Equal(got, r) {
			t.Errorf("role %d is %v, %t", r.ID, got, ok)
		}
	}
	for _, id := range []int64{-1, 0, 9, 101} {
		if _, ok := admitto.BuiltInRole(id); ok {
			t.Errorf("role %d is built in", id)
		}
	}
}

func TestPermissionSets(t *testing.T) {
	s := admitto.PermissionsOf(admitto.OffersView, admitto.ApplicantsView)
	if !s.Has(admitto.OffersView) || s.Has(admitto.OffersEdit) || s.Has(0) || s.Len() != 2 {
		t.Errorf("the set is %v", s.List())
	}
	if diff := cmp.Diff([]admitto.Permission{admitto.ApplicantsView, admitto.OffersView}, s.List()); diff != "" {
		t.Error(diff)
	}
	if s = s.Without(admitto.OffersView).Union(admitto.PermissionsOf(admitto.InstanceAdmin)); s.Len() != 2 ||
		!s.HasAll(admitto.PermissionsOf(admitto.InstanceAdmin)) {
		t.Errorf("the set is %v", s.List())
	}
	if s.HasAll(admitto.AllPermissions()) || !admitto.AllPermissions().HasAll(s) {
		t.Error("a part has all")
	}
	for _, code := range []string{"", "unknown-permission", "applicants_view", "Applicants-View", "applicants-view "} {
		if p, ok := admitto.ParsePermission(code); ok {
			t.Errorf("%q is permission %d", code, p)
		}
	}
	if got := admitto.Permission(200).String(); got != "unknown-permission" {
		t.Errorf("permission 200 is %s", got)
	}
}

// What each kind of caller passes.
func TestCallers(t *testing.T) {
	view := admitto.PermissionsOf(admitto.ApplicantsView)
	callers := map[string]admitto.Caller{
		"nobody":       {},
		"permitted":    {Permissions: admitto.AllPermissions()}, // but without a name for the journal
		"claiming":     {Applicant: 5},
		"staff":        admitto.AdministratorCaller(3, view, "r"),
		"staff as 5":   {Actor: admitto.Actor{Kind: admitto.ByAdministrator, ID: 5}, Applicant: 5},
		"no role":      admitto.AdministratorCaller(3, 0, "r"),
		"key":          admitto.KeyCaller(4, view, "r"),
		"applicant 5":  admitto.ApplicantCaller(5, "r"),
		"applicant 6":  admitto.ApplicantCaller(6, "r"),
		"system":       admitto.SystemCaller(),
		"5 named as 6": {Actor: admitto.Actor{Kind: admitto.ByApplicant, ID: 5}, Applicant: 6},
	}
	for check, c := range map[string]struct {
		ask    func(admitto.Caller) error
		passes []string
	}{
		"needs": {func(by admitto.Caller) error { return by.Needs(admitto.ApplicantsView) },
			[]string{"staff", "key", "system"}},
		"needs another": {func(by admitto.Caller) error { return by.Needs(admitto.ApplicantsEdit) },
			[]string{"system"}},
		"needs none": {func(by admitto.Caller) error { return by.Needs(0) }, nil},
		"owns":       {func(by admitto.Caller) error { return by.Owns(5) }, []string{"applicant 5"}},
		"owns none":  {func(by admitto.Caller) error { return by.Owns(0) }, nil},
		"needs or owns": {func(by admitto.Caller) error { return by.NeedsOrOwns(admitto.ApplicantsView, 5) },
			[]string{"staff", "key", "system", "applicant 5"}},
		"needs or applicant": {func(by admitto.Caller) error { return by.NeedsOrApplicant(admitto.ApplicantsView) },
			[]string{"staff", "key", "system", "applicant 5", "applicant 6"}},
		"signed in": {admitto.Caller.SignedIn,
			[]string{"staff", "staff as 5", "no role", "key", "applicant 5", "applicant 6", "system", "5 named as 6"}},
		"staff": {admitto.Caller.Staff, []string{"staff", "staff as 5", "no role", "key", "system"}},
	} {
		passes := map[string]bool{}
		for _, name := range c.passes {
			passes[name] = true
		}
		for name, by := range callers {
			err := c.ask(by)
			if (err == nil) != passes[name] || err != nil && admitto.KindOf(err) != admitto.NotPermitted {
				t.Errorf("%s, %s: %v", check, name, err)
			}
		}
	}
	err := callers["key"].Needs(admitto.APIAdmin)
	if p, ok := admitto.Lacking(err); !ok || p != admitto.APIAdmin {
		t.Errorf("%v lacks %v, %t", err, p, ok)
	}
	if p, ok := admitto.Lacking(callers["key"].Owns(5)); ok {
		t.Errorf("owning lacks %v", p)
	}
}
