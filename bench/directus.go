package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"zombiezen.com/go/sqlite"
)

// directus is a Directus of the npm registry on SQLite, while it runs.
type directus struct {
	process
	client  *client
	clients []*client
	version string
}

// directusTotal is Directus when it is asked for the number of all matches too.
const directusTotal = "Directus, with its count"

// directusFields are the columns of an applicant, without the links to others, which would cost it more queries.
const directusFields = "id,type,state,lead,registered,given,middle,family,parent,legal,email,phone,skype,reference,matriculation,citizenship,address,vatin"

// directusToken is what the benchmark signs in with.
const directusToken = "token-of-the-benchmark"

// startDirectus makes a database for it, copies the rows, and waits until it serves. folder is where npm has
// installed it.
func startDirectus(ctx context.Context, folder, source, work string) (*directus, error) {
	address, err := freeAddress()
	if err != nil {
		return nil, err
	}
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return nil, err
	}
	path := filepath.Join(work, "directus.db")
	node := func(command string) *exec.Cmd {
		cmd := exec.CommandContext(context.WithoutCancel(ctx), "node", filepath.Join(folder, "node_modules", "directus",
			"cli.js"), command)
		cmd.Dir = work
		cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + work, "HOST=" + host, "PORT=" + port,
			"PUBLIC_URL=http://" + address,
			"DB_CLIENT=sqlite3", "DB_FILENAME=" + path, "KEY=benchmark", "SECRET=secret-of-the-benchmark", "TELEMETRY=false",
			"ADMIN_EMAIL=bench@example.org", "ADMIN_PASSWORD=a-password", "ADMIN_TOKEN=" + directusToken}
		return cmd
	}
	if _, err := output(node("bootstrap")); err != nil {
		return nil, err
	}
	if err := fillDirectus(path, source); err != nil {
		return nil, fmt.Errorf("Directus: %w", err)
	}
	d := &directus{version: directusVersion(folder)}
	if d.process, err = startProcess(node("start"), filepath.Join(work, "directus.log")); err != nil {
		return nil, err
	}
	if err := d.awaitHTTP(ctx, "http://"+address+"/server/ping"); err != nil {
		d.stop()
		return nil, err
	}
	d.client = newClient(ctx, "http://"+address, "Bearer "+directusToken)
	d.clients = newClients(ctx, "http://"+address, "Bearer "+directusToken)
	return d, nil
}

func directusVersion(folder string) string {
	for line := range strings.Lines(textOf(filepath.Join(folder, "node_modules", "directus", "package.json"))) {
		if name, value, _ := strings.Cut(strings.TrimSpace(line), ":"); name == `"version"` {
			return strings.Trim(value, ` ",`)
		}
	}
	return "unknown"
}

// fillDirectus makes the tables, and tells Directus of them as its own pages would.
func fillDirectus(path, source string) (err error) {
	conn, err := sqlite.OpenConn(path, sqlite.OpenReadWrite)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, conn.Close()) }()
	if err := execute(conn, "ATTACH '"+strings.ReplaceAll(source, "'", "''")+"' AS source"); err != nil {
		return err
	}
	for _, sql := range directusStatements() {
		if err := execute(conn, sql); err != nil {
			return fmt.Errorf("%w in %s", err, sql)
		}
	}
	return nil
}

// directusStatements make tables with the types that Directus gives them, with an index on whatever a case looks
// for, and the rows.
func directusStatements() (list []string) {
	const owner = "applicant integer REFERENCES applicants (id) ON DELETE CASCADE"
	const shown = " WHERE applicant_id IN (SELECT id FROM source.applicant WHERE visible)"
	texts := "given middle family parent legal email phone skype reference matriculation citizenship address vatin"
	list = []string{
		"CREATE TABLE trackers (id integer NOT NULL PRIMARY KEY AUTOINCREMENT, code varchar(255), notes text)",
		"CREATE TABLE applicants (id integer NOT NULL PRIMARY KEY AUTOINCREMENT, type varchar(255), state varchar(255), lead boolean, registered datetime, " +
			strings.ReplaceAll(texts, " ", " varchar(255), ") + " varchar(255))",
		"CREATE TABLE applicants_trackers (id integer NOT NULL PRIMARY KEY AUTOINCREMENT, applicants_id integer REFERENCES applicants (id) ON DELETE CASCADE, " +
			"trackers_id integer REFERENCES trackers (id) ON DELETE CASCADE, assigned datetime)",
		"CREATE TABLE documents (id integer NOT NULL PRIMARY KEY AUTOINCREMENT, " + owner +
			", application integer, name varchar(255), mime varchar(255), size integer, uploaded datetime)",
		"CREATE TABLE consents (id integer NOT NULL PRIMARY KEY AUTOINCREMENT, " + owner +
			", consent integer, decision varchar(255), version integer, decided datetime)",
		"CREATE TABLE invoices (id integer NOT NULL PRIMARY KEY AUTOINCREMENT, " + owner + ", nr varchar(255), type varchar(255), currency varchar(255), total integer, paid integer, issued datetime, deadline varchar(255))",
		"CREATE TABLE wishes (id integer NOT NULL PRIMARY KEY AUTOINCREMENT, " + owner +
			", course integer, notes text, wished datetime)",
		"CREATE UNIQUE INDEX applicants_email ON applicants (email)",
		"CREATE INDEX applicants_citizenship ON applicants (citizenship)",
		"CREATE INDEX applicants_trackers_tracker ON applicants_trackers (trackers_id, applicants_id)",
		"CREATE INDEX applicants_trackers_applicant ON applicants_trackers (applicants_id)",
		"INSERT INTO trackers SELECT id, code, notes FROM source.tracker",
		"INSERT INTO applicants SELECT id, type, state, lead, registered / 1000, " + strings.ReplaceAll(texts, " ",
			", ") + " FROM source.applicant WHERE visible ORDER BY id",
		"INSERT INTO applicants_trackers (applicants_id, trackers_id, assigned) SELECT applicant_id, tracker_id, assigned / 1000 FROM source.applicant_tracker" + shown +
			" ORDER BY applicant_id, tracker_id",
		"INSERT INTO documents SELECT d.id, applicant_id, application_id, name, mime, size, uploaded / 1000 FROM source.document d JOIN source.application a ON a.id = application_id" +
			shown + " AND trashed IS NULL ORDER BY d.id",
		"INSERT INTO consents SELECT rowid, applicant_id, consent_id, decision, version, decided / 1000 FROM source.consent_decision" + shown,
		"INSERT INTO invoices SELECT id, applicant_id, nr, type, currency, total, paid, issued / 1000, deadline FROM source.invoice" + shown,
		"INSERT INTO wishes SELECT id, applicant_id, course_id, notes, wished / 1000 FROM source.wish" + shown,
	}
	for _, name := range []string{"trackers", "applicants", "applicants_trackers", "documents", "consents", "invoices",
		"wishes"} {
		list = append(list, "INSERT INTO directus_collections (collection) VALUES ('"+name+"')")
	}
	const relation = "INSERT INTO directus_relations (many_collection, many_field, one_collection, one_field, junction_field) VALUES "
	const field = "INSERT INTO directus_fields (collection, field, special, interface) VALUES "
	for _, name := range []string{"documents", "consents", "invoices", "wishes"} {
		list = append(list, "CREATE INDEX "+name+"_applicant ON "+name+" (applicant)",
			relation+"('"+name+"', 'applicant', 'applicants', '"+name+"', NULL)",
			field+"('applicants', '"+name+"', 'o2m', 'list-o2m')", field+"('"+name+
				"', 'applicant', 'm2o', 'select-dropdown-m2o')")
	}
	return append(list, relation+"('applicants_trackers', 'applicants_id', 'applicants', 'trackers', 'trackers_id')",
		relation+"('applicants_trackers', 'trackers_id', 'trackers', NULL, 'applicants_id')",
		field+"('applicants', 'trackers', 'm2m', 'list-m2m')",
		"DETACH source", "ANALYZE")
}

// onDirectus adds a side, when Directus is there.
func (b *bench) onDirectus(sides []side, s side, of func(*directus) operation) []side {
	if b.directus == nil {
		return sides
	}
	s.do = of(b.directus)
	return append(sides, s)
}

func (d *directus) one(id int64) call {
	return get(fmt.Sprintf("/items/applicants/%d?fields=%s", id, directusFields))
}

// filteredOnDirectus adds the sides of a filter, in the order of the IDs: without the number of all matches, and with
// it. It fails when there are not as many applicants as in Admitto's answer.
func (b *bench) filteredOnDirectus(sides []side, filter func(i int) string) ([]side, error) {
	if b.directus == nil {
		return sides, nil
	}
	escape := strings.NewReplacer("@", url.QueryEscape("@"), "+", url.QueryEscape("+"))
	for _, s := range []struct{ name, total string }{{onDirectus, ""}, {directusTotal, "&meta=filter_count"}} {
		of := func(i int) call {
			return get(fmt.Sprintf("/items/applicants?fields=%s&sort=id&limit=%d%s&%s", directusFields, page, s.total,
				escape.Replace(filter(i))))
		}
		var answer struct{ Data []json.RawMessage }
		if err := b.directus.client.read(of(0), &answer); err != nil {
			return nil, err
		}
		if len(answer.Data) != b.rows {
			return nil, fmt.Errorf("Directus gives %d applicants and not %d", len(answer.Data), b.rows)
		}
		sides = append(sides, side{name: s.name, do: b.directus.client.asking(of)})
	}
	return sides, nil
}
