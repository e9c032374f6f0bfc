package main

import "fmt"

func (b *bench) prepareOne() ([]side, error) {
	ids, err := b.floor.someIDs(0)
	if err != nil {
		return nil, err
	}
	id := func(i int) int64 { return ids[i%len(ids)] }
	sides, err := b.sidesOf(func(i int) call { return get(fmt.Sprintf("/applicants/%d", id(i))) })
	if err != nil {
		return nil, err
	}
	for i := range sides {
		switch sides[i].name {
		case barePrebuilt:
			sides[i].goal = goal{most: 1.4}
		case onPostgres:
			sides[i].goal = goal{most: 2.5}
		}
	}
	sides = append(sides, side{name: "bare driver, one row", do: func(i int) (sample, error) {
		s, _, err := b.floor.applicants(b.floor.one, id(i))
		return s, err
	}})
	sides = b.onPocketbase(sides, side{name: onPocketbase, goal: goal{least: 3.5}}, func(p *pocketbase) operation {
		return p.client.asking(func(i int) call { return p.one(id(i)) })
	})
	return b.onDirectus(sides, side{name: onDirectus}, func(d *directus) operation {
		return d.client.asking(func(i int) call { return d.one(id(i)) })
	}), nil
}

// callsEach is how many calls each of several clients makes in one measurement.
const callsEach = 50

func (b *bench) prepareOneTogether() ([]side, error) {
	ids, err := b.floor.someIDs(0)
	if err != nil {
		return nil, err
	}
	id := func(i int) int64 { return ids[i%len(ids)] }
	of := func(i int) call { return get(fmt.Sprintf("/applicants/%d", id(i))) }
	sides := []side{{name: onSQLite, do: together(b.clients, callsEach, of)}}
	sides = b.andAgain(sides, goal{}, func(a again) operation { return together(a.clients, callsEach, of) })
	sides = b.onPocketbase(sides, side{name: onPocketbase, goal: goal{least: 5}}, func(p *pocketbase) operation {
		return together(p.clients, callsEach, func(i int) call { return p.one(id(i)) })
	})
	return b.onDirectus(sides, side{name: onDirectus}, func(d *directus) operation {
		return together(d.clients, callsEach, func(i int) call { return d.one(id(i)) })
	}), nil
}

func (b *bench) prepareExpand() ([]side, error) {
	const limit = 512
	sides, err := b.sidesOf(always(fmt.Sprintf("/applicants?limit=%d&expand=trackers,documents,consents,invoices,wishes",
		limit)))
	if err != nil {
		return nil, err
	}
	sides = b.onPocketbase(sides, side{name: onPocketbase, goal: goal{least: 6}}, func(p *pocketbase) operation {
		return p.client.asking(always(fmt.Sprintf("/collections/applicants/records?perPage=%d&skipTotal=1&expand=trackers,"+
			"documents_via_applicant,consents_via_applicant,invoices_via_applicant,wishes_via_applicant", limit)))
	})
	return b.onDirectus(sides, side{name: onDirectus}, func(d *directus) operation {
		return d.client.asking(always(fmt.Sprintf("/items/applicants?limit=%d&sort=id&fields=%s,trackers.assigned,trackers.trackers_id.*,documents.*,consents.*,invoices.*,wishes.*",
			limit, directusFields)))
	}), nil
}
