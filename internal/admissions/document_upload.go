package admissions

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"slices"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/filekind"
	"github.com/admitto/admitto/internal/message"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/text"
	"github.com/admitto/admitto/internal/usecase"
)

// Upload is a file that somebody sends for an application.
type Upload struct {
	Application int64
	Task        int64  // that it belongs to as well; 0: none
	Name        string // as it was given; "" for none
	Content     io.ReaderAt
	Size        int64 // bytes
}

// UploadDocument adds a document to an application, and to a task (lifecycle.md T3, T4, T6, 5.3; resources.md 24.6,
// 24.7). Its kind is found by its content. Errors: not-found; invalid-parameter for an empty file; too-large;
// unsupported-media-type; not-allowed-now with the codes of PatchContent, and too-many-documents.
func (s *Service) UploadDocument(ctx context.Context, by usecase.Caller, up Upload) (f admitto.File, err error) {
	if err := by.NeedsOrApplicant(admitto.ApplicationsEdit); err != nil {
		return f, err
	}
	return s.bring(ctx, by, &up, func(tx *store.Tx, d *usecase.LockedApplication, f *admitto.File) error {
		if up.Task != 0 {
			if _, err := tx.Task(up.Application, up.Task); err != nil {
				return err
			}
		}
		if err := by.Sees(d.RowVersion); err != nil {
			return err
		}
		if err := s.mayChangeContent(tx, d, true, func() ([]admitto.Fault, error) {
			return roomFaults(tx, up.Application)
		}); err != nil {
			return err
		}
		if err := insertDocument(tx, d, f, up.Task); err != nil {
			return err
		}
		return s.documentChanged(tx, d, f.ID, up.Task, admitto.DocumentUploaded, admitto.DocumentUploadedToTask)
	})
}

// bring stores the bytes of a document, and then what add makes of it in the transaction.
func (s *Service) bring(ctx context.Context, by usecase.Caller, up *Upload,
	add func(*store.Tx, *usecase.LockedApplication, *admitto.File) error) (f admitto.File, err error) {
	if by.Actor.Kind == admitto.ByApplicant { // before any bytes are stored
		err := s.core.BelowApplication(ctx, by.Caller, up.Application, func(*store.Tx) error { return nil })
		if err != nil {
			return f, err
		}
	}
	if f, err = describeUpload(up, s.core.Settings().Documents.MaxBytes); err != nil {
		return f, err
	}
	if err := wholeFromApplicant(by, f.MIME, up.Content, up.Size); err != nil {
		return f, err
	}
	if err := s.files.KeepBytes(ctx, &f, io.NewSectionReader(up.Content, 0, up.Size)); err != nil {
		return f, err
	}
	err = s.core.Write(ctx, func(tx *store.Tx) error {
		d, err := usecase.LockApplication(tx, by, up.Application)
		if err != nil {
			return err
		}
		f.Uploaded = tx.Now()
		if err := add(tx, d, &f); err != nil {
			return err
		}
		if err := s.files.FileKept(tx, f.Hash); err != nil {
			return err
		}
		return by.Made(tx, f.ID)
	})
	if err != nil {
		s.files.DropFile(ctx, f.Hash)
	}
	return f, err
}

// ReplaceDocument puts another file in the place of a document: in its task, and in the answers that name it
// (screens.md P11). Both are in the journal, as a document that was removed and one that was uploaded. Errors: those of
// RemoveDocument and of UploadDocument, and unsupported-media-type for a kind that the task does not take.
func (s *Service) ReplaceDocument(ctx context.Context, by usecase.Caller, document int64,
	up Upload) (f admitto.File, err error) {
	if err := by.NeedsOrApplicant(admitto.ApplicationsEdit); err != nil {
		return f, err
	}
	return s.bring(ctx, by, &up, func(tx *store.Tx, d *usecase.LockedApplication, f *admitto.File) error {
		if _, err := tx.Document(up.Application, document); err != nil {
			return err
		}
		if err := by.Sees(d.RowVersion); err != nil {
			return err
		}
		if err := s.mayChangeContent(tx, d, false, func() ([]admitto.Fault, error) {
			return s.frozenDocument(tx, d, document)
		}); err != nil {
			return err
		}
		task, err := takingTask(tx, up.Application, document, f.MIME)
		if err != nil {
			return err
		}
		if err := tx.TrashDocument(document); err != nil {
			return err
		}
		if err := insertDocument(tx, d, f, task); err != nil {
			return err
		}
		if err := renameDocument(tx, up.Application, document, f.ID); err != nil {
			return err
		}
		recordDocument(tx, d, document, task, admitto.DocumentRemoved, admitto.DocumentRemovedFromTask)
		return s.documentChanged(tx, d, f.ID, task, admitto.DocumentUploaded, admitto.DocumentUploadedToTask)
	})
}

// takingTask is the task that a document belongs to, 0 for none, which takes files of that kind.
func takingTask(tx *store.Tx, application, document int64, kind string) (int64, error) {
	task, err := tx.TaskOfDocument(document)
	if err != nil || task == 0 {
		return 0, err
	}
	t, err := tx.TaskCase(application, task)
	if err != nil {
		return 0, err
	}
	template, err := tx.TaskTemplate(t.Template)
	if err != nil {
		return 0, err
	}
	return task, refuseKind(&template, kind)
}

// refuseKind refuses a document of a kind that a task does not take.
func refuseKind(t *admitto.TaskTemplate, kind string) error {
	if len(t.DocumentKinds) == 0 || slices.Contains(t.DocumentKinds, filekind.GroupOf(kind)) {
		return nil
	}
	return admitto.Refused(admitto.UnsupportedFormat,
		message.Of("file-kind-of-task", filekind.SuffixesOf(t.DocumentKinds)))
}

// insertDocument stores a document, for a task or none (0). What comes from outside waits to be opened by staff.
func insertDocument(tx *store.Tx, d *usecase.LockedApplication, f *admitto.File, task int64) (err error) {
	if f.ID, err = tx.InsertDocument(f, task); err != nil || d.Actor.Kind == admitto.ByAdministrator {
		return err
	}
	return tx.SetUnread(f.ID, true)
}

// NoteOpened notes that staff have opened a document of an application. It is no event of the journal.
func (s *Service) NoteOpened(ctx context.Context, by usecase.Caller, application, document int64) error {
	if err := by.Needs(admitto.ApplicationsView); err != nil {
		return err
	}
	unread := false
	err := s.core.Read(ctx, func(tx *store.Tx) (err error) {
		unread, err = tx.IsUnread(application, document)
		return err
	})
	if err != nil || !unread || by.Actor.Kind != admitto.ByAdministrator {
		return err
	}
	return s.core.Write(ctx, func(tx *store.Tx) error { return tx.SetUnread(document, false) })
}

// NoteSensitive writes to the access log that staff opened the sensitive fields of an application (screens.md A13).
func (s *Service) NoteSensitive(ctx context.Context, by usecase.Caller, application int64) error {
	if err := by.Needs(admitto.ApplicationsSensitive); err != nil {
		return err
	}
	return s.core.Write(ctx, func(tx *store.Tx) error {
		return tx.InsertAccess(&admitto.Access{Administrator: by.Actor.ID, Application: application,
			What: admitto.AccessSensitive})
	})
}

// roomFaults tells that an application has as many documents as it may have.
func roomFaults(tx *store.Tx, application int64) ([]admitto.Fault, error) {
	n, err := tx.CountDocuments(application)
	if err != nil || n < admitto.MaxDocuments {
		return nil, err
	}
	return []admitto.Fault{guardFault("too-many-documents", message.Of("application-documents-full", n))}, nil
}

// documentChanged records what happened to a document, and that the application was revised. Below a task only
// the event of the task is recorded. Reasons that are not "" are recorded with it.
func (s *Service) documentChanged(tx *store.Tx, d *usecase.LockedApplication, document, task int64, pattern,
	taskPattern admitto.Pattern, reasons ...string) error {
	recordDocument(tx, d, document, task, pattern, taskPattern, reasons...)
	return s.contentRevised(tx, d)
}

// recordDocument is documentChanged for what something else follows.
func recordDocument(tx *store.Tx, d *usecase.LockedApplication, document, task int64, pattern,
	taskPattern admitto.Pattern, reasons ...string) {
	if task != 0 {
		pattern = taskPattern
	}
	links := d.TaskLinks(task)
	links.Document = document
	var why []admitto.Detail
	for _, reason := range reasons {
		if reason != "" {
			why = append(why, admitto.Detail{Path: "/reason", New: reason})
		}
	}
	tx.Record(d.Actor, admitto.Event{Pattern: pattern, Links: links, Details: why})
}

// RemoveDocument takes a document away from an application: it goes to the trash, and answers that name it are
// cleared. The reason, "" for none, goes to the journal. The applicant may not remove what is frozen (G13), nor what
// belongs to a task that is closed. Errors: not-found; not-allowed-now with the codes of PatchContent.
func (s *Service) RemoveDocument(ctx context.Context, by usecase.Caller, application, document int64,
	reason string) error {
	if err := by.NeedsOrApplicant(admitto.ApplicationsEdit); err != nil {
		return err
	}
	return s.core.Write(ctx, func(tx *store.Tx) error {
		d, err := usecase.LockApplication(tx, by, application)
		if err != nil {
			return err
		}
		if _, err := tx.Document(application, document); err != nil {
			return err
		}
		if err := by.Sees(d.RowVersion); err != nil {
			return err
		}
		if err := s.mayChangeContent(tx, d, false, func() ([]admitto.Fault, error) {
			return s.frozenDocument(tx, d,
				document)
		}); err != nil {
			return err
		}
		task, err := tx.TaskOfDocument(document)
		if err != nil {
			return err
		}
		if err := tx.TrashDocument(document); err != nil {
			return err
		}
		if err := renameDocument(tx, application, document, 0); err != nil {
			return err
		}
		return s.documentChanged(tx, d, document, task, admitto.DocumentRemoved, admitto.DocumentRemovedFromTask, reason)
	})
}

// frozenDocument tells that the applicant may not remove the document (G13).
func (s *Service) frozenDocument(tx *store.Tx, d *usecase.LockedApplication, document int64) ([]admitto.Fault, error) {
	frozen, err := frozenFor(tx, d)
	if err != nil || !frozen.holdsDocument(document) {
		return nil, err
	}
	return []admitto.Fault{guardFault(admitto.CodeFrozen, message.Of("document-frozen"))}, nil
}

// renameDocument lets the answers that name a document name another one, or none (0).
func renameDocument(tx *store.Tx, application, document, other int64) error {
	content, err := tx.ApplicationContent(application)
	if err != nil || !answerDocument(content.Extras, document, other) {
		return err
	}
	stored, err := json.Marshal(&content)
	if err != nil {
		return err
	}
	return tx.SaveContent(application, stored)
}

func answerDocument(extras []admitto.Extra, document, other int64) (changed bool) {
	for i := range extras {
		if e := &extras[i]; e.Document == document {
			if e.Document = other; other == 0 {
				e.Clear()
			}
			changed = true
		}
		changed = answerDocument(extras[i].Entries, document, other) || changed
	}
	return changed
}

// wholeFromApplicant refuses a document of an applicant whose end is missing; staff and programs may have nothing else.
func wholeFromApplicant(by usecase.Caller, kind string, content io.ReaderAt, size int64) error {
	if by.Actor.Kind != admitto.ByApplicant {
		return nil
	}
	return filekind.Whole(kind, content, size)
}

// describeUpload checks a file and tells its name, kind, size and hash; it belongs to the application.
func describeUpload(up *Upload, most int64) (f admitto.File, err error) {
	switch {
	case up.Size == 0:
		return f, admitto.Refuse(admitto.InvalidParameter, "document.file", "", message.Of("file-empty"))
	case up.Size > most:
		return f, admitto.Refused(admitto.TooLarge, message.Of("file-too-large", most))
	}
	f = admitto.File{Owner: up.Application, Size: up.Size}
	if f.MIME, err = filekind.Of(up.Content, up.Size); err != nil {
		return f, err
	}
	sum := sha256.New()
	if _, err := io.Copy(sum, io.NewSectionReader(up.Content, 0, up.Size)); err != nil {
		return f, err
	}
	f.Hash = hex.EncodeToString(sum.Sum(nil))
	f.Name = cmp.Or(text.FileName(up.Name), "document"+extensionOf(f.MIME))
	return f, nil
}

func extensionOf(mime string) string {
	return map[string]string{"application/pdf": ".pdf", "image/jpeg": ".jpg", "image/png": ".png", "image/webp": ".webp",
		filekind.PlainText: ".txt",
		"application/rtf":  ".rtf", filekind.WordXML: ".docx", filekind.SheetXML: ".xlsx", filekind.SlidesXML: ".pptx",
		filekind.WordOLE: ".doc", filekind.SheetOLE: ".xls", filekind.SlidesOLE: ".ppt",
		filekind.TextODF: ".odt", filekind.SheetODF: ".ods", filekind.SlidesODF: ".odp"}[mime]
}
