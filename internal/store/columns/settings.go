package columns

import (
	"cmp"
	"encoding/json"
	"slices"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store/db"
)

// Tracker is a tracker, whose reduction is a percentage or an amount.
var Tracker = table("tracker", []Column[admitto.Tracker]{
	number("id", func(t *admitto.Tracker) *int64 { return &t.ID }),
	instant("created", func(t *admitto.Tracker) *admitto.Time { return &t.Created }),
	text("code", func(t *admitto.Tracker) *string { return &t.Code }),
	text("notes", func(t *admitto.Tracker) *string { return &t.Notes }),
	reduction("percent", false, func(r *admitto.Reduction) *admitto.Hundredths { return &r.Percent }),
	reduction("amount", true, func(r *admitto.Reduction) *admitto.Hundredths { return &r.Amount }),
	{name: "currency", bind: func(t *admitto.Tracker) any {
		if t.Reduction == nil {
			return ""
		}
		return t.Reduction.Currency
	}, scan: func(t *admitto.Tracker, r *db.Rows, i int) {
		if t.Reduction != nil {
			t.Reduction.Currency = r.Text(i)
		}
	}},
	derived("code_key", func(t *admitto.Tracker) any { return CodeKey(t.Code) }),
})

// reduction is one of the two columns of a reduction; the other is NULL, and both are without one.
func reduction(name string, byAmount bool, at func(*admitto.Reduction) *admitto.Hundredths) Column[admitto.Tracker] {
	return Column[admitto.Tracker]{name: name, bind: func(t *admitto.Tracker) any {
		if t.Reduction == nil || t.Reduction.ByAmount() != byAmount {
			return nil
		}
		return int64(*at(t.Reduction))
	}, scan: func(t *admitto.Tracker, r *db.Rows, i int) {
		if r.Null(i) {
			return
		}
		if t.Reduction == nil {
			t.Reduction = &admitto.Reduction{}
		}
		*at(t.Reduction) = admitto.Hundredths(r.Int64(i))
	}}
}

// ApplicantTracker is a tracker that is set on an applicant.
var ApplicantTracker = keyed("applicant_tracker", 2, []Column[admitto.TrackerAssociation]{
	number("tracker_id", func(a *admitto.TrackerAssociation) *int64 { return &a.Tracker }),
	number("applicant_id", func(a *admitto.TrackerAssociation) *int64 { return &a.Applicant }),
	instant("assigned", func(a *admitto.TrackerAssociation) *admitto.Time { return &a.Assigned }),
})

// Flag is a flag.
var Flag = table("flag", []Column[admitto.Flag]{
	number("id", func(f *admitto.Flag) *int64 { return &f.ID }),
	instant("created", func(f *admitto.Flag) *admitto.Time { return &f.Created }),
	text("name", func(f *admitto.Flag) *string { return &f.Name }),
	derived("name_key", func(f *admitto.Flag) any { return CodeKey(f.Name) }),
})

// Administrator is a member of staff without the roles; also are whether the account is suspended, whether it is
// removed, and the normal form of the address. How they sign in is in staff.go of package store.
var Administrator = table("administrator", []Column[admitto.Administrator]{
	number("id", func(a *admitto.Administrator) *int64 { return &a.ID }),
	text("name", func(a *admitto.Administrator) *string { return &a.Name }),
	text("email", func(a *admitto.Administrator) *string { return &a.Email }),
	text("outgoing_name", func(a *admitto.Administrator) *string { return &a.OutgoingName }),
	text("outgoing_email", func(a *admitto.Administrator) *string { return &a.OutgoingMail }),
	text("phone", func(a *admitto.Administrator) *string { return &a.Phone }),
	text("function", func(a *admitto.Administrator) *string { return &a.Function }),
}, "suspended", "removed", "email_key")

// AdministratorRole ties members of staff to roles.
var AdministratorRole = link("administrator_role", "administrator_id", "role_id")

// Role is a role; what built-in ones permit is in the code.
var Role = table("role", []Column[admitto.Role]{
	number("id", func(r *admitto.Role) *int64 { return &r.ID }),
	text("name", func(r *admitto.Role) *string { return &r.Name }),
})

// Field is one question of a custom section, as column fields of table question keeps it.
type Field struct {
	ID   int64             `json:"id"`
	Name string            `json:"name"`
	Type admitto.ExtraType `json:"type"`
}

// Question is a question behind extras.
var Question = table("question", []Column[admitto.Question]{
	number("id", func(q *admitto.Question) *int64 { return &q.ID }),
	text("name", func(q *admitto.Question) *string { return &q.Name }),
	text("help", func(q *admitto.Question) *string { return &q.Help }),
	text("type", func(q *admitto.Question) *admitto.ExtraType { return &q.Type }),
	list("options", func(q *admitto.Question) *[]string { return &q.Options }),
	{name: "fields", bind: func(q *admitto.Question) any {
		fields := []Field{}
		for _, f := range q.Fields {
			fields = append(fields, Field{f.ID, f.Name, f.Type})
		}
		return JSON(fields)
	}, decode: func(q *admitto.Question, text []byte) error {
		var fields []Field
		err := json.Unmarshal(text, &fields)
		for _, f := range fields {
			q.Fields = append(q.Fields, admitto.Question{ID: f.ID, Name: f.Name, Type: f.Type})
		}
		return err
	}},
	versions("versions", func(q *admitto.Question) *admitto.Versions { return &q.Versions }),
})

// Tableview is a tableview.
var Tableview = table("tableview", []Column[admitto.Tableview]{
	number("id", func(v *admitto.Tableview) *int64 { return &v.ID }),
	instant("created", func(v *admitto.Tableview) *admitto.Time { return &v.Created }),
	instant("modified", func(v *admitto.Tableview) *admitto.Time { return &v.Modified }),
	text("title", func(v *admitto.Tableview) *string { return &v.Title }),
	choice("row_kind", "Offer", "Application", func(v *admitto.Tableview) *bool { return &v.ByOffer }),
	document("columns", func(v *admitto.Tableview) *[]admitto.TableColumn { return &v.Columns }),
	{name: "filters", bind: func(v *admitto.Tableview) any { return cmp.Or(v.Filters, "{}") },
		scan: func(v *admitto.Tableview, r *db.Rows, i int) { v.Filters = r.Text(i) }},
	truth("private", func(v *admitto.Tableview) *bool { return &v.Private }),
	reference("owner_id", func(v *admitto.Tableview) *int64 { return &v.Owner }),
})

// Letterhead is the paper of letters without its picture.
var Letterhead = table("letterhead", []Column[admitto.Letterhead]{
	number("id", func(l *admitto.Letterhead) *int64 { return &l.ID }),
	text("name", func(l *admitto.Letterhead) *string { return &l.Name }),
	instant("created", func(l *admitto.Letterhead) *admitto.Time { return &l.Created }),
	instant("modified", func(l *admitto.Letterhead) *admitto.Time { return &l.Modified }),
	text("head", func(l *admitto.Letterhead) *string { return &l.Head }),
	text("foot", func(l *admitto.Letterhead) *string { return &l.Foot }),
	text("logo_kind", func(l *admitto.Letterhead) *string { return &l.LogoKind }),
})

// OfferReason is a predefined reason of an offer type, its owner.
var OfferReason = table("offer_reason", []Column[Part[admitto.OfferReason]]{
	number("id", func(p *Part[admitto.OfferReason]) *int64 { return &p.Value.ID }),
	number("offer_type_id", func(p *Part[admitto.OfferReason]) *int64 { return &p.Owner }),
	text("reason", func(p *Part[admitto.OfferReason]) *string { return &p.Value.Reason }),
})

// Group is a group of scoresheets.
type Group struct {
	ID   int64
	Name string
}

// ScoresheetGroup is a group of scoresheets.
var ScoresheetGroup = table("scoresheet_group", []Column[Group]{
	number("id", func(g *Group) *int64 { return &g.ID }),
	text("name", func(g *Group) *string { return &g.Name }),
})

// Scoresheet is a scoresheet without the name of its group.
var Scoresheet = table("scoresheet", []Column[admitto.Scoresheet]{
	number("id", func(s *admitto.Scoresheet) *int64 { return &s.ID }),
	instant("created", func(s *admitto.Scoresheet) *admitto.Time { return &s.Created }),
	instant("scored", func(s *admitto.Scoresheet) *admitto.Time { return &s.Scored }),
	instant("confirmed", func(s *admitto.Scoresheet) *admitto.Time { return &s.Confirmed }),
	text("name", func(s *admitto.Scoresheet) *string { return &s.Name }),
	text("type", func(s *admitto.Scoresheet) *string { return &s.Type }),
	{name: "maps", bind: func(s *admitto.Scoresheet) any {
		if len(s.Maps) == 0 {
			return ""
		}
		return JSON(s.Maps)
	}, decode: func(s *admitto.Scoresheet, text []byte) (err error) {
		s.Maps, err = ScoreMaps(text)
		return err
	}},
	text("date", func(s *admitto.Scoresheet) *string { return &s.Date }),
	text("reference", func(s *admitto.Scoresheet) *string { return &s.Reference }),
	text("subject", func(s *admitto.Scoresheet) *string { return &s.Subject }),
	text("language", func(s *admitto.Scoresheet) *string { return &s.Language }),
	choice("depth", "Offer", "Application", func(s *admitto.Scoresheet) *bool { return &s.ByOffer }),
	number("range_min", func(s *admitto.Scoresheet) *admitto.Points { return &s.Min }),
	number("range_max", func(s *admitto.Scoresheet) *admitto.Points { return &s.Max }),
	number("scale", func(s *admitto.Scoresheet) *int { return &s.Scale }),
	text("instructions", func(s *admitto.Scoresheet) *string { return &s.Instructions }),
	reference("group_id", func(s *admitto.Scoresheet) *int64 { return &s.GroupID }),
	{name: "scorers", bind: func(s *admitto.Scoresheet) any {
		if len(s.Scorers) == 0 {
			return ""
		}
		return JSON(s.Scorers)
	}, decode: func(s *admitto.Scoresheet, text []byte) error {
		if len(text) == 0 {
			return nil
		}
		return json.Unmarshal(text, &s.Scorers)
	}},
	date("due", func(s *admitto.Scoresheet) *admitto.Date { return &s.Due }),
	{name: "visibility", bind: func(s *admitto.Scoresheet) any { return cmp.Or(s.Visibility, admitto.SheetPrivate) },
		decode: func(s *admitto.Scoresheet, text []byte) error {
			s.Visibility = string(text)
			return nil
		}},
	{name: "shows", bind: func(s *admitto.Scoresheet) any {
		if s.Shows == nil {
			return JSON(admitto.SheetShows())
		}
		return JSON(s.Shows)
	}, decode: func(s *admitto.Scoresheet, text []byte) error { return json.Unmarshal(text, &s.Shows) }},
})

// ScoreMaps reads the labels of a sheet, by ascending value; nil without.
func ScoreMaps(text []byte) (maps []admitto.ScoreMap, err error) {
	if len(text) == 0 {
		return nil, nil
	}
	err = json.Unmarshal(text, &maps)
	slices.SortStableFunc(maps, func(a, b admitto.ScoreMap) int { return cmp.Compare(a.Value, b.Value) })
	return maps, err
}

// Criterion is a criterion of a course, its owner, in the order of N; of the sheet it has the ID.
var Criterion = keyed("criterion", 2, []Column[Part[admitto.Criterion]]{
	number("course_id", func(p *Part[admitto.Criterion]) *int64 { return &p.Owner }),
	number("scoresheet_id", func(p *Part[admitto.Criterion]) *int64 { return &p.Value.Sheet.ID }),
	number("position", func(p *Part[admitto.Criterion]) *int64 { return &p.N }),
	number("weight", func(p *Part[admitto.Criterion]) *admitto.Weight { return &p.Value.Weight }),
	truth("percent", func(p *Part[admitto.Criterion]) *bool { return &p.Value.Percent }),
	truth("required", func(p *Part[admitto.Criterion]) *bool { return &p.Value.Required }),
})

// OfferType is a type of offers without its reasons.
var OfferType = table("offer_type", []Column[admitto.OfferType]{
	number("id", func(t *admitto.OfferType) *int64 { return &t.ID }),
	{name: "status", bind: func(t *admitto.OfferType) any {
		if t.Archived {
			return "Archived"
		}
		return "Online"
	}, scan: func(t *admitto.OfferType, r *db.Rows, i int) { t.Archived = r.Text(i) == "Archived" }},
	number("position", func(t *admitto.OfferType) *int64 { return &t.Position }),
	text("title", func(t *admitto.OfferType) *string { return &t.Title }),
	derived("title_key", func(t *admitto.OfferType) any { return CodeKey(t.Title) }),
	text("public_title", func(t *admitto.OfferType) *string { return &t.PublicTitle }),
	text("colour", func(t *admitto.OfferType) *string { return &t.Colour }),
	text("ranking", func(t *admitto.OfferType) *admitto.Ranked { return &t.Ranking }),
	list("bcc", func(t *admitto.OfferType) *[]string { return &t.BCC }),
	truth("confirm", func(t *admitto.OfferType) *bool { return &t.Confirm }),
	truth("freezes", func(t *admitto.OfferType) *bool { return &t.Freeze }),
	truth("decide", func(t *admitto.OfferType) *bool { return &t.Decide }),
	truth("decline", func(t *admitto.OfferType) *bool { return &t.Decline }),
	truth("strict_declined", func(t *admitto.OfferType) *bool { return &t.StrictDeclined }),
	truth("reopen", func(t *admitto.OfferType) *bool { return &t.Reopen }),
	truth("silence", func(t *admitto.OfferType) *bool { return &t.Silence }),
	text("subject", func(t *admitto.OfferType) *string { return &t.Subject }),
	text("comments", func(t *admitto.OfferType) *string { return &t.Comments }),
	versions("versions", func(t *admitto.OfferType) *admitto.Versions { return &t.Versions }),
})

// KeptConsent is a consent as staff keep it.
var KeptConsent = table("consent", []Column[admitto.KeptConsent]{
	number("id", func(c *admitto.KeptConsent) *int64 { return &c.ID }),
	text("type", func(c *admitto.KeptConsent) *string { return &c.Type }),
	text("text", func(c *admitto.KeptConsent) *string { return &c.Text }),
	text("link", func(c *admitto.KeptConsent) *string { return &c.Link }),
	truth("active", func(c *admitto.KeptConsent) *bool { return &c.Active }),
	number("version", func(c *admitto.KeptConsent) *int64 { return &c.Version }),
	versions("versions", func(c *admitto.KeptConsent) *admitto.Versions { return &c.Versions }),
})

// TaskTemplate is what tasks are made from, without its statuses, courses and offer types.
var TaskTemplate = table("task_template", []Column[admitto.TaskTemplate]{
	number("id", func(t *admitto.TaskTemplate) *int64 { return &t.ID }),
	text("class", func(t *admitto.TaskTemplate) *string { return &t.Class }),
	text("title", func(t *admitto.TaskTemplate) *string { return &t.Title }),
	text("instructions", func(t *admitto.TaskTemplate) *string { return &t.Instructions }),
	text("staff_instructions", func(t *admitto.TaskTemplate) *string { return &t.ForStaff }),
	text("causing", func(t *admitto.TaskTemplate) *string { return &t.Cause }),
	truth("active", func(t *admitto.TaskTemplate) *bool { return &t.Active }),
	truth("mails", func(t *admitto.TaskTemplate) *bool { return &t.Mails }),
	truth("allows_comments", func(t *admitto.TaskTemplate) *bool { return &t.AllowsComments }),
	truth("allows_documents", func(t *admitto.TaskTemplate) *bool { return &t.AllowsDocument }),
	number("max_documents", func(t *admitto.TaskTemplate) *int { return &t.MaxDocuments }),
	truth("freezable", func(t *admitto.TaskTemplate) *bool { return &t.Freezable }),
	{name: "deadline_days", bind: func(t *admitto.TaskTemplate) any {
		if t.DeadlineDays < 0 {
			return nil
		}
		return t.DeadlineDays
	}, scan: func(t *admitto.TaskTemplate, r *db.Rows, i int) {
		if t.DeadlineDays = -1; !r.Null(i) {
			t.DeadlineDays = r.Int64(i)
		}
	}},
	truth("all_courses", func(t *admitto.TaskTemplate) *bool { return &t.AllCourses }),
	truth("per_course", func(t *admitto.TaskTemplate) *bool { return &t.PerCourse }),
	list("document_kinds", func(t *admitto.TaskTemplate) *[]string { return &t.DocumentKinds }),
	versions("versions", func(t *admitto.TaskTemplate) *admitto.Versions { return &t.Versions }),
})
