package main

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"
)

// result is what was measured of a case. Times are those of one operation.
type result struct {
	benchCase
	admitto, floor []sample  // one for each measurement, in order
	ratios         []float64 // of neighbours, ascending
	peak           int64     // bytes of memory of the service, at most, while the case ran
}

// warmUps are the pairs before the first one that counts.
const warmUps = 2

// measure runs a case: the service, the floor, the service, the floor.
func (b *bench) measure(c benchCase, o options) (r result, err error) {
	r.benchCase = c
	sides, err := c.prepare(b)
	if err != nil {
		return r, err
	}
	b.server.forgetPeak()
	pairs := o.rounds * c.pairs
	step := progress(c.title+" ("+c.name+")", pairs)
	for pair := range warmUps + pairs {
		first := pair * c.batch
		a, err := batch(sides.admitto, first, c.batch)
		if err != nil {
			return r, err
		}
		if sides.between != nil {
			if err := sides.between(); err != nil {
				return r, err
			}
		}
		f, err := batch(sides.floor, first, c.batch)
		if err != nil {
			return r, err
		}
		if err := b.ctx.Err(); err != nil {
			return r, err
		}
		if pair < warmUps {
			continue
		}
		step()
		r.admitto, r.floor = append(r.admitto, a), append(r.floor, f)
		r.ratios = append(r.ratios, float64(a.total)/float64(f.total))
	}
	slices.Sort(r.ratios)
	r.peak = b.server.peak()
	if o.profiles != "" {
		err = b.profile(sides.admitto, filepath.Join(o.profiles, c.name+".cpu.pprof"))
	}
	return r, err
}

// batch does so many operations and gives the mean of them.
func batch(op func(int) (sample, error), first, n int) (mean sample, err error) {
	for i := range n {
		s, err := op(first + i)
		if err != nil {
			return mean, err
		}
		mean.total += s.total
		mean.firstByte += s.firstByte
		mean.bytes += s.bytes
	}
	mean.total /= time.Duration(n)
	mean.firstByte /= time.Duration(n)
	mean.bytes /= int64(n)
	return mean, nil
}

// profileTime is how long a profile is taken.
const profileTime = 10 * time.Second

// profile writes a CPU profile of the service that does nothing but this operation. After POST the twin does
// not fit any more, which is why that case is the last.
func (b *bench) profile(op func(int) (sample, error), path string) error {
	say("Profiling into %s", path)
	done := make(chan error, 1)
	go func() {
		done <- download(fmt.Sprintf("http://%s/debug/pprof/profile?seconds=%d", b.server.metrics, int(profileTime.Seconds())), path)
	}()
	for i := 0; ; i++ {
		select {
		case err := <-done:
			return err
		default:
		}
		if _, err := op(i); err != nil {
			return err
		}
	}
}

func download(url, path string) error {
	answer, err := http.Get(url)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return fmt.Errorf("%s: %s", url, answer.Status)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	_, err = io.Copy(file, answer.Body)
	if closing := file.Close(); err == nil {
		err = closing
	}
	return err
}

func onTerminal() bool { return term.IsTerminal(int(os.Stderr.Fd())) }

// say tells a person what goes on, beside the results on standard output.
func say(form string, values ...any) { fmt.Fprintf(os.Stderr, form+"\n", values...) }

// progress gives the function that is called for each step: a bar on a terminal, one line elsewhere.
func progress(what string, steps int) func() {
	if !onTerminal() {
		say("Measuring %s", what)
		return func() {}
	}
	bar := progressbar.NewOptions(steps, progressbar.OptionSetWriter(os.Stderr), progressbar.OptionSetDescription(what),
		progressbar.OptionShowCount(), progressbar.OptionClearOnFinish())
	return func() { _ = bar.Add(1) } // a bar that cannot be drawn is no fault
}
