package batches

import (
	"strings"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/batch"
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/ui"
)

// planFacts say what a batch does each time: the course, the day, the text.
func (p *pages) planFacts(r *site.Request, b *admitto.Batch, w *words) (facts []ui.KeyValue, err error) {
	add := func(key, value string) {
		if value != "" {
			facts = append(facts, ui.KeyValue{Key: r.T(key), Value: value})
		}
	}
	params := &b.Params
	add("batches.course", w.course(params.Course))
	add("batches.type", w.types[params.Type])
	if params.Intake != 0 {
		intake, err := p.Query.Intake(r.Context(), r.Reader(), params.Intake)
		if err != nil && admitto.KindOf(err) != admitto.NotFound {
			return nil, err
		}
		add("batches.intake", intake.Name)
	}
	if !params.Until.IsZero() {
		add("card.until", r.Day(params.Until.End(r.Zone())-1))
	}
	if params.Task != 0 {
		title, err := p.taskTitle(r, params.Task)
		if err != nil {
			return nil, err
		}
		add("batches.task", title)
	}
	add("batches.task_status", w.status(params.Status))
	add("card.reason", params.Reason)
	add("batches.subject", params.Subject)
	add("batches.text", beginning(params.Text))
	add("batches.news", w.consents[params.Consent])
	if a, _ := batch.ActionNamed(b.Action); asksToTell(&a) {
		key := "batches.tell_no"
		if params.Tell {
			key = "batches.tell_yes"
		}
		add("batches.tell", r.T(key))
	}
	return facts, nil
}

// taskTitle is the title of a template, as far as the reader may use it.
func (p *pages) taskTitle(r *site.Request, id int64) (string, error) {
	if !r.Reader().Has(admitto.TasksEdit) {
		return "", nil
	}
	list, err := p.Query.ActiveTemplates(r.Context(), r.Reader())
	for i := range list {
		if list[i].ID == id {
			return list[i].Title, err
		}
	}
	return "", err
}

// beginning is the first words of a text.
func beginning(text string) string {
	const most = 200
	words := []rune(strings.Join(strings.Fields(text), " "))
	if len(words) <= most {
		return string(words)
	}
	return string(words[:most]) + " …"
}

// someShown is how many recipients are named before a release.
const someShown = 5

// recipientFacts name the first recipients, and what the first of them reads, for those who may see applicants.
func (p *pages) recipientFacts(r *site.Request, v *batch.View) (facts []ui.KeyValue, err error) {
	a, _ := batch.ActionNamed(v.Action)
	if !a.Reaches || v.Reached == 0 || !r.Reader().Has(admitto.ApplicantsView) {
		return nil, nil
	}
	lines, _, err := p.Batches.Lines(r.Context(), r.Reader(), v.ID, 0, admitto.RecordSealed, rows)
	if err != nil {
		return nil, err
	}
	var named []string
	var first *batch.Line
	for i := range lines {
		c := &lines[i]
		if v.ReachesByMail && c.Recipient == "" || len(named) == someShown {
			continue
		}
		if first == nil {
			first = c
		}
		who := c.Name
		if c.Recipient != "" {
			who = r.Isolated(ui.Unmarked(r.T("batches.who_at", "Name", c.Name, "Email", c.Recipient))) // as a whole
		}
		named = append(named, who)
	}
	if more := int(v.Reached) - len(named); more > 0 {
		named = append(named, r.Plural("batches.and_more", more))
	}
	facts = append(facts, ui.KeyValue{Key: r.T("batches.recipients"), Value: r.Listed(named...)})
	if first == nil || !v.Mails {
		return facts, nil
	}
	facts = append(facts, ui.KeyValue{Key: r.T("batches.first_subject", "Name", first.Name), Value: first.Subject})
	whole, err := p.Batches.Line(r.Context(), r.Reader(), v.ID, first.Place)
	if admitto.KindOf(err) == admitto.NotPermitted { // who may not see the records sees no text of theirs
		return facts, nil
	}
	return append(facts, ui.KeyValue{Key: r.T("batches.first_lines", "Name", first.Name),
		Value: beginning(whole.Body)}), err
}
