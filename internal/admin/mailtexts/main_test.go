package mailtexts_test

import (
	"os"
	"testing"

	"github.com/admitto/admitto/internal/apptest"
	"github.com/admitto/admitto/internal/services/servicestest"
)

func TestMain(m *testing.M) { os.Exit(apptest.Run(m)) }

// onEach runs a test on SQLite in short and on PostgreSQL in the long size.
func onEach(t *testing.T, test func(t *testing.T, d *servicestest.Desk)) {
	t.Helper()
	servicestest.BySize(t, test)
}
