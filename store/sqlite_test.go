package store_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/admitto/admitto/store"
	"github.com/admitto/admitto/store/storetest"
)

func TestSQLite(t *testing.T) {
	folder := t.TempDir()
	storetest.Run(t, func(t *testing.T) *store.Store {
		return storetest.Open(t, "sqlite:"+filepath.Join(folder, strings.ReplaceAll(t.Name(), "/", "_")+".db"), store.Options{})
	})
}
