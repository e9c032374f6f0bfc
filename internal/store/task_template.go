package store

import (
	"slices"
	"strings"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store/columns"
	"github.com/admitto/admitto/internal/store/db"
)

// TaskTemplates returns all templates by title, without statuses, courses and offer types.
func (tx *Tx) TaskTemplates() (list []admitto.TaskTemplate, err error) {
	err = each(tx.query("SELECT "+templateColumns+" FROM task_template ORDER BY title, id"), func(r *db.Rows) {
		list = append(list, scanTemplate(r))
	})
	return list, err
}

// TemplateWithClass is the template of a class; 0 for none.
func (tx *Tx) TemplateWithClass(class string) (int64, error) {
	return tx.number("SELECT id FROM task_template WHERE class = $1", class)
}

// TemplateUse is how many tasks each template has made.
func (tx *Tx) TemplateUse() (map[int64]int64, error) {
	return tx.uses("SELECT template_id, count(*) FROM task GROUP BY template_id")
}

// TasksIn is how many tasks of a template have a status, those in the trash among them.
func (tx *Tx) TasksIn(template int64, status string) (int64, error) {
	return tx.number("SELECT count(*) FROM task WHERE template_id = $1 AND status = $2", template, status)
}

// TasksOfTemplate is how many tasks a template has made, those in the trash among them.
func (tx *Tx) TasksOfTemplate(template int64) (int64, error) {
	return tx.number("SELECT count(*) FROM task WHERE template_id = $1", template)
}

// DeleteTaskTemplate deletes a template that has made no tasks.
func (tx *Tx) DeleteTaskTemplate(id int64) error {
	_, err := tx.exec("DELETE FROM task_template WHERE id = $1", id)
	return err
}

// SaveTaskTemplate stores a template with its statuses, courses and offer types.
func (tx *Tx) SaveTaskTemplate(t *admitto.TaskTemplate) (changes []admitto.Detail, err error) {
	var was admitto.TaskTemplate
	if t.ID != 0 {
		if was, err = tx.TaskTemplate(t.ID); err != nil {
			return nil, err
		}
	}
	if changes, err = saved(tx, columns.TaskTemplate, &t.ID, t); err != nil {
		return nil, err
	}
	own := len(changes)
	if !slices.Equal(was.Statuses, t.Statuses) {
		for n := range t.Statuses {
			if err := tx.saveStatus(t.ID, n+1, &t.Statuses[n]); err != nil {
				return nil, err
			}
		}
		for _, s := range was.Statuses {
			if _, stays := t.Status(s.Name); stays {
				continue
			}
			if _, err := tx.exec("DELETE FROM task_template_status WHERE template_id = $1 AND name = $2", t.ID, s.Name); err != nil {
				return nil, err
			}
		}
		changes = append(changes, admitto.Detail{Path: "/statuses", Old: string(columns.JSON(was.Statuses)),
			New: string(columns.JSON(t.Statuses))})
	}
	for _, tied := range []struct {
		table, column, path string
		was, now            []int64
	}{{"task_template_course", "course_id", "/courses", was.Courses, t.Courses},
		{"task_template_offer_type", "offer_type_id", "/offer-types", was.OfferTypes, t.OfferTypes}} {
		if slices.Equal(tied.was, tied.now) {
			continue
		}
		if _, err := tx.exec("DELETE FROM "+tied.table+" WHERE template_id = $1", t.ID); err != nil {
			return nil, err
		}
		var rows [][]any
		for _, id := range tied.now {
			rows = append(rows, []any{t.ID, id})
		}
		err := tx.bulk("INSERT INTO "+tied.table+" (template_id, "+tied.column+") VALUES ($1, $2)", rows)
		if err != nil {
			return nil, err
		}
		changes = append(changes, admitto.Detail{Path: tied.path, Old: string(columns.JSON(tied.was)),
			New: string(columns.JSON(tied.now))})
	}
	if own == 0 && len(changes) > 0 { // otherwise the template itself was stored
		_, err = tx.exec("UPDATE task_template SET row_version = row_version + 1 WHERE id = $1", t.ID)
	}
	return changes, err
}

func (tx *Tx) saveStatus(template int64, position int, s *admitto.TaskStatus) error {
	names := []string{"title", "description", "public", "is_default", "blocks", "resolves", "closes", "requires_document",
		"tells", "remind_days", "remind_max_days"}
	sets := make([]string, len(names))
	for n, name := range names {
		sets[n] = name + " = excluded." + name
	}
	_, err := tx.exec("INSERT INTO task_template_status (template_id, name, position, "+strings.Join(names, ", ")+
		`) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)
		ON CONFLICT (template_id, name) DO UPDATE SET `+strings.Join(sets, ", "), template, s.Name, position, s.Title,
		s.Description, s.Public, s.Default, s.Blocks, s.Resolves, s.Closes, s.RequiresDocument, s.Tells, s.RemindDays,
		s.RemindMaxDays)
	return err
}
