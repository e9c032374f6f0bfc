package mail

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/message"
)

// Every mail to applicants and every notice is there in Arabic, with the markers and links of the English one.
func TestShippedLanguages(t *testing.T) {
	t.Parallel()
	english, err := defaults.ReadDir("templates/en")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range english {
		name := strings.TrimSuffix(file.Name(), ".txt")
		en, err := shipped(Kind{}, name, "en")
		if err != nil {
			t.Fatal(err)
		}
		ar, found := shippedIn(Kind{}, name, "ar")
		if found == strings.HasPrefix(name, "admin-") {
			t.Errorf("%s in Arabic: %v", name, found)
		}
		if !found {
			continue
		}
		markers := func(t Template) []string { return slices.Sorted(slices.Values(t.Markers())) }
		if want, got := markers(en), markers(ar); !slices.Equal(want, got) {
			t.Errorf("%s has the markers %q, in Arabic %q", name, want, got)
		}
		if want, got := strings.Count(en.Body, "\":%"), strings.Count(ar.Body, "\":%"); want != got {
			t.Errorf("%s has %d links, in Arabic %d", name, want, got)
		}
	}
	for _, bad := range []string{"", "pt", "../en", "ar/.."} {
		if _, found := DefaultIn(KindApplicantMessage, bad); found {
			t.Errorf("there is a text in %q", bad)
		}
	}
	for _, n := range []Notice{NoticeBlocked, NoticeOldAddress, NoticeAddressTaken} {
		for lang, want := range map[string]string{"en": "en", "ar": "ar", "pt": "en"} {
			if got, err := n.In(lang); err != nil || got.Language != want || got.Kind != n.kind {
				t.Errorf("%s in %s: %+v, %v", n.name, lang, got, err)
			}
		}
	}
}

// Values are written in the language of the mail, which its HTML form names with its direction.
func TestValuesInLanguage(t *testing.T) {
	t.Parallel()
	day := admitto.DateOf(time.Date(2027, 5, 5, 0, 0, 0, 0, time.UTC))
	at := ZonedTime{admitto.TimeOf(time.Date(2027, 5, 5, 22, 30, 0, 0, time.UTC)), time.FixedZone("EEST", 3*3600), false}
	sentences, err := message.Translation(map[string]string{"mail-no-deadline": "لا موعد نهائياً"})
	if err != nil {
		t.Fatal(err)
	}
	values := Values{DateToday: day, WithdrawalUndoUntil: at, TaskDeadline: admitto.Date{}, ApplicantName: "Ann",
		ApplicationMissing: Lines{message.Of("mail-no-deadline"), message.Of("mail-on-its-way")},
		TaskTitle:          Words{Group: "Text", First: "Documents"}, TaskStatus: message.Word{Group: "Task status", Text: "Accepted"},
		TaskInstructions: Words{First: "Documents"}, OfferType: Words{Group: "Text", First: "Documents", Name: "title",
			Versions: admitto.Versions{"ar": {"title": "ورق"}}},
		ApplicantCitizenship: Country("HU"), ApplicantAddress: Lines{"Fő utca 1", "", Country("HU")}}
	body := "%date-Today%|%withdrawal-UndoUntil%|%task-Deadline%|%applicant-Name%|%application-Missing%" +
		"|%applicant-Citizenship%|%applicant-Address%|%task-Title%|%task-Status%|%task-Instructions%|%offer-Type%"
	said := map[string]string{"Text|Documents": "الوثائق", "Task status|Accepted": "مقبول"}
	for lang, want := range map[string]string{
		"":   "5 May 2027|6 May 2027, 01:30 EEST|no deadline|Ann|no deadline\nThe e-mail is on its way already.|Hungary|Fő utca 1\nHungary|Documents|Accepted|Documents|Documents",
		"pt": "2027-05-05|2027-05-06, 01:30 EEST|no deadline|Ann|no deadline\nThe e-mail is on its way already.|Hungria|Fő utca 1\nHungria|Documents|Accepted|Documents|Documents",
		"ar": "5 مايو 2027|6 مايو 2027، 01:30 EEST|لا موعد نهائياً|Ann|لا موعد نهائياً\nThe e-mail is on its way already." +
			"|هنغاريا|Fő utca 1\nهنغاريا|الوثائق|مقبول|Documents|ورق",
	} {
		text := Template{Subject: "x", Body: body, Language: lang}
		if lang == "ar" {
			text.Sentences = sentences
			text.Words = func(group, english string) string { return said[group+"|"+english] }
		}
		r, err := text.Render(values)
		if err != nil || strings.TrimSpace(r.Text) != want {
			t.Errorf("%q: %v\n%s\nwant\n%s", lang, err, r.Text, want)
		}
		if got := text.FillBody(values); got != want {
			t.Errorf("%q is filled in as %s", lang, got)
		}
		if rtl := strings.Contains(r.HTML, `<html lang="ar" dir="rtl">`); rtl != (lang == "ar") {
			t.Errorf("%q: %s", lang, r.HTML)
		}
		if !NamesDay(r.Text, day) || NamesDay(r.Text, day.AddDays(7)) {
			t.Errorf("%q: the day is not found in %s", lang, r.Text)
		}
	}
	if (Template{}).Value(values, OfferReason) != "" || (Template{}).Value(values, DateToday) != "5 May 2027" {
		t.Error("a value alone is another than in a text")
	}
}

// A day is found only as a whole: 5 May is not in 15 May.
func TestNamesDay(t *testing.T) {
	t.Parallel()
	day := admitto.DateOf(time.Date(2027, 5, 5, 0, 0, 0, 0, time.UTC))
	for text, want := range map[string]bool{"by 5 May 2027.": true, "by 15 May 2027.": false, "5 May 20271": false,
		"2027-05-05": true, "2027-05-051": false, "حتى 5 مايو 2027.": true, "حتى 15 مايو 2027.": false,
		"by 15 May 2027, or 5 May 2027": true} {
		if NamesDay(text, day) != want {
			t.Errorf("%q: %v", text, !want)
		}
	}
}
