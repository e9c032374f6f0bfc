package site_test

import (
	"testing"

	"github.com/admitto/admitto/internal/site"
)

// TestSafeCell keeps spreadsheets from taking a cell for a formula, and leaves numbers alone.
func TestSafeCell(t *testing.T) {
	t.Parallel()
	for cell, want := range map[string]string{
		"": "", "Ada": "Ada", "=1+1": "'=1+1", "@SUM(A1)": "'@SUM(A1)", "-2.50": "-2.50",
		"+36 (555) 881-6396": "+36 (555) 881-6396",
		"-cmd":               "'-cmd", "\tx": "'\tx", "\r": "'\r", "+": "+", "=": "'=", "2027-03-01": "2027-03-01",
		"é=": "é=",
	} {
		if got := site.SafeCell(cell); got != want {
			t.Errorf("%q became %q, not %q", cell, got, want)
		}
	}
}
