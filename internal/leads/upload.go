package leads

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/message"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/text"
	"github.com/admitto/admitto/internal/usecase"
)

// File is a table that somebody wants to import, within the bounds.
type File struct {
	Name                string // "" for pasted text
	Encoding, Separator string // that were found
	Rows                []FileRow
}

// FileRow is a row of a file.
type FileRow struct {
	Line  int
	Cells []string
}

// atOnce is how many rows are stored, or looked at, in one transaction.
const atOnce = 500

// checkedHere is how many rows are looked at while somebody waits; more are looked at next to requests.
const checkedHere = 2 * atOnce

// Upload keeps a file to be imported and returns the ID of the import; nothing else happens yet. A first row without an
// address of e-mail names the columns, and what they are is guessed. Errors: invalid-parameter (page.import.file).
func (s *Service) Upload(ctx context.Context, by admitto.Caller, f File) (id int64, err error) {
	if err := by.Needs(admitto.ApplicantsImport); err != nil {
		return 0, err
	}
	i := admitto.LeadImport{State: admitto.ImportUploaded, UploadedBy: by.Actor.ID, Name: f.Name, Encoding: f.Encoding,
		Separator: f.Separator, Counts: map[admitto.LeadRowState]int64{}}
	rows := f.Rows
	if len(rows) > 0 && !slices.ContainsFunc(rows[0].Cells, isEmail) {
		i.Heads, rows = rows[0].Cells, rows[1:]
	}
	if len(rows) == 0 {
		return 0, admitto.Refuse(admitto.InvalidParameter, "page.import.file", "", message.Of("import-no-rows"))
	}
	width := len(i.Heads)
	if i.Heads == nil {
		for _, row := range rows {
			width = max(width, len(row.Cells))
		}
		i.Heads = make([]string, width)
	}
	i.Rows, i.Counts[admitto.LeadUnchecked] = int64(len(rows)), int64(len(rows))
	i.Options = admitto.LeadOptions{Columns: guessed(i.Heads, rows), Welcome: true}
	err = s.core.Write(ctx, func(tx *store.Tx) error {
		if id, err = tx.InsertLeadImport(&i); err != nil {
			return err
		}
		for part := range slices.Chunk(rows, atOnce) {
			list := make([]admitto.LeadRow, len(part))
			for n, row := range part {
				list[n] = admitto.LeadRow{Line: int64(row.Line), Cells: row.Cells, State: admitto.LeadUnchecked}
			}
			if err := tx.InsertLeadRows(id, list); err != nil {
				return err
			}
		}
		return nil
	})
	return id, err
}

func isEmail(cell string) bool {
	_, err := text.Email(cell)
	return err == nil
}

// titles are what columns are called, folded; each word of a head that begins with one counts.
var titles = map[admitto.LeadField][]string{
	admitto.LeadEmail: {"e-mail", "email", "mail", "e mail", "correo", "courriel", "البريد", "بريد"},
	admitto.LeadGiven: {"given", "first", "forename", "vorname", "prenom", "nombre", "nome proprio", "imie",
		"الاسم الاول", "الاسم الأول"},
	admitto.LeadFamily: {"family", "last", "surname", "nachname", "familienname", "nom de famille", "apellido", "apelido",
		"sobrenome", "nazwisko", "اسم العائلة", "العائلة"},
	admitto.LeadName: {"name", "full name", "nom", "nome", "الاسم"},
	admitto.LeadPhone: {"phone", "telephone", "tel", "mobile", "cell", "handy", "telefon", "movil", "الهاتف",
		"هاتف", "الجوال"},
	admitto.LeadCitizenship: {"citizenship", "nationality", "country", "staatsangehorigkeit", "land", "nationalite",
		"pays", "nacionalidad", "pais", "الجنسية", "البلد"},
	admitto.LeadNote: {"note", "comment", "remark", "bemerkung", "notiz", "commentaire", "nota", "ملاحظ"},
}

// guessed says what columns are by their titles; the address of e-mail is found by what stands below, too.
func guessed(heads []string, rows []FileRow) []admitto.LeadField {
	fields := make([]admitto.LeadField, len(heads))
	taken := map[admitto.LeadField]bool{}
	take := func(column int, field admitto.LeadField) {
		fields[column], taken[field] = field, true
	}
	for column := range heads {
		found := 0
		for _, row := range rows[:min(len(rows), 50)] {
			if column < len(row.Cells) && isEmail(row.Cells[column]) {
				found++
			}
		}
		if found > 0 && 2*found >= min(len(rows), 50) && !taken[admitto.LeadEmail] {
			take(column, admitto.LeadEmail)
		}
	}
	for _, field := range admitto.LeadFields() {
		for column, head := range heads {
			head = text.Fold(strings.NewReplacer("_", " ", ".", " ").Replace(head))
			named := slices.ContainsFunc(titles[field], func(title string) bool {
				return strings.HasPrefix(head, text.Fold(title))
			})
			if named && fields[column] == "" && !taken[field] {
				take(column, field)
			}
		}
	}
	return fields
}

// SetOptions stores what staff say about an import, and begins to look what comes of each row: nothing else happens
// yet. Errors: not-found; invalid-parameter (page.import.column-N for the column N, page.import.tracker,
// page.import.consent, page.import.basis); changed-meanwhile; not-permitted for trackers where the caller may not
// assign them; not-allowed-now once the import was started.
func (s *Service) SetOptions(ctx context.Context, by usecase.Caller, id int64, o admitto.LeadOptions) error {
	if err := by.Needs(admitto.ApplicantsImport); err != nil {
		return err
	}
	var here bool
	err := s.core.Write(ctx, func(tx *store.Tx) error {
		i, _, err := tx.LockLeadImport(id)
		if err != nil {
			return err
		}
		if err := ofState(&i, admitto.ImportUploaded, admitto.ImportChecking, admitto.ImportReady); err != nil {
			return err
		}
		if err := by.Sees(i.RowVersion); err != nil {
			return err
		}
		if !slices.Equal(o.Trackers, i.Options.Trackers) {
			if err := by.Needs(admitto.TrackersEdit); err != nil {
				return err
			}
		}
		if i.Options, err = checkedOptions(tx, &i, o); err != nil {
			return err
		}
		i.State, i.Line, i.RowVersion = admitto.ImportChecking, 0, i.RowVersion+1
		i.Counts = map[admitto.LeadRowState]int64{admitto.LeadUnchecked: i.Rows}
		here = i.Rows <= checkedHere
		return errors.Join(tx.UncheckLeadRows(id), tx.SaveLeadImport(&i))
	})
	if err != nil {
		return err
	}
	if here {
		held, err := s.hold(ctx, id)
		if held && err == nil {
			return nil
		}
	}
	s.wake()
	return nil
}

// checkedOptions returns what staff say about an import in its normal form, and leaves what they said as it is. All
// faults are found.
func checkedOptions(tx *store.Tx, i *admitto.LeadImport, o admitto.LeadOptions) (admitto.LeadOptions, error) {
	o.Columns, o.Consents = slices.Clone(o.Columns), slices.Clone(o.Consents)
	var faults []admitto.Fault
	fault := func(path admitto.Path, words message.Text) {
		faults = append(faults, admitto.Fault{Path: path, Text: words})
	}
	seen := map[admitto.LeadField]bool{}
	for len(o.Columns) < len(i.Heads) {
		o.Columns = append(o.Columns, "")
	}
	o.Columns = o.Columns[:len(i.Heads)]
	for column, field := range o.Columns {
		path := admitto.Path("page.import.column-" + usecase.Number(int64(column+1)))
		switch {
		case field == "":
		case !slices.Contains(admitto.LeadFields(), field):
			fault(path, message.Of("choose-one"))
		case seen[field] && field != admitto.LeadNote:
			fault(path, message.Of("import-field-twice"))
		}
		seen[field] = true
	}
	if !seen[admitto.LeadEmail] {
		fault("page.import.column-1", message.Of("import-no-email"))
	}
	if !seen[admitto.LeadFamily] && !seen[admitto.LeadName] {
		fault("page.import.column-1", message.Of("import-no-name"))
	}
	o.Trackers = slices.Compact(slices.Sorted(slices.Values(o.Trackers)))
	for _, id := range o.Trackers {
		_, err := tx.Tracker(id)
		if admitto.KindOf(err) == admitto.NotFound {
			fault("page.import.tracker", message.Of("no-such-tracker", id))
		} else if err != nil {
			return o, err
		}
	}
	asked, err := tx.AskedConsents(0)
	if err != nil {
		return o, err
	}
	slices.SortFunc(o.Consents, func(a, b admitto.LeadConsent) int { return int(a.Consent - b.Consent) })
	for n := range o.Consents {
		c := &o.Consents[n]
		at := slices.IndexFunc(asked, func(a admitto.AskedConsent) bool { return a.ID == c.Consent && !a.IsMandatory() })
		if at < 0 {
			fault("page.import.consent", message.Of("choose-one"))
		} else {
			c.Version = asked[at].Version
		}
	}
	basis, err := text.Multiline(o.Basis, 1, 1000)
	switch {
	case strings.TrimSpace(o.Basis) == "":
		fault("page.import.basis", message.Of("import-no-basis"))
	case err != nil:
		fault("page.import.basis", message.From(err))
	}
	o.Basis = basis
	if len(faults) > 0 {
		return o, &admitto.Error{Kind: admitto.InvalidParameter, Faults: faults}
	}
	return o, nil
}
