package mail

import (
	"time"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/message"
)

// InventedID is the ID of everything in an invented mail.
const InventedID = 1001

// invented are words of a person who does not exist, as mails to applicants may say them.
type invented struct {
	given, family, street, city                     string
	term, course, second, award, intake             string
	status, missing, offer, reason                  string
	task, instructions, taskStatus, comment, answer string
	staff, key, batch, sheet                        string
}

func inventedWords(language string) invented {
	if language == "ar" {
		return invented{given: "ليلى", family: "حداد", street: "شارع الجامعة 12", city: "11181 عمّان",
			term: "خريف 2027", course: "بكالوريوس علوم الحاسوب", second: "بكالوريوس الرياضيات",
			award:  "بكالوريوس العلوم",
			intake: "الخريف", status: "مُقدَّم", missing: "نسخة من الشهادة المدرسية غير مرفوعة بعد.",
			offer:  "مقبول بشرط",
			reason: "ننتظر شهادتك النهائية.", task: "شهادة اللغة",
			instructions: "أرفق نتيجة اختبار لا يتجاوز عمرها سنتين.",
			taskStatus:   "أُعيدت", comment: "الصفحة الثانية ناقصة.",
			answer: "يُرجى إضافة السنة الناقصة في سيرتك الدراسية.",
			staff:  "مارا ليند", key: "نظام شؤون الطلاب", batch: "عروض القبول الأولى",
			sheet: "المقابلات"}
	}
	return invented{given: "Ilse", family: "Varga", street: "12 College Road", city: "1052 Budapest",
		term: "Autumn 2027", course: "BSc Computer Science", second: "BSc Mathematics", award: "Bachelor of Science",
		intake: "Autumn intake", status: "Submitted", missing: "A copy of your school certificate is missing.",
		offer: "Conditionally accepted", reason: "We wait for your final certificate.", task: "Language certificate",
		instructions: "Attach a result that is not older than two years.", taskStatus: "Returned",
		comment: "The second page is missing.", answer: "Please add the year that is missing in your education.",
		staff: "Mara Lind", key: "Student records", batch: "First offers", sheet: "Interviews"}
}

// InventedPerson is an applicant who does not exist, for previews of mails.
func InventedPerson(language string) admitto.Applicant {
	w := inventedWords(language)
	return admitto.Applicant{ID: InventedID, Type: admitto.Natural, Name: admitto.Name{Given: w.given,
		Family: w.family},
		Email: "applicant@example.org", Reference: "R-1001"}
}

// Invented are values of all markers but those of the applicant, of the instance and of links, for previews of mails
// without a real one. No secret in them opens anything.
func Invented(language string, now admitto.Time, zone *time.Location) Values {
	w := inventedWords(language)
	today := admitto.DateOf(now.Std().In(zone))
	until := ZonedTime{now + 7*admitto.Day, zone, false}
	return Values{
		ApplicationID: "1001", ApplicationStatus: w.status, ApplicationMissing: Lines{w.missing},
		TermName: w.term, CourseFullName: w.course, CourseList: w.course + "\n" + w.second, CourseAward: w.award,
		IntakeCommence: today.AddDays(120), IntakeArrival: today.AddDays(113), IntakeName: w.intake,
		IntakeDeadline:     today.AddDays(14),
		ApplicantBirthDate: admitto.Date{Year: 2008, Month: 5, Day: 15}, ApplicantCitizenship: Country("HU"),
		ApplicantPassport: "AB 1234567", ApplicantAddress: Lines{w.street, w.city, Country("HU")},
		ApplicantMatriculation: "2700123",
		OfferType:              w.offer, OfferReason: w.reason, OfferDecisionDeadline: today.AddDays(30),
		OfferDecision: message.Of("mail-offer-accepted"), DeadlineMeaning: message.Of("mail-deadline-open"),
		InvoiceNumber: "27-0042", InvoiceTotal: "50.00 EUR", InvoiceRest: "50.00 EUR",
		InvoiceDeadline: today.AddDays(14),
		TaskTitle:       w.task, TaskInstructions: w.instructions, TaskDeadline: today.AddDays(10), TaskStatus: w.taskStatus,
		TaskComment:       w.comment,
		ApplicantPassword: "invented-password", ApplicantSigninExpires: until,
		ReceiptNumber: "1001-1", ReceiptTime: ZonedTime{now, zone, true},
		WithdrawalUndoUntil: until, ReopenUntil: today.AddDays(14), StaffText: w.answer,
		AdminName: w.staff, KeyLabel: w.key, KeyExpires: until,
		BatchID: "1001", BatchTitle: w.batch, BatchSize: "42",
		SheetName: w.sheet, SheetLeft: "12", SheetDue: today.AddDays(10),
	}
}
