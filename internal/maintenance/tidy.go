package maintenance

import (
	"context"
	"errors"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store"
)

// How long what only serves the service itself is kept.
const (
	mailKeysKept = 60 * admitto.Day
	jobRunsKept  = 60 * admitto.Day
	tokensKept   = 30 * admitto.Day // after their end
	loginsKept   = 400 * admitto.Day
	keyUsesKept  = 400 // days
	refusedKept  = 30 * admitto.Day
)

// Tidy removes what has served its time: sign-in links, kept answers of Idempotency-Key, keys of mails, runs of jobs,
// sign-ins of administrators, counts of what keys used, sessions and what belongs to them, and the files of exports
// and of the data of one person whose days are over (lifecycle.md 11.1).
func (s *Service) Tidy(ctx context.Context, by admitto.Caller) error {
	if err := by.Needs(admitto.InstanceAdmin); err != nil {
		return err
	}
	inPortions := func(remove func(tx *store.Tx) (int64, error)) error {
		for {
			var n int64
			err := s.core.Write(ctx, func(tx *store.Tx) (err error) {
				n, err = remove(tx)
				return err
			})
			if err != nil || n == 0 {
				return err
			}
		}
	}
	return errors.Join(
		s.keys.TidyIdempotencyRecords(ctx, by),
		inPortions(func(tx *store.Tx) (int64, error) { return tx.TidyTokens(tx.Now() - tokensKept) }),
		inPortions(func(tx *store.Tx) (int64, error) { return tx.TidyEmailChanges(tx.Now() - tokensKept) }),
		inPortions(func(tx *store.Tx) (int64, error) { return tx.TidyHourly(tx.Now() - 1*admitto.Hour) }),
		inPortions(func(tx *store.Tx) (int64, error) { return tx.TidyMailKeys(tx.Now() - mailKeysKept) }),
		inPortions(func(tx *store.Tx) (int64, error) { return tx.TidyLogins(tx.Now() - loginsKept) }),
		inPortions(func(tx *store.Tx) (int64, error) { return tx.TidyAccesses(tx.Now() - loginsKept) }),
		inPortions(func(tx *store.Tx) (int64,
			error) {
			return tx.TidyKeyUses(s.keys.UsageDay().AddDays(-keyUsesKept))
		}),
		inPortions(func(tx *store.Tx) (int64, error) { return tx.TidyRefused(tx.Now() - refusedKept) }),
		inPortions(func(tx *store.Tx) (int64, error) { return tx.TidyExportBlobs() }),
		inPortions(func(tx *store.Tx) (int64, error) { return tx.TidyDataExports() }),
		s.core.Write(ctx, func(tx *store.Tx) error { return tx.TidyJobRuns(tx.Now() - jobRunsKept) }),
		s.tidyReports(ctx),
		s.people.TidyAccounts(ctx, by),
		s.files.TidyFiles(ctx, by),
	)
}

// IndexApplicants brings what applicants are found by up to date.
func (s *Service) IndexApplicants(ctx context.Context, by admitto.Caller) error {
	if err := by.Needs(admitto.InstanceAdmin); err != nil {
		return err
	}
	return s.db.IndexApplicants(ctx)
}
