package main

import (
	"fmt"
	"net/http"
	"strconv"
	"sync/atomic"
	"time"
)

// writer makes calls that are never the same twice, no matter who makes them.
func writer(of func(n int64) call) func(int) call {
	next := new(atomic.Int64)
	return func(int) call { return of(next.Add(1)) }
}

// puts returns what sets a tracker on another applicant each time: in Admitto, PocketBase and Directus.
func (b *bench) puts() (admitto, pocketbase, directus func(n int64) call, err error) {
	found, err := b.floor.texts("SELECT t.id FROM tracker t LEFT JOIN applicant_tracker a ON a.tracker_id = t.id GROUP BY t.id ORDER BY count(a.tracker_id) LIMIT 1")
	if err != nil {
		return nil, nil, nil, err
	}
	tracker, err := strconv.ParseInt(found[0], 10, 64)
	if err != nil {
		return nil, nil, nil, err
	}
	without, err := b.floor.texts(fmt.Sprintf(`SELECT id FROM applicant WHERE visible AND state = 'live' AND id NOT IN
		(SELECT applicant_id FROM applicant_tracker WHERE tracker_id = %d) ORDER BY id`, tracker))
	if err != nil {
		return nil, nil, nil, err
	}
	id := func(n int64) int64 {
		id, _ := strconv.ParseInt(without[int(n)%len(without)], 10, 64) // it is an ID of the database
		return id
	}
	admitto = func(n int64) call {
		return call{method: http.MethodPut, path: fmt.Sprintf("/applicants/%d/trackers/%d", id(n), tracker),
			status: http.StatusNoContent}
	}
	pocketbase = func(n int64) call {
		return call{method: http.MethodPatch, path: "/collections/applicants/records/" + pocketbaseKey(id(n)),
			status: http.StatusOK,
			body:   `{"trackers+":"` + pocketbaseKey(tracker) + `"}`}
	}
	directus = func(n int64) call {
		return call{method: http.MethodPost, path: "/items/applicants_trackers", status: http.StatusOK,
			body: fmt.Sprintf(`{"applicants_id":%d,"trackers_id":%d}`, id(n), tracker)}
	}
	return admitto, pocketbase, directus, nil
}

func (b *bench) preparePut() ([]side, error) {
	admitto, pb, dx, err := b.puts()
	if err != nil {
		return nil, err
	}
	sides := []side{{name: onSQLite, do: b.client.asking(writer(admitto))}}
	sides = b.andAgain(sides, goal{}, func(a again) operation { return a.client.asking(writer(admitto)) })
	sides = b.onPocketbase(sides, side{name: onPocketbase},
		func(p *pocketbase) operation { return p.client.asking(writer(pb)) })
	return b.onDirectus(sides, side{name: onDirectus},
		func(d *directus) operation { return d.client.asking(writer(dx)) }), nil
}

// writesEach is how many writes each of several clients makes in one measurement.
const writesEach = 10

// later leaves out what a case before has written already.
func later(of func(n int64) call) func(int) call {
	const beforehand = 1000
	return writer(func(n int64) call { return of(beforehand + n) })
}

func (b *bench) preparePutTogether() ([]side, error) {
	admitto, pb, dx, err := b.puts()
	if err != nil {
		return nil, err
	}
	sides := []side{{name: onSQLite, do: together(b.clients, writesEach, later(admitto))}}
	sides = b.andAgain(sides, goal{most: 1}, func(a again) operation {
		return together(a.clients, writesEach,
			later(admitto))
	})
	sides = b.onPocketbase(sides, side{name: onPocketbase, goal: goal{least: 4}}, func(p *pocketbase) operation {
		return together(p.clients, writesEach, later(pb))
	})
	return b.onDirectus(sides, side{name: onDirectus}, func(d *directus) operation {
		return together(d.clients, writesEach,
			later(dx))
	}), nil
}

// posts returns what creates an applicant: in Admitto, PocketBase and Directus.
func posts() (admitto, pocketbase, directus func(n int64) call) {
	run := time.Now().UnixNano()
	email := func(n int64) string { return fmt.Sprintf("bench.%d.%d@example.org", run, n) }
	admitto = func(n int64) call {
		return call{method: http.MethodPost, path: "/applicants", status: http.StatusCreated,
			body: `{"name_given":"Bench","name_family":"Mark","email":"` + email(n) +
				`","citizenship":"EE","phone":"+372 5555 0000"}`}
	}
	others := func(n int64, state string) string {
		return `{"given":"Bench","family":"Mark","email":"` + email(n) +
			`","citizenship":"EE","phone":"+372 5555 0000","type":"Natural"` + state + `}`
	}
	pocketbase = func(n int64) call {
		return call{method: http.MethodPost, path: "/collections/applicants/records", status: http.StatusOK,
			body: others(n, `,"state":"live"`)}
	}
	directus = func(n int64) call {
		return call{method: http.MethodPost, path: "/items/applicants", status: http.StatusOK,
			body: others(n, `,"state":"live"`)}
	}
	return admitto, pocketbase, directus
}

// account creates one in PocketBase.
func account(n int64) call {
	return call{method: http.MethodPost, path: "/collections/accounts/records", status: http.StatusOK,
		body: fmt.Sprintf(`{"given":"Bench","family":"Mark","email":"bench.%d.%d@example.org","citizenship":"EE","phone":"+372 5555 0000","type":"Natural",`+
			`"state":"live","password":"correct horse","passwordConfirm":"correct horse"}`, time.Now().UnixNano(), n)}
}

func (b *bench) preparePostTogether() ([]side, error) {
	admitto, pb, dx := posts()
	sides := []side{{name: onSQLite, do: together(b.clients, writesEach, writer(admitto))}}
	sides = b.andAgain(sides, goal{most: 1}, func(a again) operation {
		return together(a.clients, writesEach,
			writer(admitto))
	})
	without := side{name: onPocketbase + ", without a mail"}
	if b.pocketbase != nil && b.pocketbase.durable {
		without.name, without.goal = without.name+", synchronous=FULL", goal{least: 1.5}
	}
	sides = b.onPocketbase(sides, without, func(p *pocketbase) operation {
		return together(p.clients, writesEach, writer(pb))
	})
	return b.onDirectus(sides, side{name: onDirectus + ", without a mail"},
		func(d *directus) operation { return together(d.clients, writesEach, writer(dx)) }), nil
}

func (b *bench) preparePost() ([]side, error) {
	admitto, pb, dx := posts()
	sides := []side{{name: onSQLite, do: b.client.asking(writer(admitto))},
		{name: "bare driver, one transaction, and the mail", goal: goal{most: 1.8},
			do: func(int) (sample, error) { return b.twin.repeat() }}}
	sides = b.andAgain(sides, goal{}, func(a again) operation { return a.client.asking(writer(admitto)) })
	sides = b.onPocketbase(sides, side{name: onPocketbase + ", without a mail", goal: goal{least: 2}},
		func(p *pocketbase) operation { return p.client.asking(writer(pb)) })
	sides = b.onPocketbase(sides, side{name: pocketbaseAccount},
		func(p *pocketbase) operation { return p.client.asking(writer(account)) })
	sides = b.onDirectus(sides, side{name: onDirectus + ", without a mail"},
		func(d *directus) operation { return d.client.asking(writer(dx)) })
	sides[1].before = b.twin.learn
	for i := range sides[2:] {
		// The twin keeps up, so that it has one creation to repeat when it is measured.
		sides[2+i].before = func() error {
			if err := b.twin.learn(); err != nil {
				return err
			}
			_, err := b.twin.repeat()
			return err
		}
	}
	// What the cases before have written is put into the twin now.
	if _, err := sides[0].do(0); err != nil {
		return nil, err
	}
	if err := b.twin.learn(); err != nil {
		return nil, err
	}
	_, err := b.twin.repeat()
	return sides, err
}
