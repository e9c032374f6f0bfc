package services_test

import (
	"context"
	"reflect"
	"slices"
	"testing"

	"github.com/admitto/admitto/internal/admissions"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/report"
	"github.com/admitto/admitto/internal/services"
	"github.com/admitto/admitto/internal/services/servicestest"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/usecase"
	"github.com/google/go-cmp/cmp"
)

// eachUseCase calls every use case of services that have nothing, for the record with the ID 1 and otherwise with zero
// values, and hands over what came of it: an error, or a panic because the service has no database to go on with.
func eachUseCase(by admitto.Caller, each func(name string, err error, wentOn bool)) (n int) {
	return eachUseCaseOf(by, func(_, name string, err error, wentOn bool) { each(name, err, wentOn) })
}

// eachUseCaseOf is eachUseCase with the service that each is of.
func eachUseCaseOf(by admitto.Caller, each func(service, name string, err error, wentOn bool)) (n int) {
	all := reflect.TypeFor[services.Services]()
	for i := range all.NumField() {
		if all.Field(i).Name == "Core" {
			continue // has no use cases
		}
		service := reflect.New(all.Field(i).Type.Elem())
		for j := range service.NumMethod() {
			name, method := service.Type().Method(j).Name, service.Method(j)
			args, called := arguments(method.Type(), by)
			if !called {
				continue
			}
			n++
			err, wentOn := func() (err error, wentOn bool) {
				defer func() { wentOn = recover() != nil }()
				call := method.Call
				if method.Type().IsVariadic() {
					call = method.CallSlice
				}
				out := call(args)
				err, _ = out[len(out)-1].Interface().(error)
				return err, false
			}()
			each(all.Field(i).Name, name, err, wentOn)
		}
	}
	return n
}

// arguments are what eachUseCase calls a method with; called is false for what is no use case: it takes no caller, or
// is called in the transaction of one.
func arguments(method reflect.Type, by admitto.Caller) (args []reflect.Value, called bool) {
	for i := range method.NumIn() {
		in := method.In(i)
		arg := reflect.Zero(in)
		switch {
		case in == reflect.TypeFor[*store.Tx]():
			return nil, false
		case in == reflect.TypeFor[context.Context]():
			arg = reflect.ValueOf(context.Background())
		case in == reflect.TypeFor[admitto.Caller]():
			arg, called = reflect.ValueOf(by), true
		case in == reflect.TypeFor[usecase.Caller]():
			arg, called = reflect.ValueOf(usecase.Caller{Caller: by}), true
		case in == reflect.TypeFor[*report.Report]():
			arg = reflect.ValueOf(&report.Reports()[0])
		case in.Kind() == reflect.Int64:
			arg = reflect.ValueOf(int64(1)).Convert(in)
		}
		args = append(args, arg)
	}
	return args, called
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

// What applicants may call at all: reads of what is public or theirs, and what they decide themselves (lifecycle.md
// 12.3). What is added here must see to it that nothing for staff is in its answer.
func TestWhatApplicantsMayCall(t *testing.T) {
	want := []string{
		// Public
		"Classificators", "Consent", "Consents", "Course", "Courses", "Department", "Departments", "Institution",
		"Institutions",
		"Intake", "Intakes", "StatusTexts", "Term", "TermType", "TermTypes", "Terms", "Year", "Years",
		// Theirs
		"Applicant", "ApplicantHas", "Application", "ApplicationForm", "ApplicationOf", "ApplicationsOf", "Chances",
		"OwnApplication", "OwnEvents", "LastEditOfOwn", "OwnFees", "ConsentHistory", "ConsentOf",
		"ConsentsOf",
		"CourseOf", "CoursesOf", "Email", "EmailAttachment", "EmailAttachments", "EmailPage", "Emails", "InvoiceOfApplicant",
		"InvoicePDF", "ApplicationWith",
		"InvoiceOfApplication",
		"InvoicesOfApplicant", "InvoicesOfApplication", "OfferLetter", "OfferLetters", "OpenFile",
		"PaidBefore",
		"OwnLetter", "TasksOfApplicant",
		"AskOwnData", "OpenOwnData", "OwnData", "OwnRequests", "Photo",
		"Printout", "Receipts", "StudyPlanOfApplicant", "StudyPlanOfApplication", "StudyPlansOfApplicant",
		"StudyPlansOfApplication", "Wish", "Wishes", "Archive", "Zip",
		// Their accounts
		"ApplicantAccount", "ApplicantSessions", "ChangeEmail", "ConsentsOfApplicant", "DropEmailChange",
		"EditApplicant",
		"EndApplicantSession", "EndOtherApplicantSessions", "SetApplicantPassword", "SetApplicantPreferences",
		"SetCitizenship", "MarkRead", "RemovePhoto", "SavePhoto",
		// Their decisions
		"AddCourse", "AddWish", "AddWishNote", "AnswerOffer", "Apply", "AskToBeForgotten",
		"CheckApplication", "CheckCourseOf", "CloseApplication",
		"DecideConsent",
		"MoveRow", "PatchContent", "RemoveCourse", "RemoveDocument", "RemoveRow", "RemoveWish", "Reopened",
		"ReopenApplication", "ReplaceDocument", "SaveSection",
		"SaveTask", "SetCoursePriority", "Submit", "TakeBackRequest", "UndoClosing", "UndoWithdrawal",
		"UploadDocument", "Withdraw",
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
		"Classificators", "Consent", "Consents", "Course", "Courses", "Department", "Departments", "Institution",
		"Institutions",
		"Intake", "Intakes", "StatusTexts", "Term", "TermType", "TermTypes", "Terms", "Year", "Years",
		"Administrator", "Administrators", "EventNames", "Flag", "Flags", "Grantors", "Letterhead", "Letterheads",
		"MyWork",
		"OfferType", "OfferTypes", "Tracker", "Trackers",
		"ApplicantHas", "DeadlinesAhead", "DefaultTerm", "OpenFile", "RowVersion", "Search", "Archive", "Zip",
		// Batches that they have prepared, when they had the permission of the action
		"CheckPlan", "Discard", "DoAtOnce", "Line", "Lines", "List", "OpenBatches", "Prepare", "PreviewUndo",
		"Release", "Resume", "Show", "Stop", "Undo",
		"LastEdit", "Questions", "Regions",
		// The own account
		"BeginSecondFactor", "BegunSecondFactor", "ChangeOwnEmail", "ChangeOwnPassword", "ChooseTerm",
		"ConfirmSecondFactor",
		"EditOwnName", "EndOtherSessions", "EndSession",
		"NewRecoveryCodes", "OwnSessions", "ProveIdentity", "RecoveryCodesLeft", "RemoveSecondFactor", "SetPreferences",
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
	servicestest.OnBoth(t, func(t *testing.T, d *servicestest.Desk) {
		d.AtWork()
		ctx, bo, o := t.Context(), servicestest.As(admitto.ByApplicant, 2), d.Services
		for name, call := range map[string]func() error{
			"Application": func() error { _, _, err := o.Query.Application(ctx, bo.Caller, 11, nil); return err },
			"CoursesOf":   func() error { _, err := o.Query.CoursesOf(ctx, bo.Caller, 11); return err },
			"Receipts":    func() error { _, err := o.Query.Receipts(ctx, bo.Caller, 11); return err },
			"InvoicesOf":  func() error { _, err := o.Query.InvoicesOfApplication(ctx, bo.Caller, 11); return err },
			"CheckCourseOf": func() error {
				_, err := o.Admissions.CheckCourseOf(ctx, bo.Caller, 11, admissions.NewCourseOf{})
				return err
			},
			"Submit": func() error {
				_, err := o.Admissions.Submit(ctx, bo, 11,
					admissions.Submission{})
				return err
			},
			"Withdraw": func() error { return o.Admissions.Withdraw(ctx, bo, 11, admitto.Declining{}) },
			"Patch":    func() error { return o.Admissions.PatchContent(ctx, bo, 11, admissions.ContentPatch{}) },
			"Upload": func() error {
				_, err := o.Admissions.UploadDocument(ctx, bo, admissions.Upload{Application: 11})
				return err
			},
			"Replace": func() error {
				_, err := o.Admissions.ReplaceDocument(ctx, bo, 70, admissions.Upload{Application: 11})
				return err
			},
			"RemoveCourse": func() error { return o.Admissions.RemoveCourse(ctx, bo, 11, 55) },
			"SaveSection": func() error {
				return o.Admissions.SaveSection(ctx, bo, 11, admissions.SectionEdit{Section: "profile"})
			},
			"RemoveRow": func() error { return o.Admissions.RemoveRow(ctx, bo, 11, "education", 0) },
			"MoveRow":   func() error { return o.Admissions.MoveRow(ctx, bo, 11, "education", 1, 0) },
		} {
			if err := call(); admitto.KindOf(err) != admitto.NotFound {
				t.Errorf("%s of somebody else: %v", name, err)
			}
		}
		if _, _, err := o.Query.Application(ctx, servicestest.Ann().Caller, 11, nil); err != nil {
			t.Errorf("their own: %v", err)
		}
	})
}
