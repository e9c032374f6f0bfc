package main

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// operation does what a case measures. Its number goes up, and is the same for both sides of a pair.
type operation func(i int) (sample, error)

// side is one of those that a case is measured on.
type side struct {
	name string // as in the results
	do   operation
	// before is called, untimed, after Admitto's turn and before that of this side; nil: nothing is needed.
	before func() error
	goal   goal
}

// goal is what is wanted of a ratio; the zero value wants nothing.
type goal struct {
	least, most float64 // one of them
}

// result is what was measured of a case. Times are those of one operation.
type result struct {
	benchCase
	against    []pairing
	peak       int64   // bytes of memory of the service, at most, while the case ran
	statements float64 // SQL statements of one operation; negative: not counted
}

// pairing is Admitto and one other side in turns.
type pairing struct {
	side
	admitto, other []sample // one for each measurement, in order
	// of neighbours, ascending: Admitto's time through that of a floor, the time of a peer through Admitto's
	ratios []float64
}

// warmUps are the pairs before the first one that counts.
const warmUps = 2

// measure runs a case: Admitto and the first other side, Admitto and the second, and from the beginning again.
func (b *bench) measure(c benchCase, o options) (r result, err error) {
	r = result{benchCase: c, statements: -1}
	sides, err := c.prepare(b)
	if err != nil || len(sides) == 0 {
		return r, err
	}
	admitto := sides[0].do
	for _, s := range sides[1:] {
		r.against = append(r.against, pairing{side: s})
	}
	b.server.forgetPeak()
	pairs := o.rounds * c.pairs
	step := progress(c.title+" ("+c.name+")", pairs)
	for pair := range warmUps + pairs {
		for k := range r.against {
			if err := r.against[k].turn(admitto, c, pair); err != nil {
				return r, fmt.Errorf("%s: %w", r.against[k].name, err)
			}
		}
		if err := b.ctx.Err(); err != nil {
			return r, err
		}
		if pair >= warmUps {
			step()
		}
	}
	for k := range r.against {
		slices.Sort(r.against[k].ratios)
	}
	if sides[0].name == onSQLite {
		r.peak = b.server.peak()
	}
	if r.statements, err = b.countStatements(sides, c.batch); err != nil {
		return r, err
	}
	if o.profiles != "" {
		measured := b.server
		if strings.HasPrefix(sides[0].name, onPostgres) {
			measured = b.postgres.server
		}
		err = measured.profile(admitto, filepath.Join(o.profiles, c.name+".cpu.pprof"))
	}
	return r, err
}

// turn measures one pair.
func (p *pairing) turn(admitto operation, c benchCase, pair int) error {
	first := pair * c.batch
	a, err := warmed(admitto, first, c)
	if err != nil {
		return err
	}
	if p.before != nil {
		if err := p.before(); err != nil {
			return err
		}
	}
	f, err := warmed(p.do, first, c)
	if err != nil || pair < warmUps {
		return err
	}
	p.admitto, p.other = append(p.admitto, a), append(p.other, f)
	ratio := float64(f.total) / float64(a.total)
	if p.isFloor() {
		ratio = 1 / ratio
	}
	p.ratios = append(p.ratios, ratio)
	return nil
}

// warmed is batch after some operations of the same side that do not count.
func warmed(op operation, first int, c benchCase) (sample, error) {
	if c.warm > 0 {
		if s, err := batch(op, first, c.warm); err != nil {
			return s, err
		}
	}
	return batch(op, first, c.batch)
}

// batch does so many operations and returns the mean of them.
func batch(op operation, first, n int) (mean sample, err error) {
	for i := range n {
		s, err := op(first + i)
		if err != nil {
			return mean, err
		}
		mean.total += s.total
		mean.firstByte += s.firstByte
		mean.bytes += s.bytes
		mean.each = append(mean.each, s.each...)
	}
	mean.total /= time.Duration(n)
	mean.firstByte /= time.Duration(n)
	mean.bytes /= int64(n)
	return mean, nil
}

// countStatements counts what one operation asks of PostgreSQL, where Admitto runs on it too. SQLite is asked
// the same.
func (b *bench) countStatements(sides []side, batch int) (float64, error) {
	if b.postgres == nil {
		return -1, nil
	}
	for _, s := range sides {
		if !strings.HasPrefix(s.name, onPostgres) {
			continue
		}
		operations := 4 * batch // what goes on next to them counts too, so there should be many
		before, err := b.postgres.statements(b.ctx)
		if err != nil {
			return -1, err
		}
		calls := 0.0
		for i := range operations {
			done, err := s.do(i)
			if err != nil {
				return -1, err
			}
			calls += float64(max(len(done.each), 1))
		}
		after, err := b.postgres.statements(b.ctx)
		return float64(after-before) / calls, err
	}
	return -1, nil
}
