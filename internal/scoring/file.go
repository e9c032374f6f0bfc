package scoring

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/message"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/text"
	"github.com/admitto/admitto/internal/usecase"
)

// MostFileRows is how many rows a file of points has below its heads, and MostFileColumns how many columns.
const (
	MostFileRows    = 5_000
	MostFileColumns = 50
)

// The columns that say what a row is about.
const (
	applicationColumn = "application"
	offerColumn       = "offer"
)

// FileHeads are the columns of a file of points for a scoresheet (screens.md A26).
func FileHeads(t *admitto.Scoresheet) (heads []string) {
	heads = []string{applicationColumn}
	if t.ByOffer {
		heads = append(heads, offerColumn)
	}
	for _, field := range admitto.AllScoreFields.Each() {
		if may, _ := t.Carries(field); may {
			heads = append(heads, field.Name())
		}
	}
	return heads
}

// PointsFile is a scoresheet with what speaks against a file of points for it; Closed is empty when nothing does.
type PointsFile struct {
	Sheet  admitto.Scoresheet
	Closed message.Text
}

// PointsFile reads the sheet that a file of points is for. Errors: not-found.
func (s *Service) PointsFile(ctx context.Context, by admitto.Caller, sheet int64) (f PointsFile, err error) {
	if err := by.Needs(admitto.ScoresImport); err != nil {
		return f, err
	}
	err = s.core.Read(ctx, func(tx *store.Tx) error {
		f.Sheet, err = tx.Scoresheet(sheet)
		f.Closed = closed(by, &f.Sheet)
		return err
	})
	return f, err
}

// closed says why the caller may not give points on a sheet; empty when they may.
func closed(by admitto.Caller, t *admitto.Scoresheet) message.Text {
	switch {
	case mayPut(by, t) != nil:
		return message.Of("sheet-confirmed")
	case !t.TakesFrom(by):
		return message.Of("sheet-of-others")
	}
	return message.Text{}
}

// Points gives the rows of a file with everything that is on a sheet, which the import takes as it is. No database
// waits for who reads them. Errors: not-allowed-now when others score on the sheet.
func (s *Service) Points(ctx context.Context, by admitto.Caller, t *admitto.Scoresheet) (
	each func(row func(cells ...string) error) error, err error) {
	if err := by.Needs(admitto.ScoresImport); err != nil {
		return nil, err
	}
	if !t.TakesFrom(by) {
		return nil, admitto.Refused(admitto.NotAllowedNow, message.Of("sheet-of-others"))
	}
	heads := FileHeads(t)
	return func(row func(cells ...string) error) error {
		var last int64
		for more := true; more; {
			var page []admitto.Score
			err := s.core.Read(ctx, func(tx *store.Tx) (err error) {
				page = page[:0]
				more, err = tx.EachScore(t, admitto.ScoreQuery{Scoresheet: t.ID, After: last, Limit: pageOfPoints},
					func(v *admitto.Score) error {
						page = append(page, *v)
						return nil
					})
				return err
			})
			if err != nil {
				return err
			}
			for i := range page {
				last = page[i].ID
				cells := make([]string, len(heads))
				for n, head := range heads {
					cells[n] = cellOf(&page[i], head)
				}
				if err := row(cells...); err != nil {
					return err
				}
			}
		}
		return nil
	}, nil
}

// pageOfPoints is how many scores are read at once.
const pageOfPoints = 1_000

// cellOf is what a score has in a column.
func cellOf(v *admitto.Score, head string) string {
	switch head {
	case applicationColumn:
		return strconv.FormatInt(v.Application, 10)
	case offerColumn:
		return strconv.FormatInt(v.Offer, 10)
	}
	return v.Text(fieldNamed(head))
}

// fieldNamed is the field of a column, 0 for none.
func fieldNamed(head string) admitto.ScoreFields {
	for _, field := range admitto.AllScoreFields.Each() {
		if field.Name() == head {
			return field
		}
	}
	return 0
}

// placePoints finds the columns of a file by its heads.
func placePoints(t *admitto.Scoresheet, heads []string) (faults []message.Text) {
	known := FileHeads(t)
	for i, head := range heads {
		switch {
		case !slices.Contains(known, head):
			faults = append(faults, message.Of("sheet-head-unknown", text.Quote(head), strings.Join(known, ", ")))
		case slices.Contains(heads[:i], head):
			faults = append(faults, message.Of("sheet-head-twice", text.Quote(head)))
		}
	}
	for _, head := range known[:len(known)-len(valueHeads(known))] {
		if !slices.Contains(heads, head) {
			faults = append(faults, message.Of("points-file-column", head))
		}
	}
	return faults
}

// valueHeads are the columns behind those that say what a row is about.
func valueHeads(heads []string) []string {
	return slices.DeleteFunc(slices.Clone(heads), func(h string) bool { return fieldNamed(h) == 0 })
}

// readPoints reads a row of a file: what an empty cell is in stays as it is.
func readPoints(t *admitto.Scoresheet, heads, cells []string) (in NewScore, faults []admitto.RowFault) {
	in.Values.Scale, in.Values.Maps = t.Scale, t.Maps
	for n, cell := range cells {
		if n >= len(heads) {
			if cell != "" {
				faults = append(faults, admitto.RowFault{Text: message.Of("sheet-too-wide", len(heads))})
			}
			continue
		}
		if cell == "" {
			continue
		}
		var err error
		switch heads[n] {
		case applicationColumn:
			in.Application, err = text.ID(cell)
		case offerColumn:
			in.Offer, err = text.ID(cell)
		default:
			field := fieldNamed(heads[n])
			in.Fields |= field
			err = readField(t, &in.Values, field, cell)
		}
		if err != nil {
			faults = append(faults, admitto.RowFault{Column: heads[n], Text: message.From(err)})
		}
	}
	return in, faults
}

// readField reads the cell of one field.
func readField(t *admitto.Scoresheet, v *admitto.Score, field admitto.ScoreFields, cell string) (err error) {
	switch field {
	case admitto.ScorePoints:
		p, err := t.ParseLabelled(strings.Replace(cell, ",", ".", 1))
		if err != nil {
			return err
		}
		v.Points = &p
	case admitto.ScoreComments:
		v.Comments, err = text.Multiline(cell, 0, admitto.MostScoreComments)
	case admitto.ScoreDate:
		v.Date, err = admitto.ParseDate(cell)
	case admitto.ScoreReference:
		v.Reference, err = text.Line(cell, 0, admitto.MostScoreReference)
	case admitto.ScoreSubject:
		v.Subject, err = text.Line(cell, 0, admitto.MostScoreSubject)
	case admitto.ScoreLanguage:
		v.Language, err = text.Language(cell)
	}
	return err
}

// plannedScore is a row of a file with the score that it leads to.
type plannedScore struct {
	admitto.RowPlan
	in NewScore
}

// planPoints says what comes of the rows.
func planPoints(tx *store.Tx, t *admitto.Scoresheet, heads []string, rows []admitto.FileRow) ([]plannedScore, error) {
	list := make([]plannedScore, len(rows))
	var applications []int64
	for i, row := range rows {
		p := &list[i]
		p.Line = row.Line
		if p.in, p.Faults = readPoints(t, heads, row.Cells); p.in.Application != 0 {
			applications = append(applications, p.in.Application)
		}
	}
	there, err := subjectsOf(tx, t, applications...)
	if err != nil {
		return nil, err
	}
	seen := map[[2]int64]int{}
	for i := range list {
		p := &list[i]
		subject := [2]int64{p.in.Application, p.in.Offer}
		if p.Name = usecase.Number(p.in.Application); p.in.Offer != 0 {
			p.Name = fmt.Sprint(p.Name, " / ", p.in.Offer)
		}
		switch {
		case p.in.Application == 0:
			if p.Name = ""; len(p.Faults) == 0 { // the faults say what stands there instead of a number
				p.Fault(applicationColumn, message.Of("no-id", text.Quote("")))
			}
		case seen[subject] != 0:
			p.Fault("", message.Of("sheet-row-twice", seen[subject]))
		default:
			seen[subject] = p.Line
			p.settle(t, &there)
		}
		if len(p.Faults) > 0 {
			p.State, p.Changes = admitto.RowWrong, nil
		}
	}
	return list, nil
}

// settle says what state a row has, and what speaks against it.
func (p *plannedScore) settle(t *admitto.Scoresheet, there *scoreSubjects) {
	old, faults := there.faults(t, p.in)
	now := old
	now.Take(p.in.Fields, &p.in.Values)
	changed := now.Differs(&old)
	if p.ID = old.ID; p.ID != 0 && changed == 0 { // what stays may be older than the rules
		p.State = admitto.RowUnchanged
		return
	}
	for _, fault := range faults {
		column := strings.TrimPrefix(string(fault.Path), "score.")
		if !slices.ContainsFunc(p.Faults, func(f admitto.RowFault) bool { return f.Column == column }) {
			p.Fault(column, fault.Text)
		}
	}
	p.State = admitto.RowNew
	if p.ID != 0 {
		p.State = admitto.RowChanged
	}
	for _, field := range changed.Each() {
		p.Changes = append(p.Changes, admitto.Detail{Path: field.Name(), Old: old.Text(field), New: now.Text(field)})
	}
}

// PlanPoints says what comes of a file of points, and writes nothing. What is wrong with a row is what the API says of
// the same values (resources.md 20.4). Errors: not-found.
func (s *Service) PlanPoints(ctx context.Context, by admitto.Caller, sheet int64, heads []string,
	rows []admitto.FileRow) (plan admitto.FilePlan, err error) {
	if err := by.Needs(admitto.ScoresImport); err != nil {
		return plan, err
	}
	err = s.core.Read(ctx, func(tx *store.Tx) error {
		plan = admitto.FilePlan{}
		t, err := tx.Scoresheet(sheet)
		if err != nil {
			return err
		}
		if why := closed(by, &t); !why.IsZero() {
			plan.Heads = []message.Text{why}
			return nil
		}
		if plan.Heads = placePoints(&t, heads); plan.Heads != nil {
			return nil
		}
		list, err := planPoints(tx, &t, heads, rows)
		for i := range list {
			plan.Rows = append(plan.Rows, list[i].RowPlan)
		}
		return err
	})
	return plan, err
}

// ImportPoints stores a file of points in which nothing is wrong, each row in a transaction of its own, as somebody who
// types them would. The same file again changes nothing, and goes on with one that was interrupted. Errors: not-found,
// invalid-parameter, not-allowed-now when the sheet was locked meanwhile.
func (s *Service) ImportPoints(ctx context.Context, by usecase.Caller, sheet int64, heads []string,
	rows []admitto.FileRow) (plan admitto.FilePlan, err error) {
	if err := by.Needs(admitto.ScoresImport); err != nil {
		return plan, err
	}
	if plan, err = s.PlanPoints(ctx, by.Caller, sheet, heads, rows); err != nil || plan.IsWrong() {
		return plan, err
	}
	for i := range plan.Rows {
		if plan.Rows[i].State == admitto.RowUnchanged {
			continue
		}
		if err := s.core.Write(ctx, func(tx *store.Tx) error {
			return s.storePoints(tx, by, sheet, heads, rows[i])
		}); err != nil {
			return plan, err
		}
	}
	return plan, nil
}

// storePoints stores one row while nobody else changes its application.
func (s *Service) storePoints(tx *store.Tx, by usecase.Caller, sheet int64, heads []string, row admitto.FileRow) error {
	t, err := tx.Scoresheet(sheet)
	if err != nil {
		return err
	}
	in, wrong := readPoints(&t, heads, row.Cells)
	d, err := usecase.LockApplication(tx, by, in.Application)
	if err != nil && admitto.KindOf(err) != admitto.NotFound {
		return err
	}
	old, faults, err := scoreFaults(tx, &t, in)
	if err != nil {
		return err
	}
	if len(wrong)+len(faults) > 0 {
		return admitto.Refused(admitto.InvalidParameter, message.Of("sheet-changed", row.Line))
	}
	score := old
	score.Take(in.Fields, &in.Values)
	if err := mayScore(by.Caller, &t, score.Differs(&old)); err != nil {
		return err
	}
	return s.saveScore(tx, d, &t, &old, &score, by.Has(admitto.ScorersEdit))
}
