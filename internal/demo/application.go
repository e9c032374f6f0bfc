package demo

import (
	"slices"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store/load"
)

// person is an applicant who has signed in, with what applications need to know.
type person struct {
	*load.ApplicantRow
	trackers     []admitto.TrackerAssociation
	level        level
	born         int // year
	left         int // applications that still come
	merit        int // 0 to 99, what results and decisions follow
	terms        []int64
	matriculated bool
}

func (p *person) links() admitto.Links { return admitto.Links{Applicant: p.ID} }

// application is one on its way: the row is as it will be at the end of the data, all that happens is planned.
type application struct {
	*world
	p       *person
	in      *intake
	row     admitto.Application
	choices []*choice
	scores  []*score
	assured bool         // it goes the way of the one that is always there
	extra   admitto.File // the document that an extra names; without ID until it is there
	// The times of its life; those that are 0 or after the end do not come.
	edited, saved, reopened, again, withdrawn, closed admitto.Time
	limit                                             admitto.Time // nothing but closing happens from here on
}

func (ap *application) links() admitto.Links {
	return admitto.Links{Applicant: ap.p.ID, Application: ap.row.ID}
}

// choice is a course of an application, and the offer for it.
type choice struct {
	load.CourseRow
	ap     *application
	course *course
	offer  *offer
}

func (ch *choice) links() admitto.Links {
	l := ch.ap.links()
	l.Course, l.Institution = ch.course.ID, ch.course.Institution
	return l
}

// about plans a record about something of the application.
func (ap *application) about(what linked, at admitto.Time, by admitto.Actor, pattern admitto.Pattern, bind ...string) {
	ap.later(happening{at: at, actor: by, about: what, event: admitto.Event{Pattern: pattern, Bind: bind}})
}

func (ap *application) self() admitto.Actor {
	return admitto.Actor{Kind: admitto.ByApplicant, ID: ap.p.ID, RequestID: ap.chance.hex(16)}
}

// seek finds the intake for the next application of somebody and the time at which it begins; nil when
// there is none within the data.
func (w *world) seek(p *person, from admitto.Time) (*intake, admitto.Time) {
	var found []*intake
	for i := range w.catalogue.intakes {
		in := &w.catalogue.intakes[i]
		if in.level == p.level && !slices.Contains(p.terms, in.term.ID) && in.closing(p.Citizenship) > from+2*admitto.Hour {
			found = append(found, in)
		}
	}
	slices.SortStableFunc(found, func(a, b *intake) int {
		return int((a.closing(p.Citizenship) - b.closing(p.Citizenship)) / admitto.Hour)
	})
	if len(found) == 0 {
		return nil, 0
	}
	in := found[0]
	if len(found) > 1 && w.chance.per(200) {
		in = found[1]
	}
	at := from
	if opens := startOf(in.Start) + 6*admitto.Hour; at < opens {
		at = w.chance.seconds(opens, 0, 40*86400)
	}
	if at = min(at, in.closing(p.Citizenship)-admitto.Hour); at > w.ends-admitto.Hour {
		return nil, 0
	}
	return in, at
}

// comes plans the next application of somebody.
func (w *world) comes(p *person, from admitto.Time) {
	in, at := w.seek(p, from)
	if in == nil || p.left == 0 {
		return
	}
	p.left--
	p.terms = append(p.terms, in.term.ID)
	ap := &application{world: w, p: p, in: in}
	w.plan(happening{at: at, actor: ap.self(), about: ap, event: admitto.Event{Pattern: "Application was created"},
		rows: func() {
			ap.begin(at)
			w.comes(p, at+admitto.Time(w.chance.between(10, 150))*admitto.Day)
		}})
}

// begin is the time at which somebody applies to a first course: everything that follows is drawn.
func (ap *application) begin(at admitto.Time) {
	ap.row = admitto.Application{ID: ap.last.application.next(), Applicant: ap.p.ID, Term: ap.in.term.ID,
		Status: admitto.Blank, Created: at, Revised: at}
	ap.choose(at)
	ap.draw(at)
	for _, ch := range ap.choices {
		ch.Application = ap.row.ID
		ap.later(happening{at: ch.Added, rows: func() { ap.batch.courses = append(ap.batch.courses, ch.CourseRow) },
			about: ch,
			actor: ap.self(), event: admitto.Event{Pattern: "Course was added to application"}})
	}
	identity := ap.task(templateIdentity, at, ap.edited)
	if ap.edited != 0 {
		ap.fill(identity)
	}
	ap.fee(at)
	if ap.row.Submitted != 0 {
		ap.submitted()
	}
	ap.finish()
	b := &ap.batch
	b.applications = append(b.applications, ap.row)
	if ap.edited == 0 {
		b.contents = append(b.contents, load.ContentRow{Application: ap.row.ID, JSON: "{}"})
	}
}

// choose adds one to four courses.
func (ap *application) choose(at admitto.Time) {
	c := ap.chance
	wanted := [...]int{1, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 4}[c.IntN(12)]
	deadline := ap.in.active(ap.p.Citizenship)
	for tries := 0; len(ap.choices) < wanted && tries < 6; tries++ {
		x := ap.world.course(ap.p.level, ap.choices)
		if x == nil {
			continue
		}
		ch := &choice{ap: ap, course: x}
		ch.Course, ch.Intake, ch.Institution, ch.Type = x.ID, ap.in.ID, x.Institution, x.Type
		ch.Priority, ch.Added = len(ap.choices)+1, at
		if len(ap.choices) > 0 {
			ch.Added = c.seconds(ap.choices[len(ap.choices)-1].Added, 30, 600)
		}
		if ch.Added >= ap.in.closing(ap.p.Citizenship) || ch.Added > ap.ends {
			return
		}
		ch.Late = deadline.IsLate(ch.Added)
		if ap.p.level <= medicine && c.per(60) {
			ch.Modifier = pick(c, []string{"Y1", "Y1", "Y2", "ADV", "TRF"})
		}
		ap.choices = append(ap.choices, ch)
	}
}

// draw decides how the application goes on and when.
func (ap *application) draw(at admitto.Time) {
	if ap.assured {
		ap.drawAssured(at)
		return
	}
	c, term := ap.chance, ap.in.term
	grace := endOf(term.Grace)
	if c.per(850) {
		ap.closed = c.inOffice(startOf(term.Start), c.between(46, 56))
	}
	if c.per(18) { // found to be a duplicate, or meant for another term
		ap.closed = c.inOffice(at, c.between(8, 60))
	}
	ap.limit = min(grace, ap.ends)
	if ap.closed != 0 {
		ap.limit = min(ap.limit, ap.closed)
	}
	if c.per(60) {
		return
	}
	if ap.edited = c.seconds(at, 3700, 2*86400); ap.edited >= ap.limit-admitto.Hour {
		ap.edited = 0
		return
	}
	last, over := ap.in.closing(ap.p.Citizenship), grace // of the first submission, of everything
	if ap.closed != 0 {
		over = min(over, ap.closed)
	}
	if admitto.DeadlinePolicy(ap.in.Policy) == admitto.StrictCourse {
		last += 8 * admitto.Day
	}
	room := min(last, over) - ap.edited - 2*admitto.Hour
	if room > 0 && c.per(790) {
		ap.saved = ap.edited + admitto.Hour + min(admitto.Time(c.Int64N(int64(24*admitto.Day))),
			admitto.Time(c.Int64N(int64(room))))
		if at := c.seconds(ap.saved, 60, 3000); at < ap.ends {
			ap.row.Submitted = at
			ap.life(at)
			return
		}
	}
	if ap.saved = c.seconds(ap.edited, 600, 9*86400); ap.saved >= ap.limit {
		ap.saved = ap.edited + admitto.Minute
	}
	if c.per(20) {
		ap.withdraw(c.seconds(ap.saved, 3600, 14*86400))
	}
}

// life decides what comes between submission and end.
func (ap *application) life(submitted admitto.Time) {
	c := ap.chance
	if c.per(70) {
		if ap.reopened = c.inOffice(submitted, c.between(2, 40)); ap.reopened >= ap.limit {
			ap.reopened = 0
		} else if c.per(700) {
			if ap.again = c.seconds(ap.reopened, 3600, 9*86400); ap.again >= ap.limit {
				ap.again = 0
			}
		}
	}
	if c.per(60) {
		ap.withdraw(c.seconds(max(submitted, ap.reopened, ap.again), 2*3600, 110*86400))
	}
}

// withdraw notes the time of withdrawal, after which there is nothing but closing.
func (ap *application) withdraw(at admitto.Time) {
	if at < ap.limit {
		ap.withdrawn, ap.limit = at, at
	}
}

// fill plans the saves of content with what is uploaded meanwhile.
func (ap *application) fill(identity *task) {
	ap.about(ap, ap.edited, ap.self(), "Application was edited")
	ap.about(ap, ap.edited, ap.self(), "Application status was changed: ?", string(admitto.Draft))
	ap.row.Status, ap.row.Revised = admitto.Draft, ap.saved
	if ap.row.Submitted != 0 || ap.chance.per(350) {
		at := ap.edited + admitto.Minute + admitto.Time(ap.chance.Int64N(int64(max(ap.saved-ap.edited-2*admitto.Minute, 1))))
		identity.upload(fileIdentity, min(at, ap.saved-30*admitto.Second))
	}
	if ap.row.Submitted != 0 {
		at := ap.saved - admitto.Time(ap.chance.between(20, 1200))*admitto.Second
		ap.document(fileMotivation, at, nil, func(f admitto.File) { ap.extra = f })
	}
	saved := happening{at: ap.saved, about: ap, actor: ap.self(), event: admitto.Event{Pattern: "Application was edited"},
		rows: func() {
			ap.batch.contents = append(ap.batch.contents, load.ContentRow{Application: ap.row.ID, JSON: ap.content()})
		}}
	ap.later(saved)
}

// finish plans the changes of the status and leaves the last one in the row.
func (ap *application) finish() {
	officer := ap.officer()
	if ap.edited != 0 && ap.row.Submitted == 0 {
		if at := ap.saved + 15*admitto.Day; at < ap.limit {
			ap.about(ap, at, admitto.System(), "Application status was changed: ?", string(admitto.Inactive))
			ap.row.Status = admitto.Inactive
		}
	}
	if ap.row.Submitted != 0 {
		ap.row.Status = admitto.Submitted
	}
	if ap.reopened != 0 && ap.reopened < ap.limit {
		ap.about(ap, ap.reopened, officer, "Application was reopened")
		ap.row.Status = admitto.Reopened
		if ap.again != 0 && ap.again < ap.limit {
			ap.row.Revised = ap.again - admitto.Minute
			ap.about(ap, ap.row.Revised, ap.self(), "Application was edited")
			ap.about(ap, ap.again, ap.self(), "Application was re-submitted")
			ap.row.Status = admitto.Submitted
		}
	}
	if ap.withdrawn != 0 {
		ap.about(ap, ap.withdrawn, ap.self(), "Application was withdrawn")
		ap.row.Status = admitto.Withdrawn
	}
	grace := endOf(ap.in.term.Grace) + 15*admitto.Minute
	if ap.closed != 0 && ap.closed <= ap.ends {
		ap.about(ap, ap.closed, officer, "Application was closed")
		ap.row.Status = admitto.Closed
	}
	if ap.closed == 0 || ap.closed > grace {
		ap.about(ap, grace, admitto.System(), "Application has expired")
	}
}

// submitted is everything that follows a submission.
func (ap *application) submitted() {
	at := ap.row.Submitted
	ap.about(ap, at, ap.self(), "Application was submitted")
	deadline := ap.in.active(ap.p.Citizenship)
	for _, ch := range ap.choices {
		ch.Submitted = at
		ch.Late = ch.Late || deadline.IsLate(at)
		ch.offer = ap.newOffer(ch)
	}
	ap.mail(at, "application-submitted", "Your application "+ap.in.Name+" has arrived", submittedText(ap), nil)
	ap.submissionTasks(at)
	ap.score(at)
	ap.reply(at)
	ap.flag(at)
	ap.studyPlan(at)
	for _, ch := range ap.choices {
		ch.offer.plan()
	}
}

// flag sets flags while the application is looked at.
func (ap *application) flag(at admitto.Time) {
	c := ap.chance
	flags := []int64{flagInterview, flagInterview, flagScholarship, flagIncomplete, flagIncomplete, flagCheckDiploma,
		flagDormitory, flagVisa, flagVIP, flagDuplicate}
	var set []int64
	for likely := 200; c.per(likely); likely /= 3 {
		flag, when := pick(c, flags), c.inOffice(at, c.between(1, 30))
		if slices.Contains(set, flag) || when >= ap.limit {
			continue
		}
		set = append(set, flag)
		ap.later(happening{at: when, actor: ap.officer(), event: admitto.Event{Pattern: "Application was flagged"},
			about: flagged{ap, flag}, rows: func() {
				ap.batch.flags = append(ap.batch.flags, admitto.FlagAssociation{Application: ap.row.ID, Flag: flag, Assigned: when})
			}})
	}
}

// flagged is a flag on an application.
type flagged struct {
	*application
	flag int64
}

func (f flagged) links() admitto.Links {
	l := f.application.links()
	l.Flag = f.flag
	return l
}
