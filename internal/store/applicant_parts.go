package store

import (
	"slices"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store/columns"
	"github.com/admitto/admitto/internal/store/db"
)

// among is the condition that the column of owners has one of the IDs, with its parameters. IDs that are almost
// consecutive, as those of a page of a list mostly are, are asked for as a range, which costs half of looking each of
// them up; what the few others in the range own is given too.
func (tx *Tx) among(column string, ids []int64) (condition string, args []any) {
	if len(ids) > 0 {
		if low, high := slices.Min(ids), slices.Max(ids); high-low < 2*int64(len(ids)) {
			return column + " >= $1 AND " + column + " <= $2", []any{low, high}
		}
	}
	return tx.dialect.in(column, 1), []any{ids}
}

// grouped returns what each owner has of the rows, which must come owner by owner.
func grouped[T any](rows *db.Rows, scan func(*db.Rows, *T) (owner int64)) (map[int64][]T, error) {
	var list []T
	var owners []int64
	for rows.Next() {
		if len(list) == cap(list) {
			list = slices.Grow(list, max(64, len(list))) // append would grow a long list by less, and copy it more often
		}
		list = list[:len(list)+1]
		owners = append(owners, scan(rows, &list[len(list)-1]))
	}
	return split(list, owners), rows.Close()
}

// split hands each owner its part of the list; owners says whose each value is.
func split[T any](list []T, owners []int64) map[int64][]T {
	byOwner := map[int64][]T{}
	for start, end := 0, 0; start < len(list); start = end {
		for end = start + 1; end < len(list) && owners[end] == owners[start]; end++ {
		}
		byOwner[owners[start]] = list[start:end:end]
	}
	return byOwner
}

// ConsentsOf returns the latest decisions of each applicant, by consent.
func (tx *Tx) ConsentsOf(applicants []int64) (map[int64][]admitto.ConsentDecision, error) {
	condition, args := tx.among("applicant_id", applicants)
	return grouped(tx.query("SELECT "+columns.ConsentDecision.Select("")+" FROM consent_decision WHERE "+condition+
		" ORDER BY applicant_id, consent_id", args...), func(r *db.Rows, d *admitto.ConsentDecision) int64 {
		columns.ConsentDecision.Scan(r, d)
		return d.Applicant
	})
}

// WishesOf returns the wishes of each applicant, by ID.
func (tx *Tx) WishesOf(applicants []int64) (map[int64][]admitto.Wish, error) {
	condition, args := tx.among("applicant_id", applicants)
	return grouped(tx.query("SELECT "+columns.Wish.Select("")+" FROM wish WHERE "+condition+
		" ORDER BY applicant_id, id", args...), func(r *db.Rows, w *admitto.Wish) int64 {
		columns.Wish.Scan(r, w)
		return w.Applicant
	})
}
