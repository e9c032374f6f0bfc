package admissions

import (
	"context"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/form"
	"github.com/admitto/admitto/internal/message"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/text"
	"github.com/admitto/admitto/internal/usecase"
)

// contentSaved does what follows every saved change of an application's content (lifecycle.md T3, T4, T6, T21): revised
// is now, the change is recorded with its old and new values, and Blank or Inactive becomes Draft.
func (s *Service) contentSaved(tx *store.Tx, d *usecase.LockedApplication, details []admitto.Detail) error {
	tx.Record(d.Actor, admitto.Event{Pattern: admitto.ApplicationEdited, Links: d.Links(), Details: details})
	return s.contentRevised(tx, d)
}

// contentRevised is contentSaved for a change that has an event of its own, which was recorded before.
func (s *Service) contentRevised(tx *store.Tx, d *usecase.LockedApplication) error {
	step, err := contentStep(d, true)
	if err != nil {
		return err
	}
	if err := tx.ContentRevised(d.ID, step.To); err != nil {
		return err
	}
	d.Revised = tx.Now()
	d.RowVersion++
	if step.To != d.Status {
		d.Status = step.To
		d.Record(tx, admitto.ApplicationStatusChanged, string(step.To))
	}
	return nil
}

// contentStep finds the transition that a change of content brings. open says that it changes nothing but what stays
// open to the applicant after the submission (lifecycle.md T21).
func contentStep(d *usecase.LockedApplication, open bool) (admitto.Transition, error) {
	event := admitto.ContentSaved
	if open && d.Status == admitto.Submitted && d.Actor.Kind == admitto.ByApplicant {
		event = admitto.OpenContentSaved
	}
	return admitto.ApplicationStep(event, d.Status, d.Actor.Kind)
}

// mayChangeContent refuses a change of content that the status forbids to the actor. The applicant is also bound by
// G9; what else stands against the change is told together with that.
func (s *Service) mayChangeContent(tx *store.Tx, d *usecase.LockedApplication, open bool,
	more func() ([]admitto.Fault, error)) error {
	if _, err := contentStep(d, open); err != nil {
		return err
	}
	faults, err := more()
	if err != nil {
		return err
	}
	if d.Actor.Kind == admitto.ByApplicant {
		closed, err := s.ClosedFaults(tx, d)
		if err != nil {
			return err
		}
		faults = append(closed, faults...)
	}
	return notNow(faults)
}

// frozenSet is what the applicant may not change any more (lifecycle.md 3.6): JSON pointers into the content, and
// /documents/222.
type frozenSet map[string]bool

// frozenFor returns what is frozen for the one who changes the application; nothing for anybody but the applicant.
func frozenFor(tx *store.Tx, d *usecase.LockedApplication) (frozenSet, error) {
	if d.Actor.Kind != admitto.ByApplicant || d.Frozen == 0 {
		return nil, nil
	}
	entries, err := tx.FrozenEntries(d.ID)
	frozen := frozenSet{}
	for _, entry := range entries {
		frozen[entry] = true
	}
	return frozen, err
}

// holds reports whether the path, or something that it lies in, is frozen.
func (f frozenSet) holds(path string) bool {
	for path != "" {
		if f[path] {
			return true
		}
		path = path[:strings.LastIndexByte(path, '/')]
	}
	return false
}

func (f frozenSet) holdsDocument(id int64) bool { return f["/documents/"+strconv.FormatInt(id, 10)] }

// frozenContent tells what of a change the applicant may not do (G13): empty fields may be filled in, and rows be
// added at the end.
func frozenContent(tx *store.Tx, d *usecase.LockedApplication, details []admitto.Detail) (faults []admitto.Fault,
	err error) {
	frozen, err := frozenFor(tx, d)
	if err != nil {
		return nil, err
	}
	for _, change := range details {
		if change.Old != "" && frozen.holds(change.Path) {
			faults = append(faults, admitto.Fault{Path: "content" + admitto.Path(change.Path), Code: admitto.CodeFrozen,
				Text: message.Of("content-frozen")})
		}
	}
	return faults, nil
}

// SectionEdit is what was typed into a section of the form, or into one of its rows (lifecycle.md 3.5).
type SectionEdit struct {
	Section string
	Row     int // of a section of rows; as many as it has adds one, and so does NewRow
	// Typed has the texts of fields by their paths below the section or row, of questions by their IDs. What is not in it
	// stays as it is. A field that takes several values has several texts; days are 2026-03-01, months 2026-03.
	Typed map[string][]string
}

// NewRow stands for a row that is added behind the others, however many there are.
const NewRow = -1

// SaveSection stores what was typed, all edits or none. A value outside of the rules is kept as it was typed, and needs
// attention; the others are stored. Errors: those of PatchContent; not-found for a row that there is not.
func (s *Service) SaveSection(ctx context.Context, by usecase.Caller, application int64, edits ...SectionEdit) error {
	if err := by.NeedsOrApplicant(admitto.ApplicationsEdit); err != nil {
		return err
	}
	members := map[string]any{}
	for i := range edits {
		members[edits[i].Section] = nil
	}
	return s.editContent(ctx, by, application, func(tx *store.Tx, content *form.Content) ([]byte, error) {
		m, err := newMerger(tx, content, application, &ContentPatch{Members: members})
		if err != nil {
			return nil, err
		}
		m.today = s.core.Today(tx)
		for i := range edits {
			if err := m.section(by.Caller, content, &edits[i]); err != nil {
				return nil, err
			}
		}
		content.Tidy()
		return storedContent(content)
	})
}

// storedContent is the content as it is stored, within its bound.
func storedContent(content *form.Content) ([]byte, error) {
	stored, err := json.Marshal(content)
	if err == nil && len(stored) > admitto.MaxContentBytes {
		err = &admitto.Error{Kind: admitto.InvalidParameter, Faults: []admitto.Fault{{Path: "content",
			Text: message.Of("content-too-large", len(stored), admitto.MaxContentBytes)}}}
	}
	return stored, err
}

// section merges what was typed into a section or a row.
func (m *merger) section(by admitto.Caller, content *form.Content, edit *SectionEdit) error {
	s := form.SectionOf(edit.Section)
	if s == nil {
		return &admitto.Error{Kind: admitto.NotFound}
	}
	if content.Attention == nil {
		content.Attention = map[string]string{}
	}
	if s.Key == form.Questions {
		m.typedAnswers(content, edit.Typed)
		return nil
	}
	at, into := s.Key, content.Section(s.Key)
	if s.Rows {
		rows, row := content.Rows(s.Key), edit.Row
		if row == NewRow {
			row = len(rows)
		}
		if row < 0 || row > len(rows) || len(rows) >= admitto.MaxContentEntries && row == len(rows) {
			return &admitto.Error{Kind: admitto.NotFound}
		}
		if row == len(rows) {
			rows = append(rows, form.Object{})
			content.SetSection(s.Key, rows)
		}
		at, into = at+"/"+strconv.Itoa(row), rows[row]
	} else if into == nil {
		into = form.Object{}
		content.SetSection(s.Key, into)
	}
	was := map[string]string{}
	for _, f := range s.Leaves() {
		was[f.Below()] = form.TextAt(into, f.Below())
	}
	for _, f := range s.Leaves() {
		texts, given := edit.Typed[f.Below()]
		if !given || by.Actor.Kind != admitto.ByApplicant && f.Needs != 0 && !by.Has(f.Needs) {
			continue
		}
		path := at + "/" + f.Below()
		value, ok := m.typed(f, texts)
		if ok && !m.fits(f, was, into, value) {
			value, ok = nil, false
		}
		if ok {
			delete(content.Attention, path)
		} else {
			content.Attention[path] = strings.Join(texts, "\n")
		}
		form.Set(into, f.Below(), value)
	}
	return nil
}

// fits reports whether what was typed into a field of an object can be so: a number that can be dialled, a day that has
// come, a month that is not before the one that it follows. What was there before stays: the API takes every value of
// its kind, and some are older than the rules.
func (m *merger) fits(f *form.Field, was map[string]string, o form.Object, value any) bool {
	typed, _ := value.(string)
	stored := was[f.Below()]
	switch {
	case typed == "":
	case f.Phone:
		_, err := text.Phone(stored, maxLine)(typed)
		return err == nil
	case f.Past && typed != stored:
		day, err := admitto.ParseDate(typed)
		return err != nil || !m.today.Before(day)
	case f.After != "":
		below := strings.TrimSuffix(f.Below(), f.Name) + f.After
		first := form.TextAt(o, below)
		return first == "" || typed == stored && first == was[below] || !form.IsBefore(typed, first)
	}
	return true
}

// typed is the value that texts stand for, by the kind of their field, without ok they are outside of its rules.
func (m *merger) typed(f *form.Field, texts []string) (value any, ok bool) {
	texts = slices.DeleteFunc(slices.Clone(texts), func(s string) bool { return strings.TrimSpace(s) == "" })
	if len(texts) == 0 {
		return nil, true
	}
	var given any = texts[0]
	switch f.Kind {
	case form.Number:
		given = json.Number(strings.TrimSpace(texts[0]))
	case form.YesNo:
		given = yesOrNo(texts[0])
	case form.Codes:
		given = anyList(texts)
	case form.Schemes:
		members := map[string]any{}
		for line := range strings.SplitSeq(texts[0], "\n") {
			if name, code, ok := strings.Cut(line, ":"); ok {
				members[strings.TrimSpace(name)] = strings.TrimSpace(code)
			} else if strings.TrimSpace(line) != "" {
				members[line] = false // no code: what is wrong is said below
			}
		}
		given = members
	case form.Lines, form.Text, form.Person:
	default:
		given = strings.TrimSpace(texts[0])
	}
	before := m.faults
	m.faults = nil
	value, _ = m.value(f, nil, given, "")
	found := m.faults
	m.faults = before
	if len(found) > 0 {
		return nil, false
	}
	return value, true
}

// yesOrNo is what the words of a form stand for; another text is no answer, and is refused as it is.
func yesOrNo(text string) any {
	switch text {
	case "yes":
		return true
	case "no":
		return false
	}
	return text
}

func anyList(texts []string) []any {
	list := make([]any, len(texts))
	for i, text := range texts {
		list[i] = text
	}
	return list
}

// typedAnswers merges answers to questions; those to questions of a custom section stand at 17/3.
func (m *merger) typedAnswers(content *form.Content, typed map[string][]string) {
	for i := range m.questions {
		q := &m.questions[i]
		place := slices.IndexFunc(content.Extras, func(e admitto.Extra) bool { return e.ID == q.ID })
		answer := admitto.Extra{ID: q.ID, Name: q.Name, Type: q.Type}
		before := answer
		if place >= 0 {
			before = content.Extras[place]
		}
		id := strconv.FormatInt(q.ID, 10)
		given := false
		if q.Type == admitto.ExtraSection {
			answer.Entries, given = m.typedEntries(content, q, &before, typed)
		} else {
			var texts []string
			if texts, given = typed[id]; given {
				m.attendAnswer(content, &answer, q, id, texts, before.Text)
			}
		}
		switch {
		case !given:
		case place >= 0:
			content.Extras[place] = answer
		case !answer.IsUnanswered():
			content.Extras = append(content.Extras, answer)
		}
	}
}

// typedEntries are the answers of a custom section; those that nobody typed stay. given is false where none was.
func (m *merger) typedEntries(content *form.Content, q *admitto.Question, before *admitto.Extra,
	typed map[string][]string) (entries []admitto.Extra, given bool) {
	for i := range q.Fields {
		inner := &q.Fields[i]
		path := strconv.FormatInt(q.ID, 10) + "/" + strconv.FormatInt(inner.ID, 10)
		answer := admitto.Extra{ID: inner.ID, Name: inner.Name, Type: inner.Type}
		place := slices.IndexFunc(before.Entries, func(e admitto.Extra) bool { return e.ID == inner.ID })
		was := ""
		if place >= 0 {
			was = before.Entries[place].Text
		}
		if texts, ok := typed[path]; ok {
			given = true
			m.attendAnswer(content, &answer, inner, path, texts, was)
		} else if place >= 0 {
			answer = before.Entries[place]
		}
		if !answer.IsUnanswered() {
			entries = append(entries, answer)
		}
	}
	return entries, given
}

// attendAnswer reads the answer at a path below extras; what the rules do not take is kept as it was typed.
func (m *merger) attendAnswer(content *form.Content, answer *admitto.Extra, q *admitto.Question, below string,
	texts []string, before string) {
	path := form.Questions + "/" + below
	delete(content.Attention, path)
	if !m.typedAnswer(answer, q, texts, before) {
		content.Attention[path] = strings.Join(texts, "\n")
		answer.Clear()
	}
}

// typedAnswer reads the answer to one question, and reports whether the rules take it; nothing typed is no answer.
func (m *merger) typedAnswer(answer *admitto.Extra, q *admitto.Question, texts []string, before string) bool {
	texts = slices.DeleteFunc(slices.Clone(texts), func(s string) bool { return strings.TrimSpace(s) == "" })
	if len(texts) == 0 {
		return true
	}
	var given any = texts[0]
	switch q.Type {
	case admitto.ExtraFile:
		id, err := text.ID(strings.TrimSpace(texts[0]))
		if err == nil && m.documents[id] {
			answer.Document = id
		}
		return answer.Document != 0
	case admitto.ExtraYesNo:
		given = yesOrNo(texts[0])
	case admitto.ExtraChoices:
		given = anyList(texts)
	case admitto.ExtraMoney:
		amount, currency, _ := strings.Cut(strings.TrimSpace(texts[0]), " ")
		given = map[string]any{"amount": amount, "currency": strings.TrimSpace(currency)}
	}
	kept := m.faults
	m.faults = nil
	m.answer(answer, q, given, before, "")
	found := m.faults
	m.faults = kept
	return len(found) == 0
}

// RemoveRow takes a row out of a section. Errors: those of PatchContent; not-found for a row that there is not.
func (s *Service) RemoveRow(ctx context.Context, by usecase.Caller, application int64, section string, row int) error {
	if err := by.NeedsOrApplicant(admitto.ApplicationsEdit); err != nil {
		return err
	}
	return s.editRows(ctx, by, application, section, []int{row},
		func(order []int) []int { return slices.Delete(order, row, row+1) })
}

// MoveRow moves a row to another place; both are counted from 0. Errors: those of RemoveRow; not-found for a place that
// there is not.
func (s *Service) MoveRow(ctx context.Context, by usecase.Caller, application int64, section string,
	row, to int) error {
	if err := by.NeedsOrApplicant(admitto.ApplicationsEdit); err != nil {
		return err
	}
	return s.editRows(ctx, by, application, section, []int{row, to}, func(order []int) []int {
		return slices.Insert(slices.Delete(order, row, row+1), to, row)
	})
}

// editRows puts the rows of a section into another order, by the numbers they have now; those left out are gone. There
// must be a row at each of the places.
func (s *Service) editRows(ctx context.Context, by usecase.Caller, application int64, section string, places []int,
	change func(order []int) []int) error {
	return s.editContent(ctx, by, application, func(_ *store.Tx, content *form.Content) ([]byte, error) {
		rows := content.Rows(section)
		if slices.ContainsFunc(places, func(row int) bool { return row < 0 || row >= len(rows) }) {
			return nil, &admitto.Error{Kind: admitto.NotFound}
		}
		order := make([]int, len(rows))
		for i := range order {
			order[i] = i
		}
		order = change(order)
		attention := map[string]string{}
		for path, raw := range content.Attention {
			if !strings.HasPrefix(path, section+"/") {
				attention[path] = raw
			}
		}
		kept := make([]form.Object, len(order))
		for to, from := range order {
			kept[to] = rows[from]
			for path, raw := range content.Attention {
				if below, ok := strings.CutPrefix(path, section+"/"+strconv.Itoa(from)+"/"); ok {
					attention[section+"/"+strconv.Itoa(to)+"/"+below] = raw
				}
			}
		}
		content.Attention = attention
		content.SetSection(section, kept)
		content.Tidy()
		return storedContent(content)
	})
}
