package admissions

import (
	"context"
	"io"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/message"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/text"
	"github.com/admitto/admitto/internal/usecase"
)

// maxTaskComment bounds the applicant's comment on a task, in characters.
const maxTaskComment = 2048

// TaskSaving is what an applicant changes of a task: nil and the zero Content leave things as they are.
type TaskSaving struct {
	Status  *string
	Comment *string // "" takes it away
	Name    string  // of the document, as it was given; "" for none
	Content io.ReaderAt
	Size    int64 // of the document, in bytes
}

// SaveTask saves what the applicant did about a task (lifecycle.md K2). Saving what is there already changes nothing.
// Errors: not-found, as for a task of somebody else; invalid-parameter for a comment; the errors of UploadDocument for
// the document; not-allowed-now with the codes of G9, task-closed, status-not-public, document-missing, frozen,
// comments-not-taken, documents-not-taken and too-many-documents.
func (s *Service) SaveTask(ctx context.Context, by usecase.Caller, application, id int64, in TaskSaving) error {
	if err := by.NeedsOrApplicant(admitto.TasksEdit); err != nil {
		return err
	}
	var template admitto.TaskTemplate
	there := s.core.BelowApplication(ctx, by.Caller, application, func(tx *store.Tx) error {
		if _, err := tx.Task(application, id); err != nil {
			return err
		}
		t, err := tx.TaskCase(application, id)
		if err == nil {
			template, err = tx.TaskTemplate(t.Template)
		}
		return err
	})
	if there != nil {
		return there // before any bytes are stored
	}
	if in.Comment != nil {
		comment, err := text.Multiline(*in.Comment, 0, maxTaskComment)
		if err != nil {
			return admitto.Refuse(admitto.InvalidParameter, "task.comment", "", message.From(err))
		}
		in.Comment = &comment
	}
	var f *admitto.File
	if in.Content != nil {
		described, err := describeUpload(&Upload{Application: application, Task: id, Name: in.Name, Content: in.Content,
			Size: in.Size}, s.core.Settings().Documents.MaxBytes)
		if err != nil {
			return err
		}
		if err := wholeFromApplicant(by, described.MIME, in.Content, in.Size); err != nil {
			return err
		}
		if err := refuseKind(&template, described.MIME); err != nil {
			return err
		}
		if err := s.files.KeepBytes(ctx, &described, io.NewSectionReader(in.Content, 0, in.Size)); err != nil {
			return err
		}
		f = &described
	}
	err := s.changeTask(ctx, by, application, id, admitto.TaskSave, func(tx *store.Tx, d *usecase.LockedApplication,
		t *admitto.TaskCase) error {
		return s.saveTask(tx, d, t, &in, f)
	})
	if err != nil && f != nil {
		s.files.DropFile(ctx, f.Hash)
	}
	return err
}

func (s *Service) saveTask(tx *store.Tx, d *usecase.LockedApplication, t *admitto.TaskCase, in *TaskSaving,
	f *admitto.File) error {
	template, err := tx.TaskTemplate(t.Template)
	if err != nil {
		return err
	}
	faults, err := s.ClosedFaults(tx, d)
	if err != nil {
		return err
	}
	attached, err := tx.CountTaskDocuments(t.ID)
	if err != nil {
		return err
	}
	if f != nil {
		room, err := roomFaults(tx, d.ID)
		if err != nil {
			return err
		}
		faults = append(faults, room...)
	}
	if err := notNow(append(faults, saveFaults(d, t, &template, in, f != nil, attached)...)); err != nil {
		return err
	}
	newStatus := in.Status != nil && *in.Status != t.Status
	newComment := in.Comment != nil && *in.Comment != t.NotesApplicant
	if !newStatus && !newComment && f == nil {
		return nil
	}
	was := *t
	t.Committed = tx.Now()
	tx.Record(d.Actor, admitto.Event{Pattern: admitto.TaskSaved, Links: d.TaskLinks(t.ID)})
	if newStatus {
		status, _ := template.Status(*in.Status)
		applyStatus(tx, t, status.Name, status)
		recordStatus(tx, d, &was, t, true)
	}
	if newComment {
		t.NotesApplicant = *in.Comment
		tx.Record(d.Actor, admitto.Event{Pattern: admitto.TaskCommented, Links: d.TaskLinks(t.ID),
			Details: []admitto.Detail{{Path: "notes/applicant", Old: was.NotesApplicant, New: t.NotesApplicant}}})
	}
	if err := tx.SaveTask(t); err != nil || f == nil {
		return err
	}
	return s.attachToTask(tx, d, t, f)
}

// attachToTask adds a document of the applicant to the application and to the task. A task may ask for documents
// after the submission, when the rest of the content is closed to the applicant, so the status decides only whether
// the application becomes a Draft.
func (s *Service) attachToTask(tx *store.Tx, d *usecase.LockedApplication, t *admitto.TaskCase,
	f *admitto.File) (err error) {
	f.Uploaded = tx.Now()
	if err = insertDocument(tx, d, f, t.ID); err != nil {
		return err
	}
	if err := s.files.FileKept(tx, f.Hash); err != nil {
		return err
	}
	links := d.TaskLinks(t.ID)
	links.Document = f.ID
	if _, err := admitto.ApplicationStep(admitto.ContentSaved, d.Status, d.Actor.Kind); err != nil {
		tx.Record(d.Actor, admitto.Event{Pattern: admitto.DocumentUploadedToTask, Links: links})
		return tx.ContentRevised(d.ID, d.Status)
	}
	return s.documentChanged(tx, d, f.ID, t.ID, admitto.DocumentUploaded, admitto.DocumentUploadedToTask)
}

// saveFaults returns the guards of K2 that do not hold, all of them; attached counts the documents the task has.
func saveFaults(d *usecase.LockedApplication, t *admitto.TaskCase, template *admitto.TaskTemplate, in *TaskSaving,
	document bool, attached int64) (faults []admitto.Fault) {
	if d.Frozen != 0 && template.Freezable {
		faults = append(faults, guardFault(admitto.CodeFrozen, message.Of("task-frozen")))
	}
	if in.Status != nil && *in.Status != t.Status {
		status, known := template.Status(*in.Status)
		if !known || !status.Public {
			faults = append(faults, guardFault("status-not-public", message.Of("status-not-public", quoted(*in.Status))))
		} else if status.RequiresDocument && !document && attached == 0 {
			faults = append(faults, guardFault("document-missing", message.Of("document-missing", quoted(status.Name))))
		}
	}
	if in.Comment != nil && *in.Comment != t.NotesApplicant && !template.AllowsComments {
		faults = append(faults, guardFault("comments-not-taken", message.Of("comments-not-taken")))
	}
	switch {
	case document && !template.AllowsDocument:
		faults = append(faults, guardFault("documents-not-taken", message.Of("documents-not-taken")))
	case document && attached >= int64(template.MaxDocuments):
		faults = append(faults, guardFault("too-many-documents", message.Of("task-documents-full", attached)))
	}
	return faults
}

// quoted is a status in a refusal, which repeats what was sent.
func quoted(status string) message.Word {
	w := admitto.TaskStatusWord(status)
	w.Said = text.Quote(status)
	return w
}
