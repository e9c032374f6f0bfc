// Package demo invents a whole institution: what it offers, its applicants with all their applications, offers,
// documents, scores and invoices, and the journal that tells how it all came about. The same number of applicants and
// the same seed give the same data on the same day, byte for byte, on both engines; of the clock nothing counts but the
// day, and nothing comes from crypto/rand or from the order of a map. All addresses are at domains that are reserved
// for examples.
//
// It may import package admitto, store (through its Tx) and text, and github.com/brianvoe/gofakeit/v7.
package demo

import (
	"context"
	"fmt"
	"slices"

	"github.com/admitto/admitto/internal/message"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/store/load"
)

// Options say how much is invented.
type Options struct {
	Applicants int    // 0: only what an instance without applicants has
	Seed       uint64 // another seed gives other people
	// Day is the one on which the data are made, which end just before; zero is today in UTC, by the clock of the
	// database.
	Day admitto.Date
	// Files takes the bytes of documents, photos and letters; nil: they are not stored.
	Files Files
	// Progress, when set, is told after each transaction how many of all applicants are stored.
	Progress func(done, total int)
}

// Filling is the instance fact that tells a half-filled database: it names what was begun, and is "" once
// everything is stored.
const Filling = "demo.filling"

// One transaction stores at most so many applicants, and so many happenings.
const (
	applicantsAtOnce = 2000
	happeningsAtOnce = 60_000
)

// Fill puts invented data into an empty database that is migrated and seeded (store.Seed) and that nobody else works
// on. A database that is not empty is left alone, and the error (admitto.NotAllowedNow) says so; when an earlier Fill
// did not come to its end, it says how to begin again. Cancelling ctx leaves such a half-filled database.
func Fill(ctx context.Context, s *store.Store, o Options) error {
	if o.Applicants < 0 {
		return admitto.Refuse(admitto.InvalidParameter, "applicants", "", message.Of("demo-size", o.Applicants))
	}
	var types []admitto.OfferType
	err := s.Write(ctx, func(tx *store.Tx) (err error) {
		if types, err = seeds(tx); err != nil {
			return err
		}
		if err := claim(tx, o); err != nil {
			return err
		}
		if err := saySeeded(tx, types); err != nil {
			return err
		}
		if o.Day.IsZero() {
			o.Day = dayOf(tx.Now())
		}
		return tx.MakeRoom(true)
	})
	if err != nil {
		return err
	}
	w := newWorld(o.Seed, spanBefore(o.Day), types)
	if err := w.run(ctx, s, &o); err != nil {
		return err
	}
	if err := s.IndexEverybody(ctx); err != nil {
		return err
	}
	err = s.Write(ctx, func(tx *store.Tx) error {
		if err := w.close(tx); err != nil {
			return err
		}
		if err := w.requests(tx); err != nil {
			return err
		}
		if err := w.bulks(tx); err != nil {
			return err
		}
		if err := w.access(tx, o.Applicants); err != nil {
			return err
		}
		if err := tx.Analyze(); err != nil {
			return err
		}
		if err := tx.MakeRoom(false); err != nil {
			return err
		}
		return tx.SetInstanceFact(Filling, "")
	})
	if err == nil {
		o.report(o.Applicants)
	}
	return err
}

// run invents everybody and stores it. While one batch is written the next one is invented.
func (w *world) run(ctx context.Context, s *store.Store, o *Options) error {
	batches, stopped := make(chan batch), make(chan error)
	go func() {
		for b := range batches {
			if err := b.store(ctx, s, o.Files); err != nil {
				stopped <- err
				return
			}
			o.report(b.done)
		}
		close(stopped)
	}()
	hand := func(done int) error {
		b := w.batch
		b.done, b.files = done, w.files.made
		w.batch, w.files.made = batch{}, nil
		select {
		case batches <- b:
			return nil
		case err := <-stopped:
			return err
		}
	}
	season := newSeason(w.span)
	for i := range o.Applicants {
		at := season.instant(w.chance, i, o.Applicants)
		w.advance(at)
		w.batch.applicants = append(w.batch.applicants, *w.live(int64(i+1), at))
		if w.batch.full() {
			if err := hand(i + 1); err != nil {
				return err
			}
		}
	}
	if o.Applicants > 0 {
		w.leave()
	}
	for more := true; more; more = len(w.queue) > 0 || len(w.batch.happened) > 0 {
		w.advance(w.erasing())
		if err := hand(o.Applicants); err != nil {
			return err
		}
	}
	close(batches)
	return <-stopped
}

func (o *Options) report(done int) {
	if o.Progress != nil {
		o.Progress(done, o.Applicants)
	}
}

// claim makes sure that the database is empty, and marks it.
func claim(tx *store.Tx, o Options) error {
	begun, err := tx.InstanceFact(Filling)
	if err != nil {
		return err
	}
	if begun != "" {
		return admitto.Errorf(admitto.NotAllowedNow,
			"The database is half full of invented data (%s): the last filling did not come to its end. "+
				"Remove the data folder, or drop the schema when it is on PostgreSQL, and begin again.", begun)
	}
	blank, err := tx.Blank()
	if err != nil {
		return err
	}
	if !blank {
		return admitto.Errorf(admitto.NotAllowedNow,
			"The database is not empty: it holds applicants, trackers or journal records already. "+
				"Invented data goes into an empty instance only, so choose a new data folder or schema.")
	}
	return tx.SetInstanceFact(Filling, fmt.Sprintf("%d applicants, seed %d", o.Applicants, o.Seed))
}

// world is everything that is known while the data is made.
type world struct {
	span
	chance        chance
	groups        map[string]nameGroup
	countryUpTo   []int // sum of the weights up to and with each country
	trackers      []admitto.Tracker
	emails        map[uint64]struct{} // hashes of the addresses in use
	reference     int64               // the last number given
	matriculation int64
	queue         queue
	planned       int64
	last          sequences
	batch         batch
	catalogue     *catalogue
	types         []admitto.OfferType // by ID, as seeded
	files         filePool
	books         books
}

func newWorld(seed uint64, over span, types []admitto.OfferType) *world {
	w := &world{span: over, types: types, catalogue: planCatalogue(over), chance: newChance(seed),
		groups: map[string]nameGroup{}, emails: map[uint64]struct{}{}}
	for _, groups := range []map[string]nameGroup{nameGroups, moreNameGroups} {
		for key, group := range groups {
			group.given, group.family = slices.Clip(group.given), slices.Clip(group.family) // the tables are shared
			w.groups[key] = group
		}
	}
	english := w.groups["english"]
	for range 200 {
		english.given = append(english.given, w.chance.fake.FirstName())
		english.family = append(english.family, w.chance.fake.LastName())
	}
	w.groups["english"] = english
	sum := 0
	for _, c := range countries {
		sum += c.weight
		w.countryUpTo = append(w.countryUpTo, sum)
	}
	w.trackers = planTrackers(w.chance, over)
	w.open()
	return w
}

// unreadFor is how long before the end of the data staff have opened the last documents.
const unreadFor = 10 * admitto.Day

// close leaves in the rows what is known at the end only.
func (w *world) close(tx *store.Tx) error {
	if err := load.SetSheetsScored(tx); err != nil {
		return err
	}
	if err := load.SetUnread(tx, w.ends-unreadFor); err != nil {
		return err
	}
	if err := tx.InsertNumbers(nil, w.books.counts()); err != nil {
		return err
	}
	return load.SetSeriesLast(tx, w.books.last())
}

// advance lets everything up to the time happen, as far as the batch has room.
func (w *world) advance(upTo admitto.Time) {
	for !w.batch.fullOfEvents() {
		h := w.next(upTo)
		if h == nil {
			return
		}
		w.happen(h)
	}
}
