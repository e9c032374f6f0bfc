package mail

import (
	"errors"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/admitto/admitto/internal/admitto"
)

var page = regexp.MustCompile(`(?s)^<!DOCTYPE html>\n<html lang="en">.*<body [^>]*>\n(.*)</body>\n</html>\n$`)

func body(t testing.TB, doc string) string {
	t.Helper()
	m := page.FindStringSubmatch(doc)
	if m == nil {
		t.Fatalf("not the document expected: %s", doc)
	}
	return m[1]
}

func TestMarkup(t *testing.T) {
	values := Values{
		ApplicantName:       "Ann *x* _y_ <b> %applicant-Email%",
		ApplicantSigninLink: "https://adm.example.org/in?t=a&b=_c_",
		InstanceLink:        "javascript:alert(1)",
		ApplicantID:         "a/b?c d",
		CourseList:          "Physics\nChemistry",
	}
	for _, row := range []struct{ name, in, html, text string }{
		{"paragraphs", "one\ntwo\n \n\nthree", "<p>one<br>\ntwo</p>\n<p>three</p>\n", "one\ntwo\n\nthree\n"},
		{"windows line ends", "one\r\n\r\ntwo", "<p>one</p>\n<p>two</p>\n", "one\n\ntwo\n"},
		{"bold", "a *b c* d", "<p>a <strong>b c</strong> d</p>\n", "a b c d\n"},
		{"italic", "_b_, c", "<p><em>b</em>, c</p>\n", "b, c\n"},
		{"nested", "*a _b_ c*", "<p><strong>a <em>b</em> c</strong></p>\n", "a b c\n"},
		{"crossed", "*a _b* c_", "<p><strong>a _b</strong> c_</p>\n", "a _b c_\n"},
		{"unbalanced", "*a _b", "<p>*a _b</p>\n", "*a _b\n"},
		{"inside words", "snake_case_name 2*3*4", "<p>snake_case_name 2*3*4</p>\n", "snake_case_name 2*3*4\n"},
		{"blanks inside", "* a* b *", "<ul>\n<li>a* b *</li>\n</ul>\n", "- a* b *\n"},
		{"empty signs", "** __ \"\":", "<p>** __ &#34;&#34;:</p>\n", "** __ \"\":\n"},
		{"bullets", "x\n* a\n* *b*", "<p>x</p>\n<ul>\n<li>a</li>\n<li><strong>b</strong></li>\n</ul>\n",
			"x\n\n- a\n- b\n"},
		{"numbers", "# a\n# b\n* c", "<ol>\n<li>a</li>\n<li>b</li>\n</ol>\n<ul>\n<li>c</li>\n</ul>\n",
			"1. a\n2. b\n\n- c\n"},
		{"headings", "h2. One\nh2. Two\ntext", "<h2>One</h2>\n<h2>Two</h2>\n<p>text</p>\n",
			"One\n---\n\nTwo\n---\n\ntext\n"},
		{"other headings", "h1. One", "<p>h1. One</p>\n", "h1. One\n"},
		{"link", `see "our page":https://a.b/c?d=e&f, please`,
			"<p>see <a href=\"https://a.b/c?d=e&amp;f\">our page</a>, please</p>\n",
			"see our page (https://a.b/c?d=e&f), please\n"},
		{"bold in link", `"a *b*":http://x.y`, "<p><a href=\"http://x.y\">a <strong>b</strong></a></p>\n",
			"a b (http://x.y)\n"},
		{"bold link", `*"a":http://x.y/_z_*`, "<p><strong><a href=\"http://x.y/_z\">a</a>_</strong></p>\n",
			"a (http://x.y/_z)_\n"},
		{"bare address", "go to https://a.b/c_d_e.",
			"<p>go to <a href=\"https://a.b/c_d_e\">https://a.b/c_d_e</a>.</p>\n",
			"go to https://a.b/c_d_e.\n"},
		{"script", `<script>alert("x")</script>`, "<p>&lt;script&gt;alert(&#34;x&#34;)&lt;/script&gt;</p>\n",
			"<script>alert(\"x\")</script>\n"},
		{"javascript", `"a":javascript:alert(1)`, "<p>&#34;a&#34;:javascript:alert(1)</p>\n",
			"\"a\":javascript:alert(1)\n"},
		{"data", `"a":data:text/html,x`, "<p>&#34;a&#34;:data:text/html,x</p>\n", "\"a\":data:text/html,x\n"},
		{"user in address", `"a":https://good.org@evil.org/`, "<p>&#34;a&#34;:https://good.org@evil.org/</p>\n",
			"\"a\":https://good.org@evil.org/\n"},
		{"attribute", `"a":https://x.y/"onclick="z`, "<p><a href=\"https://x.y/\">a</a>&#34;onclick=&#34;z</p>\n",
			"a (https://x.y/)\"onclick=\"z\n"},
		{"no host", `"a":https:///x`, "<p>&#34;a&#34;:https:///x</p>\n", "\"a\":https:///x\n"},
		{"percent", "100% of 50%, %a% %-b% %applicant-% 5%-6%", "<p>100% of 50%, %a% %-b% %applicant-% 5%-6%</p>\n",
			"100% of 50%, %a% %-b% %applicant-% 5%-6%\n"},
		{"value", "Dear %applicant-Name%!", "<p>Dear Ann *x* _y_ &lt;b&gt; %applicant-Email%!</p>\n",
			"Dear Ann *x* _y_ <b> %applicant-Email%!\n"},
		{"bold value", "*%applicant-Name%*", "<p><strong>Ann *x* _y_ &lt;b&gt; %applicant-Email%</strong></p>\n",
			"Ann *x* _y_ <b> %applicant-Email%\n"},
		{"lines of a value", "* %course-List%", "<ul>\n<li>Physics<br>\nChemistry</li>\n</ul>\n",
			"- Physics\n  Chemistry\n"},
		{"link marker", "%applicant-SigninLink%.",
			"<p><a href=\"https://adm.example.org/in?t=a&amp;b=_c_\">https://adm.example.org/in?t=a&amp;b=_c_</a>.</p>\n",
			"https://adm.example.org/in?t=a&b=_c_.\n"},
		{"link to marker", `"Sign *in*":%applicant-SigninLink%, now`,
			"<p><a href=\"https://adm.example.org/in?t=a&amp;b=_c_\">Sign <strong>in</strong></a>, now</p>\n",
			"Sign in (https://adm.example.org/in?t=a&b=_c_), now\n"},
		{"hostile link marker", `"x":%instance-Link% %instance-Link%`,
			"<p>x (javascript:alert(1)) javascript:alert(1)</p>\n",
			"x (javascript:alert(1)) javascript:alert(1)\n"},
		{"marker in path", `"x":https://a.b/%applicant-ID%/z`, "<p><a href=\"https://a.b/a%2Fb%3Fc+d/z\">x</a></p>\n",
			"x (https://a.b/a%2Fb%3Fc+d/z)\n"},
		{"marker in host", `"x":https://%applicant-ID%/`, "<p>&#34;x&#34;:https://a/b?c d/</p>\n",
			"\"x\":https://a/b?c d/\n"},
		{"marker behind host", `https://a.b%applicant-ID%`, "<p><a href=\"https://a.b\">https://a.b</a>a/b?c d</p>\n",
			"https://a.ba/b?c d\n"},
		{"link text is a link marker", `"%applicant-SigninLink%":https://a.b`,
			"<p><a href=\"https://a.b\">https://adm.example.org/in?t=a&amp;b=_c_</a></p>\n",
			"https://adm.example.org/in?t=a&b=_c_ (https://a.b)\n"},
		{"deep", strings.Repeat("*_", 9) + "x" + strings.Repeat("_*", 9), "", ""},
	} {
		t.Run(row.name, func(t *testing.T) {
			r, err := Template{Kind: KindApplicantMessage, Body: row.in}.Render(values)
			if err != nil {
				t.Fatal(err)
			}
			checkTags(t, r.HTML)
			if row.html == "" {
				return
			}
			if diff := cmp.Diff(row.html, body(t, r.HTML)); diff != "" {
				t.Error(diff)
			}
			if diff := cmp.Diff(row.text, r.Text); diff != "" {
				t.Error(diff)
			}
			more := slices.ContainsFunc(tags.FindAllString(row.html, -1), func(tag string) bool {
				return !slices.Contains([]string{"<p>", "</p>", "<br>"}, tag)
			})
			if got := r.Formatted(); more && got != r.HTML ||
				!more && got != "<!DOCTYPE html>\n<html lang=\"en\">\n" {
				t.Errorf("formatted: %q", got)
			}
		})
	}
}

var (
	tags = regexp.MustCompile(`<[^>]*>?`)
	ours = regexp.MustCompile(`^<(/?(p|ul|ol|li|h2|strong|em)|br|/a|a href="https?://[^"<>\s]+")>$`)
)

// checkTags fails on any tag that is not ours and on any left open.
func checkTags(t interface {
	Helper()
	Fatalf(string, ...any)
}, doc string) {
	t.Helper()
	m := page.FindStringSubmatch(doc)
	if m == nil {
		t.Fatalf("not the document expected: %s", doc)
	}
	var open []string
	for _, tag := range tags.FindAllString(m[1], -1) {
		if !ours.MatchString(tag) {
			t.Fatalf("foreign tag %q in %s", tag, doc)
		}
		name := strings.Fields(strings.Trim(tag, "</>"))[0]
		switch {
		case name == "br":
		case strings.HasPrefix(tag, "</"):
			if len(open) == 0 || open[len(open)-1] != name {
				t.Fatalf("%q does not fit %v in %s", tag, open, doc)
			}
			open = open[:len(open)-1]
		default:
			if name == "a" && slices.Contains(open, "a") {
				t.Fatalf("link in link: %s", doc)
			}
			open = append(open, name)
		}
	}
	if len(open) > 0 {
		t.Fatalf("%v left open in %s", open, doc)
	}
}

func hostile() *rapid.Generator[string] {
	piece := rapid.SampledFrom([]string{"<", ">", "\"", "'", "&", "*", "_", "%", "\n", "\r", " ", "a", "https://x.y/",
		"javascript:", "\":", "h2. ", "* ", "# ",
		"%applicant-Name%", "%applicant-SigninLink%", "</p>", "<script>", "é", "\u2028", "\x00", "\xff", "/"})
	return rapid.Custom(func(t *rapid.T) string {
		return strings.Join(rapid.SliceOfN(piece, 0, 24).Draw(t, "pieces"), "")
	})
}

// A value never makes a tag: whatever it is, the same template has the same tags, apart from line breaks
// and links to where the value as a whole leads.
func TestValuesMakeNoTags(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		tmpl := Template{Kind: KindApplicantSigninLink, Subject: hostile().Draw(rt, "subject"),
			Body: hostile().Draw(rt, "body")}
		render := func(name, link string) string {
			r, err := tmpl.Render(Values{ApplicantName: name, ApplicantSigninLink: link})
			if err != nil {
				rt.Fatal(err)
			}
			checkTags(rt, r.HTML)
			if strings.ContainsFunc(r.Subject, isControl) {
				rt.Fatalf("subject %q", r.Subject)
			}
			return strings.Join(slices.DeleteFunc(tags.FindAllString(page.FindStringSubmatch(r.HTML)[1], -1),
				func(tag string) bool {
					return tag == "<br>" || strings.HasPrefix(tag, "<a ") || tag == "</a>"
				}), "")
		}
		calm := render("Ann", "x")
		wild := render(hostile().Draw(rt, "name"), hostile().Draw(rt, "link"))
		if calm != wild {
			rt.Fatalf("%q became %q", calm, wild)
		}
	})
}

func FuzzMarkup(f *testing.F) {
	for _, seed := range []string{"*a* _b_ \"c\":https://d.e", "h2. x\n* y\n# z", "%applicant-Name%",
		`"a":%applicant-SigninLink%/x`, strings.Repeat("*a ", 50)} {
		f.Add(seed, "Ann", "https://x.y")
	}
	f.Fuzz(func(t *testing.T, text, name, link string) {
		tmpl := Template{Kind: KindApplicantSigninLink, Subject: text, Body: text}
		values := map[string]string{}
		for _, m := range tmpl.Markers() {
			values[bare(m)] = cleanValue(name)
		}
		values[ApplicantSigninLink.name] = cleanValue(link)
		r, err := tmpl.render(values)
		if err != nil {
			t.Fatal(err)
		}
		checkTags(t, r.HTML)
		if strings.ContainsFunc(r.Subject, isControl) {
			t.Fatalf("subject %q", r.Subject)
		}
	})
}

func TestCheckAndMarkers(t *testing.T) {
	tmpl := Template{Kind: KindApplicantSigninLink, Subject: "%applicant-Name% %offer-Type%",
		Body: "Καλή\n%applicant-SigninLink% ü %Aplicant-name% %invoice-Rest% %x-1y%\nö %applicantName% 100%sure, 20%, https://a.b/%C3%A4"}
	want := []string{"%applicant-Name%", "%offer-Type%", "%applicant-SigninLink%", "%Aplicant-name%", "%invoice-Rest%"}
	if diff := cmp.Diff(want, tmpl.Markers()[:len(want)]); diff != "" {
		t.Error(diff)
	}
	var refusal *admitto.Error
	if err := tmpl.Check(); !errors.As(err, &refusal) || refusal.Kind != admitto.InvalidParameter {
		t.Fatalf("%v", err)
	}
	var said []string
	for _, f := range refusal.Faults {
		if f.Code != "marker-unknown" {
			t.Errorf("%+v", f)
		}
		said = append(said, string(f.Path)+" "+f.Text.String())
	}
	want = []string{
		"template.subject %offer-Type% (line 1, place 18) is no marker of this e-mail. The nearest one is %date-Today%.",
		"template.body %Aplicant-name% (line 2, place 26) is no marker of this e-mail. The nearest one is %applicant-Name%.",
		"template.body %invoice-Rest% (line 2, place 42) is no marker of this e-mail. The nearest one is %instance-Name%.",
		"template.body %x-1y% (line 2, place 57) is no marker of this e-mail. The nearest one is %date-Today%.",
		"template.body %applicantName% (line 3, place 3) is no marker of this e-mail. The nearest one is %applicant-Name%."}
	if diff := cmp.Diff(want, said); diff != "" {
		t.Error(diff)
	}
	if err := (Template{Kind: Kind{"nobody-knows"}}).Check(); admitto.KindOf(err) != admitto.InvalidParameter {
		t.Errorf("%v", err)
	}
	_, err := tmpl.Render(Values{ApplicantName: ""})
	if !errors.As(err, &refusal) || refusal.Faults[0].Code != "marker-unresolved" ||
		!strings.Contains(err.Error(), "%offer-Type%, %applicant-SigninLink%, %Aplicant-name%, %invoice-Rest%") {
		t.Errorf("%v", err)
	}
	if !tmpl.Uses(ApplicantSigninLink) || !tmpl.Uses(OfferType) || tmpl.Uses(ApplicantEmail) {
		t.Error("Uses is wrong")
	}
}

// TestNeeds wants every mail that lets somebody in to say how, and only those may not be silenced that must not be.
func TestNeeds(t *testing.T) {
	for _, k := range Kinds() {
		text := Template{Kind: k, Subject: "Hello", Body: "Nothing else"}
		if err := text.Check(); (err != nil) != (k.needs() != nil) {
			t.Error(k.Code(), err)
		}
		for _, m := range k.needs() {
			if text.Body = "Here: " + m.String(); text.Check() != nil {
				t.Error(k.Code(), text.Check())
			}
			if text = (Template{Kind: k, Subject: m.String(), Body: "Nothing"}); text.Check() == nil {
				t.Error(k.Code(), "takes what it needs in the subject, where it does not belong")
			}
			if k.MayBeSilenced() {
				t.Error(k.Code(), "may be silenced")
			}
		}
	}
	for _, k := range []Kind{KindOfferLetter, KindApplicantMessage, KindApplicantPasswordChanged} {
		if k.MayBeSilenced() {
			t.Error(k.Code(), "may be silenced")
		}
	}
	if !KindApplicationSubmitted.MayBeSilenced() || !KindTaskReminder.MayBeSilenced() {
		t.Error("nothing may be silenced")
	}
}

// What looks like a marker is found, in whatever way it was mistyped, and percentages and addresses are not.
func TestMistypedMarkers(t *testing.T) {
	for text, want := range map[string]string{
		"Dear %name%, %foo%": "%name% %foo%", "%applicantName% %applicant_Name%": "%applicantName% %applicant_Name%",
		"Dear %applicant-Name, see %APPLICANT-id.": "%applicant-Name %APPLICANT-id", "%applicant-Name": "%applicant-Name",
		"%date% and %ad%b": "%date%", "%applicant-Name%": "", "50% of 100%, 20%-30%, 100%sure, 5 %": "",
		"https://a.b/%C3%A4?q=%C3ab%A4 %C3%A4 %e2%82": "", "of %term-Nam and a %house": "",
	} {
		var got []string
		for _, u := range unknownMarkers(text, KindApplicantMessage.Markers()) {
			got = append(got, u.text)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%q has %q, want %q", text, got, want)
		}
	}
}

// FuzzCheck wants what is wrong with any text to be found where it is said to be, and what may be saved to be one that
// can be rendered.
func FuzzCheck(f *testing.F) {
	for _, k := range Kinds() {
		d, err := shipped(k, k.code, "en")
		if err != nil {
			f.Fatal(err)
		}
		f.Add(k.Code(), d.Subject, d.Body)
	}
	f.Add("applicant-message", "%applicant-Nme%", "a\n\xff%x-y% %applicantName% %%a-b%%")
	f.Fuzz(func(t *testing.T, code, subject, body string) {
		kind, known := KindOf(code)
		tmpl := Template{Kind: kind, Subject: subject, Body: body}
		err := tmpl.Check()
		if !known {
			if err == nil {
				t.Fatal("an unknown kind is right")
			}
			return
		}
		allowed := kind.Markers()
		for _, text := range []string{subject, body} {
			lines := strings.Split(text, "\n")
			for _, u := range unknownMarkers(text, allowed) {
				rest := lines[u.line-1]
				for range u.character - 1 {
					_, size := utf8.DecodeRuneInString(rest)
					rest = rest[size:]
				}
				if !strings.HasPrefix(rest, u.text) {
					t.Fatalf("%q is not in line %d at character %d of %q", u.text, u.line, u.character, text)
				}
				if near, found := nearest(u.text, allowed), false; near != "" {
					for _, a := range allowed {
						found = found || a.String() == near
					}
					if !found {
						t.Fatal(near)
					}
				}
			}
		}
		if err != nil {
			return
		}
		values := Invented("en", 0, time.UTC)
		for _, m := range allowed {
			if _, ok := values[m]; !ok {
				values[m] = "x"
			}
		}
		if _, err := tmpl.Render(values); err != nil {
			t.Fatal(err)
		}
	})
}

func TestSubject(t *testing.T) {
	r, err := Template{Subject: "For %applicant-Name%: *x* <b> 5%"}.Render(Values{ApplicantName: "A\r\nB\n%date-Today%"})
	if err != nil || r.Subject != "For A B %date-Today%: *x* <b> 5%" {
		t.Errorf("%q, %v", r.Subject, err)
	}
	if !strings.Contains(r.HTML, "<title>For A B %date-Today%: *x* &lt;b&gt; 5%</title>") {
		t.Error(r.HTML)
	}
}

func TestDefaults(t *testing.T) {
	entries, err := defaults.ReadDir("templates/en")
	if err != nil || len(entries) != len(kinds)+3 { // and the notices
		t.Fatalf("%v, %v", entries, err)
	}
	for _, kind := range Kinds() {
		code := kind.Code()
		tmpl, err := shipped(kind, kind.code, "en")
		if err != nil || tmpl.Kind != kind || tmpl.Subject == "" || strings.HasPrefix(tmpl.Subject, "Subject:") ||
			len(tmpl.Body) < 100 {
			t.Fatalf("%s: %+v", code, tmpl)
		}
		if err := tmpl.Check(); err != nil {
			t.Errorf("%s: %v", code, err)
		}
		values := Values{}
		for _, m := range kind.Markers() {
			values[m] = "value of " + m.name
		}
		const link = "https://adm.example.org/in/secret"
		values[ApplicantSigninLink] = link
		r, err := tmpl.Render(values)
		if err != nil {
			t.Fatal(err)
		}
		checkTags(t, r.HTML)
		if tmpl.Uses(ApplicantSigninLink) && (!strings.Contains(r.Text, link) ||
			!strings.Contains(r.HTML, `<a href="https://adm.example.org/in/secret">`)) {
			t.Errorf("%s: the link cannot be pressed", code)
		}
	}
	welcome, _ := shipped(KindApplicantWelcomeAPI, KindApplicantWelcomeAPI.code, "en")
	for marker, want := range map[Marker]bool{ApplicantLogin: true, ApplicantSigninLink: true,
		ApplicantSigninExpires: true, ApplicantPassword: false} {
		if welcome.Uses(marker) != want {
			t.Errorf("applicant-welcome-api and %s: not %v", marker, want)
		}
	}
	if _, err := shipped(Kind{}, Kind{}.code, "en"); err == nil {
		t.Error("there is a default for no kind")
	}
}

// Every marker and every kind of mail that is declared is in the table, and has the form that is found in texts.
func TestMarkerTable(t *testing.T) {
	source, err := os.ReadFile("markers.go")
	if err != nil {
		t.Fatal(err)
	}
	listed := map[string]bool{}
	for _, k := range kinds {
		listed[k.kind.code] = true
		for _, m := range k.kind.Markers() {
			if listed[m.name] = true; markerAt(m.String()) != len(m.String()) {
				t.Errorf("%s: %q is not a marker", k.kind.code, m.name)
			}
		}
	}
	declared := regexp.MustCompile(`(?:Marker\{name: |Kind\{)"([^"]+)"`).FindAllSubmatch(source, -1)
	for _, d := range declared {
		if !listed[string(d[1])] {
			t.Errorf("%s is declared, and no template has it", d[1])
		}
	}
	if len(kinds) != 37 || len(declared) != len(listed) {
		t.Errorf("%d kinds, %d declared, %d listed", len(kinds), len(declared), len(listed))
	}
}

// Hostile text costs no more than its length: nobody can stall the service with a template.
func TestMarkupTakesLinearTime(t *testing.T) {
	for _, piece := range []string{
		"*a ", "_a ", "*_", "*a_", "*_a ", "* ", "\"", "\"a\":", "\"a\":https://", "https://", "http://a@", "h", "%a",
		"%a-",
		"%a-b%", "http://a@b ",
		"*http://a@", "\"a\":http://a@", "_*x*_ ", "*a* _", "\"x\":%a-b%/", "\"x\":%a-b%/%a-b%", "*x\"", "(*", "é*",
		"*a*",
	} {
		text := strings.Repeat(piece, 60_000/len(piece))
		begin := time.Now()
		parseMarkup(text)
		if took := time.Since(begin); took > 20*time.Second {
			t.Errorf("%q: %v", piece, took)
		}
	}
}
