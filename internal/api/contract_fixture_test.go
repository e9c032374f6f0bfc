package api_test

import (
	"encoding/json"
	"fmt"
	"regexp"
	"testing"
	"time"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/store/load"
)

// ilseContent is the content of application 9001: that of the contract's example.
const ilseContent = `{"profile":{"name":{"given":"Ilse","middle":"","family":"Varga"},"salutation":"MS","gender":"F",
"birth":{"date":"2004-05-17","place":"Pécs","country":"HU"},"nationality":"HU","citizenship":"HU","marital":"S",
"passport":{"number":"BH0000001","issue":"2022-06-01","expiry":"2032-06-01","country":"HU"}},
"contact":{"email":"ilse.varga@example.org","telephone":{"mobile":"+36 20 555 0000"},
"address":{"type":"C","street":"Fő utca","house":"1","city":"Pécs","postalcode":"7600","country":"HU"}},
"education":[{"level":"SE","institution":"Pécs Gymnasium","type":"SS","mode":"FT","country":"HU","city":"Pécs",
"enrolment":"2018-09","graduation":"2022-06","status":"GRADUATED","diploma":{"number":"D-77","issue":{"date":"2022-06-20"}}}],
"languages":[{"name":"en","native":false,"proficiency":"C1","experience":8}],
"motivation":{"general":"I want to study energy systems."},
"extras":[{"id":17,"name":"Accommodation preference","type":"choice","text":"Dormitory"}]}`

// Times are written @2026-02-01T16:20:11 in the statements of the fixture and stored in microseconds.
var instants = regexp.MustCompile(`@\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d`)

func withTimes(sql string) string {
	return instants.ReplaceAllStringFunc(sql, func(m string) string { return fmt.Sprint(int64(instant(m[1:]))) })
}

func instant(text string) admitto.Time {
	at, err := time.Parse("2006-01-02T15:04:05", text)
	if err != nil {
		panic(err)
	}
	return admitto.TimeOf(at)
}

// putContract makes the objects of the contract's examples (resources.md), with the same IDs and values, and
// next to them second objects with everything that the examples leave unset: applicants 4713 (a child) and 4714
// (a legal person), their applications 9002 (filled in completely), 9003 (reopened) and 9004 (blank), and all
// that hangs on them.
func putContract(s *service) {
	s.t.Helper()
	putContractCatalogue(s)
	putContractApplicants(s)
	putContractApplications(s)
	putContractMoney(s)
	putContractViews(s)
	putContractJournal(s)
}

// put, with times.
func (s *service) putAt(statements ...string) {
	s.t.Helper()
	for i := range statements {
		statements[i] = withTimes(statements[i])
	}
	s.put(statements...)
}

func putContractCatalogue(s *service) {
	s.putAt(
		`UPDATE institution SET type = 'UNI', country = 'EE', location = 'Tartu', www = 'https://www.example.edu', erasmus = 'EE TARTU99',
			address = '1 College Road, Tartu', registration = '70000001' WHERE id = 1`,
		`INSERT INTO institution (id, status, mode, name, country, vat, iban) VALUES (2, 'Online', 'External', 'Westport College', 'IE', 'IE1', 'IE29'),
			(3, 'Draft', 'External', 'Draft College', '', '', '')`,
		`INSERT INTO department (id, institution_id, name, country, location, www) VALUES (4, 1, 'Faculty of Engineering', 'EE', 'Tartu', ''),
			(5, 2, 'Arts', '', '', 'https://arts.example.edu')`,
		`INSERT INTO academic_term (id, year, name, type, start, grace, finish) VALUES
			(13, 2026, 'Autumn semester 2026/27', 2, '2026-08-31', '2026-10-31', '2027-01-31'),
			(12, 2025, 'Spring semester 2025/26', 3, '2026-02-02', '2026-03-31', '2026-06-30')`,
		`INSERT INTO intake (id, name, start, policy, decision_policy, decision_days, arrival, commence, academic_term_id) VALUES
			(8, 'Autumn 2026', '2025-11-01', 'Strict (submit)', 'Required', 30, '2026-08-24', '2026-08-31', 13)`,
		`INSERT INTO intake (id, name, pre_deadline, pre_info, pre_mask, policy, decision_policy, decision_date, academic_term_id) VALUES
			(9, 'Autumn 2026, early', '2026-01-15', 'Early', TRUE, 'Rolling', 'Advisory', '2026-05-01', 13)`,
		`INSERT INTO intake_deadline (intake_id, territory, deadline, info, barred) VALUES (8, '001', '2026-04-15', '', FALSE),
			(8, 'EU', '2026-06-30', 'EU citizens', FALSE), (9, 'KP', NULL, '', TRUE)`,
		`INSERT INTO course (id, status, updated, institution_id, type, awards, name, mode, duration, credits, language, country, location, code,
			quota, prospect_uri) VALUES (55, 'Online', @2025-11-03T08:00:00, 1, 'UG', '[{"abbr":"BSc","full":"Bachelor of Science"}]',
			'Energy Systems', 'FT', '6 semesters', '180 ECTS', 'en', 'EE', 'Tartu', 'ENS-BSC', 40, 'https://www.example.edu/ens')`,
		`INSERT INTO course (id, status, updated, institution_id, featured, awards, name, code_internal, accreditation) VALUES
			(56, 'Private', @2025-11-04T08:00:00, 2, TRUE, '[{"abbr":"","full":"Diploma"}]', 'Wind and Water', 'W-1', 'A-1'),
			(57, 'Draft', @2025-11-05T08:00:00, 1, FALSE, '[]', 'New course', '', '')`,
		`INSERT INTO course_intake (course_id, intake_id) VALUES (55, 8), (56, 8), (56, 9)`,
		`INSERT INTO administrator (id, name, email, function) VALUES (3, 'Peeter Kask', 'peeter.kask@example.edu', 'Admissions officer')`,
		`INSERT INTO administrator (id, name, email, outgoing_name, outgoing_email, phone, suspended) VALUES
			(4, 'Ann Admin', 'ann@example.edu', 'Office', 'office@example.edu', '+372 5', TRUE)`,
		`INSERT INTO administrator_role (administrator_id, role_id) VALUES (3, 2), (4, 1), (4, 8)`,
		`UPDATE consent SET type = 'Mandatory', text = 'I agree to the processing of my data.', link = 'https://www.example.edu/privacy' WHERE id = 2`,
		`INSERT INTO tracker (id, created, code, code_key, notes, percent) VALUES (14, @2025-10-02T07:00:00, 'FAIR-BUD', 'fair-bud', 'Budapest fair', 1000)`,
		`INSERT INTO tracker (id, created, code, code_key, amount, currency) VALUES (15, @2025-10-03T07:00:00, 'Staff', 'staff', 1250, 'EUR')`,
		`INSERT INTO tracker (id, created, code, code_key) VALUES (16, @2025-10-04T07:00:00, 'web', 'web')`,
		`INSERT INTO flag (id, created, name, name_key) VALUES (5, @2025-11-20T12:00:00, 'Interview', 'interview'), (6, @2025-11-21T12:00:00, 'Late', 'late')`,
		`UPDATE offer_type SET subject = 'Your admission', comments = 'Dear %applicant-Name%, …' WHERE id = 17`,
		`UPDATE offer_type SET status = 'Archived', bcc = '["a@example.edu","b@example.edu"]' WHERE id = 4`,
		`INSERT INTO offer_reason (id, offer_type_id, reason) VALUES (1, 4, 'Grades'), (2, 4, 'Late')`,
		`UPDATE export_profile SET fields = '{"target":"sis"}' WHERE code = 'json'`,
		`INSERT INTO question (id, name, type, options) VALUES (17, 'Accommodation preference', 'choice', '["Dormitory","Private"]')`,
		`UPDATE letterhead SET created = @2025-09-01T08:00:00, modified = @2025-09-02T08:00:00 WHERE id = 1`,
	)
}

func putContractApplicants(s *service) {
	s.t.Helper()
	person := func(id int64, kind admitto.ApplicantType, registered, email string, a admitto.Applicant) load.ApplicantRow {
		a.ID, a.Type, a.State, a.Registered, a.Email = id, kind, admitto.ApplicantLive, instant(registered), email
		return load.ApplicantRow{Applicant: a, EmailKey: email}
	}
	s.insert(s.t,
		person(4711, admitto.Natural, "2026-01-12T08:30:05", "ilse.varga@example.org",
			admitto.Applicant{Name: admitto.Name{Given: "Ilse", Family: "Varga"},
				Phone: "+372 5550 0000", Reference: "CRM-20817", Citizenship: "HU"}),
		person(4713, admitto.Child, "2026-01-13T08:00:00", "kim.dijk@example.org",
			admitto.Applicant{Name: admitto.Name{Given: "Kim", Middle: "A", Family: "Dijk",
				Parent: "Piet Dijk"}, Skype: "kim", Matriculation: "M/1", Citizenship: "NL"}),
		person(4714, admitto.Legal, "2026-01-14T08:00:00", "office@lee.example",
			admitto.Applicant{Name: admitto.Name{Legal: "Lee & Co"}, Address: "1 Road\nTown",
				VATIN: "EE123"}),
	)
	photo, letter := s.keep(portrait), s.keep(letterPDF)
	s.putAt(
		`INSERT INTO applicant_photo (applicant_id, uploaded, size, hash) VALUES (4711, @2026-01-12T09:10:00, 300, `+photo+
			`)`,
		`INSERT INTO consent_decision (applicant_id, consent_id, decided, decision) VALUES (4711, 2, @2026-01-12T08:31:00, 'Accept'),
			(4713, 1, @2026-01-13T08:31:00, 'Accept'), (4713, 2, @2026-01-13T08:32:00, 'Reject')`,
		`INSERT INTO applicant_tracker (tracker_id, applicant_id, assigned) VALUES (14, 4711, @2026-01-12T08:30:06), (16, 4713, @2026-01-13T08:00:01),
			(15, 4713, @2026-01-14T08:00:00)`,
		`INSERT INTO wish (id, applicant_id, course_id, intake_id, wished, notes) VALUES (61, 4711, 55, NULL, @2026-01-13T10:00:00, ''),
			(62, 4713, 56, 9, @2026-01-13T11:00:00, 'Maybe "this"')`,
		`INSERT INTO email (id, applicant_id, inserted, delivered, failed, opened, from_name, from_email, subject, message) VALUES
			(880, 4711, @2026-01-12T08:30:06, @2026-01-12T08:30:09, NULL, NULL, 'Admissions Office', 'admissions@example.edu', 'Welcome', 'Dear Ilse, …'),
			(881, 4713, @2026-01-13T08:00:01, NULL, @2026-01-13T08:00:02, NULL, '', 'ann@example.edu', 'Letter', 'See "below"
(secret removed)')`,
		`INSERT INTO email_attachment (id, email_id, uploaded, name, mime, size, hash, expires) VALUES
			(66, 881, @2026-01-13T08:00:00, 'Zürich.pdf', 'application/pdf', 48213, `+letter+`, @2026-07-13T08:00:00)`,
		`INSERT INTO note (id, applicant_id, created, removed, colour, pinned, collapsed, text) VALUES
			(31, 4711, @2026-02-03T09:14:00, NULL, 'Yellow', FALSE, FALSE, 'Called, will send transcript'),
			(32, 4713, @2026-02-03T09:15:00, NULL, 'Green', TRUE, FALSE, 'Called, will send transcript'),
			(33, 4713, @2026-02-03T09:16:00, @2026-02-03T09:17:00, 'Salmon', FALSE, TRUE, 'Taken off'),
			(34, 4713, @2026-02-04T09:14:00, NULL, 'Blue', FALSE, FALSE, 'Transcript received')`,
	)
}

func putContractApplications(s *service) {
	s.t.Helper()
	pass, letter, pack := s.keep(passport), s.keep(letterPDF), s.keep(numbered("export", 18_212))
	s.putAt(
		`INSERT INTO application (id, applicant_id, academic_term_id, status, created, revised, submitted, frozen) VALUES
			(9001, 4711, 13, 'Submitted', @2026-01-12T09:00:00, @2026-02-01T16:20:11, @2026-02-01T16:20:11, NULL),
			(9002, 4713, 13, 'Draft', @2026-01-13T09:00:00, @2026-01-13T10:00:00, NULL, NULL),
			(9003, 4714, 13, 'Reopened', @2026-01-14T09:00:00, @2026-02-02T10:00:00, @2026-02-01T10:00:00, @2026-02-03T10:00:00),
			(9004, 4713, 12, 'Blank', @2026-01-15T09:00:00, @2026-01-15T09:00:00, NULL, NULL)`,
		`INSERT INTO application_content (application_id, content) VALUES (9001, '`+ilseContent+`'), (9002, '`+fullContent+
			fullExtras+`}')`,
		`INSERT INTO application_course (application_id, course_id, intake_id, institution_id, course_type, priority, added, submitted, modifier) VALUES
			(9001, 55, 8, 1, 'UG', 1, @2026-01-12T09:00:00, @2026-02-01T16:20:11, ''),
			(9002, 56, 9, 2, '', 1, @2026-01-13T09:00:00, NULL, 'Y2'), (9002, 55, NULL, 1, 'UG', 2, @2026-01-13T09:00:00, NULL, ''),
			(9003, 56, 8, 2, '', 1, @2026-01-14T09:00:00, @2026-02-01T10:00:00, '')`,
		`INSERT INTO application_flag (flag_id, application_id, assigned) VALUES (5, 9001, @2026-02-02T10:00:00), (6, 9003, @2026-02-03T10:00:00),
			(5, 9003, @2026-02-04T10:00:00)`,
		`INSERT INTO offer (id, application_id, applicant_id, course_id, institution_id, intake_id, priority, inserted, saved, confirmed, scored, type_id,
			type_confirmed_id, subject, comments, comments_confirmed, decision_policy, decision_deadline, score_auto, score_extra) VALUES
			(7001, 9001, 4711, 55, 1, 8, 1, @2026-02-01T16:20:11, @2026-03-02T09:01:00, @2026-03-02T09:05:12, @2026-02-20T11:00:00, 17, 17,
			'Your admission', 'Dear %applicant-Name%, …', 'Dear Ilse Varga, …', 'Required', '2026-04-01', 8250, 200)`,
		`INSERT INTO offer (id, application_id, applicant_id, course_id, institution_id, priority, inserted, decided, type_id, decision, reason_id, reason)
			VALUES (7002, 9003, 4714, 56, 2, 1, @2026-02-01T10:00:00, @2026-02-05T10:00:00, 4, 'Declined', 2, 'Late')`,
		`INSERT INTO note (id, offer_id, created, colour, text) VALUES (35, 7002, @2026-02-05T09:00:00, 'Violet', 'First'), (36, 7002, @2026-02-05T09:01:00, 'Orange', 'Second')`,
		`INSERT INTO offer_attachment (id, offer_id, uploaded, name, mime, size, hash, expires) VALUES
			(1001, 7001, @2026-03-02T09:00:00, 'Admission letter.pdf', 'application/pdf', 48213, `+letter+`, NULL)`,
		`INSERT INTO offer_letter (id, offer_id, rendered, letterhead_id, administrator_id, attachment_id) VALUES (301, 7001, @2026-03-02T09:00:00, 1, 3, 1001),
			(302, 7002, @2026-03-02T09:00:00, 1, NULL, NULL)`,
		`INSERT INTO task (id, application_id, template_id, created, reminded, committed, resolved, status, notes_applicant, notes_administrator)
			SELECT 410, 9001, id, @2026-02-01T16:20:12, NULL, @2026-02-05T13:40:00, NULL, 'Submitted', 'See page 2', '' FROM task_template
			WHERE class = 'checklist-language'`,
		`INSERT INTO task (id, application_id, template_id, created, reminded, committed, resolved, status, notes_applicant, notes_administrator)
			SELECT 411, 9003, id, @2026-02-01T10:00:01, @2026-02-02T10:00:00, @2026-02-03T10:00:00, @2026-02-03T10:00:00, 'Accepted', '', 'Fine'
			FROM task_template WHERE class = 'checklist-identity'`,
		`INSERT INTO document (id, application_id, task_id, uploaded, name, mime, size, hash, expires) VALUES
			(222, 9001, 410, @2026-01-20T10:00:00, 'Passport.pdf', 'application/pdf', 196695, `+pass+`, NULL),
			(501, 9002, NULL, @2026-01-21T10:00:00, 'Zürich "ё".pdf', 'application/pdf', 48213, `+letter+`, @2026-07-21T10:00:00)`,
		`INSERT INTO export (id, application_id, offer_id, profile_code, exported, processed, cancelled) VALUES
			(88, 9001, 7001, 'json', @2026-03-03T06:00:00, @2026-03-03T06:00:04, NULL), (89, 9003, NULL, 'csv', @2026-03-03T06:00:00, NULL, @2026-03-03T07:00:00)`,
		`INSERT INTO export_blob (export_id, n, token, uploaded, name, mime, size, hash, expires) VALUES
			(88, 1, '5f3c9a2be1d04477', @2026-03-03T06:00:04, 'application-9001.json', 'application/json', 18212, `+pack+`, @2026-08-30T06:00:04)`,
		`INSERT INTO study_plan (id, application_id, applicant_id, created, revised, status, course_id, subjects) VALUES
			(3, 9001, 4711, @2024-05-01T08:00:00, NULL, 'Draft', 55, '[{"code":"MAT101","type":"C","name":"Calculus","credits":"6","term_type":1}]'),
			(4, 9003, 4714, @2024-05-01T08:00:00, @2024-05-02T08:00:00, 'Approved', NULL, '[{"name":"Art"}]')`,
		`INSERT INTO scoresheet_group (id, name) VALUES (1, 'Languages')`,
		`INSERT INTO scoresheet (id, created, scored, name, type, date, reference, depth, range_min, range_max, scale, group_id) VALUES
			(6, @2025-12-01T08:00:00, @2026-02-20T11:00:00, 'English', 'IELTS', 'Optional', 'Optional', 'Application', 0, 90000, 1, 1)`,
		`INSERT INTO scoresheet (id, created, confirmed, name, type, maps, subject, language, depth, range_min, range_max, scale, instructions) VALUES
			(7, @2025-12-02T08:00:00, @2026-03-01T08:00:00, 'Interview', 'Mapped', '[{"label":"bad","value":-10500},{"label":"good","value":25000}]',
			'Required', 'Required', 'Offer', -10500, 25000, 2, 'Ask "why"')`,
		`INSERT INTO score (id, scoresheet_id, application_id, offer_id, scored, points, comments, date, reference, subject, language) VALUES
			(930, 6, 9001, NULL, @2026-02-20T11:00:00, 75000, '', '2025-10-11', 'TRF-00017', '', ''),
			(931, 7, 9003, 7002, @2026-02-21T11:00:00, 25000, 'Well spoken', NULL, '', 'Physics', 'en'), (932, 6, 9003, NULL, NULL, NULL, '', NULL, '', '', '')`,
		`INSERT INTO criterion (course_id, scoresheet_id, position, weight, required) VALUES (55, 6, 1, 110000, TRUE)`, // 7.5 × 11 = 82.50
		`UPDATE course SET criteria_version = 1 WHERE id = 55`, `UPDATE offer SET criteria_version = 1 WHERE id = 7001`,
	)
}

func putContractMoney(s *service) {
	s.putAt(
		`UPDATE invoice_series SET last_issued = @2026-02-02T08:00:00, last_number = '9' WHERE id = 1`,
		`INSERT INTO invoice_series (id, name, format, blocking, last_issued, last_number) VALUES
			(2, 'Application fee', '%yearLong%-%incYearly%', TRUE, @2026-02-01T16:21:00, '2026-17'), (3, 'Unused', '%inc:5%', FALSE, NULL, '')`,
		`INSERT INTO invoice (id, type, nr, series_id, applicant_id, application_id, issued, deadline, delivered, collected, currency, total, paid, payer_name,
			payer_email) VALUES (2001, 'Invoice', '2026-17', 2, 4711, 9001, @2026-02-01T16:21:00, '2026-02-15', @2026-02-01T16:21:02, @2026-02-03T00:10:00, 'EUR',
			8000, 8000, 'Ilse Varga', 'ilse.varga@example.org')`,
		`INSERT INTO invoice (id, type, nr, series_id, applicant_id, application_id, course_id, issued, deadline, reminder, reminded, currency, total, paid,
			instructions, smallprint, payer_name) VALUES (2002, 'Prepayment', '9', 1, 4714, 9003, 56, @2026-02-02T08:00:00, '2026-03-08', FALSE,
			@2026-03-05T01:00:00, 'USD', 140002, 40000, 'Pay
soon', '§ 1', 'Company & Co')`,
		`INSERT INTO invoice_item (invoice_id, n, item, price, qty, unit, inventory_item_id) VALUES (2001, 1, 'Application fee', 8000, 100, '', NULL),
			(2002, 1, 'Tuition', 100001, 150, 'year', 17), (2002, 2, 'Reduction "fair"', -10000, 100, '', NULL)`,
		`INSERT INTO invoice_transaction (id, invoice_id, amount, inserted, collected) VALUES (9101, 2001, 8000, @2026-02-03T00:10:00, '2026-02-02')`,
		`INSERT INTO invoice_transaction (id, invoice_id, amount, inserted, collected, administrator_id) VALUES
			(9102, 2002, 10000, @2026-02-10T00:00:00, '2026-02-09', 3)`,
		`INSERT INTO invoice_transaction (id, invoice_id, amount, inserted, collected, payment) VALUES
			(9103, 2002, 30000, @2026-02-11T10:00:00, '2026-02-11', '{"payment":"P-1","external_id":"x/1","status":"captured","message":"OK \"fine\"",
			"inserted":@2026-02-11T09:59:00,"updated":@2026-02-11T09:59:30,"gateway":{"id":3,"name":"Cards","adapter":"acme"}}')`,
		`INSERT INTO fee (id, name, type, notes) VALUES (4, 'Application fee', 'Appfee', 'Paid once'), (5, 'Tuition', 'Tuition', '')`,
		`INSERT INTO fee_amount (fee_id, territory, qualifier, currency, amount, basis, info) VALUES
			(4, '001', '', 'EUR', 8000, 'One-time', ''), (4, 'EU', 'from', 'EUR', 0, 'One-time', 'Free "of charge"'), (4, 'GB', '', 'GBP', 7050, 'Year', '')`,
	)
}

// tableColumns are the columns of tableview 22: one of each group, and all whose cells depend on the version.
var tableColumns = []string{"Offer", "Application", "Applicant", "Status", "Academic term", "Created date",
	"Revised date", "Submitted date", "Frozen date", "Flags",
	"Registered date", "Name", "Citizenship", "Trackers", "Gender", "Country of birth", "Nationality", "Passport: Country",
	"Date of birth", "Address: Country",
	"Education: Level", "Education: Country", "Education: Enrolment", "Education: Graduation", "Language 1",
	"Language 1: Proficiency", "Course", "Course: Code",
	"Course: Institution", "Course: Intake", "Priority", "Offer type", "Offer date (confirmed)", "Decision",
	"Decision date", "Decision deadline",
	"Score (automatic)", "Score (total)", "Rank", "Score: English", "Invoices due", "Invoices paid",
	"Task: Proof of language skills",
	"Extra question: Accommodation preference", "Gone"}

func putContractViews(s *service) {
	s.t.Helper()
	columns := func(titles ...string) string {
		var list []map[string]string
		for _, title := range titles {
			list = append(list, map[string]string{"source": title, "title": title})
		}
		text, err := json.Marshal(list)
		if err != nil {
			s.t.Fatal(err)
		}
		return "'" + string(text) + "'"
	}
	s.putAt(
		`INSERT INTO tableview (id, created, modified, title, row_kind, columns, filters, private) VALUES
			(21, @2025-12-01T08:00:00, @2026-01-05T08:00:00, 'Submitted this year', 'Application',
			`+columns("Application", "Applicant", "E-mail", "Citizenship", "Submitted date")+
			`, '{"statuses":["Submitted"]}', FALSE),
			(22, @2025-12-02T08:00:00, @2026-01-06T08:00:00, 'Everything "ё"', 'Offer', `+columns(tableColumns...)+`, '{}', TRUE),
			(23, @2025-12-03T08:00:00, @2026-01-07T08:00:00, 'Applications', 'Application', `+columns(tableColumns...)+`, '{}', FALSE)`,
		`UPDATE tableview SET created = @2025-09-01T08:00:00, modified = @2025-09-01T08:00:00 WHERE id = 1`,
		`INSERT INTO ranking (id, name, created, modified, academic_term_id, filters, quota) VALUES
			(2, 'Energy Systems, autumn 2026', @2026-01-02T08:00:00, @2026-02-01T08:00:00, 13, '{}', 40),
			(3, 'All', @2026-01-02T08:00:00, @2026-02-01T08:00:00, NULL,
			'{"intakes":[8,9],"citizenships":["HU","LV"],"flags":[5],"statuses":["Submitted"]}', NULL)`,
		`INSERT INTO ranking_course (ranking_id, course_id) VALUES (2, 55)`,
	)
}

// putContractAccess makes sign-ins and purged resources, which other tests count.
func putContractAccess(s *service) {
	s.t.Helper()
	s.putAt(
		`INSERT INTO login (id, logged, ip, administrator_id, role_id, role, result) VALUES
			(12, @2026-03-08T07:30:00, '192.0.2.7', 3, 2, 'Admissions administrator', 'Success'),
			(13, @2026-03-08T07:31:00, '2001:db8::7', NULL, NULL, '', 'Wrong password')`,
		`INSERT INTO purged_resource (id, object_id, type, created, forget_requested, marked, marked_by, purged) VALUES
			(31, 4001, 'Applicant', @2024-02-01T08:00:00, @2026-02-20T10:00:00, @2026-02-21T08:00:00, 3, @2026-02-22T02:00:00),
			(32, 8001, 'Application', @2024-02-02T08:00:00, NULL, @2026-02-21T08:00:00, NULL, @2026-02-22T02:00:00)`,
	)
}

// putContractJournal makes events up to 501, that of the contract's example, and three behind it with all links.
// The IDs of the journal have no gaps, so there are 500 before.
func putContractJournal(s *service) {
	s.t.Helper()
	at := instant("2026-03-09T09:00:00")
	err := s.store.Write(s.t.Context(), func(tx *store.Tx) error {
		last, _, err := tx.JournalHead()
		if err != nil {
			return err
		}
		for range 500 - last {
			tx.RecordAt(at, admitto.System(), admitto.Event{Pattern: admitto.TrackerAssigned,
				Links: admitto.Links{Applicant: 4713, Tracker: 16}})
		}
		peeter := admitto.Actor{Kind: admitto.ByAdministrator, ID: 3}
		links := admitto.Links{Administrator: 3, Applicant: 4711, Application: 9001, Course: 55, Institution: 1, Offer: 7001}
		tx.RecordAt(at, peeter, admitto.Event{Pattern: "Offer was edited: ?", Bind: []string{"7"}, Links: links},
			admitto.Event{Pattern: "Offer was confirmed: ?", Bind: []string{"17"}, Links: links})
		tx.RecordAt(at, admitto.System(), admitto.Event{Pattern: "Invoice was issued",
			Links: admitto.Links{Applicant: 4711, Application: 9001, Invoice: 2001}},
			admitto.Event{Pattern: "Application was flagged", Links: admitto.Links{Applicant: 4711, Application: 9001,
				Document: 222, Flag: 5, Tracker: 14}})
		return nil
	})
	if err != nil {
		s.t.Fatal(err)
	}
}

// contractPaths are the paths of one row of THE table to ask for: the objects of the contract's examples, and what
// contractMore adds for the others.
func contractPaths(t testing.TB, pattern string) []string {
	t.Helper()
	ids := map[string]string{"applicants": "4711", "consents": "2", "emails": "880", "attachments": "1001",
		"trackers": "14", "invoices": "2001", "wishes": "61",
		"applications": "9001", "documents": "222", "studyplans": "3", "courses": "55", "flags": "5", "offers": "7001",
		"letters": "301", "tasks": "410",
		"exports": "88", "blobs": "1-5f3c9a2be1d04477", "types": "17", "institutions": "1", "departments": "4",
		"intakes": "8", "transactions": "9101",
		"academic-terms": "13", "academic-years": "2026", "reports": "ReportStatus", "scoresheets": "6", "scores": "930",
		"tableviews":     "21",
		"administrators": "3", "rankings": "2", "letterheads": "1", "fees": "4", "amounts": "001"}
	if more, ok := contractOnly()[pattern]; ok {
		return more
	}
	path, parent := "", ""
	for _, segment := range regexp.MustCompile(`/[^/]+`).FindAllString(pattern, -1) {
		if segment[1] == '{' {
			id, ok := ids[parent]
			if !ok {
				t.Fatalf("%s: the contract has no example of an object of %s; add one to the fixture", pattern, parent)
			}
			segment = "/" + id
		}
		parent = segment[1:]
		path += segment
	}
	return append([]string{path}, contractMore()[pattern]...)
}
