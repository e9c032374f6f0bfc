package admintest

import (
	"os"
	"testing"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/apptest"
)

func TestMain(m *testing.M) { os.Exit(apptest.Run(m)) }

// everything is what somebody with all permissions may do.
var everything = admitto.AllPermissions().List()
