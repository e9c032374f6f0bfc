package main

import (
	"bytes"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"zombiezen.com/go/sqlite"
)

// most is how many applicants the biggest list has, page how many the others have.
const (
	most = 16384
	page = 1000
)

func (b *bench) prepareList() ([]side, error) {
	sides, err := b.lists(always(fmt.Sprintf("/applicants?limit=%d", most)), b.floor.list,
		func(int) []any { return []any{int64(1), int64(most)} })
	if err != nil {
		return nil, err
	}
	sides[1].goal = goal{most: 1.5}
	if b.inC != nil {
		if err := b.inC.compare(b.floor.buffer); err != nil {
			return nil, err
		}
		sides = append(sides, side{name: "SQLite in C, the same bytes", do: b.inC.list, goal: goal{most: 3.5}})
	}
	sides = b.onPocketbase(sides, side{name: onPocketbase, goal: goal{least: 12}},
		func(p *pocketbase) operation { return p.all(most) })
	return b.onDirectus(sides, side{name: onDirectus, goal: goal{least: 6}}, func(d *directus) operation {
		return d.client.asking(always(fmt.Sprintf("/items/applicants?fields=%s&sort=id&limit=%d", directusFields, most)))
	}), nil
}

func (b *bench) prepareGzip() ([]side, error) {
	path := fmt.Sprintf("/applicants?limit=%d", most)
	packed := get(path)
	packed.encoding = "gzip"
	sides, err := b.sidesOf(func(int) call { return packed })
	if err != nil {
		return nil, err
	}
	sides[1] = side{name: "itself without gzip", do: b.client.asking(always(path))}
	return sides, nil
}

func (b *bench) prepareSince() ([]side, error) {
	ids, err := b.floor.someIDs(page)
	if err != nil {
		return nil, err
	}
	from := func(i int) int64 { return ids[i%len(ids)] }
	sides, err := b.lists(func(i int) call { return get(fmt.Sprintf("/applicants?bySince=%d&limit=%d", from(i), page)) },
		b.floor.list, func(i int) []any { return []any{from(i), int64(page)} })
	if err != nil {
		return nil, err
	}
	filter := func(i int) string { return fmt.Sprintf("nr>=%d", from(i)) }
	if sides, err = b.filteredOnPocketbase(sides, 8, "&sort=nr", filter); err != nil {
		return nil, err
	}
	return b.filteredOnDirectus(sides, func(i int) string { return fmt.Sprintf("filter[id][_gte]=%d", from(i)) })
}

func (b *bench) prepareCitizenships() ([]side, error) {
	countries, err := b.floor.texts("SELECT citizenship FROM applicant WHERE visible AND citizenship <> '' GROUP BY citizenship ORDER BY count(*) DESC LIMIT 3")
	if err != nil {
		return nil, err
	}
	var terms []string
	for _, c := range countries {
		terms = append(terms, "citizenship='"+c+"'")
	}
	stmt, err := b.floor.conn.Prepare(b.floor.selected + "WHERE citizenship IN ('" + strings.Join(countries,
		"','") + "') AND visible AND id >= ? ORDER BY id LIMIT ?")
	if err != nil {
		return nil, err
	}
	sides, err := b.lists(always(fmt.Sprintf("/applicants?byCitizenships=%s&limit=%d", strings.Join(countries, ","),
		page)), stmt,
		func(int) []any { return []any{int64(1), int64(page)} })
	if err != nil {
		return nil, err
	}
	if sides, err = b.filteredOnPocketbase(sides, 0, "", func(int) string {
		return strings.Join(terms,
			"||")
	}); err != nil {
		return nil, err
	}
	return b.filteredOnDirectus(sides, func(int) string {
		return "filter[citizenship][_in]=" + strings.Join(countries,
			",")
	})
}

func (b *bench) prepareEmails() ([]side, error) {
	const together = 10
	all, err := b.floor.texts("SELECT email_key FROM applicant WHERE visible AND id IN (SELECT id FROM applicant ORDER BY id % 997, id LIMIT 1000) AND email_key = email AND email NOT LIKE '%+%'")
	if err != nil {
		return nil, err
	}
	if len(all) < together {
		return nil, fmt.Errorf("the data has %d e-mail addresses", len(all))
	}
	emails := func(i int) []string {
		first := i * together % (len(all) - together + 1)
		return all[first : first+together]
	}
	stmt, err := b.floor.conn.Prepare(b.floor.selected + "WHERE state <> 'recovery' AND visible AND email_key IN (?" +
		strings.Repeat(",?", together-1) + ") ORDER BY id")
	if err != nil {
		return nil, err
	}
	sides, err := b.lists(func(i int) call { return get("/applicants?byEmails=" + strings.Join(emails(i), ",")) }, stmt,
		func(i int) (values []any) {
			for _, e := range emails(i) {
				values = append(values, e)
			}
			return values
		})
	if err != nil {
		return nil, err
	}
	if sides, err = b.filteredOnPocketbase(sides, 4, "", func(i int) string {
		return "email='" + strings.Join(emails(i),
			"'||email='") + "'"
	}); err != nil {
		return nil, err
	}
	return b.filteredOnDirectus(sides, func(i int) string { return "filter[email][_in]=" + strings.Join(emails(i), ",") })
}

func (b *bench) prepareTracker() ([]side, error) {
	found, err := b.floor.texts("SELECT tracker_id FROM applicant_tracker GROUP BY tracker_id ORDER BY count(*) DESC LIMIT 1")
	if err != nil {
		return nil, err
	}
	id, err := strconv.ParseInt(found[0], 10, 64)
	if err != nil {
		return nil, err
	}
	stmt, err := b.floor.conn.Prepare(strings.Replace(b.floor.selected, "FROM applicant ",
		"FROM applicant_tracker JOIN applicant ON id = applicant_id ", 1) +
		"WHERE tracker_id = ? AND visible ORDER BY applicant_id LIMIT ?")
	if err != nil {
		return nil, err
	}
	sides, err := b.lists(always(fmt.Sprintf("/applicants?byTrackerIDs=%d&limit=%d", id, page)), stmt,
		func(int) []any { return []any{id, int64(page)} })
	if err != nil {
		return nil, err
	}
	key := pocketbaseKey(id)
	if sides, err = b.filteredOnPocketbase(sides, 8, "", func(int) string {
		return "trackers~'" + key +
			"'"
	}); err != nil {
		return nil, err
	}
	sides = b.onPocketbase(sides, side{name: pocketbaseJoined}, func(p *pocketbase) operation {
		return p.client.asking(always(fmt.Sprintf("/collections/assignments/records?perPage=%d&skipTotal=1&expand=applicant&filter=%s", page,
			url.QueryEscape("tracker='"+key+"'"))))
	})
	return b.filteredOnDirectus(sides, func(int) string {
		return fmt.Sprintf("filter[trackers][trackers_id][_eq]=%d",
			id)
	})
}

// lists makes the sides of a list, after it has seen that the bare driver gives the same bytes.
func (b *bench) lists(of func(i int) call, stmt *sqlite.Stmt, values func(i int) []any) (sides []side, err error) {
	_, rows, err := b.floor.applicants(stmt, values(0)...)
	if err != nil {
		return nil, err
	}
	b.rows = rows
	answer, err := b.client.body(of(0))
	if err != nil {
		return nil, err
	}
	if !bytes.Equal(answer, b.floor.buffer) {
		return nil, fmt.Errorf("the API's list and the bare driver's %d applicants differ (%d and %d bytes); -fresh makes the data anew",
			rows, len(answer), len(b.floor.buffer))
	}
	if sides, err = b.sidesOf(of); err != nil {
		return nil, err
	}
	for i := range sides {
		if sides[i].name == onPostgres {
			sides[i].goal = goal{most: 1.5}
		}
	}
	loop := side{name: bareLoop, do: func(i int) (sample, error) {
		s, _, err := b.floor.applicants(stmt, values(i)...)
		return s, err
	}}
	return append([]side{sides[0], loop}, sides[1:]...), nil
}

func (b *bench) prepareCount() ([]side, error) {
	count := call{method: http.MethodHead, path: "/applicants", status: http.StatusOK}
	_, want, err := b.floor.number(b.floor.countScan)
	if err != nil {
		return nil, err
	}
	_, header, err := b.client.do(count)
	if err != nil {
		return nil, err
	}
	if got := header.Get("X-Count"); got != strconv.FormatInt(want, 10) {
		return nil, fmt.Errorf("X-Count is %s, but there are %d applicants; -fresh makes the data anew", got, want)
	}
	of := func(int) call { return count }
	sides, err := b.sidesOf(of)
	if err != nil {
		return nil, err
	}
	number := func(stmt *sqlite.Stmt) operation {
		return func(int) (sample, error) {
			s, _, err := b.floor.number(stmt)
			return s, err
		}
	}
	sides = append(sides, side{name: "bare driver, sum over the table of counts", do: number(b.floor.count)},
		side{name: "bare driver, count(*) over the table", do: number(b.floor.countScan)})
	sides = b.onPocketbase(sides, side{name: onPocketbase}, func(p *pocketbase) operation {
		return p.client.asking(always("/collections/applicants/records?perPage=1&fields=id"))
	})
	return b.onDirectus(sides, side{name: onDirectus}, func(d *directus) operation {
		return d.client.asking(always("/items/applicants?aggregate[count]=*"))
	}), nil
}
