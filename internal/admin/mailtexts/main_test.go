package mailtexts_test

import (
	"os"
	"testing"

	"github.com/admitto/admitto/internal/apptest"
)

func TestMain(m *testing.M) { os.Exit(apptest.Run(m)) }
