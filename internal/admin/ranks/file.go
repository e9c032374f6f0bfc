package ranks

import (
	"github.com/admitto/admitto/internal/admin/records"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/scoring"
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/ui"
)

// The routes of files of points (screens.md A26).
const (
	importing = "scoresheet-import"
	exporting = "scoresheet-export"
)

// fileRoutes are the pages that import and export the points of a sheet.
func (p *pages) fileRoutes() []site.Route {
	access := site.Needs(admitto.ScoresImport)
	return []site.Route{
		{Name: importing, Path: "/admin/scoresheets/{id}/import", Access: access, Form: true, Files: true, Again: true,
			Parent: "scoresheets", Handle: p.importPoints},
		{Name: exporting, Path: "/admin/scoresheets/{id}/export", Access: access, Handle: p.exportPoints},
	}
}

// filesOf are the files of the sheet that the address names.
func (p *pages) filesOf(r *site.Request) (of scoring.PointsFile, files records.Files, err error) {
	id, err := r.ID()
	if err != nil {
		return of, files, err
	}
	if of, err = p.Scoring.PointsFile(r.Context(), r.Reader(), id); err != nil {
		return of, files, err
	}
	files = records.Files{Import: importing, Export: exporting, Of: []any{id}, Name: "scoresheet-" + number(id),
		Back: r.At("scoresheets"), Text: "csv_text.scoresheet", Columns: "csv_file.columns_points",
		Subject: "sheet.application",
		Rows:    scoring.MostFileRows, Width: scoring.MostFileColumns, Heads: scoring.FileHeads(&of.Sheet),
		Cells: func(r *site.Request) (records.Cells, error) {
			return p.Scoring.Points(r.Context(), r.Reader(), &of.Sheet)
		},
		Plan: func(r *site.Request, heads []string, rows []admitto.FileRow) (admitto.FilePlan, error) {
			return p.Scoring.PlanPoints(r.Context(), r.Reader(), id, heads, rows)
		},
		Store: func(r *site.Request, heads []string, rows []admitto.FileRow) (admitto.FilePlan, error) {
			return p.Scoring.ImportPoints(r.Context(), r.Caller(), id, heads, rows)
		},
		Link: func(r *site.Request, row *admitto.RowPlan) string {
			if !r.May("scoring") {
				return ""
			}
			return r.At("scoring", id) + "?at=" + number(row.ID)
		}}
	for _, route := range []string{"scoresheet", "scoring"} {
		if r.May(route) {
			files.Back = r.At(route, id)
			break
		}
	}
	return of, files, nil
}

// importPoints takes a file of points: says what comes of each row, and stores it once that is asked for.
func (p *pages) importPoints(r *site.Request) error {
	of, files, err := p.filesOf(r)
	if err != nil {
		return err
	}
	r.SetTitle(r.T("sheet.import_title", "Name", of.Sheet.Name))
	if of.Closed.IsZero() {
		return files.Page(r)
	}
	return site.Sheet{Parts: []ui.Component{ui.Notice{Tone: ui.Bad, Text: r.Say(of.Closed),
		Link: &ui.Link{Text: r.T("action.scoresheet"), Href: files.Back}}}}.Show(r)
}

// exportPoints answers with what is on a sheet as a file, which the import takes as it is.
func (p *pages) exportPoints(r *site.Request) error {
	_, files, err := p.filesOf(r)
	if err != nil {
		return err
	}
	return files.Download(r)
}
