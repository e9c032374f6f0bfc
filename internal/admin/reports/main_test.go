package reports_test

import (
	"os"
	"testing"

	"github.com/admitto/admitto/internal/admin/reports"
	"github.com/admitto/admitto/internal/apptest"
)

func TestMain(m *testing.M) {
	reports.AddStrict()
	os.Exit(apptest.Run(m))
}
