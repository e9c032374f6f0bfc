package query

import (
	"context"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/form"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/usecase"
)

// Applications lists applications by ascending ID (resources.md 5.3). The titles of offer types are resolved in the
// same snapshot; nil is no condition. with says what else is read for each page (nil: nothing).
func (s *Service) Applications(ctx context.Context, by admitto.Caller, q admitto.ApplicationQuery,
	offerTypeTitles []string,
	with *ApplicationParts) (*usecase.List[admitto.Application], error) {
	if err := by.Needs(admitto.ApplicationsView); err != nil {
		return nil, err
	}
	with.narrow(by)
	return usecase.ListOf(ctx, s.core, func(tx *store.Tx) (list usecase.Source[admitto.Application], err error) {
		q := q
		if offerTypeTitles != nil {
			if q.OfferTypes, err = tx.OfferTypeIDsByTitle(offerTypeTitles); err != nil {
				return list, err
			}
		}
		return applicationList(tx, q, with), nil
	}), nil
}

// ApplicationsOf lists one applicant's applications, as Applications does; not-found without the applicant.
func (s *Service) ApplicationsOf(ctx context.Context, by admitto.Caller, applicant int64, q admitto.ApplicationQuery,
	with *ApplicationParts) (*usecase.List[admitto.Application], error) {
	if err := by.NeedsOrOwns(admitto.ApplicationsView, applicant); err != nil {
		return nil, err
	}
	q.Applicants = []int64{applicant}
	with.narrow(by)
	return usecase.ListOf(ctx, s.core, func(tx *store.Tx) (usecase.Source[admitto.Application], error) {
		return applicationList(tx, q, with), tx.HasApplicant(applicant)
	}), nil
}

// applicationList is how a list of applications is read.
func applicationList(tx *store.Tx, q admitto.ApplicationQuery,
	with *ApplicationParts) usecase.Source[admitto.Application] {
	return usecase.Source[admitto.Application]{After: q.After, Limit: int64(q.Limit),
		Each:  func(each func(*admitto.Application) error) (bool, error) { return ReadApplications(tx, q, with, each) },
		Count: func() (int64, error) { return tx.CountApplications(q) },
		End:   func() (int64, error) { return tx.ApplicationsEnd(q) }}
}

// ReadApplications hands over the applications of a query with what is wanted next to them.
func ReadApplications(tx *store.Tx, q admitto.ApplicationQuery, with *ApplicationParts,
	each func(*admitto.Application) error) (more bool, err error) {
	q.ByOutcome = with != nil && with.ByOutcome
	if !with.Any() {
		return tx.EachApplication(q, each)
	}
	return tx.ApplicationPages(q, func(page []admitto.Application) error {
		if err := with.load(tx, page); err != nil {
			return err
		}
		return eachOf(page, each)
	})
}

// ApplicationParts is what hangs on applications and is read for a page of them at once. The caller says what
// it wants; what was read is for the applications of the current page, by application.
type ApplicationParts struct {
	WantApplicant, WantFlags, WantCourses, WantOffers bool
	WantDocuments, WantTasks, WantScores              bool

	ByOutcome bool // statuses, asked for and read, are by the outcome of the offers

	Applicants    map[int64]*admitto.Applicant // by their own ID
	ApplicantPart ApplicantParts               // of these applicants
	Flags         map[int64][]admitto.FlagAssociation
	Courses       map[int64][]admitto.ApplicationCourse
	Offers        map[int64][]admitto.Offer
	OfferPart     *OfferParts // of these offers
	Documents     map[int64][]admitto.File
	Tasks         map[int64][]admitto.Task
	Scores        map[int64][]admitto.Score
}

// narrow drops what the caller may not see (lifecycle.md 12.1, 12.3). Of their own application, applicants see here the
// courses and themselves: offers, documents and tasks hold what is for staff, too.
func (p *ApplicationParts) narrow(by admitto.Caller) {
	if p == nil {
		return
	}
	own, staff := by.Actor.Kind == admitto.ByApplicant, by.Has(admitto.ApplicationsView)
	p.WantApplicant = p.WantApplicant && (own || by.Has(admitto.ApplicantsView))
	p.ApplicantPart.narrow(by)
	p.WantCourses = p.WantCourses && (own || staff)
	p.WantFlags, p.WantDocuments = p.WantFlags && staff, p.WantDocuments && staff
	p.WantTasks, p.WantScores = p.WantTasks && staff, p.WantScores && staff
	p.WantOffers = p.WantOffers && by.Has(admitto.OffersView)
}

// Any reports whether anything is read next to the records themselves.
func (p *ApplicationParts) Any() bool {
	return p != nil && (p.WantApplicant || p.WantFlags || p.WantCourses || p.WantOffers || p.WantDocuments ||
		p.WantTasks || p.WantScores)
}

// load reads everything wanted for a page, one statement for each kind.
func (p *ApplicationParts) load(tx *store.Tx, page []admitto.Application) (err error) {
	ids := make([]int64, len(page))
	for i := range page {
		ids[i] = page[i].ID
	}
	for _, part := range []struct {
		wanted bool
		read   func() error
	}{
		{p.WantApplicant, func() error { return p.loadApplicants(tx, page) }},
		{p.WantFlags, func() error { p.Flags, err = tx.FlagsOfApplications(ids); return err }},
		{p.WantCourses, func() error { p.Courses, err = tx.CoursesOfApplications(ids); return err }},
		{p.WantOffers, func() error { return p.loadOffers(tx, ids) }},
		{p.WantDocuments, func() error { p.Documents, err = tx.DocumentsOf(ids); return err }},
		{p.WantTasks, func() error { p.Tasks, err = tx.TasksOf(ids); return err }},
		{p.WantScores, func() error { p.Scores, err = tx.ScoresOf(ids); return err }},
	} {
		if part.wanted {
			if err := part.read(); err != nil {
				return err
			}
		}
	}
	return nil
}

func (p *ApplicationParts) loadApplicants(tx *store.Tx, page []admitto.Application) (err error) {
	ids := make([]int64, len(page))
	list := make([]admitto.Applicant, 0, len(page))
	for i := range page {
		ids[i] = page[i].Applicant
	}
	if p.Applicants, err = tx.VisibleApplicants(ids); err != nil || !p.ApplicantPart.Any() {
		return err
	}
	for _, a := range p.Applicants {
		list = append(list, *a)
	}
	return p.ApplicantPart.load(tx, list)
}

func (p *ApplicationParts) loadOffers(tx *store.Tx, applications []int64) (err error) {
	if p.Offers, err = tx.OffersOf(applications); err != nil {
		return err
	}
	var list []admitto.Offer
	for _, offers := range p.Offers {
		list = append(list, offers...)
	}
	return p.OfferPart.load(tx, list)
}

// Application reads one application with its content and the wanted parts (nil: none), or answers NotFound.
func (s *Service) Application(ctx context.Context, by admitto.Caller, id int64,
	with *ApplicationParts) (a admitto.Application, content form.Content, err error) {
	if err := by.NeedsOrApplicant(admitto.ApplicationsView); err != nil {
		return a, content, err
	}
	err = s.core.Read(ctx, func(tx *store.Tx) error {
		a, content, err = ReadApplication(tx, by, id, with)
		return err
	})
	return a, content, err
}

// ApplicationOf reads one application of an applicant as Application does; not-found without the applicant, or
// when the application is somebody else's.
func (s *Service) ApplicationOf(ctx context.Context, by admitto.Caller, applicant, id int64,
	with *ApplicationParts) (a admitto.Application, content form.Content, err error) {
	if err := by.NeedsOrOwns(admitto.ApplicationsView, applicant); err != nil {
		return a, content, err
	}
	err = s.core.Read(ctx, func(tx *store.Tx) error {
		if err := tx.HasApplicant(applicant); err != nil {
			return err
		}
		a, content, err = ReadApplication(tx, by, id, with)
		if err == nil && a.Applicant != applicant {
			err = &admitto.Error{Kind: admitto.NotFound}
		}
		return err
	})
	return a, content, err
}

// ApplicantHas answers NotFound unless there is the applicant and the application is theirs.
func (s *Service) ApplicantHas(ctx context.Context, by admitto.Caller, applicant, id int64) error {
	if err := by.StaffOrOwns(applicant); err != nil {
		return err
	}
	return s.core.Read(ctx, func(tx *store.Tx) error {
		if err := tx.HasApplicant(applicant); err != nil {
			return err
		}
		a, err := tx.Application(id)
		if err == nil && a.Applicant != applicant {
			err = &admitto.Error{Kind: admitto.NotFound}
		}
		return err
	})
}

// ReadApplication reads an application with what is wanted next to it. Errors: not-found, for one of another applicant
// than the caller, too.
func ReadApplication(tx *store.Tx, by admitto.Caller, id int64, with *ApplicationParts) (a admitto.Application,
	content form.Content, err error) {
	if a, err = tx.ApplicationAs(id, with != nil && with.ByOutcome); err == nil {
		err = usecase.OnlyOwn(by, a.Applicant)
	}
	if err != nil {
		return admitto.Application{}, content, err
	}
	if content, err = tx.ApplicationContent(id); by.Owns(a.Applicant) != nil {
		content = content.VisibleTo(by)
	}
	if with.narrow(by); err == nil && with.Any() {
		err = with.load(tx, []admitto.Application{a})
	}
	return a, content, err
}

// CoursesOf lists the course associations of an application by course ID; not-found without the application.
func (s *Service) CoursesOf(ctx context.Context, by admitto.Caller,
	application int64) (list []admitto.ApplicationCourse, err error) {
	if err := by.NeedsOrApplicant(admitto.ApplicationsView); err != nil {
		return list, err
	}
	err = s.core.Read(ctx, func(tx *store.Tx) error {
		if err := usecase.SeesApplication(tx, by, application); err != nil {
			return err
		}
		all, err := tx.CoursesOfApplications([]int64{application})
		list = all[application]
		return err
	})
	return list, err
}

// CourseOf reads one course association; not-found without the application, or when it does not hold the course.
func (s *Service) CourseOf(ctx context.Context, by admitto.Caller, application,
	course int64) (admitto.ApplicationCourse, error) {
	if err := by.NeedsOrApplicant(admitto.ApplicationsView); err != nil {
		return admitto.ApplicationCourse{}, err
	}
	list, err := s.CoursesOf(ctx, by, application)
	return usecase.Found(list, err, func(c *admitto.ApplicationCourse) bool { return c.Course == course })
}

// FlagsOf lists the flag associations of an application by flag ID; not-found without the application.
func (s *Service) FlagsOf(ctx context.Context, by admitto.Caller, application int64) (list []admitto.FlagAssociation,
	err error) {
	if err := by.Needs(admitto.ApplicationsView); err != nil {
		return list, err
	}
	err = s.core.Read(ctx, func(tx *store.Tx) error {
		if err := usecase.SeesApplication(tx, by, application); err != nil {
			return err
		}
		all, err := tx.FlagsOfApplications([]int64{application})
		list = all[application]
		return err
	})
	return list, err
}

// FlagOf reads one flag association; not-found without the application, or when the flag is not set.
func (s *Service) FlagOf(ctx context.Context, by admitto.Caller, application, flag int64) (admitto.FlagAssociation,
	error) {
	if err := by.Needs(admitto.ApplicationsView); err != nil {
		return admitto.FlagAssociation{}, err
	}
	list, err := s.FlagsOf(ctx, by, application)
	return usecase.Found(list, err, func(f *admitto.FlagAssociation) bool { return f.Flag == flag })
}

// StudyPlansOfApplication lists the study plans of an application (resources.md 12); not-found without it.
func (s *Service) StudyPlansOfApplication(ctx context.Context, by admitto.Caller,
	application int64) (list []admitto.StudyPlan, err error) {
	if err := by.NeedsOrApplicant(admitto.ApplicationsView); err != nil {
		return list, err
	}
	err = s.core.Read(ctx, func(tx *store.Tx) error {
		if err := usecase.SeesApplication(tx, by, application); err != nil {
			return err
		}
		list, err = tx.StudyPlansOfApplication(application)
		return err
	})
	return list, err
}

// StudyPlansOfApplicant lists the study plans of an applicant over all applications; not-found without the
// applicant.
func (s *Service) StudyPlansOfApplicant(ctx context.Context, by admitto.Caller,
	applicant int64) (list []admitto.StudyPlan, err error) {
	if err := by.NeedsOrOwns(admitto.ApplicationsView, applicant); err != nil {
		return list, err
	}
	err = s.core.Read(ctx, func(tx *store.Tx) error {
		if err := tx.HasApplicant(applicant); err != nil {
			return err
		}
		list, err = tx.StudyPlansOfApplicant(applicant)
		return err
	})
	return list, err
}

// StudyPlanOfApplication reads one study plan of an application; not-found without either.
func (s *Service) StudyPlanOfApplication(ctx context.Context, by admitto.Caller, application,
	id int64) (admitto.StudyPlan, error) {
	if err := by.NeedsOrApplicant(admitto.ApplicationsView); err != nil {
		return admitto.StudyPlan{}, err
	}
	list, err := s.StudyPlansOfApplication(ctx, by, application)
	return usecase.Found(list, err, func(p *admitto.StudyPlan) bool { return p.ID == id })
}

// StudyPlanOfApplicant reads one study plan of an applicant; not-found without either.
func (s *Service) StudyPlanOfApplicant(ctx context.Context, by admitto.Caller, applicant, id int64) (admitto.StudyPlan,
	error) {
	if err := by.NeedsOrOwns(admitto.ApplicationsView, applicant); err != nil {
		return admitto.StudyPlan{}, err
	}
	list, err := s.StudyPlansOfApplicant(ctx, by, applicant)
	return usecase.Found(list, err, func(p *admitto.StudyPlan) bool { return p.ID == id })
}
