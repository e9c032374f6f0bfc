package main

import (
	"runtime/debug"

	"github.com/pocketbase/pocketbase/core"
)

// signedIn is the rule of everything: the one who is signed in may, as a key of Admitto with all rights.
const signedIn = `@request.auth.id != ""`

// makeCollections makes the collections, those that others refer to first.
func makeCollections(app core.App) error {
	trackers := collection("trackers", &core.NumberField{Name: "nr"}, &core.TextField{Name: "code"},
		&core.TextField{Name: "notes"})
	trackers.AddIndex("idx_trackers_nr", true, "nr", "")
	for _, c := range []*core.Collection{trackers, accountsCollection()} {
		if err := app.Save(c); err != nil {
			return err
		}
	}
	applicants := applicantsCollection(trackers.Id)
	if err := app.Save(applicants); err != nil {
		return err
	}
	owner := func() core.Field {
		return &core.RelationField{Name: "applicant", CollectionId: applicants.Id, MaxSelect: 1, CascadeDelete: true,
			Required: true}
	}
	tracker := &core.RelationField{Name: "tracker", CollectionId: trackers.Id, MaxSelect: 1, CascadeDelete: true,
		Required: true}
	assigned := collection("assignments", owner(), tracker, &core.DateField{Name: "assigned"})
	// The association as a collection of its own, which an index serves, next to the relation of many.
	assigned.AddIndex("idx_assignments_tracker", false, "tracker, applicant", "")
	for _, c := range []*core.Collection{
		assigned,
		collection("documents", owner(), &core.NumberField{Name: "application"}, &core.TextField{Name: "name"},
			&core.TextField{Name: "mime"},
			&core.NumberField{Name: "size"}, &core.DateField{Name: "uploaded"}),
		collection("consents", owner(), &core.NumberField{Name: "consent"}, &core.TextField{Name: "decision"},
			&core.NumberField{Name: "version"}, &core.DateField{Name: "decided"}),
		collection("invoices", owner(), &core.TextField{Name: "nr"}, &core.TextField{Name: "type"},
			&core.TextField{Name: "currency"},
			&core.NumberField{Name: "total"}, &core.NumberField{Name: "paid"}, &core.DateField{Name: "issued"}, &core.TextField{
				Name: "deadline"}),
		collection("wishes", owner(), &core.NumberField{Name: "course"}, &core.TextField{Name: "notes"},
			&core.DateField{Name: "wished"}),
	} {
		c.AddIndex("idx_"+c.Name+"_applicant", false, "applicant", "")
		if err := app.Save(c); err != nil {
			return err
		}
	}
	return nil
}

func applicantsCollection(trackers string) *core.Collection {
	c := collection("applicants", &core.NumberField{Name: "nr", OnlyInt: true}, &core.TextField{Name: "type"},
		&core.TextField{Name: "state"},
		&core.BoolField{Name: "lead"}, &core.DateField{Name: "registered"})
	for _, name := range []string{"given", "middle", "family", "parent", "legal"} {
		c.Fields.Add(&core.TextField{Name: name})
	}
	c.Fields.Add(&core.EmailField{Name: "email", Required: true})
	for _, name := range []string{"phone", "skype", "reference", "matriculation", "citizenship", "address", "vatin"} {
		c.Fields.Add(&core.TextField{Name: name})
	}
	c.Fields.Add(&core.RelationField{Name: "trackers", CollectionId: trackers, MaxSelect: 1000})
	// Creation returns no number, hence the index is not unique.
	c.AddIndex("idx_applicants_nr", false, "nr", "")
	c.AddIndex("idx_applicants_email", true, "email", "")
	c.AddIndex("idx_applicants_citizenship", false, "citizenship, nr", "")
	return c
}

// accountsCollection is for applicants who can sign in, as those of Admitto: a collection that has passwords.
func accountsCollection() *core.Collection {
	c := core.NewAuthCollection("accounts")
	rule := signedIn
	c.CreateRule = &rule
	for _, name := range []string{"type", "state", "given", "family", "phone", "citizenship"} {
		c.Fields.Add(&core.TextField{Name: name})
	}
	return c
}

// collection is a collection that the one who is signed in may read and write.
func collection(name string, fields ...core.Field) *core.Collection {
	c := core.NewBaseCollection(name)
	rule := signedIn
	c.ListRule, c.ViewRule, c.CreateRule, c.UpdateRule, c.DeleteRule = &rule, &rule, &rule, &rule, &rule
	for _, f := range fields {
		c.Fields.Add(f)
	}
	return c
}

// version is that of PocketBase in this program.
func version() string {
	info, _ := debug.ReadBuildInfo()
	for _, module := range info.Deps {
		if module.Path == "github.com/pocketbase/pocketbase" {
			return module.Version
		}
	}
	return "unknown"
}
