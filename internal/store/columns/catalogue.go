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

// Course is a course; its awards are JSON.
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
}, "awards")

// Awards is what column awards of a course holds.
func Awards(c *admitto.Course) string { return JSON(append([]admitto.Award{}, c.Awards...)) }

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
	number("academic_term_id", func(i *admitto.Intake) *int64 { return &i.Term.ID }),
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
})

// Ranking is a ranking without its courses; its filters are JSON.
var Ranking = table("ranking", []Column[admitto.Ranking]{
	number("id", func(r *admitto.Ranking) *int64 { return &r.ID }),
	text("name", func(r *admitto.Ranking) *string { return &r.Name }),
	instant("created", func(r *admitto.Ranking) *admitto.Time { return &r.Created }),
	instant("modified", func(r *admitto.Ranking) *admitto.Time { return &r.Modified }),
	reference("academic_term_id", func(r *admitto.Ranking) *int64 { return &r.Term }),
	optional("quota", func(r *admitto.Ranking) **int64 { return &r.Quota }),
}, "filters")

// StudyPlan is a study plan; its subjects are JSON.
var StudyPlan = table("study_plan", []Column[admitto.StudyPlan]{
	number("id", func(p *admitto.StudyPlan) *int64 { return &p.ID }),
	number("application_id", func(p *admitto.StudyPlan) *int64 { return &p.Application }),
	number("applicant_id", func(p *admitto.StudyPlan) *int64 { return &p.Applicant }),
	reference("course_id", func(p *admitto.StudyPlan) *int64 { return &p.Course }),
	instant("created", func(p *admitto.StudyPlan) *admitto.Time { return &p.Created }),
	instant("revised", func(p *admitto.StudyPlan) *admitto.Time { return &p.Revised }),
	text("status", func(p *admitto.StudyPlan) *string { return &p.Status }),
}, "subjects")
