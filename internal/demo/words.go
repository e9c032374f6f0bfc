package demo

import (
	"slices"
	"strings"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store"
)

// noteTexts are what the staff of an admissions office writes on a card.
var noteTexts = []string{
	"Called, will send transcript",
	"Asked about scholarships; sent the list",
	"Wants to start in February",
	"Passport expires soon, remind before the visa interview",
	"Met at the fair, very interested in engineering",
	"Parents prefer to be called in the evening",
	"English test booked, result expected next month",
	"Duplicate enquiry by telephone, same person",
	"Asked for a dormitory place",
	"Transcript received",
	"Transcript is a photo, asked for a scan",
	"Do not call before noon",
	"Was admitted elsewhere, still deciding",
	"Prior learning to be recognised, see the letter of the faculty",
	"Fee paid by the agent",
	"Visa refused last year, needs a new letter",
	"Speaks some Hungarian",
	"Sibling studies here",
	"Asked twice about the deadline",
	"Wheelchair access needed for the entrance examination",
	"Talked on the phone:\n- wants economics or law\n- will decide in spring\n- call again after Easter",
	"Documents complete.\nHand over to the faculty.",
}

// noteColours draws as offices use them: mostly the default, the strong colours for what needs attention.
var noteColours = func() (list []admitto.Colour) {
	for i, n := range [...]int{48, 14, 10, 14, 9, 5} {
		for range n {
			list = append(list, admitto.Colours[i])
		}
	}
	return list
}()

// Institution is the name of the invented institution.
const Institution = "Example University"

// The institution of the data, at a domain that nobody can own.
const (
	institution = Institution
	fromName    = "Admissions Office"
	fromEmail   = "admissions@example.edu"
	address     = "https://admissions.example.edu"
)

// The codes of the mail templates (lifecycle.md 8.3).
const (
	welcomeAPI      = "applicant-welcome-api"
	welcomeRegister = "applicant-welcome-register"
)

// What mail servers say of mails that they refuse.
const (
	noMailbox   = "550 5.1.1 No such mailbox here"
	mailboxFull = "552 5.2.2 The mailbox is full"
)

// welcomeMail is the stored copy of a welcome mail, its link removed as it is for real ones (resources.md
// 3.7). The texts are those of the templates a new instance has; package mail is out of reach from here.
func welcomeMail(template string, a *admitto.Applicant, at admitto.Time) admitto.Email {
	e := admitto.Email{Applicant: a.ID, Inserted: at, FromName: fromName, FromEmail: fromEmail, Template: template,
		Recipient: a.Email,
		Tries:     1}
	const removed = admitto.SecretRemoved
	expires := (a.Registered + 14*admitto.Day).Std().Format("2 January 2006, 15:04 MST")
	again := "The link works once, until " + expires + ". After that you can ask for a new one at " + address + ".\n\n"
	hello := "Hello " + a.Name.Full() + ",\n\n"
	const kind = "Kind regards\n" + institution
	login := "Your login name is " + a.Email + ".\n\n"
	if template == welcomeRegister {
		e.Subject = "Please confirm your registration at " + institution
		e.Message = hello + "thank you for registering at " + institution + ".\n\n" +
			"Press this link to confirm your e-mail address and sign in:\n\nConfirm and sign in: " + removed + "\n\n" +
			again + login + "If you did not register, you do not have to do anything.\n\n" + kind
		return e
	}
	e.Subject = "Welcome to " + institution
	e.Message = hello + "we have set up an account for you at " + institution +
		". Here you can complete and follow your application.\n\n" + login +
		"Press this link to sign in for the first time and choose a password:\n\nSign in to your account: " + removed +
		"\n\n" +
		again + "If you did not expect this e-mail, you do not have to do anything.\n\n" + kind
	return e
}

// languages are those of the invented institution: what applicants read is there in both (lifecycle.md R11). The first
// one is that of the API.
const (
	languages = "en, ar"
	arabic    = "ar"
)

// arabicTable has what the institution says, and the same in Arabic, a line each.
const arabicTable = `
Computer Science|علوم الحاسوب
Economics and Finance|الاقتصاد والمالية
Business Administration|إدارة الأعمال
Psychology|علم النفس
Mechanical Engineering|الهندسة الميكانيكية
Electrical Engineering|الهندسة الكهربائية
International Relations|العلاقات الدولية
Biology|علم الأحياء
Civil Engineering|الهندسة المدنية
English and American Studies|الدراسات الإنجليزية والأمريكية
Architecture|الهندسة المعمارية
Nursing|التمريض
Physiotherapy|العلاج الطبيعي
Foundation Year in Science and Engineering|السنة التأسيسية في العلوم والهندسة
Data Science|علم البيانات
Finance|المالية
Computer Science Engineering|هندسة الحاسوب
Environmental Engineering|الهندسة البيئية
Molecular Biology|علم الأحياء الجزيئي
Public Health|الصحة العامة
General Medicine|الطب العام
Dentistry|طب الأسنان
Pharmacy|الصيدلة
Doctoral School of Engineering|مدرسة الدكتوراه في الهندسة
Doctoral School of Life Sciences|مدرسة الدكتوراه في علوم الحياة
Doctoral School of Economics|مدرسة الدكتوراه في الاقتصاد
Exchange semester|فصل تبادل
Exchange semester in engineering|فصل تبادل في الهندسة
Summer School of Hungarian Language and Culture|المدرسة الصيفية للغة المجرية والثقافة
Music Performance|الأداء الموسيقي
Composition|التأليف الموسيقي
European and International Business Law|قانون الأعمال الأوروبي والدولي
Robotics|الروبوتات
Quantum Engineering|الهندسة الكمية
Information Society Studies|دراسات مجتمع المعلومات
Agricultural Engineering|الهندسة الزراعية
Micro-credential in Green Energy|شهادة مصغرة في الطاقة الخضراء
Summer School on Machine Learning|المدرسة الصيفية لتعلم الآلة
Bachelor of Science|بكالوريوس العلوم
Bachelor of Arts|بكالوريوس الآداب
Master of Science|ماجستير العلوم
Master of Arts|ماجستير الآداب
Master of Business Administration|ماجستير إدارة الأعمال
Master of Laws|ماجستير القانون
Doctor of Philosophy|دكتوراه الفلسفة
Doctor of Medicine, doctor medicinae|دكتور في الطب
Doctor of Dental Medicine|دكتور في طب الأسنان
Doctor of Pharmacy|دكتور في الصيدلة
6 semesters|6 فصول
7 semesters|7 فصول
8 semesters|8 فصول
10 semesters|10 فصول
4 semesters|4 فصول
1 semester|فصل واحد
2 semesters|فصلان
2 weeks|أسبوعان
10 weeks|10 أسابيع
Budapest|بودابست
Szeged|سيغد
Pécs|بيتش
Autumn semester|فصل الخريف
Spring semester|فصل الربيع
Summer school|المدرسة الصيفية
Application fee|رسوم التقديم
Tuition, bachelor's programmes|الرسوم الدراسية، برامج البكالوريوس
Tuition, master's programmes|الرسوم الدراسية، برامج الماجستير
Tuition, medicine|الرسوم الدراسية، الطب
Tuition, exchange|الرسوم الدراسية، التبادل
Tuition, first semester|الرسوم الدراسية، الفصل الأول
Pay by bank transfer to Example University, IBAN HU00 0000 0000 0000 0000 0000 0000.|ادفع بحوالة مصرفية إلى Example University، رقم الحساب HU00 0000 0000 0000 0000 0000 0000.
Without payment the place may be given to somebody else.|من دون الدفع قد يُعطى المقعد لغيرك.
Blank|لم يبدأ
Draft|مسودة
Inactive|متوقف
Reopened|أُعيد فتحه
Submitted|مُقدَّم
Withdrawn|مسحوب
Closed|مغلق
Spring|ربيع
Autumn|خريف
Summer|صيف
bachelor|بكالوريوس
master|ماجستير
medicine|طب
doctoral|دكتوراه
exchange|تبادل
Exchange is open to students of our partners.|التبادل متاح لطلاب الجامعات الشريكة.
Nomination by the home institution is needed.|يلزم ترشيح من الجامعة الأم.
Apply at any time.|يمكن التقديم في أي وقت.
Apply through the programme of the ministry.|قدّم عن طريق برنامج الوزارة.
Citizens of the European Union|مواطنو الاتحاد الأوروبي
Visa takes time in this country.|تستغرق التأشيرة وقتاً في هذا البلد.
Applications until this day are answered first.|تُجاب أولاً الطلبات المقدمة حتى هذا اليوم.
Unreplied|بلا رد
Nominated|مرشح
Feedback|ملاحظات
Positive feedback|ملاحظات إيجابية
Prerequisites|شروط مسبقة
Examinations|اختبارات
Outranked|خارج الترتيب
Waitlisted|قائمة الانتظار
Provisionally accepted|قبول مبدئي
Conditionally accepted|قبول مشروط
Admission notification|إشعار بالقبول
Accepted|مقبول
Scholarship|منحة دراسية
Failed|لم ينجح
Withdrawn|مسحوب
Not considered|لم يُنظر فيه
Late application|طلب متأخر
Not qualified|غير مؤهل
Enrolled|مسجَّل
Documents OK|الوثائق مكتملة
Arrived|وصل
I agree that my data are processed to handle my applications.|أوافق على معالجة بياناتي من أجل النظر في طلباتي.
I would like to receive the newsletter.|أود تلقي النشرة الإخبارية.
Documents|الوثائق
Copy of passport or identity card|نسخة من جواز السفر أو بطاقة الهوية
Transcript of records|كشف الدرجات
Diploma or certificate|الدبلوم أو الشهادة
Proof of language skills|إثبات المهارات اللغوية
Motivation letter|رسالة الدافع
Reference letters|رسائل التوصية
Application fee receipt|إيصال رسوم التقديم
Interview|مقابلة
Tuition deposit|عربون الرسوم الدراسية
Visa or residence permit|التأشيرة أو تصريح الإقامة
Arrival and registration|الوصول والتسجيل
Accommodation preference|السكن المفضل
Dormitory|سكن الطلاب
Rented flat|شقة مستأجرة
With family|مع الأسرة
Not decided|لم أقرر بعد
How did you learn about us?|كيف عرفت عنا؟
Website|الموقع الإلكتروني
Friends|الأصدقاء
Education fair|معرض تعليمي
Agent|وكيل
Social media|وسائل التواصل الاجتماعي
School|المدرسة
What do you want to do after graduation?|ماذا تريد أن تفعل بعد التخرج؟
How many brothers and sisters study?|كم عدد إخوتك وأخواتك الذين يدرسون؟
From when are you available for an interview?|منذ متى يمكنك إجراء مقابلة؟
In which country did you finish school?|في أي بلد أنهيت المدرسة؟
In which language were you taught?|بأي لغة درست؟
Sport or instrument|رياضة أو آلة موسيقية
Do you need a place in the dormitory?|هل تحتاج إلى مكان في سكن الطلاب؟
Funds per year|المال المتاح في السنة
Portfolio or certificate|ملف أعمال أو شهادة
Referees|المزكّون
Name of the referee|اسم المزكّي
Known since|تعرفه منذ
May we call?|هل يمكننا الاتصال؟
Country of the referee|بلد المزكّي`

// inArabic is a text in Arabic, "" where the institution has none.
func inArabic(text string) string {
	for line := range strings.Lines(arabicTable) {
		if english, said, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "|"); english == text && text != "" {
			return said
		}
	}
	return ""
}

// sayCourse gives a course its Arabic texts.
func sayCourse(c *admitto.Course) {
	awards, _ := c.AwardsIn("", ", ")
	c.Versions = admitto.Versions{}
	for name, text := range map[string]string{"name": c.Name, "awards": awards, "duration": c.Duration,
		"location": c.Location} {
		c.Versions.Set(arabic, name, inArabic(text))
	}
}

// sayQuestions are questions with their Arabic texts.
func sayQuestions(list []admitto.Question) []admitto.Question {
	list = slices.Clone(list)
	for n := range list {
		q := &list[n]
		q.Versions = admitto.Versions{}
		q.Versions.Set(arabic, "name", inArabic(q.Name))
		for _, option := range q.Options {
			q.Versions.Set(arabic, admitto.OptionVersion(option), inArabic(option))
		}
		for _, inner := range q.Fields {
			q.Versions.Set(arabic, admitto.FieldVersion(inner.ID), inArabic(inner.Name))
		}
	}
	return list
}

// sayTerm gives a term its Arabic name: a season and the years.
func sayTerm(t *admitto.Term) {
	at := strings.LastIndexByte(t.Name, ' ')
	t.Versions = admitto.Versions{}
	t.Versions.Set(arabic, "name", inArabic(t.Name[:at])+t.Name[at:])
}

// sayFees are fees with their Arabic names.
func sayFees(list []admitto.Fee) []admitto.Fee {
	for n := range list {
		list[n].Versions = admitto.Versions{}
		list[n].Versions.Set(arabic, "name", inArabic(list[n].Name))
	}
	return list
}

// sayInvoice gives an invoice what it says in Arabic. Items are for a course mostly, whose name follows.
func sayInvoice(i *admitto.Invoice) {
	i.Versions = admitto.Versions{}
	i.Versions.Set(arabic, "instructions", inArabic(i.Instructions))
	i.Versions.Set(arabic, "smallprint", inArabic(i.Smallprint))
	for n := range i.Items {
		item := i.Items[n].Item
		at := strings.LastIndex(item, ", ")
		if said := inArabic(item[:max(at, 0)]); said != "" {
			i.Versions.Set(arabic, admitto.ItemVersion(n), said+item[at:])
		} else {
			i.Versions.Set(arabic, admitto.ItemVersion(n), inArabic(item))
		}
	}
}

// sayIntake gives an intake its Arabic texts; its name is a season, a year and mostly a level.
func sayIntake(i *admitto.Intake) {
	i.Versions = admitto.Versions{}
	times, level, _ := strings.Cut(i.Name, ", ")
	season, year, _ := strings.Cut(times, " ")
	name := inArabic(season) + " " + year
	if level != "" {
		name += "، " + inArabic(level)
	}
	i.Versions.Set(arabic, "name", name)
	i.Versions.Set(arabic, "pre_info", inArabic(i.PreInfo))
	for _, d := range i.Deadlines {
		i.Versions.Set(arabic, admitto.DeadlineVersion(d.Territory), inArabic(d.Info))
	}
}

// arabicLetter is the letter of every type that has one, with the title of the type in the place of the mark.
const arabicLetter = "عزيزنا %applicant-Name%،\n\nأصبحت حالة طلبك لدراسة %course-FullName% في %institution-Name%: «TITLE»."

// howToPaySaid is what invoices say in Arabic of how they are paid.
var howToPaySaid = admitto.Versions{arabic: {"instructions": inArabic(howToPay)}}

// saySeeded gives the offer types, task templates, statuses and consents of every new instance their Arabic texts, and
// its series of invoices how they are paid.
func saySeeded(tx *store.Tx, types []admitto.OfferType) error {
	if err := tx.SaveSetting("instance.languages", languages, admitto.Actor{Kind: admitto.BySystem}); err != nil {
		return err
	}
	for _, t := range types {
		title := inArabic(t.PublicTitle)
		if title == "" {
			continue
		}
		t.Versions = admitto.Versions{arabic: {"public_title": title}}
		if t.Comments != "" {
			t.Versions.Set(arabic, "subject", "طلبك: "+title)
			t.Versions.Set(arabic, "comments", strings.ReplaceAll(arabicLetter, "TITLE", title))
		}
		if _, err := tx.SaveOfferType(&t); err != nil {
			return err
		}
	}
	series, err := tx.InvoiceSeries()
	for i := 0; i < len(series) && err == nil; i++ {
		s := &series[i]
		s.Instructions, s.Versions = howToPay, howToPaySaid
		_, err = tx.SaveSeries(s)
	}
	if err != nil {
		return err
	}
	templates, err := tx.TaskTemplates()
	for i := 0; i < len(templates) && err == nil; i++ {
		var t admitto.TaskTemplate
		if t, err = tx.TaskTemplate(templates[i].ID); err == nil {
			t.Versions = admitto.Versions{}
			t.Versions.Set(arabic, "title", inArabic(t.Title))
			_, err = tx.SaveTaskTemplate(&t)
		}
	}
	if err != nil {
		return err
	}
	statuses, err := tx.StatusTexts()
	if err != nil {
		return err
	}
	for i := range statuses {
		statuses[i].Versions = admitto.Versions{}
		statuses[i].Versions.Set(arabic, "title", inArabic(statuses[i].Title))
	}
	if _, err := tx.SaveStatusTexts(statuses); err != nil {
		return err
	}
	consents, err := tx.KeptConsents()
	for i := range consents {
		c := &consents[i]
		c.Versions = admitto.Versions{}
		c.Versions.Set(arabic, "text", inArabic(c.Text))
		if err == nil && len(c.Versions) > 0 {
			_, err = tx.SaveConsent(c)
		}
	}
	return err
}
