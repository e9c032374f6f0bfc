package records

import (
	"errors"

	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/tabular"
)

// Table reads the table in a file or a field that somebody filled in; what is wrong with it is said there, and ok is
// false.
func Table(r *site.Request, f *site.Form, field string, content []byte, most tabular.Bounds) (t tabular.Table,
	ok bool, err error) {
	t, err = tabular.Read(content, most)
	var wrong *tabular.ReadError
	switch {
	case errors.As(err, &wrong):
		f.Fail(field, map[tabular.Fault]string{tabular.NoText: "csv_file.no_text", tabular.BadQuotes: "csv_file.bad_quotes",
			tabular.TooMany: "csv_file.too_many", tabular.TooWide: "csv_file.too_wide", tabular.NoRows: "csv_file.no_rows",
			tabular.LongCell: "csv_file.long_cell"}[wrong.Fault], "Line", wrong.Line, "Rows", r.Number(most.Rows), "Columns",
			most.Width, "Characters", r.Number(most.Cell))
		return t, false, nil
	case err != nil:
		return t, false, err
	}
	return t, true, nil
}
