package maintenance

import (
	"context"
	"crypto/rand"
	"errors"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/notify"
	"github.com/admitto/admitto/internal/store"
)

// From where on something is wrong, for the page of the instance's health and for admitto check.
const (
	CertificateLeft = 7 * 24 * time.Hour // until a certificate ends
	SpaceLeft       = 512 << 20          // bytes on the disk
	ClocksApart     = 5 * time.Second
)

// Process is what an instance knows of itself and the services do not: the command that runs it tells. What is nil is
// not known.
type Process struct {
	Version      string
	Certificate  func() admitto.Certificate
	Free         func() (bytes int64, known bool)
	Jobs         func() []admitto.JobOutcome
	SlowestPages func() []admitto.PageTime
}

// reporter is the part of a Service that says how its instance is.
type reporter struct {
	mu      sync.Mutex
	process *Process // nil: nobody watches this instance
	id      string
	last    admitto.InstanceReport
}

const (
	// reportGone is how long an instance that said nothing any more is still shown.
	reportGone = 1 * admitto.Hour
	// InstanceAlive is how long an instance may say nothing and still be taken to live.
	InstanceAlive = 2 * admitto.Minute
	// filesCounted is how old the count of the files may become.
	filesCounted = 1 * admitto.Hour
)

// Watch has this instance say how it is, from the next Report on.
func (s *Service) Watch(p *Process) {
	s.report.mu.Lock()
	defer s.report.mu.Unlock()
	s.report.process, s.report.id = p, rand.Text()
	s.report.last = admitto.InstanceReport{Started: s.core.Now(), Version: p.Version}
	s.report.last.Name, _ = os.Hostname() // without a name it has none
}

// Report tries what the instance works with and keeps what it found for the page of the health (screens.md A57). A job
// calls it twice a minute.
func (s *Service) Report(ctx context.Context, by admitto.Caller) error {
	if err := by.Needs(admitto.InstanceAdmin); err != nil {
		return err
	}
	s.report.mu.Lock()
	defer s.report.mu.Unlock()
	p := s.report.process
	if p == nil {
		return nil
	}
	if err := s.notify.TryMail(ctx, by); err != nil {
		return err
	}
	r := &s.report.last
	r.Mail, r.Files = s.notify.Contact(), ""
	if err := s.files.Works(ctx); err != nil {
		if cause := errors.Unwrap(err); admitto.KindOf(err) == admitto.Unavailable && cause != nil {
			err = cause // the rest is for who uploads
		}
		r.Files = notify.WithoutAddresses(err.Error())
	}
	if p.Certificate != nil {
		r.Certificate = p.Certificate()
	}
	if p.Free != nil {
		r.Free, r.FreeKnown = p.Free()
	}
	if p.Jobs != nil {
		r.Jobs = p.Jobs()
	}
	if p.SlowestPages != nil {
		r.Pages = p.SlowestPages()
	}
	if now := s.core.Now(); r.FilesCounted == 0 || now-r.FilesCounted >= filesCounted {
		err := s.core.Read(ctx, func(tx *store.Tx) (err error) {
			r.FilesCount, r.FilesBytes, err = tx.FilesKept()
			return err
		})
		if err != nil {
			return err
		}
		r.FilesCounted = now
	}
	return s.core.Write(ctx, func(tx *store.Tx) error {
		r.Apart = s.core.Now() - tx.Now()
		return tx.SaveReport(s.report.id, r)
	})
}

// Leave takes along what this instance has said of itself: it ends.
func (s *Service) Leave(ctx context.Context, by admitto.Caller) error {
	if err := by.Needs(admitto.InstanceAdmin); err != nil {
		return err
	}
	s.report.mu.Lock()
	defer s.report.mu.Unlock()
	if s.report.process == nil {
		return nil
	}
	s.report.process = nil
	return s.core.Write(ctx, func(tx *store.Tx) error { return tx.DropReport(s.report.id) })
}

// Health is how an instance is (screens.md A57), with nothing about persons in it.
type Health struct {
	Now       admitto.Time
	Instances []admitto.InstanceReport // those that live, and those that lately did
	Mails     admitto.MailQueue
	Abandoned int64 // creations of applicants, within a week
	Database  int64 // bytes
	Shared    bool  // it is one that several instances can work on
	Backup    admitto.Backup
	Last      int64 // record of the journal
	Check     admitto.JournalCheck
	Jobs      map[string]admitto.JobOutcome // those that one instance does for all
	Keys      []KeyVersions
}

// KeyVersions is which versions of the API a key uses.
type KeyVersions struct {
	Key        int64
	Label      string
	LastUsed   admitto.Time
	Version    int                 // of the last call, 0 for none
	Deprecated []admitto.KeyUseSum // what it used of late that will end
}

// usesShown is how many days back deprecated uses of keys count.
const usesShown = 30

// Health reads how the instance is. The names are those of the jobs that one instance does for all.
func (s *Service) Health(ctx context.Context, by admitto.Caller, jobs []string) (h Health, err error) {
	if err := by.Needs(admitto.InstanceAdmin); err != nil {
		return h, err
	}
	h.Shared = s.db.Shared()
	err = s.core.Read(ctx, func(tx *store.Tx) (err error) {
		h.Now = tx.Now()
		week := h.Now - notify.FailedKept
		reports, err := tx.Reports()
		for i := range reports {
			if h.Now-reports[i].Seen < reportGone {
				h.Instances = append(h.Instances, reports[i])
			}
		}
		if err == nil {
			h.Mails.Waiting, h.Mails.Oldest, err = tx.MailsWaiting(store.OrdinaryMail)
		}
		if err == nil {
			h.Mails.Welcomes, h.Mails.WelcomeOldest, err = tx.MailsWaiting(store.WelcomeSync)
		}
		if err == nil {
			h.Mails.Failed, err = tx.FailedMails(week)
			h.Mails.Failed = byReason(h.Mails.Failed)
		}
		if err == nil {
			h.Abandoned, err = tx.EventsSince(admitto.ApplicantCreationAbandoned, week)
		}
		if err == nil {
			h.Database, err = tx.DatabaseSize()
		}
		if err == nil {
			h.Backup, err = tx.BackupSeen()
		}
		if err == nil {
			h.Last, _, err = tx.JournalHead()
		}
		if err == nil {
			h.Check, err = tx.JournalCheck()
		}
		if err == nil {
			h.Jobs, err = outcomes(tx, jobs)
		}
		if err == nil {
			h.Keys, err = s.keyVersions(tx)
		}
		return err
	})
	return h, err
}

// byReason puts together what differs in addresses only.
func byReason(list []admitto.FailedMails) (sums []admitto.FailedMails) {
	at := map[[2]string]int{}
	for _, f := range list {
		f.Reason = notify.WithoutAddresses(f.Reason)
		key := [2]string{f.Template, f.Reason}
		i, known := at[key]
		if !known {
			at[key] = len(sums)
			sums = append(sums, f)
			continue
		}
		sums[i].Count += f.Count
		sums[i].Last = max(sums[i].Last, f.Last)
	}
	return sums
}

// outcomes are how the jobs went that one instance does for all.
func outcomes(tx *store.Tx, jobs []string) (map[string]admitto.JobOutcome, error) {
	all, err := tx.JobOutcomes()
	if err != nil {
		return nil, err
	}
	finished, err := tx.LastRuns(jobs)
	if err != nil {
		return nil, err
	}
	of := map[string]admitto.JobOutcome{}
	for _, job := range jobs {
		o := all[job]
		o.Job, o.LastFinished = job, finished[job]
		if o.Asked != 0 {
			if o.WaitsForAsked, err = tx.JobOpen(job, o.Asked); err != nil {
				return nil, err
			}
		}
		of[job] = o
	}
	return of, nil
}

// keyVersions are the versions that usable keys use, those with something deprecated first.
func (s *Service) keyVersions(tx *store.Tx) (list []KeyVersions, err error) {
	keys, err := tx.Keys()
	if err != nil {
		return nil, err
	}
	uses, of, err := tx.DeprecatedUses(s.keys.UsageDay().AddDays(-usesShown))
	if err != nil {
		return nil, err
	}
	for i := range keys {
		k := &keys[i]
		if !k.Usable(tx.Now()) {
			continue
		}
		v := KeyVersions{Key: k.ID, Label: k.Label, LastUsed: k.LastUsed, Version: k.LastCall.Version}
		for n := range uses {
			if of[n] == k.ID {
				v.Deprecated = append(v.Deprecated, uses[n])
			}
		}
		list = append(list, v)
	}
	slices.SortStableFunc(list, func(a, b KeyVersions) int {
		switch {
		case len(a.Deprecated) > 0 && len(b.Deprecated) == 0:
			return -1
		case len(a.Deprecated) == 0 && len(b.Deprecated) > 0:
			return 1
		}
		return strings.Compare(strings.ToLower(a.Label), strings.ToLower(b.Label))
	})
	return list, nil
}

// tidyReports forgets instances that are no more.
func (s *Service) tidyReports(ctx context.Context) error {
	return s.core.Write(ctx, func(tx *store.Tx) error { return tx.TidyReports(tx.Now() - reportGone) })
}
