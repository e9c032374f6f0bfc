package admissions_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"

	"github.com/admitto/admitto/internal/admissions"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/files"
	"github.com/admitto/admitto/internal/services/servicestest"
	"github.com/admitto/admitto/internal/usecase"
)

// cupboard is a store of files that remembers what is in it.
type cupboard struct {
	files.Backend
	mu   sync.Mutex
	kept map[string]bool
}

func (c *cupboard) Keep(_ context.Context, hash string, _ int64, content io.Reader) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	_, err := io.Copy(io.Discard, content)
	c.kept[hash] = true
	return err
}

func (c *cupboard) Remove(_ context.Context, hash string) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.kept, hash)
	return nil
}

// Triggers make each task once per application, template and course, also when they fire again (K1).
func TestTaskCauses(t *testing.T) {
	servicestest.OnBoth(t, func(t *testing.T, d *servicestest.Desk) {
		d.Fair()
		identity, transcript, deposit, visa := d.Template("checklist-identity"), d.Template(
			"checklist-transcript"), d.Template("checklist-deposit"), d.Template("checklist-visa")
		d.Write(
			fmt.Sprintf("UPDATE task_template SET active = TRUE WHERE id IN (%d, %d, %d, %d)", identity, transcript, deposit,
				visa),
			fmt.Sprintf("UPDATE task_template SET all_courses = FALSE WHERE id = %d", transcript),
			fmt.Sprintf("UPDATE task_template SET per_course = TRUE WHERE id IN (%d, %d, %d)", transcript, deposit, visa),
			fmt.Sprintf("INSERT INTO task_template_course (template_id, course_id) VALUES (%d, 55), (%d, 56), (%d, 57)",
				transcript, transcript, transcript),
			fmt.Sprintf("UPDATE task_template SET causing = 'confirmed', mails = TRUE, deadline_days = 10, instructions = 'Pay *it*' WHERE id = %d", deposit),
			fmt.Sprintf("UPDATE task_template SET causing = 'confirmed' WHERE id = %d", visa),
			fmt.Sprintf("INSERT INTO task_template_offer_type (template_id, offer_type_id) VALUES (%d, 17)", visa),
		)
		for _, c := range []struct {
			application      int64
			cause            string
			course, typ      int64
			tasks            int // of the application, afterwards
			blocking, events int
		}{
			{11, "created", 55, 0, 1, 1, 1}, // only the active one of two
			{11, "created", 55, 0, 1, 1, 0},
			{11, "submitted", 0, 0, 3, 1, 2}, // one for each course of the application on the list
			{11, "submitted", 0, 0, 3, 1, 0}, // submitted again
			{12, "submitted", 0, 0, 1, 0, 1},
			{12, "confirmed", 55, 4, 2, 0, 1},
			{12, "confirmed", 55, 17, 3, 0, 1}, // the other one is for type 17 only
			{12, "confirmed", 55, 17, 3, 0, 0},
			{12, "none", 0, 0, 3, 0, 0},
		} {
			last := len(d.Journal())
			if err := d.Services.Admissions.CauseTasks(t.Context(), servicestest.ByKey(), c.application, c.cause, c.course,
				c.typ); err != nil {
				t.Fatal(err)
			}
			n := d.Number("SELECT count(*) FROM task WHERE application_id = $1", c.application)
			blocking, err := d.Services.Admissions.Blocking(t.Context(), c.application)
			if err != nil || int(n) != c.tasks || len(blocking) != c.blocking {
				t.Errorf("%+v: %d tasks, blocking %v, %v", c, n, blocking, err)
			}
			for _, r := range d.Journal()[last:] {
				c.events--
				if r.Pattern != admitto.TaskCreated || r.Actor.Kind != admitto.BySystem || r.Links.Application != c.application ||
					r.Links.Applicant != c.application-10 {
					t.Errorf("%+v", r)
				}
			}
			if c.events != 0 {
				t.Errorf("%+v: events", c)
			}
		}
		if n := d.Number("SELECT count(*) FROM task WHERE template_id = $1 AND course_id = 55 AND deadline = '2026-03-19'",
			deposit); n != 1 {
			t.Error("the deposit has no course or deadline")
		}
		if n := d.Deliver(); n != 1 {
			t.Errorf("%d mails", n)
		} else if m := d.Post.Taken()[0]; !strings.Contains(m.Text, "Pay *it*") ||
			!strings.Contains(m.Text, "19 March 2026") || m.To.Email != "bo@example.org" {
			t.Errorf("%+v", m)
		}
		// A template that is not per course makes one task, also for an application for two of its courses; one that was
		// per course before makes no other.
		d.Write("DELETE FROM rule_action", "DELETE FROM task",
			fmt.Sprintf("UPDATE task_template SET per_course = FALSE WHERE id = %d", transcript))
		cause := func(want int64) {
			t.Helper()
			d.Must(d.Services.Admissions.CauseTasks(t.Context(), servicestest.ByKey(), 11, "submitted", 0, 0))
			if n := d.Number("SELECT count(*) FROM task WHERE template_id = $1", transcript); n != want {
				t.Errorf("%d tasks, want %d", n, want)
			}
		}
		cause(1)
		cause(1)
		d.Write(fmt.Sprintf("UPDATE task_template SET per_course = TRUE WHERE id = %d", transcript))
		cause(1)
		d.Write("DELETE FROM rule_action", "DELETE FROM task")
		cause(2)
		d.Write(fmt.Sprintf("UPDATE task_template SET per_course = FALSE WHERE id = %d", transcript))
		cause(2)
		// Many at once, and an application that is over.
		d.Write("DELETE FROM rule_action", "DELETE FROM task")
		var all sync.WaitGroup
		for range 8 {
			all.Go(func() {
				if err := d.Services.Admissions.CauseTasks(context.Background(), servicestest.As(admitto.ByKey, 7), 11, "created",
					55, 0); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		for _, over := range []string{"UPDATE application SET status = 'Withdrawn' WHERE id = 12",
			"UPDATE application SET status = 'Closed' WHERE id = 12",
			"UPDATE application SET status = 'Draft' WHERE id = 12", "UPDATE academic_term SET grace = '2026-03-08' WHERE id = 13"} {
			d.Write(over)
			if strings.Contains(over, "Draft") {
				continue
			}
			if err := d.Services.Admissions.CauseTasks(t.Context(), servicestest.As(admitto.ByKey, 7), 12, "submitted", 0,
				0); err != nil {
				t.Error(err)
			}
		}
		if n := d.Count("task"); n != 1 {
			t.Errorf("%d tasks", n)
		}
	})
}

// Staff make tasks and put them in the trash and back (K1, K4), set their statuses (K3), and delete them (K5).
func TestTasksByStaff(t *testing.T) {
	servicestest.OnBoth(t, func(t *testing.T, d *servicestest.Desk) {
		d.Fair()
		staff, ctx, instance := servicestest.As(admitto.ByAdministrator, 3), t.Context(), d.Services
		identity, motivation := d.Template("checklist-identity"), d.Template("checklist-motivation")
		d.Write(fmt.Sprintf("UPDATE task_template SET active = TRUE, mails = TRUE WHERE id = %d", identity),
			"UPDATE application SET silenced = TRUE WHERE id = 11")
		last := len(d.Journal())
		made, err := instance.Admissions.CreateTask(ctx, staff, 11, identity, 56)
		if err != nil || made.Status != "Pending" || made.Course != 56 || made.Title == "" {
			t.Fatal(made, err)
		}
		d.WantSince(last, "Task was created")
		if n := d.Count("outbox"); n != 0 {
			t.Error("a silenced applicant was told")
		}
		if _, err := instance.Admissions.CreateTask(ctx, staff, 12, identity, 0); err != nil || d.Count("outbox") != 1 {
			t.Error("nobody was told", err)
		}
		_, err = instance.Admissions.CreateTask(ctx, staff, 99, identity, 0)
		servicestest.WantKind(t, err, admitto.NotFound)
		_, err = instance.Admissions.CreateTask(ctx, staff, 11, 99, 57)
		if e := servicestest.WantKind(t, err, admitto.InvalidParameter); len(e.Faults) != 2 {
			t.Error(e)
		}
		for _, by := range []usecase.Caller{servicestest.As(admitto.ByKey, 7), servicestest.As(admitto.ByApplicant, 1)} {
			_, err = instance.Admissions.CreateTask(ctx, by, 11, identity, 0)
			servicestest.WantKind(t, err, admitto.NotPermitted)
		}
		d.Write(fmt.Sprintf("UPDATE task_template SET all_courses = FALSE WHERE id = %d", motivation),
			"UPDATE application SET status = 'Closed' WHERE id = 11")
		_, err = instance.Admissions.CreateTask(ctx, staff, 11, motivation, 55)
		if got := servicestest.Codes(t, err); got != "application-closed template-inactive template-not-for-course" {
			t.Error(got)
		}

		// The trash: nothing blocks there, the API does not see it, staff restore it.
		blocks := func(want int) {
			t.Helper()
			if list, err := instance.Admissions.Blocking(ctx, 11); err != nil || len(list) != want {
				t.Errorf("blocking %v, %v", list, err)
			}
		}
		blocks(1)
		last = len(d.Journal())
		seen := staff
		seen.Version = made.RowVersion
		for _, c := range []struct {
			change func(context.Context, usecase.Caller, int64, int64) error
			by     usecase.Caller
			want   admitto.Kind
		}{
			{instance.Admissions.RestoreTask, staff, ""}, {instance.Admissions.TrashTask, servicestest.As(admitto.ByKey, 7),
				admitto.NotPermitted}, {instance.Admissions.TrashTask, seen, ""}, {instance.Admissions.TrashTask, staff, ""},
			{instance.Admissions.RestoreTask, seen, admitto.ChangedMeanwhile}, {instance.Admissions.RestoreTask,
				servicestest.As(admitto.ByApplicant, 1), admitto.NotPermitted},
		} {
			if err := c.change(ctx, c.by, 11, made.ID); admitto.KindOf(err) != c.want {
				t.Errorf("%v, want %q", err, c.want)
			}
		}
		blocks(0)
		servicestest.WantKind(t, instance.Admissions.SetTaskStatus(ctx, staff, 11, made.ID, "Accepted"), admitto.NotFound)
		servicestest.WantKind(t, instance.Admissions.TrashTask(ctx, staff, 12, made.ID), admitto.NotFound)
		if err := instance.Admissions.RestoreTask(ctx, staff, 11, made.ID); err != nil {
			t.Error(err)
		}
		blocks(1)
		d.WantSince(last, "Task was sent to trash", "Task was restored from trash")

		// Staff choose what the template or the task has.
		last = len(d.Journal())
		servicestest.WantKind(t, instance.Admissions.SetTaskStatus(ctx, staff, 11, made.ID, "Lost"), admitto.InvalidParameter)
		for _, status := range []string{"Accepted", "Accepted", "Returned"} {
			if err := instance.Admissions.SetTaskStatus(ctx, staff, 11, made.ID, status); err != nil {
				t.Error(err)
			}
		}
		if err := instance.Admissions.SetTaskStatus(ctx, servicestest.As(admitto.ByKey, 7), 11, made.ID, "Lost"); err != nil {
			t.Error(err)
		}
		for _, status := range []string{"Pending", "Lost"} {
			if err := instance.Admissions.SetTaskStatus(ctx, staff, 11, made.ID, status); err != nil {
				t.Error(err)
			}
		}
		d.WantSince(last, "Task status was set: Accepted", "Task was resolved", "Task status was set: Returned",
			"Task status was set: other",
			"Task status was set: Pending", "Task status was set: other")
		servicestest.WantKind(t, instance.Admissions.SetTaskStatus(ctx, servicestest.As(admitto.ByApplicant, 1), 11, made.ID,
			"Submitted"), admitto.NotPermitted)
		servicestest.WantKind(t, instance.Admissions.DeleteTask(ctx, servicestest.As(admitto.ByApplicant, 1), 11, made.ID),
			admitto.NotPermitted)
		last = len(d.Journal())
		if err := instance.Admissions.DeleteTask(ctx, staff, 11, made.ID); err != nil ||
			d.Number("SELECT count(*) FROM task_status") != 0 {
			t.Error(err)
		}
		d.WantSince(last, "Task was deleted")
	})
}

// What an applicant saves of a task, and what is refused (K2).
func TestSaveTask(t *testing.T) {
	servicestest.OnBoth(t, func(t *testing.T, d *servicestest.Desk) {
		d.Fair()
		box := &cupboard{kept: map[string]bool{}}
		d.Shelf.Backend = box
		check := d.Template("document-check")
		d.Write(fmt.Sprintf("UPDATE task_template SET max_documents = 2 WHERE id = %d", check),
			fmt.Sprintf("INSERT INTO task (id, application_id, template_id, created, status) VALUES (41, 11, %d, 1, 'Waiting'), (42, 12, %d, 1, 'Waiting'), (43, 11, %d, 1, 'Waiting')", check, check, check),
			"UPDATE task SET trashed = 1 WHERE id = 43")
		ann, bo := servicestest.As(admitto.ByApplicant, 1), servicestest.As(admitto.ByApplicant, 2)
		text := func(s string) *string { return &s }
		upload := func(content string) (in admissions.TaskSaving) {
			in.Name, in.Content, in.Size = "note.txt", bytes.NewReader([]byte(content)), int64(len(content))
			return in
		}
		save := func(by usecase.Caller, task int64, in admissions.TaskSaving) error {
			return d.Services.Admissions.SaveTask(t.Context(), by, task-30, task, in)
		}
		saves := func(by usecase.Caller, task int64, in admissions.TaskSaving, events ...string) {
			t.Helper()
			last := len(d.Journal())
			if err := d.Services.Admissions.SaveTask(t.Context(), by, task-30, task, in); err != nil {
				t.Fatal(err)
			}
			d.WantSince(last, events...)
		}
		saves(ann, 41, admissions.TaskSaving{})
		saves(ann, 41, admissions.TaskSaving{Status: text("Waiting"), Comment: text("  ")})
		saves(ann, 41, admissions.TaskSaving{Comment: text(" See page 2 ")}, "Task was saved", "Task was commented")
		servicestest.WantKind(t, save(bo, 41, admissions.TaskSaving{Comment: text("mine")}), admitto.NotFound)
		servicestest.WantKind(t, save(servicestest.As(admitto.ByAdministrator, 3), 41,
			admissions.TaskSaving{Comment: text("x")}), admitto.NotPermitted)
		servicestest.WantKind(t, d.Services.Admissions.SaveTask(t.Context(), ann, 11, 43, upload("x")),
			admitto.NotFound) // in the trash
		servicestest.WantKind(t, save(ann, 41, admissions.TaskSaving{Comment: text(strings.Repeat("x", 2049))}),
			admitto.InvalidParameter)
		for status, want := range map[string]string{"Accepted": "status-not-public", "Unheard": "status-not-public",
			"Uploaded": "document-missing"} {
			if got := servicestest.Codes(t, save(ann, 41, admissions.TaskSaving{Status: text(status)})); got != want {
				t.Errorf("%s: %s", status, got)
			}
		}
		in := upload("first")
		in.Status, in.Comment = text("Uploaded"), text("Here")
		saves(ann, 41, in, "Task was saved", "Task status was set: Uploaded", "Task was commented",
			"Document was uploaded to a task")
		saves(ann, 41, upload("second"), "Task was saved", "Document was uploaded to a task")
		if got := servicestest.Codes(t, save(ann, 41, upload("third"))); got != "too-many-documents" || len(box.kept) != 2 {
			t.Errorf("%s, %d files kept", got, len(box.kept))
		}
		// After the submission tasks still take documents, and the application is what it was.
		saves(bo, 42, upload("late"), "Task was saved", "Document was uploaded to a task")
		if d.Number("SELECT count(*) FROM application WHERE id = 12 AND status = 'Submitted' AND revised > 1") != 1 ||
			d.Count("loose_file") != 0 {
			t.Error("the application was not revised, or a file is loose")
		}
		// A document makes a Draft of a Blank application.
		d.Write("UPDATE application SET status = 'Blank' WHERE id = 12")
		saves(bo, 42, upload("early"), "Task was saved", "Document was uploaded to a task",
			"Application status was changed: Draft")

		// What stands against it, told together.
		d.Write("UPDATE application SET frozen = 1, status = 'Withdrawn' WHERE id = 11",
			fmt.Sprintf("UPDATE task_template SET freezable = TRUE, allows_comments = FALSE, allows_documents = FALSE WHERE id = %d", check))
		in = upload("no")
		in.Status, in.Comment = text("Rejected"), text("no")
		if got := servicestest.Codes(t, save(ann, 41, in)); got != "application-withdrawn frozen status-not-public comments-not-taken documents-not-taken" {
			t.Error(got)
		}
		d.Write("UPDATE application SET frozen = NULL, status = 'Draft' WHERE id = 11")
		if err := d.Services.Admissions.SetTaskStatus(t.Context(), servicestest.As(admitto.ByKey, 7), 11, 41,
			"Accepted"); err != nil {
			t.Fatal(err)
		}
		if got := servicestest.Codes(t, save(ann, 41, admissions.TaskSaving{Comment: text("after")})); got != "task-closed" {
			t.Error(got)
		}
	})
}
