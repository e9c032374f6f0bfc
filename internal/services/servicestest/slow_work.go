package servicestest

import (
	"context"
	"time"

	"github.com/admitto/admitto/internal/store"
)

// Others fails unless others can write meanwhile, on SQLite with its only writer too.
func (d *Desk) Others() {
	d.T.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second) // which nothing waits for when all is well
	defer cancel()
	if err := d.Store.Write(ctx, func(tx *store.Tx) error { return tx.SetInstanceFact("others", "write") }); err != nil {
		d.T.Errorf("nobody else can write meanwhile: %v", err)
	}
}
