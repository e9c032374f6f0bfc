package columns

import "github.com/admitto/admitto/internal/admitto"

// Institution is an institution.
var Institution = table("institution", []Column[admitto.Institution]{
	number("id", func(i *admitto.Institution) *int64 { return &i.ID }),
	text("status", func(i *admitto.Institution) *string { return &i.Status }),
	text("mode", func(i *admitto.Institution) *string { return &i.Mode }),
	text("type", func(i *admitto.Institution) *string { return &i.Type }),
	text("name", func(i *admitto.Institution) *string { return &i.Name }),
	text("country", func(i *admitto.Institution) *string { return &i.Country }),
	text("location", func(i *admitto.Institution) *string { return &i.Location }),
	text("www", func(i *admitto.Institution) *string { return &i.WWW }),
	text("erasmus", func(i *admitto.Institution) *string { return &i.Erasmus }),
	text("address", func(i *admitto.Institution) *string { return &i.Address }),
	text("vat", func(i *admitto.Institution) *string { return &i.VAT }),
	text("iban", func(i *admitto.Institution) *string { return &i.IBAN }),
	text("registration", func(i *admitto.Institution) *string { return &i.Registration }),
})

// Department is a department of an institution.
var Department = table("department", []Column[admitto.Department]{
	number("id", func(d *admitto.Department) *int64 { return &d.ID }),
	number("institution_id", func(d *admitto.Department) *int64 { return &d.Institution }),
	text("name", func(d *admitto.Department) *string { return &d.Name }),
	text("country", func(d *admitto.Department) *string { return &d.Country }),
	text("location", func(d *admitto.Department) *string { return &d.Location }),
	text("www", func(d *admitto.Department) *string { return &d.WWW }),
})

// Course is a course without its intakes.
var Course = table("course", []Column[admitto.Course]{
	number("id", func(c *admitto.Course) *int64 { return &c.ID }),
	number("institution_id", func(c *admitto.Course) *int64 { return &c.Institution }),
	text("status", func(c *admitto.Course) *string { return &c.Status }),
	instant("updated", func(c *admitto.Course) *admitto.Time { return &c.Updated }),
	truth("featured", func(c *admitto.Course) *bool { return &c.Featured }),
	text("type", func(c *admitto.Course) *string { return &c.Type }),
	text("name", func(c *admitto.Course) *string { return &c.Name }),
	text("mode", func(c *admitto.Course) *string { return &c.Mode }),
	text("duration", func(c *admitto.Course) *string { return &c.Duration }),
	text("credits", func(c *admitto.Course) *string { return &c.Credits }),
	text("language", func(c *admitto.Course) *string { return &c.Language }),
	text("country", func(c *admitto.Course) *string { return &c.Country }),
	text("location", func(c *admitto.Course) *string { return &c.Location }),
	text("code", func(c *admitto.Course) *string { return &c.Code }),
	text("code_internal", func(c *admitto.Course) *string { return &c.CodeInternal }),
	text("accreditation", func(c *admitto.Course) *string { return &c.Accreditation }),
	optional("quota", func(c *admitto.Course) **int64 { return &c.Quota }),
	text("prospect_uri", func(c *admitto.Course) *string { return &c.ProspectURI }),
	text("summary", func(c *admitto.Course) *string { return &c.Summary }),
	text("about", func(c *admitto.Course) *string { return &c.About }),
	text("requirements", func(c *admitto.Course) *string { return &c.Requirements }),
	someVersions("names", isName, func(c *admitto.Course) *admitto.Versions { return &c.Versions }),
	someVersions("versions", isNoName, func(c *admitto.Course) *admitto.Versions { return &c.Versions }),
	list("awards", func(c *admitto.Course) *[]admitto.Award { return &c.Awards }),
})

func isName(text string) bool { return text == "name" }

func isNoName(text string) bool { return !isName(text) }

// CourseIntake ties courses to intakes.
var CourseIntake = link("course_intake", "course_id", "intake_id")

// Term is an academic term.
var Term = table("academic_term", []Column[admitto.Term]{
	number("id", func(t *admitto.Term) *int64 { return &t.ID }),
	number("year", func(t *admitto.Term) *int64 { return &t.Year }),
	number("type", func(t *admitto.Term) *int64 { return &t.Type }),
	text("name", func(t *admitto.Term) *string { return &t.Name }),
	date("start", func(t *admitto.Term) *admitto.Date { return &t.Start }),
	date("grace", func(t *admitto.Term) *admitto.Date { return &t.Grace }),
	date("finish", func(t *admitto.Term) *admitto.Date { return &t.Finish }),
	versions("versions", func(t *admitto.Term) *admitto.Versions { return &t.Versions }),
})

// TermType is a kind of terms.
var TermType = table("academic_term_type", []Column[admitto.TermType]{
	number("id", func(t *admitto.TermType) *int64 { return &t.ID }),
	text("name", func(t *admitto.TermType) *string { return &t.Name }),
})

// Year is an academic year.
var Year = keyed("academic_year", 1, []Column[admitto.Year]{
	number("year", func(y *admitto.Year) *int64 { return &y.Year }),
	text("name", func(y *admitto.Year) *string { return &y.Name }),
	date("start", func(y *admitto.Year) *admitto.Date { return &y.Start }),
})

// Intake is an intake of a term; of the term it has the ID.
var Intake = table("intake", []Column[admitto.Intake]{
	number("id", func(i *admitto.Intake) *int64 { return &i.ID }),
	text("name", func(i *admitto.Intake) *string { return &i.Name }),
	date("start", func(i *admitto.Intake) *admitto.Date { return &i.Start }),
	date("pre_deadline", func(i *admitto.Intake) *admitto.Date { return &i.PreDeadline }),
	text("pre_info", func(i *admitto.Intake) *string { return &i.PreInfo }),
	truth("pre_mask", func(i *admitto.Intake) *bool { return &i.PreMask }),
	text("policy", func(i *admitto.Intake) *string { return &i.Policy }),
	text("decision_policy", func(i *admitto.Intake) *string { return &i.DecisionPolicy }),
	optional("decision_days", func(i *admitto.Intake) **int64 { return &i.DecisionDays }),
	date("decision_date", func(i *admitto.Intake) *admitto.Date { return &i.DecisionDate }),
	date("arrival", func(i *admitto.Intake) *admitto.Date { return &i.Arrival }),
	date("commence", func(i *admitto.Intake) *admitto.Date { return &i.Commence }),
	versions("versions", func(i *admitto.Intake) *admitto.Versions { return &i.Versions }),
	number("academic_term_id", func(i *admitto.Intake) *int64 { return &i.Term.ID }),
})

// IntakeDeadline is a deadline of an intake for a territory.
var IntakeDeadline = keyed("intake_deadline", 2, []Column[Part[admitto.Deadline]]{
	number("intake_id", func(p *Part[admitto.Deadline]) *int64 { return &p.Owner }),
	text("territory", func(p *Part[admitto.Deadline]) *string { return &p.Value.Territory }),
	date("deadline", func(p *Part[admitto.Deadline]) *admitto.Date { return &p.Value.Day }),
	text("info", func(p *Part[admitto.Deadline]) *string { return &p.Value.Info }),
	truth("barred", func(p *Part[admitto.Deadline]) *bool { return &p.Value.Barred }),
})

// Fee is a fee without its amounts and courses.
var Fee = table("fee", []Column[admitto.Fee]{
	number("id", func(f *admitto.Fee) *int64 { return &f.ID }),
	text("name", func(f *admitto.Fee) *string { return &f.Name }),
	text("type", func(f *admitto.Fee) *string { return &f.Type }),
	text("notes", func(f *admitto.Fee) *string { return &f.Notes }),
	text("automatic", func(f *admitto.Fee) *admitto.FeeAutomatic { return &f.Automatic }),
	text("causing", func(f *admitto.Fee) *admitto.FeeCause { return &f.Cause }),
	reference("series_id", func(f *admitto.Fee) *int64 { return &f.Series }),
	optional("payment_days", func(f *admitto.Fee) **int64 { return &f.PaymentDays }),
	truth("all_courses", func(f *admitto.Fee) *bool { return &f.AllCourses }),
	versions("versions", func(f *admitto.Fee) *admitto.Versions { return &f.Versions }),
})

// FeeAmount is what a fee amounts to in a territory.
var FeeAmount = keyed("fee_amount", 2, []Column[Part[admitto.FeeAmount]]{
	number("fee_id", func(p *Part[admitto.FeeAmount]) *int64 { return &p.Owner }),
	text("territory", func(p *Part[admitto.FeeAmount]) *string { return &p.Value.Territory }),
	text("qualifier", func(p *Part[admitto.FeeAmount]) *string { return &p.Value.Qualifier }),
	text("currency", func(p *Part[admitto.FeeAmount]) *string { return &p.Value.Currency }),
	number("amount", func(p *Part[admitto.FeeAmount]) *admitto.Hundredths { return &p.Value.Amount }),
	text("basis", func(p *Part[admitto.FeeAmount]) *string { return &p.Value.Basis }),
	text("info", func(p *Part[admitto.FeeAmount]) *string { return &p.Value.Info }),
})

// FeeCourse ties fees to courses.
var FeeCourse = link("fee_course", "fee_id", "course_id")

// Ranking is a ranking without its courses.
var Ranking = table("ranking", []Column[admitto.Ranking]{
	number("id", func(r *admitto.Ranking) *int64 { return &r.ID }),
	text("name", func(r *admitto.Ranking) *string { return &r.Name }),
	instant("created", func(r *admitto.Ranking) *admitto.Time { return &r.Created }),
	instant("modified", func(r *admitto.Ranking) *admitto.Time { return &r.Modified }),
	reference("academic_term_id", func(r *admitto.Ranking) *int64 { return &r.Term }),
	optional("quota", func(r *admitto.Ranking) **int64 { return &r.Quota }),
	document("filters", func(r *admitto.Ranking) *admitto.RankingFilters { return &r.Filters }),
})

// RankingCourse ties rankings to courses.
var RankingCourse = link("ranking_course", "ranking_id", "course_id")

// StudyPlan is a study plan.
var StudyPlan = table("study_plan", []Column[admitto.StudyPlan]{
	number("id", func(p *admitto.StudyPlan) *int64 { return &p.ID }),
	number("application_id", func(p *admitto.StudyPlan) *int64 { return &p.Application }),
	number("applicant_id", func(p *admitto.StudyPlan) *int64 { return &p.Applicant }),
	reference("course_id", func(p *admitto.StudyPlan) *int64 { return &p.Course }),
	instant("created", func(p *admitto.StudyPlan) *admitto.Time { return &p.Created }),
	instant("revised", func(p *admitto.StudyPlan) *admitto.Time { return &p.Revised }),
	text("status", func(p *admitto.StudyPlan) *string { return &p.Status }),
	list("subjects", func(p *admitto.StudyPlan) *[]admitto.Subject { return &p.Subjects }),
})
