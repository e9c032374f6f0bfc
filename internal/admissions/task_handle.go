package admissions

import (
	"context"
	"strconv"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/mail"
	"github.com/admitto/admitto/internal/message"
	"github.com/admitto/admitto/internal/notify"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/text"
	"github.com/admitto/admitto/internal/usecase"
)

// TaskHandling is what staff save of a task.
type TaskHandling struct {
	Status  string
	Comment string // of staff; "" takes it away
	Shared  bool   // the comment is for the applicant
	// OnlyStatus leaves the comment as it is.
	OnlyStatus bool
}

// HandleTask saves status and comment of staff together (lifecycle.md K3): a status that tells sends one mail, with the
// comment if that is for the applicant. Saving what is there already changes nothing. Errors: not-found;
// invalid-parameter for a comment, and for a status that staff cannot choose.
func (s *Service) HandleTask(ctx context.Context, by usecase.Caller, application, id int64, in TaskHandling) error {
	if err := by.Needs(admitto.TasksEdit); err != nil {
		return err
	}
	comment, err := text.Multiline(in.Comment, 0, maxTaskComment)
	if err != nil {
		return admitto.Refuse(admitto.InvalidParameter, "task.comment", "", message.From(err))
	}
	return s.changeTask(ctx, by, application, id, admitto.TaskSetStatus,
		func(tx *store.Tx, d *usecase.LockedApplication, t *admitto.TaskCase) error {
			was := *t
			status, known, err := setStatus(tx, by, t, in.Status)
			if err != nil {
				return err
			}
			if !in.OnlyStatus {
				t.NotesAdministrator, t.Shared = comment, in.Shared && comment != ""
			}
			hasStatus := t.Status != was.Status
			hasComment := t.NotesAdministrator != was.NotesAdministrator || t.Shared != was.Shared
			if !hasStatus && !hasComment {
				return nil
			}
			t.Committed = tx.Now()
			if hasStatus {
				applyStatus(tx, t, t.Status, status)
			}
			if err := tx.SaveTask(t); err != nil {
				return err
			}
			if hasStatus {
				recordStatus(tx, d, &was, t, known)
			}
			if hasComment {
				tx.Record(d.Actor, admitto.Event{Pattern: admitto.TaskCommented, Links: d.TaskLinks(t.ID),
					Details: []admitto.Detail{{Path: "notes/administrator", Old: was.NotesAdministrator, New: t.NotesAdministrator}}})
			}
			if !hasStatus || !status.Tells {
				return nil
			}
			return s.tellTaskStatus(tx, d, t)
		})
}

// setStatus gives a task the status with the name, as the template spells it; known is false for one that only this
// task has. The API may name any: what nobody knows is added to this task.
func setStatus(tx *store.Tx, by usecase.Caller, t *admitto.TaskCase,
	name string) (status admitto.TaskStatus, known bool,
	err error) {
	template, err := tx.TaskTemplate(t.Template)
	if err != nil {
		return status, false, err
	}
	status, known = template.StatusLike(name)
	if known {
		name = status.Name
	}
	if t.Status == name {
		return status, known, nil
	}
	if !known {
		if by.Actor.Kind == admitto.ByAdministrator {
			if own, err := tx.HasOwnTaskStatus(t.ID, name); err != nil || !own {
				return status, false, unknownStatus(err)
			}
		}
		if err := tx.AddTaskStatus(t.ID, name); err != nil {
			return status, false, err
		}
	}
	t.Status = name
	return status, known, nil
}

// tellTaskStatus tells the applicant the status of a task, silenced or not (lifecycle.md 8.3).
func (s *Service) tellTaskStatus(tx *store.Tx, d *usecase.LockedApplication, t *admitto.TaskCase) error {
	m, err := s.taskMail(tx, d, t, t.Status, sharedComment(t))
	if err != nil {
		return err
	}
	m.Record, m.Occurrence = t.ID, strconv.FormatInt(t.RowVersion, 10)
	_, err = s.notify.Queue(tx, m)
	return err
}

// sharedComment is what staff wrote at a task for the applicant.
func sharedComment(t *admitto.TaskCase) string {
	if !t.Shared {
		return ""
	}
	return t.NotesAdministrator
}

// TaskStatusMail is what HandleTask tells with a status that tells, where the comment stays.
func (s *Service) TaskStatusMail(tx *store.Tx, a Ahead, t *admitto.TaskCase, status string) (notify.Written, error) {
	return s.mailAhead(tx, a, func(d *usecase.LockedApplication) (*notify.OutgoingMail, error) {
		m, err := s.taskMail(tx, d, t, status, sharedComment(t))
		return &m, err
	})
}

// taskMail is the mail about the status of a task.
func (s *Service) taskMail(tx *store.Tx, d *usecase.LockedApplication, t *admitto.TaskCase, status, comment string) (
	m notify.OutgoingMail, err error) {
	values, err := s.TaskMarkers(tx, d, t.ID)
	if err != nil {
		return m, err
	}
	template, err := tx.TaskTemplate(t.Template)
	if err != nil {
		return m, err
	}
	said := mail.Words{Group: admitto.TaskStatusWords, First: status, Name: admitto.StatusVersion(status),
		Versions: template.Versions}
	if of, known := template.Status(status); known {
		said.First = of.Title
	}
	values[mail.TaskStatus], values[mail.TaskComment] = said, comment
	return notify.OutgoingMail{Template: mail.KindTaskStatus, Applicant: &d.Applicant, Application: d.ID,
		Values: values}, nil
}
