package leads

import (
	"strings"
	"testing"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/config"
	"github.com/admitto/admitto/internal/tabular"
	"github.com/admitto/admitto/internal/usecase"
)

// here is a service without a database.
func here() *Service {
	return &Service{core: usecase.NewCore(nil, config.NewLive(config.Defaults()), nil, nil)}
}

// TestRows reads rows: what is wrong is said of the column, and all at once.
func TestRows(t *testing.T) {
	columns := []admitto.LeadField{admitto.LeadEmail, admitto.LeadName, admitto.LeadCitizenship, admitto.LeadPhone,
		admitto.LeadNote, ""}
	read := here().reader(&admitto.LeadImport{Heads: []string{"E-mail", "Name", "From", "Phone", "", "x"},
		Options: admitto.LeadOptions{Columns: columns}})
	for line, want := range map[string]string{
		"a@example.org;Ann Lee": "",
		"a@example.org;Lee":     "",
		"a@example.org;Ana Maria  Lee;Côte d'Ivoire;+1 555 12;hi": "",
		"a@example.org;Lee;de": "",
		"":                     "-1 0",
		"a@example.org":        "-1",
		"a@example.org;":       "1",
		"ann;Lee":              "0",
		"a@@example.org;Lee;Utopia;call me;" + strings.Repeat("x", 2049): "0 2 3 4",
		"a@example.org;" + strings.Repeat("x", 51):                       "1",
		"a@example.org;Lee;;;;;more":                                     "-1",
		"a@example.org;Lee;;;;;":                                         "",
		"a@example.org;Lee\x00":                                          "1",
		"a@example.org;Lee;;;" + strings.Repeat("x", 2048):               "",
	} {
		lead, faults := read.lead(strings.Split(line, ";"))
		var got []string
		for _, f := range faults {
			got = append(got, usecase.Number(int64(f.Column)))
			if f.Column == 0 {
				got[len(got)-1] = "0"
			}
			if f.Text.String() == "" {
				t.Errorf("%q: a fault without words", line)
			}
		}
		if said := strings.Join(got, " "); said != want {
			t.Errorf("%q: %q %v, want %q", line, said, faults, want)
		}
		if want == "" && (lead.EmailKey() != "a@example.org" || lead.Name.Family != "Lee") {
			t.Errorf("%q: %+v", line, lead)
		}
	}
}

// TestGuessed says what columns are by their titles in several languages, and by what stands below.
func TestGuessed(t *testing.T) {
	for heads, want := range map[string]string{
		"E-Mail;Vorname;Nachname;Land;Telefon;Bemerkung":      "email given family citizenship phone note",
		"First name;LAST_NAME;email.address;Nationality;Size": "given family email citizenship ",
		"Full name;Mail;Mobile":                               "name email phone",
		"Prénom;Nom de famille;Courriel;Pays":                 "given family email citizenship",
		"الاسم;البريد الإلكتروني;الجنسية;الهاتف":              "name email citizenship phone",
		"A;B":             " ",
		"Email;Email 2;x": "email  ",
	} {
		var got []string
		for _, field := range guessed(strings.Split(heads, ";"), nil) {
			got = append(got, string(field))
		}
		if said := strings.Join(got, " "); said != want {
			t.Errorf("%s: %q, want %q", heads, said, want)
		}
	}
	rows := []FileRow{{1, []string{"Bo", "bo@example.org"}}, {2, []string{"Cyd", "cyd@example.org"}},
		{3, []string{"x", ""}}}
	if got := guessed([]string{"", ""}, rows); got[1] != admitto.LeadEmail || got[0] != "" {
		t.Error(got)
	}
}

// FuzzRows: whatever a file has, each field is guessed for one column at most, and each row is a lead with an address
// and a name, or its faults name its columns.
func FuzzRows(f *testing.F) {
	for _, seed := range []string{"name,e-mail\nAnn Lee,a@example.org\n", "e-mail;phone;country\n@;x;Utopia",
		"\"a\nb\"\tx@y.zz",
		"Vorname,Nachname,Mail,Land\n,,,\nA,B,a@b.cd,مصر,1", "'=1,a@b.cd"} {
		f.Add(seed)
	}
	service := here()
	f.Fuzz(func(t *testing.T, content string) {
		table, err := tabular.Read([]byte(content), tabular.Bounds{Rows: 20, Width: 10, Cell: 200})
		if err != nil {
			return
		}
		heads, rows := table.Records[0].Cells, []FileRow(nil)
		for _, r := range table.Records[1:] {
			rows = append(rows, FileRow{Line: r.Line, Cells: r.Cells})
		}
		fields, seen := guessed(heads, rows), map[admitto.LeadField]bool{}
		for _, field := range fields {
			if field != "" && seen[field] || len(fields) != len(heads) {
				t.Fatal(fields)
			}
			seen[field] = true
		}
		read := service.reader(&admitto.LeadImport{Heads: heads, Options: admitto.LeadOptions{Columns: fields}})
		for _, row := range rows {
			lead, faults := read.lead(row.Cells)
			for _, fault := range faults {
				if fault.Column < -1 || fault.Column >= len(heads) || fault.Text.IsZero() {
					t.Fatalf("%q: %+v", row.Cells, fault)
				}
			}
			if len(faults) == 0 && (lead.EmailKey() == "" || lead.Name.Family == "") {
				t.Fatalf("%q: %+v", row.Cells, lead)
			}
		}
	})
}
