package catalogue

import (
	"github.com/admitto/admitto/internal/admin/records"
	"github.com/admitto/admitto/internal/admitto"
	catalog "github.com/admitto/admitto/internal/catalogue"
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/ui"
)

// sheetPages are the pages that import and export the records of a kind (screens.md A38, A40).
type sheetPages struct {
	kind string // of the routes and messages: "course"
	list string // the page that they are reached from, and what the file is called
	of   func(r *site.Request) records.Files
}

// routes are below the address of the list.
func (s *sheetPages) routes(path string, access site.Access) []site.Route {
	do := func(act func(*records.Files, *site.Request) error) func(*site.Request) error {
		return func(r *site.Request) error {
			files := s.of(r)
			files.Name = s.list
			files.Import, files.Export, files.Text = s.kind+"-import", s.kind+"-export", "csv_text."+s.kind
			files.Columns, files.Subject = "csv_file.columns_text", "csv_file.name"
			files.Rows, files.Width = catalog.MostSheetRows, catalog.MostSheetColumns
			files.Back = r.At(s.list)
			files.Link = func(r *site.Request, p *admitto.RowPlan) string { return r.At(s.kind, p.ID) }
			return act(&files, r)
		}
	}
	return []site.Route{
		{Name: s.kind + "-export", Path: path + "/export", Access: access, Handle: do((*records.Files).Download)},
		{Name: s.kind + "-import", Path: path + "/import", Access: access, Form: true, Files: true, Again: true,
			Parent: s.list,
			Handle: do((*records.Files).Page)},
	}
}

// buttons lead from the list to the files.
func (s *sheetPages) buttons(r *site.Request) []ui.Button {
	return r.Buttons(site.Do(s.kind+"-import"), site.Do(s.kind+"-export"))
}

func (p *pages) courseSheets() *sheetPages {
	return &sheetPages{kind: "course", list: "courses", of: func(r *site.Request) records.Files {
		languages := r.Settings().FurtherLanguages()
		return records.Files{Heads: catalog.CourseHeads(languages),
			Cells: func(r *site.Request) (records.Cells, error) {
				list, err := p.Query.Courses(r.Context(), r.Reader(), admitto.CourseQuery{})
				return records.CellsOf(catalog.CourseCells(languages, list)), err
			},
			Plan: func(r *site.Request, heads []string, rows []admitto.FileRow) (admitto.FilePlan, error) {
				return p.Catalogue.PlanCourses(r.Context(), r.Reader(), heads, rows)
			},
			Store: func(r *site.Request, heads []string, rows []admitto.FileRow) (admitto.FilePlan, error) {
				return p.Catalogue.ImportCourses(r.Context(), r.Caller(), heads, rows)
			}}
	}}
}

func (p *pages) intakeSheets() *sheetPages {
	return &sheetPages{kind: "intake", list: "intakes", of: func(r *site.Request) records.Files {
		languages := r.Settings().FurtherLanguages()
		return records.Files{Heads: catalog.IntakeHeads(languages),
			Cells: func(r *site.Request) (records.Cells, error) {
				list, err := p.Query.Intakes(r.Context(), r.Reader())
				return records.CellsOf(catalog.IntakeCells(languages, list)), err
			},
			Plan: func(r *site.Request, heads []string, rows []admitto.FileRow) (admitto.FilePlan, error) {
				return p.Catalogue.PlanIntakes(r.Context(), r.Reader(), heads, rows)
			},
			Store: func(r *site.Request, heads []string, rows []admitto.FileRow) (admitto.FilePlan, error) {
				return p.Catalogue.ImportIntakes(r.Context(), r.Caller(), heads, rows)
			}}
	}}
}
