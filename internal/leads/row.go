package leads

import (
	"cmp"
	"errors"
	"slices"
	"strings"
	"sync"

	"github.com/admitto/admitto/internal/accounts"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/message"
	"github.com/admitto/admitto/internal/text"
)

// Fault is what is wrong with a cell, or with the row where Column is -1.
type Fault struct {
	Column int
	Text   message.Text
}

// reader makes leads of the rows of an import.
type reader struct {
	admitto.LeadOptions
	added accounts.AddedApplicant // what all of them have
	heads []string
	// Each of several columns that make one note has its head before it.
	severalNotes bool
	countries    func() map[string]string // codes by their folded names, in the languages of the instance
}

func (s *Service) reader(i *admitto.LeadImport) *reader {
	r := &reader{LeadOptions: i.Options, heads: i.Heads}
	notes := 0
	for _, field := range i.Options.Columns {
		if field == admitto.LeadNote {
			notes++
		}
	}
	r.severalNotes = notes > 1
	r.countries = sync.OnceValue(func() map[string]string {
		codes := map[string]string{}
		for _, language := range append([]string{"en"}, s.core.Settings().Instance.Languages...) {
			for _, code := range text.Countries() {
				codes[text.Fold(text.CountryNameIn(code, language))] = code
			}
		}
		return codes
	})
	r.added = accounts.AddedApplicant{Trackers: i.Options.Trackers, Welcome: i.Options.Welcome}
	for _, c := range i.Options.Consents {
		r.added.Consents = append(r.added.Consents, accounts.ConsentAnswer{Consent: c.Consent, Version: c.Version,
			Accept: true})
	}
	return r
}

// lead is what a row says. All faults are found.
func (r *reader) lead(cells []string) (l accounts.Lead, faults []Fault) {
	in := r.added
	at := map[admitto.Path]int{}
	name := -1
	var notes []string
	for column, cell := range cells {
		if column >= len(r.Columns) {
			if cell != "" {
				faults = append(faults, Fault{-1, message.Of("sheet-too-wide", len(r.Columns))})
				break
			}
			continue
		}
		switch r.Columns[column] {
		case admitto.LeadEmail:
			in.Email, at["applicant.email"] = cell, column
		case admitto.LeadGiven:
			in.Given, at["applicant.given"] = cell, column
		case admitto.LeadFamily:
			in.Family, at["applicant.family"] = cell, column
		case admitto.LeadName:
			name = column
		case admitto.LeadPhone:
			in.Phone, at["applicant.phone"] = cell, column
		case admitto.LeadCitizenship:
			at["applicant.citizenship"] = column
			if in.Citizenship = r.country(cell); in.Citizenship == "" && cell != "" {
				faults = append(faults, Fault{column, message.Of("import-no-country", text.Quote(cell))})
			}
		case admitto.LeadNote:
			at["applicant.note"] = column
			if cell != "" && r.heads[column] != "" && r.severalNotes {
				cell = r.heads[column] + ": " + cell
			}
			if cell != "" {
				notes = append(notes, cell)
			}
		}
	}
	if name >= 0 && name < len(cells) && in.Family == "" {
		in.Given, in.Family = split(cells[name], in.Given)
		at["applicant.family"] = name
		if _, own := at["applicant.given"]; !own {
			at["applicant.given"] = name
		}
	}
	in.Note = strings.Join(notes, "\n")
	l, err := in.Lead()
	var refusal *admitto.Error
	if errors.As(err, &refusal) {
		for _, f := range refusal.Faults {
			column, known := at[f.Path]
			if !known {
				column = -1
			}
			faults = append(faults, Fault{column, f.Text})
		}
	}
	slices.SortStableFunc(faults, func(a, b Fault) int { return cmp.Compare(a.Column, b.Column) })
	return l, faults
}

// split takes a name apart at its last space (lifecycle.md 2.2), where there is no given name of its own.
func split(name, given string) (string, string) {
	name = strings.Join(strings.Fields(name), " ")
	if at := strings.LastIndex(name, " "); at > 0 && given == "" {
		return name[:at], name[at+1:]
	}
	return given, name
}

// country is the code of a country that a cell names, by its code or its name; "" for none.
func (r *reader) country(cell string) string {
	if code, err := text.Country(cell); err == nil {
		return code
	}
	return r.countries()[text.Fold(cell)]
}

// cell is what the column with a field says in a row.
func (r *reader) cell(cells []string, field admitto.LeadField) string {
	if at := slices.Index(r.Columns, field); at >= 0 && at < len(cells) {
		return cells[at]
	}
	return ""
}
