// Package sqltest lets tests of all packages run SQL in a transaction of package store. Only tests import it.
package sqltest

import (
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/store/internal/permit"
)

// In returns the layer below the transaction, for statements of the test.
func In(tx *store.Tx) store.SQL { return tx.SQL(permit.SQL{}) }
