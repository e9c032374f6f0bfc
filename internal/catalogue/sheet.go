package catalogue

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/message"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/text"
	"github.com/admitto/admitto/internal/usecase"
)

// MostSheetRows is how many rows a sheet that is imported has below its heads, and MostSheetColumns how many columns.
const (
	MostSheetRows    = 10_000
	MostSheetColumns = 200
)

// atOnce is how many rows of a sheet are stored in one transaction.
const atOnce = 200

// sheetColumn is a column of a sheet, written and read in the same form.
type sheetColumn[T any] struct {
	name string
	get  func(v *T) string
	set  func(v *T, cell string) error // message.Text inside
}

// mostNamedWords is how many words a fault names that a cell may have.
const mostNamedWords = 12

// wordList reads the words that a cell may have.
type wordList func(tx *store.Tx) ([]string, error)

// fixed are words that are the same everywhere.
func fixed[W ~string](words ...W) wordList {
	return func(*store.Tx) (list []string, err error) {
		for _, w := range words {
			list = append(list, string(w))
		}
		return list, nil
	}
}

// codesOf are the codes of a class that are in use.
func codesOf(class string) wordList {
	return func(tx *store.Tx) ([]string, error) {
		codes, err := tx.ActiveCodes()
		return slices.Sorted(maps.Keys(codes[class])), err
	}
}

// sheet is how records of a kind stand in a sheet.
type sheet[T any] struct {
	columns []sheetColumn[T]
	kind    admitto.RowKind
	prefix  string // of the paths of faults
	id      func(v *T) *int64
	keys    func(v *T) []string // what it may be known by besides its ID
	asked   func(v *T) string   // the key that a row without an ID asks for
	name    func(v *T) string
	all     func(tx *store.Tx) ([]T, error)
	blank   func(tx *store.Tx) (T, error)
	check   func(c *checks, v, was *T)
	words   map[string]wordList // of columns that take some words only
	changes func(was, now *T) []admitto.Detail
	save    func(tx *store.Tx, by usecase.Caller, v, was *T) error
}

// heads are the names of the columns.
func (s *sheet[T]) heads() (names []string) {
	for _, c := range s.columns {
		names = append(names, c.name)
	}
	return names
}

// rows are the values of records.
func (s *sheet[T]) rows(list []T) (rows [][]string) {
	for i := range list {
		var cells []string
		for _, c := range s.columns {
			cells = append(cells, c.get(&list[i]))
		}
		rows = append(rows, cells)
	}
	return rows
}

// place finds the columns of a sheet by its heads.
func (s *sheet[T]) place(heads []string) (places []int, faults []message.Text) {
	for _, head := range heads {
		at := slices.IndexFunc(s.columns, func(c sheetColumn[T]) bool { return strings.EqualFold(c.name, head) })
		switch {
		case at < 0:
			faults = append(faults, message.Of("sheet-head-unknown", text.Quote(head), strings.Join(s.heads(), ", ")))
		case slices.Contains(places, at):
			faults = append(faults, message.Of("sheet-head-twice", text.Quote(head)))
		}
		places = append(places, at)
	}
	known := func(head string) bool { return head == "id" || head == "code" || head == "name" }
	if faults == nil && !slices.ContainsFunc(heads, known) {
		faults = append(faults, message.Of("sheet-no-name"))
	}
	return places, faults
}

// stored is what there is, found by ID and by key.
type stored[T any] struct {
	list  []T
	byID  map[int64]int
	byKey map[string]int // -1 for a key of several
}

func (s *sheet[T]) read(tx *store.Tx) (found stored[T], err error) {
	found = stored[T]{byID: map[int64]int{}, byKey: map[string]int{}}
	if found.list, err = s.all(tx); err != nil {
		return found, err
	}
	for at := range found.list {
		v := &found.list[at]
		found.byID[*s.id(v)] = at
		for _, key := range s.keys(v) {
			if _, taken := found.byKey[key]; taken {
				found.byKey[key] = -1
			} else {
				found.byKey[key] = at
			}
		}
	}
	return found, nil
}

// planned is a row with the record that it leads to.
type planned[T any] struct {
	admitto.RowPlan
	was, now T
	asked    string // the key that the row asks for, "" where it has an ID
	lost     bool   // its ID leads nowhere, so that nobody knows what it is about
}

// lines says in which lines of a sheet something stands first.
type lines struct{ id, key, asked map[string]int }

// plan says what comes of the rows.
func (s *sheet[T]) plan(tx *store.Tx, places []int, rows []admitto.FileRow) ([]planned[T], error) {
	found, err := s.read(tx)
	if err != nil {
		return nil, err
	}
	blank, err := s.blank(tx)
	if err != nil {
		return nil, err
	}
	c := &checks{tx: tx, known: map[string]error{}}
	list := make([]planned[T], 0, len(rows))
	named := map[string]string{}
	seen := lines{map[string]int{}, map[string]int{}, map[string]int{}}
	for _, row := range rows {
		p := planned[T]{RowPlan: admitto.RowPlan{Line: row.Line, State: admitto.RowNew}, was: blank}
		s.find(&p, &found, places, row)
		p.now = p.was
		s.fill(&p, places, row)
		p.ID, p.Name = *s.id(&p.was), s.name(&p.now)
		if p.ID == 0 || len(s.changes(&p.was, &p.now)) > 0 { // what stays may be older than the rules
			c.faults = nil
			s.check(c, &p.now, &p.was)
			if c.err != nil {
				return nil, c.err
			}
			for _, fault := range c.faults {
				column := columnOf(string(fault.Path), s.prefix)
				words, err := s.named(tx, named, column)
				if err != nil {
					return nil, err
				}
				if words != "" && (fault.Text.Code == "choose-one" || fault.Text.Code == "no-code-of-class") {
					fault.Text = message.Of("sheet-no-word", words)
				}
				p.Fault(column, fault.Text)
			}
		}
		p.Name = s.name(&p.now)
		if line := s.twin(&p, &seen); line != 0 {
			p.Fault("", message.Of("sheet-row-twice", line))
		}
		s.settle(&p)
		list = append(list, p)
	}
	return list, nil
}

// named are the words that a cell of a column may have, as a fault names them, "" for any or too many; what was read
// stays in known.
func (s *sheet[T]) named(tx *store.Tx, known map[string]string, column string) (string, error) {
	if _, read := known[column]; !read {
		known[column] = ""
		if s.words[column] != nil {
			words, err := s.words[column](tx)
			if err != nil {
				return "", err
			}
			if len(words) <= mostNamedWords {
				for n := range words {
					words[n] = text.Quote(words[n])
				}
				known[column] = strings.Join(words, ", ")
			}
		}
	}
	return known[column], nil
}

// settle says what state a row has.
func (s *sheet[T]) settle(p *planned[T]) {
	switch {
	case len(p.Faults) > 0:
		p.State = admitto.RowWrong
	case p.ID == 0:
		p.State = admitto.RowNew
	default:
		p.State = admitto.RowUnchanged
		if p.Changes = s.changes(&p.was, &p.now); len(p.Changes) > 0 {
			p.State = admitto.RowChanged
		}
	}
}

// twin is the line of an earlier row about the same record, 0 for none. A new record must be none that another row asks
// for: once it is stored, that row would find it.
func (s *sheet[T]) twin(p *planned[T], seen *lines) (line int) {
	note := func(in map[string]int, key string) {
		if in[key] == 0 {
			in[key] = p.Line
		}
	}
	if p.lost {
		return 0
	}
	if p.ID != 0 {
		id := strconv.FormatInt(p.ID, 10)
		line = seen.id[id]
		note(seen.id, id)
	} else {
		for _, key := range s.keys(&p.now) {
			line = cmp.Or(line, seen.asked[key])
			note(seen.key, key)
		}
	}
	if p.asked != "" {
		if first := seen.key[p.asked]; first != p.Line {
			line = cmp.Or(line, first)
		}
		note(seen.asked, p.asked)
	}
	return line
}

// columnOf is the column that a path is about: of lines in a cell it is that of the cell.
func columnOf(path, prefix string) string {
	if lang, name, ok := admitto.Path(path).OfVersion(); ok {
		if strings.HasPrefix(name, admitto.DeadlineVersion("")) {
			name = "deadlines"
		}
		return name + "[" + lang + "]"
	}
	switch name, _, _ := strings.Cut(strings.TrimPrefix(path, prefix), "-"); name {
	case "territory", "deadline_info":
		return "deadlines"
	default:
		return name
	}
}

// find looks for the record that a row is about: the one with its ID, else the one with its code, else with its name.
func (s *sheet[T]) find(p *planned[T], found *stored[T], places []int, row admitto.FileRow) {
	var probe T
	for n, place := range places {
		if n < len(row.Cells) { // what is wrong is said when the row is filled
			p.lost = s.columns[place].set(&probe, row.Cells[n]) != nil && s.columns[place].name == "id" || p.lost
		}
	}
	if p.lost {
		return
	}
	at, there := 0, false
	if id := *s.id(&probe); id != 0 {
		if at, there = found.byID[id]; !there {
			p.lost = true
			p.Fault("id", message.Of("sheet-no-record", id))
		}
	} else {
		p.asked = s.asked(&probe)
		at, there = found.byKey[p.asked]
	}
	switch {
	case there && at < 0:
		p.Fault("", message.Of("sheet-several"))
	case there:
		p.was = found.list[at]
	}
}

// fill puts the cells of a row into its record.
func (s *sheet[T]) fill(p *planned[T], places []int, row admitto.FileRow) {
	id := *s.id(&p.was)
	for n, cell := range row.Cells {
		if n >= len(places) {
			if cell != "" {
				p.Fault("", message.Of("sheet-too-wide", len(places)))
			}
			continue
		}
		column := &s.columns[places[n]]
		if err := column.set(&p.now, cell); err != nil {
			p.Fault(column.name, message.From(err))
		}
	}
	*s.id(&p.now) = id
}

// planSheet says what comes of a sheet, and writes nothing.
func planSheet[T any](ctx context.Context, s *Service, of *sheet[T], heads []string, rows []admitto.FileRow) (
	admitto.FilePlan, error) {
	places, faults := of.place(heads)
	if faults != nil {
		return admitto.FilePlan{Heads: faults}, nil
	}
	return usecase.Get(ctx, s.core, func(tx *store.Tx) (plan admitto.FilePlan, err error) {
		list, err := of.plan(tx, places, rows)
		for i := range list {
			plan.Rows = append(plan.Rows, list[i].RowPlan)
		}
		return plan, err
	})
}

// importSheet stores what a sheet says, some rows in each transaction. A sheet with a fault is not begun; one that was
// interrupted is gone on with when it is imported again, as what is stored already stays.
func importSheet[T any](ctx context.Context, s *Service, by usecase.Caller, of *sheet[T], heads []string,
	rows []admitto.FileRow) (admitto.FilePlan, error) {
	plan, err := planSheet(ctx, s, of, heads, rows)
	if err != nil || plan.IsWrong() {
		return plan, err
	}
	places, _ := of.place(heads)
	var due []admitto.FileRow
	for i := range plan.Rows {
		if plan.Rows[i].State != admitto.RowUnchanged {
			due = append(due, rows[i])
		}
	}
	for part := range slices.Chunk(due, atOnce) {
		if err := s.core.Write(ctx, func(tx *store.Tx) error { return of.store(tx, by, places, part) }); err != nil {
			return plan, err
		}
	}
	return plan, nil
}

// store stores some rows: they are planned again while nobody else changes their records.
func (s *sheet[T]) store(tx *store.Tx, by usecase.Caller, places []int, rows []admitto.FileRow) error {
	list, err := s.plan(tx, places, rows)
	if err != nil {
		return err
	}
	var ids []int64
	for i := range list {
		if list[i].ID != 0 {
			ids = append(ids, list[i].ID)
		}
	}
	slices.Sort(ids)
	for _, id := range ids {
		if err := tx.LockReference(admitto.Row{Kind: s.kind, ID: id}); err != nil {
			return err
		}
	}
	if list, err = s.plan(tx, places, rows); err != nil {
		return err
	}
	for i := range list {
		p := &list[i]
		if p.State == admitto.RowWrong {
			return admitto.Refused(admitto.InvalidParameter, message.Of("sheet-changed", p.Line))
		}
		if p.State == admitto.RowUnchanged {
			continue
		}
		if err := s.save(tx, by, &p.now, &p.was); err != nil {
			return err
		}
	}
	return nil
}
