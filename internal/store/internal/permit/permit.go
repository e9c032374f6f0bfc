// Package permit decides who may run SQL on a transaction of package store: the packages in the folder internal/store,
// since the go command lets no other import this one.
package permit

// SQL is what Tx.SQL of package store takes. Other packages have no name for its type.
type SQL struct{ _ int }
