package message

import (
	"strings"
	"testing"
	"time"
)

// stars writes days and times as nobody else does.
type stars struct{}

func (stars) Date(day time.Time) string { return day.Format("*2*1*06*") }

func (stars) Time(at time.Time) string { return at.Format("*15*04*MST*") }

func (stars) Isolated(text string) string { return text }
func (stars) Tag() string                 { return "en" }

func (stars) Word(group, word string) string { return "*" + group + "*" + word + "*" }

// TestWritten has days and times written by who knows the language of the reader, those of sentences in sentences, too.
func TestWritten(t *testing.T) {
	opens := Of("intake-opens", "Autumn", day{time.Date(2031, 5, 1, 0, 0, 0, 0, time.UTC)})
	accepted := Time{time.Date(2031, 5, 1, 12, 0, 0, 0, time.UTC), "2 January 2006, 15:04 MST"}
	for _, c := range []struct {
		text         Text
		plain, words string
	}{
		{opens, "the intake Autumn opens on 2031-05-01", "the intake Autumn opens on *1*5*31*"},
		{Of("question-of-type", opens), "the question has the type the intake Autumn opens on 2031-05-01",
			"the question has the type the intake Autumn opens on *1*5*31*"},
		{Of("question-of-type", accepted), "the question has the type 1 May 2031, 12:00 UTC",
			"the question has the type *12*00*UTC*"},
		{Of("question-of-type", Word{Group: "question_type", Text: "Date"}), "the question has the type Date",
			"the question has the type *question_type*Date*"},
	} {
		if got := c.text.String(); got != c.plain {
			t.Errorf("%q instead of %q", got, c.plain)
		}
		if got := c.text.By(English(), stars{}); got != c.words {
			t.Errorf("%q instead of %q", got, c.words)
		}
	}
}

// What is kept is read as it was said, with sentences among its arguments; what is not ours is nothing.
func TestKept(t *testing.T) {
	lisbon, err := time.LoadLocation("Europe/Lisbon")
	if err != nil {
		t.Fatal(err)
	}
	said := []Text{Of("task-blocks", 4, Of("reason-required"), Word{Group: "status", Text: "Open"}),
		Of("last-course"), Plain("50 % of \"it\""),
		Of("intake-opens", "Autumn", day{time.Date(2031, 5, 1, 0, 0, 0, 0, time.UTC)}), Of("intake-opens", "Autumn", day{}),
		Of("bound-by-offer", "Biology", Time{time.Date(2031, 5, 1, 23, 59, 0, 0, lisbon), "15:04 MST"})}
	read := Kept(Keep(said))
	if len(read) != len(said) {
		t.Fatalf("%v", read)
	}
	for i := range said {
		if said[i].String() != read[i].String() || said[i].Code != read[i].Code ||
			said[i].By(nil, stars{}) != read[i].By(nil, stars{}) {
			t.Errorf("%q became %q", said[i].By(nil, stars{}), read[i].By(nil, stars{}))
		}
	}
	for _, other := range []string{"", "[]", "{", "null", "7", `"x"`, `[{"c":"last-course","a":[7]}]`} {
		for _, text := range Kept(other) {
			_ = text.String()
		}
	}
	if Keep(nil) != "" {
		t.Error("nothing is kept as something")
	}
}

// TestNamed says a name in the language of the reader, and its first version where there is none, and to programs.
func TestNamed(t *testing.T) {
	autumn := Named{First: "Herbst", In: map[string]string{"en": "Autumn"}}
	for _, c := range []struct {
		got, want string
	}{
		{Of("term-over", autumn).String(), "Herbst"}, {Of("term-over", autumn).By(nil, stars{}), "Autumn"},
		{Of("term-over", Named{First: "Herbst"}).By(nil, stars{}), "Herbst"},
	} {
		if !strings.Contains(c.got, c.want) {
			t.Errorf("%q instead of %q", c.got, c.want)
		}
	}
}
