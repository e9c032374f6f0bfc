package reports

import "github.com/admitto/admitto/internal/report"

// AddStrict adds the report "Strict", which cannot do without a year and an intake. None of those there are is so.
func AddStrict() {
	named = func(name string) (*report.Report, error) {
		if name != "Strict" {
			return report.ReportNamed(name)
		}
		r, err := report.ReportNamed("ReportStatus")
		r.Name, r.Required = "Strict", []string{"commenceYear", "intakes"}
		return r, err
	}
}
