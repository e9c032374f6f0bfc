package leads

import (
	"context"
	"math"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/usecase"
)

// View is an import as a page shows it.
type View struct {
	admitto.LeadImport
	UndoUntil admitto.Time // 0 while it has not ended
	MayUndo   bool
	RowsGone  bool    // they were removed
	Rate      float64 // rows a second of the current work; 0 when nothing is known yet
	Left      admitto.Time
}

// Show reads an import (screens.md A36). Errors: not-found.
func (s *Service) Show(ctx context.Context, by admitto.Caller, id int64) (v View, err error) {
	if err := by.Needs(admitto.ApplicantsImport); err != nil {
		return v, err
	}
	err = s.core.Read(ctx, func(tx *store.Tx) error {
		if v.LeadImport, err = tx.LeadImport(id); err != nil {
			return err
		}
		v.UndoUntil = s.undoUntil(&v.LeadImport)
		ended := v.State == admitto.ImportStopped || v.State == admitto.ImportFinished
		v.MayUndo = ended && tx.Now() < v.UndoUntil && v.Counts[admitto.LeadCreated] > 0
		done, of := v.Done()
		if passed := tx.Now() - v.WorkBegun; v.State.AtWork() && passed > 0 && done > v.WorkFrom {
			v.Rate = float64(done-v.WorkFrom) / (float64(passed) / float64(admitto.Second))
			v.Left = admitto.Time(float64(of-done) / v.Rate * float64(admitto.Second))
		}
		first, _, err := tx.LeadRows(id, 0, "", 1)
		v.RowsGone = len(first) == 0
		return err
	})
	return v, err
}

// List returns a page of imports, the newest first, those below an ID if that is not 0, and whether more follow.
func (s *Service) List(ctx context.Context, by admitto.Caller, before int64, rows int) (list []admitto.LeadImport,
	more bool, err error) {
	if err := by.Needs(admitto.ApplicantsImport); err != nil {
		return nil, false, err
	}
	err = s.core.Read(ctx, func(tx *store.Tx) error {
		list, more, err = tx.LeadImports(before, rows)
		return err
	})
	return list, more, err
}

// Line is a row of an import with what it says and what is wrong with it.
type Line struct {
	admitto.LeadRow
	Name, Email string // as the row has them
	Faults      []Fault
	Twin        int64 // an earlier line with the same address; 0 for none
}

// Lines returns rows of an import behind a line, of all states ("") or of one, and whether more follow.
func (s *Service) Lines(ctx context.Context, by admitto.Caller, id, after int64, state admitto.LeadRowState,
	rows int) (list []Line, more bool, err error) {
	if err := by.Needs(admitto.ApplicantsImport); err != nil {
		return nil, false, err
	}
	err = s.core.Read(ctx, func(tx *store.Tx) error {
		i, err := tx.LeadImport(id)
		if err != nil {
			return err
		}
		list = nil
		var kept []admitto.LeadRow
		if kept, more, err = tx.LeadRows(id, after, state, rows); err != nil {
			return err
		}
		read := s.reader(&i)
		var keys []string
		for _, row := range kept {
			line := Line{LeadRow: row}
			lead, faults := read.lead(row.Cells)
			line.Name, line.Email = lead.Name.Full(), lead.Email
			if row.State == admitto.LeadWrong {
				line.Faults = faults
			}
			if line.Email == "" {
				line.Email = read.cell(row.Cells, admitto.LeadEmail)
			}
			keys = append(keys, row.EmailKey)
			list = append(list, line)
		}
		first, err := tx.LeadLines(id, math.MaxInt64, keys)
		for n := range list {
			if at := first[list[n].EmailKey]; list[n].EmailKey != "" && at < list[n].Line {
				list[n].Twin = at
			}
		}
		return err
	})
	return list, more, err
}

// Sample returns the first rows of an import, from which people see what its columns are.
func (s *Service) Sample(ctx context.Context, by admitto.Caller, id int64, rows int) (cells [][]string, err error) {
	if err := by.Needs(admitto.ApplicantsImport); err != nil {
		return nil, err
	}
	return usecase.Get(ctx, s.core, func(tx *store.Tx) (cells [][]string, err error) {
		list, _, err := tx.LeadRows(id, 0, "", rows)
		for _, row := range list {
			cells = append(cells, row.Cells)
		}
		return cells, err
	})
}
