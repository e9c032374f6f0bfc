package admissions_test

import (
	"context"
	"reflect"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/admitto/admitto/internal/admissions"
	"github.com/admitto/admitto/internal/admitto"
)

// forTests are methods that only tests have.
var forTests = []string{"CauseTasks", "ChargeFees", "IssueAndFail", "LapseNow"}

// eachUseCase calls every use case of an office that has nothing, for the record with the ID 1 and otherwise with zero
// values, and hands over what came of it: an error, or a panic because the office has no database to go on with.
func eachUseCase(by admitto.Caller, each func(name string, err error, wentOn bool)) (n int) {
	office := reflect.ValueOf(&admissions.Office{})
	for i := range office.NumMethod() {
		method, called := office.Method(i), false
		if slices.Contains(forTests, office.Type().Method(i).Name) {
			continue
		}
		var args []reflect.Value
		for j := range method.Type().NumIn() {
			in := method.Type().In(j)
			arg := reflect.Zero(in)
			switch {
			case in == reflect.TypeFor[context.Context]():
				arg = reflect.ValueOf(context.Background())
			case in == reflect.TypeFor[admitto.Caller]():
				arg, called = reflect.ValueOf(by), true
			case in == reflect.TypeFor[admissions.Caller]():
				arg, called = reflect.ValueOf(admissions.Caller{Caller: by}), true
			case in == reflect.TypeFor[*admissions.Report]():
				arg = reflect.ValueOf(&admissions.Reports()[0])
			case in.Kind() == reflect.Int64:
				arg = reflect.ValueOf(int64(1)).Convert(in)
			}
			args = append(args, arg)
		}
		if !called {
			continue
		}
		n++
		err, wentOn := func() (err error, wentOn bool) {
			defer func() { wentOn = recover() != nil }()
			out := method.Call(args)
			err, _ = out[len(out)-1].Interface().(error)
			return err, false
		}()
		each(office.Type().Method(i).Name, err, wentOn)
	}
	return n
}

// A caller who is nobody is refused by every use case, and so is one who has permissions but no name.
func TestNobodyMayDoAnything(t *testing.T) {
	for _, by := range []admitto.Caller{{}, {Permissions: admitto.AllPermissions()}, {Applicant: 1}} {
		n := eachUseCase(by, func(name string, err error, wentOn bool) {
			if wentOn || admitto.KindOf(err) != admitto.NotPermitted {
				t.Errorf("%s does not refuse nobody: %v", name, err)
			}
		})
		if n < 200 {
			t.Errorf("there are only %d use cases", n)
		}
	}
}

// What applicants may call at all: reads of what is public or theirs, and what they decide themselves (lifecycle.md 12.3).
// What is added here must see to it that nothing for staff is in its answer.
func TestWhatApplicantsMayCall(t *testing.T) {
	want := []string{
		// Public
		"Classificators", "Consent", "Consents", "Course", "Courses", "Department", "Departments", "Institution", "Institutions",
		"Intake", "Intakes", "StatusTexts", "Term", "TermType", "TermTypes", "Terms", "Year", "Years",
		// Theirs
		"Applicant", "ApplicantHas", "Application", "ApplicationOf", "ApplicationsOf", "ConsentOf", "ConsentsOf", "CourseOf", "CoursesOf",
		"Email", "EmailAttachment", "EmailAttachments", "Emails", "InvoiceOfApplicant", "InvoiceOfApplication", "InvoicesOfApplicant",
		"InvoicesOfApplication", "MissingConsents", "OfferLetter", "OfferLetters", "OpenFile", "Photo", "Printout", "Receipts",
		"StudyPlanOfApplicant", "StudyPlanOfApplication", "StudyPlansOfApplicant", "StudyPlansOfApplication", "Wish", "Wishes",
		// Their decisions
		"AddCourse", "AddWish", "AnswerOffer", "Apply", "CheckApplication", "CheckCourseOf", "CloseApplication", "DecideConsent",
		"PatchContent", "RemoveCourse", "RemoveDocument", "RemoveWish", "ReopenApplication", "SaveTask", "SetCoursePriority", "Submit",
		"UndoClosing", "UndoWithdrawal", "UploadDocument", "Withdraw",
	}
	var got []string
	eachUseCase(admitto.ApplicantCaller(1, "r1"), func(name string, err error, wentOn bool) {
		if wentOn || admitto.KindOf(err) != admitto.NotPermitted {
			got = append(got, name)
		}
	})
	slices.Sort(want)
	slices.Sort(got)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("applicants may call (-want +got):\n%s", diff)
	}
}

// Staff without a role may read what is public, and the names that lists show; nothing about a person, and no change.
func TestWhatStaffWithoutRolesMayCall(t *testing.T) {
	want := []string{
		"Classificators", "Consent", "Consents", "Course", "Courses", "Department", "Departments", "Institution", "Institutions",
		"Intake", "Intakes", "StatusTexts", "Term", "TermType", "TermTypes", "Terms", "Year", "Years",
		"Administrator", "Administrators", "Flag", "Flags", "Letterhead", "Letterheads", "OfferType", "OfferTypes", "Tracker", "Trackers",
		"ApplicantHas", "OpenFile", "RowVersion",
	}
	var got []string
	eachUseCase(admitto.AdministratorCaller(1, 0, "r1"), func(name string, err error, wentOn bool) {
		if wentOn || admitto.KindOf(err) != admitto.NotPermitted {
			got = append(got, name)
		}
	})
	slices.Sort(want)
	slices.Sort(got)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("staff without a role may call (-want +got):\n%s", diff)
	}
}

// An applicant finds nothing below the application of another one, whatever is called.
func TestOthersFindNothing(t *testing.T) {
	onBoth(t, func(t *testing.T, d *desk) {
		d.atWork()
		ctx, bo, o := t.Context(), as(admitto.ByApplicant, 2), d.office
		for name, call := range map[string]func() error{
			"Application":   func() error { _, _, err := o.Application(ctx, bo.Caller, 11, nil); return err },
			"CoursesOf":     func() error { _, err := o.CoursesOf(ctx, bo.Caller, 11); return err },
			"Receipts":      func() error { _, err := o.Receipts(ctx, bo.Caller, 11); return err },
			"InvoicesOf":    func() error { _, err := o.InvoicesOfApplication(ctx, bo.Caller, 11); return err },
			"CheckCourseOf": func() error { _, err := o.CheckCourseOf(ctx, bo.Caller, 11, admissions.NewCourseOf{}); return err },
			"Submit":        func() error { _, err := o.Submit(ctx, bo, 11, ""); return err },
			"Withdraw":      func() error { return o.Withdraw(ctx, bo, 11, "") },
			"Patch":         func() error { return o.PatchContent(ctx, bo, 11, admissions.ContentPatch{}) },
			"Upload":        func() error { _, err := o.UploadDocument(ctx, bo, admissions.Upload{Application: 11}); return err },
			"RemoveCourse":  func() error { return o.RemoveCourse(ctx, bo, 11, 55) },
		} {
			if err := call(); admitto.KindOf(err) != admitto.NotFound {
				t.Errorf("%s of somebody else: %v", name, err)
			}
		}
		if _, _, err := o.Application(ctx, ann().Caller, 11, nil); err != nil {
			t.Errorf("their own: %v", err)
		}
	})
}
