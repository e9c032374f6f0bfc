package site

import (
	"encoding/csv"
	"io"
	"strings"
)

// CSV answers with a table as a file for spreadsheets: UTF-8 with a mark that says so, commas, one line for the heads.
// rows calls its argument for each row.
func (r *Request) CSV(name string, heads []string, rows func(row func(cells ...string) error) error) error {
	return r.Download(name+".csv", "text/csv; charset=utf-8", func(w io.Writer) error {
		if _, err := io.WriteString(w, "\uFEFF"); err != nil {
			return err
		}
		out := csv.NewWriter(w)
		out.UseCRLF = true
		line := func(cells ...string) error {
			safe := make([]string, len(cells))
			for i, cell := range cells {
				safe[i] = SafeCell(cell)
			}
			return out.Write(safe)
		}
		if err := line(heads...); err != nil {
			return err
		}
		if err := rows(line); err != nil {
			return err
		}
		out.Flush()
		return out.Error()
	})
}

// SafeCell is a cell that no spreadsheet takes for a formula: one that begins like one has an apostrophe before it, but
// for digits, spaces and +-().,: alone (screens.md A47).
func SafeCell(cell string) string {
	if cell == "" || !strings.ContainsRune("=+-@\t\r", rune(cell[0])) || strings.Trim(cell, "0123456789 +-().,:") == "" {
		return cell
	}
	return "'" + cell
}

// SafeCells is SafeCell for each cell of a row.
func SafeCells(cells []string) []string {
	for i, cell := range cells {
		cells[i] = SafeCell(cell)
	}
	return cells
}
