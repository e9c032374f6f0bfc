package main

import (
	"fmt"

	"github.com/pocketbase/dbx"
	"github.com/pocketbase/pocketbase/core"
)

// stamp writes microseconds as PocketBase writes a date.
func stamp(column string) string {
	return fmt.Sprintf("coalesce(strftime('%%Y-%%m-%%d %%H:%%M:%%fZ', %s / 1e6, 'unixepoch'), '')", column)
}

// key writes a number as an ID of PocketBase, which has 15 characters.
func key(column string) string { return fmt.Sprintf("printf('%%015d', %s)", column) }

// statements copy the rows of the attached database "source". What applicants do not see is left out.
func statements() []string {
	applicant := key("applicant_id")
	shown := " WHERE applicant_id IN (SELECT id FROM source.applicant WHERE visible)"
	return []string{
		"INSERT INTO trackers (id, nr, code, notes) SELECT " + key("id") + ", id, code, notes FROM source.tracker",
		`INSERT INTO applicants (id, nr, type, state, lead, registered, given, middle, family, parent, legal, email, phone, skype,
			reference, matriculation, citizenship, address, vatin, trackers)
		SELECT ` + key("id") + `, id, type, state, lead, ` + stamp("registered") + `, given, middle, family, parent, legal, email, phone, skype,
			reference, matriculation, citizenship, address, vatin,
			(SELECT json_group_array(` + key("tracker_id") + `) FROM source.applicant_tracker WHERE applicant_id = a.id)
		FROM source.applicant a WHERE visible ORDER BY id`,
		"INSERT INTO assignments (id, applicant, tracker, assigned) SELECT " + key("rowid") + ", " + applicant + ", " +
			key("tracker_id") + ", " +
			stamp("assigned") + " FROM source.applicant_tracker" + shown + " ORDER BY applicant_id, tracker_id",
		`INSERT INTO documents (id, applicant, application, name, mime, size, uploaded)
		SELECT ` + key("d.id") + ", " + applicant + ", application_id, name, mime, size, " + stamp("uploaded") +
			" FROM source.document d JOIN source.application a ON a.id = d.application_id" + shown +
			" AND trashed IS NULL ORDER BY d.id",
		"INSERT INTO consents (id, applicant, consent, decision, version, decided) SELECT " + key("rowid") + ", " +
			applicant +
			", consent_id, decision, version, " + stamp("decided") + " FROM source.consent_decision" + shown,
		`INSERT INTO invoices (id, applicant, nr, type, currency, total, paid, issued, deadline)
		SELECT ` + key("id") + ", " + applicant + ", nr, type, currency, total, paid, " + stamp("issued") +
			", deadline FROM source.invoice" + shown,
		"INSERT INTO wishes (id, applicant, course, notes, wished) SELECT " + key("id") + ", " + applicant +
			", course_id, notes, " +
			stamp("wished") + " FROM source.wish" + shown,
		"ANALYZE main",
	}
}

// importRows copies the rows past the rules and checks of PocketBase, which makes no difference to reading them.
func importRows(app core.App, source string) error {
	// This pool has one connection, so all of it runs on that which the database is attached to.
	db := app.NonconcurrentDB()
	if _, err := db.NewQuery("ATTACH {:path} AS source").Bind(dbx.Params{"path": source}).Execute(); err != nil {
		return err
	}
	for _, sql := range statements() {
		if _, err := db.NewQuery(sql).Execute(); err != nil {
			return fmt.Errorf("%w in %s", err, sql)
		}
	}
	_, err := db.NewQuery("DETACH source").Execute()
	return err
}
