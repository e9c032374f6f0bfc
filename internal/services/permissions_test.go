package services_test

import (
	"flag"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write testdata/permissions.golden again")

const permissionsFile = "testdata/permissions.golden"

// TestPermissionsOfUseCases compares which permissions each use case asks for, as far as it does so before it reads
// anything, with the committed list: one that asks for less than before is seen in the difference, whatever the pages
// and routes ask for that lead to it.
func TestPermissionsOfUseCases(t *testing.T) {
	letIn := func(may admitto.Permissions) map[string]bool {
		found := map[string]bool{}
		eachUseCaseOf(admitto.AdministratorCaller(1, may, "r1"), func(service, name string, err error, wentOn bool) {
			found[service+"."+name] = wentOn || admitto.KindOf(err) != admitto.NotPermitted
		})
		return found
	}
	all, none := letIn(admitto.AllPermissions()), letIn(0)
	needs, suffices := map[string][]string{}, map[string][]string{}
	for _, p := range admitto.AllPermissions().List() {
		without, alone := letIn(admitto.AllPermissions().Without(p)), letIn(admitto.PermissionsOf(p))
		for name := range all {
			if all[name] && !without[name] {
				needs[name] = append(needs[name], p.String())
			}
			if alone[name] && !none[name] {
				suffices[name] = append(suffices[name], p.String())
			}
		}
	}
	var list strings.Builder
	for _, name := range slices.Sorted(maps.Keys(all)) {
		asks := "nothing of staff"
		switch {
		case !all[name]:
			asks = "no administrator"
		case needs[name] != nil:
			asks = strings.Join(needs[name], " and ")
		case suffices[name] != nil:
			asks = strings.Join(suffices[name], " or ")
		}
		list.WriteString(name + ": " + asks + "\n")
	}
	if *update {
		if err := os.WriteFile(permissionsFile, []byte(list.String()), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(permissionsFile)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(list.String(), "\n")); diff != "" {
		t.Errorf("use cases ask for (-committed +now; -update writes the list again):\n%s", diff)
	}
}
