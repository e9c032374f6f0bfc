package site

import "strings"

// SafeCells makes the cells of a file safe to open in a spreadsheet (screens.md A47).
func SafeCells(cells []string) []string {
	for i, cell := range cells {
		cells[i] = SafeCell(cell)
	}
	return cells
}

// SafeCell puts a quote before a cell that a spreadsheet would take for a formula; one of digits, spaces and +-().,:
// alone is none.
func SafeCell(cell string) string {
	if cell == "" || !strings.ContainsRune("=+-@\t\r", rune(cell[0])) || strings.Trim(cell, "0123456789 +-().,:") == "" {
		return cell
	}
	return "'" + cell
}
