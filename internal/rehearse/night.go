// Package rehearse plays a deadline night against a service (cli.md): people who sign in by the link that was mailed
// to them, save a last section, hand in a document and submit, all within a short time. It knows pages and the API
// only, as people and programs do.
package rehearse

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"
)

// Night says what is played.
type Night struct {
	URL, Key string
	People   int
	Within   time.Duration                     // in which all of them come
	Links    func() (map[string]string, error) // the links to sign in that were mailed, by address
	Say      func(sentence string)             // how far it is
}

// Report is what came of a night.
type Report struct {
	Steps     []Step
	Submitted int           // of whom the API says so, too
	Took      time.Duration // from the first who came to the last who was done
	Faults    []error       // one for each person who did not get through
}

// Step is something that each of the people does, with how long they waited for it.
type Step struct {
	Name  string
	Times []time.Duration // the shortest first
}

// Of is how long so many of a hundred waited at most.
func (s *Step) Of(percent int) time.Duration {
	if len(s.Times) == 0 {
		return 0
	}
	return s.Times[min(len(s.Times)*percent/100, len(s.Times)-1)]
}

// steps are what each of the people does, in this order.
var steps = []struct {
	name string
	do   func(*person) error
}{
	{"signs in by the link", (*person).signIn}, {"answers the consents", (*person).consent},
	{"opens the application", (*person).look}, {"saves a section", (*person).save},
	{"hands in a document", (*person).handIn}, {"submits", (*person).submit}, {"reads the receipt", (*person).read},
}

// Play makes the people, lets them come, and asks the API what became of their applications.
func (n *Night) Play(ctx context.Context) (*Report, error) {
	n.Say(fmt.Sprintf("%d people begin an application.", n.People))
	people, err := n.invite(ctx)
	if err != nil {
		return nil, err
	}
	n.Say(fmt.Sprintf("All of them come within %s, and submit.", n.Within))
	report := &Report{Steps: make([]Step, len(steps))}
	for i := range steps {
		report.Steps[i].Name = steps[i].name
	}
	var mu sync.Mutex
	var all sync.WaitGroup
	begun := time.Now()
	for i, p := range people {
		all.Go(func() {
			if err := arrive(ctx, n.Within*time.Duration(i)/time.Duration(n.People)); err != nil {
				p.fault = err
				return
			}
			for at, step := range steps {
				from := time.Now()
				if p.fault = step.do(p); p.fault != nil {
					p.fault = fmt.Errorf("%s %s: %w", p.email, step.name, p.fault)
					return
				}
				mu.Lock()
				report.Steps[at].Times = append(report.Steps[at].Times, time.Since(from))
				mu.Unlock()
			}
			p.browser.CloseIdleConnections()
		})
	}
	all.Wait()
	report.Took = time.Since(begun)
	for i := range report.Steps {
		slices.Sort(report.Steps[i].Times)
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	return report, n.count(ctx, people, report)
}

// arrive waits until it is somebody's turn.
func arrive(ctx context.Context, after time.Duration) error {
	select {
	case <-time.After(after):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// count asks the API about each application: who was told that it is submitted must find it so, and nobody else.
func (n *Night) count(ctx context.Context, people []*person, report *Report) error {
	faults := make([]error, len(people))
	err := n.each(len(people), func(i int) error {
		status, err := n.status(ctx, people[i].application)
		if err != nil {
			return err
		}
		done := status == "Submitted"
		switch faults[i] = people[i].fault; {
		case done && people[i].receipt == "" && faults[i] == nil:
			faults[i] = fmt.Errorf("%s: the application is submitted, and there is no receipt", people[i].email)
		case !done && people[i].receipt != "":
			faults[i] = fmt.Errorf("%s: there is a receipt, and the application is %s", people[i].email, status)
		}
		people[i].submitted = done
		return nil
	})
	for i, p := range people {
		if p.submitted {
			report.Submitted++
		}
		if faults[i] != nil {
			report.Faults = append(report.Faults, faults[i])
		}
	}
	return err
}

// each does something for so many, some at once.
func (n *Night) each(times int, do func(i int) error) error {
	const workers = 8
	faults := make([]error, workers)
	var all sync.WaitGroup
	for w := range workers {
		all.Go(func() {
			for i := w; i < times && faults[w] == nil; i += workers {
				faults[w] = do(i)
			}
		})
	}
	all.Wait()
	return errors.Join(faults...)
}
