package mailtexts_test

import (
	"os"
	"testing"

	"github.com/admitto/admitto/internal/apptest"
	"github.com/admitto/admitto/internal/services/servicestest"
)

func TestMain(m *testing.M) { os.Exit(apptest.Run(m)) }

// onEach runs a test on an instance of each engine in the long size, and on SQLite alone in short.
func onEach(t *testing.T, test func(t *testing.T, d *servicestest.Desk)) {
	t.Helper()
	apptest.Size(servicestest.OnSQLite, servicestest.OnBoth)(t, test)
}
