package admitto

import "github.com/admitto/admitto/internal/message"

// FileRow is a row of a file that staff import, with its line in the file.
type FileRow struct {
	Line  int
	Cells []string
}

// RowState is what comes of a row of a file.
type RowState string

// The states.
const (
	RowNew       RowState = "new"
	RowChanged   RowState = "changed"
	RowUnchanged RowState = "unchanged"
	RowWrong     RowState = "wrong"
)

// RowFault is what is wrong with a cell, or with the row where Column is "".
type RowFault struct {
	Column string
	Text   message.Text
}

// RowPlan is what comes of a row.
type RowPlan struct {
	Line    int
	ID      int64 // 0: a new one
	Name    string
	State   RowState
	Changes []Detail
	Faults  []RowFault
}

// Fault notes what is wrong with a cell of the row.
func (p *RowPlan) Fault(column string, text message.Text) {
	p.Faults = append(p.Faults, RowFault{column, text})
}

// FilePlan is what comes of a file.
type FilePlan struct {
	Heads []message.Text // what is wrong with the heads, or with the file as a whole; then there are no rows
	Rows  []RowPlan
}

// Count is how many rows have a state.
func (p *FilePlan) Count(state RowState) (n int) {
	for i := range p.Rows {
		if p.Rows[i].State == state {
			n++
		}
	}
	return n
}

// IsWrong reports whether something has to be mended before the file can be stored.
func (p *FilePlan) IsWrong() bool { return len(p.Heads) > 0 || p.Count(RowWrong) > 0 }
