package api_test

import (
	"bytes"
	"context"
	"fmt"
	"mime/multipart"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/admitto/admitto/internal/mail"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/store/sqltest"
	"golang.org/x/text/unicode/norm"
)

const formType = "application/x-www-form-urlencoded"

// multipartForm writes pairs of names and values as multipart/form-data.
func multipartForm(pairs ...string) (contentType, body string) {
	var b bytes.Buffer
	w := multipart.NewWriter(&b)
	for i := 0; i < len(pairs); i += 2 {
		if err := w.WriteField(pairs[i], pairs[i+1]); err != nil {
			panic(err)
		}
	}
	w.Close()
	return w.FormDataContentType(), b.String()
}

// contentType sets the header, "" leaves it out.
func contentType(value string) with {
	if value == "" {
		return header("Accept", "*/*")
	}
	return header("Content-Type", value)
}

func TestCreateApplicantWays(t *testing.T) {
	multi, multiBody := multipartForm("email", "N@example.org", "name", "Ann Lee", "phone", "+1")
	const json = `{"email":"N@example.org","name":"Ann Lee","phone":"+1"}`
	const form = "email=N%40example.org&name=Ann+Lee&phone=%2B1"
	onEach(t, func(t *testing.T, s *service) {
		for i, c := range []struct{ name, query, contentType, body string }{
			{"form", "", formType, form},
			{"form with charset", "", formType + "; charset=utf-8", form},
			{"form without content type", "", "", form},
			{"multipart", "", multi, multiBody},
			{"JSON", "", "application/json", json},
			{"JSON with charset", "", "Application/JSON; charset=utf-8", json},
			{"JSON of another kind", "", "application/vnd.api+json", json},
			{"JSON as form", "", formType, json},
			{"JSON as text, white space first", "", "text/plain", " \r\n\t" + json + "\n"},
			{"JSON without content type", "", "", json},
			{"JSON under rubbish", "", "json", json},
			{"query", form, "", ""},
			{"query, body empty under a content type", form, "image/png", ""},
			{"query, body empty under bare multipart", form, "multipart/form-data", ""},
			{"mixed", "email=N%40example.org&name=Wrong+One", formType, "name=Ann+Lee&phone=%2B1"},
			{"mixed with JSON", "email=wrong&name=Ann+Lee&phone=2", "application/json",
				`{"email":"N@example.org","phone":"+1"}`},
			{"mixed, body says nothing", "name=Ann+Lee&phone=%2B1", formType, "email=N%40example.org&name=&phone=+"},
			{"mixed, JSON says nothing", "name=Ann+Lee&phone=%2B1", "application/json",
				`{"email":"N@example.org","name":null,"phone":""}`},
			{"nothing in many ways", "", "application/json", `{"email":"N@example.org","name":"Ann Lee","phone":"+1","skype":null,"citizenship":"","notes":"  ","reference":null,"tracker_ID":"","matriculation":null,"name_given":""}`},
		} {
			t.Run(c.name, func(t *testing.T) {
				email := fmt.Sprintf("way%d@example.org", i)
				fill := func(text string) string { return strings.ReplaceAll(text, "N", email[:strings.IndexByte(email, '@')]) }
				path := "/api/v10/applicants"
				if c.query != "" {
					path += "?" + fill(c.query)
				}
				made := s.do("POST", path, fill(c.body), contentType(c.contentType)).want(t, 201)
				got := s.get(made.header.Get("Location")).want(t, 200).object(t)
				name := got["name"].(map[string]any)
				if got["email"] != email || name["given"] != "Ann" || name["family"] != "Lee" || got["phone"] != "+1" ||
					got["citizenship"] != "" || got["skype"] != nil || got["reference"] != "" || got["matriculation"] != nil {
					t.Fatalf("%v", got)
				}
			})
		}
	})
}

func TestCreateApplicantBodies(t *testing.T) {
	const full = "email=a%40example.org&name=Ann"
	multi, multiBody := multipartForm("email", "a@example.org", "name", "Ann")
	pad := func(body string, size int) string { return body + strings.Repeat(" ", size-len(body)) }
	onEach(t, func(t *testing.T, s *service) {
		for _, c := range []struct {
			name, contentType, body string
			status                  int
			slug, faults            string
		}{
			{"text", "text/plain", full, 415, "unsupported-media-type", ""},
			{"XML", "application/xml", "<a/>", 415, "unsupported-media-type", ""},
			{"rubbish", "nonsense/", full, 415, "unsupported-media-type", ""},
			{"word", "form", full, 415, "unsupported-media-type", ""},
			{"bytes", "application/octet-stream", "\x00", 415, "unsupported-media-type", ""},
			{"bare multipart", "multipart/form-data", multiBody, 400, "invalid-body", ""},
			{"JSON as multipart", "multipart/form-data; boundary=x", `{"name":"Ann"}`, 400, "invalid-body", ""},
			{"multipart cut off", multi, multiBody[:len(multiBody)-20], 400, "invalid-body", ""},
			{"too large", formType, pad(full, 1<<20+1), 413, "too-large", ""},
			{"too large JSON", "application/json", pad("{}", 1<<20+1), 413, "too-large", ""},
			{"too large for any type", "text/plain", pad("x", 1<<20+1), 413, "too-large", ""},
			{"as large as may be", "application/json", pad(`{"name":"Ann"}`, 1<<20), 400, "invalid-parameter", "email"},
			{"array", "application/json", `[{"name":"Ann"}]`, 400, "invalid-body", "@"},
			{"text in JSON", "application/json", `"Ann"`, 400, "invalid-body", "@"},
			{"JSON form", "application/json", full, 400, "invalid-body", "@"},
			{"JSON not ended", "application/json", `{"name":"Ann"`, 400, "invalid-body", "@"},
			{"JSON and more", "application/json", `{"name":"Ann"} {}`, 400, "invalid-body", "@"},
			{"JSON with a comma too many", "application/json", `{"name":"Ann",}`, 400, "invalid-body", "@"},
			{"JSON not UTF-8", "application/json", "{\"name\":\"\xff\"}", 400, "invalid-body", "@"},
			{"JSON with half a character", "application/json", `{"email":"a@example.org","name":"Ann \ud83d"}`, 400,
				"invalid-body", "@"},
			{"form badly encoded", formType, "name=%zz", 400, "invalid-parameter", ""},
			{"form with semicolons", formType, "name=a;email=b", 400, "invalid-parameter", ""},
			{"JSON nested too deep", "application/json", strings.Repeat(`{"a":`, 7) + "1" + strings.Repeat("}", 7), 400,
				"invalid-body", "@/a/a/a/a/a/a/a"},
			{"JSON of brackets", "application/json", strings.Repeat(`{"a":[`, 100_000), 400, "invalid-body", "@/a/0/a/0/a/0/a"},
			{"too many parameters", formType, strings.Repeat("a=1&", 2001), 400, "invalid-parameter", ""},
			{"too many in JSON", "application/json", `{"a":[0` + strings.Repeat(",0", 2000) + `]}`, 400, "invalid-parameter",
				""},
			{"empty", formType, "", 400, "invalid-parameter", "email name"},
			{"empty JSON", "application/json", "{}", 400, "invalid-parameter", "email name"},
		} {
			t.Run(c.name, func(t *testing.T) {
				s.refused(t, c.slug, func() answer {
					return s.do("POST", v10("/applicants"), c.body, contentType(c.contentType))
				}).want(t, c.status).wantFaults(t, c.faults)
			})
		}
	})
}

// Every limit at its edge, counted in characters of the normal form.
func TestCreateApplicantLimits(t *testing.T) {
	onEach(t, func(t *testing.T, s *service) {
		n := 0
		for _, c := range []struct {
			field string
			max   int
		}{{"name", 50}, {"name_given", 50}, {"name_family", 50}, {"name_middle", 50}, {"phone", 30}, {"skype", 64}, {"notes",
			2048}} {
			for _, letter := range []string{"x", "é", "e\u0301", "😀", "ệ", "ก"} {
				for _, over := range []int{0, 1} {
					t.Run(fmt.Sprintf("%s %q +%d", c.field, letter, over), func(t *testing.T) {
						n++
						email := fmt.Sprintf("limit%d@example.org", n)
						form := url.Values{"email": {email}, "name": {"N"}}
						value := strings.Repeat(letter, c.max+over)
						if c.field == "notes" { // line breaks count, and stay
							value = letter + "\r\n\t" + strings.Repeat(letter, c.max+over-4)
						}
						form.Set(c.field, "  "+value+"\t\n ")
						if c.field == "name_given" {
							form.Set("name_family", "F")
						} else if c.field == "name_family" {
							form.Set("name_given", "G")
						}
						send := func() answer { return s.postForm("/api/v5/applicants", form.Encode()) }
						if over > 0 {
							s.refused(t, "invalid-parameter", send).want(t, 400).wantFaults(t, c.field)
							return
						}
						got := s.get(send().want(t, 201).header.Get("Location")).object(t)
						name := got["name"].(map[string]any)
						stored := map[string]any{"name": name["family"], "name_given": name["given"], "name_family": name["family"],
							"name_middle": name["middle"], "phone": got["phone"], "skype": got["skype"], "notes": got["notes"]}
						if stored[c.field] != norm.NFC.String(value) {
							t.Fatalf("stored %q of %q", stored[c.field], value)
						}
					})
				}
			}
		}
		for _, c := range []struct {
			field, value string
			status       int
		}{
			{"reference", strings.Repeat("9", 64), 201},
			{"reference", strings.Repeat("9", 65), 400},
			{"reference", "a/b._-Z", 201},
			{"reference", "a b", 400},
			{"reference", "ä", 400},
			{"matriculation", strings.Repeat("9", 64), 201},
			{"matriculation", strings.Repeat("9", 65), 400},
			{"matriculation", "a+b", 400},
			{"citizenship", "hu", 201},
			{"citizenship", "xK", 201},
			{"citizenship", "ZZ", 400},
			{"citizenship", "HUN", 400},
			{"citizenship", "Hungary", 400},
			{"region", "anything\x01", 201},
			{"name", "a\u0000b", 400},
			{"name", "a\nb", 400},
			{"name", "a\tb", 400},
			{"name", "a\u2028b", 400},
			{"name", "a\u0085b", 400},
			{"phone", "\x1b[31m", 400},
			{"notes", "a\x00", 400},
			{"notes", "a\x07b", 400},
			{"name", "\xff", 400},
			{"notes", "caf\xe9", 400},
			{"email", "no address", 400},
			{"email", "a@b", 400},
			{"email", strings.Repeat("l", 65) + "@example.org", 400},
			{"email", "a@example.org,b@example.org", 400},
			{"email", "a\r\nBcc: b@example.org", 400},
			{"email", "ü@example.org", 400},
		} {
			t.Run(fmt.Sprintf("%s %q", c.field, c.value[:min(20, len(c.value))]), func(t *testing.T) {
				n++
				form := url.Values{"email": {fmt.Sprintf("value%d@example.org", n)}, "name": {"N"}}
				form.Set(c.field, c.value)
				send := func() answer { return s.postForm(v10("/applicants"), form.Encode()) }
				if c.status == 201 {
					if made := send().want(t, 201); made.header.Get("Ignored-Parameters") != "" {
						t.Fatalf("%v", made.header)
					}
					return
				}
				s.refused(t, "invalid-parameter", send).want(t, c.status).wantFaults(t, c.field)
			})
		}
	})
}

func TestCreateApplicantNames(t *testing.T) {
	onEach(t, func(t *testing.T, s *service) {
		long := strings.Repeat("l", 51)
		for i, c := range []struct{ form, given, middle, family, faults string }{
			{"name=Ilse+Varga", "Ilse", "", "Varga", ""},
			{"name=Ilse+Maria+Varga", "Ilse Maria", "", "Varga", ""},
			{"name=Ilse+++Varga", "Ilse", "", "Varga", ""},
			{"name=Varga", "", "", "Varga", ""},
			{"name=+Varga+", "", "", "Varga", ""},
			{"name=Varga&name_middle=M", "", "M", "Varga", ""},
			{"name_given=Ilse&name_family=Varga", "Ilse", "", "Varga", ""},
			{"name_given=Ilse+M&name_family=de+Varga&name_middle=X", "Ilse M", "X", "de Varga", ""},
			{"name=Other+One&name_given=Ilse&name_family=Varga", "Ilse", "", "Varga", ""},
			{"name=Ilse+Varga&name_given=Eva", "Ilse", "", "Varga", ""},
			{"name=Ilse+Varga&name_family=Eva", "Ilse", "", "Varga", ""},
			{"name=&name_given=Ilse&name_family=Varga", "Ilse", "", "Varga", ""},
			{"name_given=Ilse", "", "", "", "name_family"},
			{"name_family=Varga", "", "", "", "name_given"},
			{"name_given=Ilse&name_family=+", "", "", "", "name_family"},
			{"name_middle=M", "", "", "", "name"},
			{"name=++", "", "", "", "name"},
			{"name=%E2%80%83", "", "", "", "name"},
			{"", "", "", "", "name"},
			{"name=" + long + "&name_given=Ilse&name_family=Varga", "", "", "", "name"},
			{"name=Ilse&name_given=" + long, "", "", "", "name_given"},
			{"name=" + long + "&name_given=" + long + "&name_family=" + long + "&name_middle=" + long, "", "", "",
				"name name_given name_family name_middle"},
		} {
			t.Run(c.form, func(t *testing.T) {
				send := func() answer {
					return s.postForm(v10("/applicants"), fmt.Sprintf("email=n%d%%40example.org&%s", i, c.form))
				}
				if c.faults != "" {
					s.refused(t, "invalid-parameter", send).want(t, 400).wantFaults(t, c.faults)
					return
				}
				name := s.get(send().want(t, 201).header.Get("Location")).object(t)["name"].(map[string]any)
				full := strings.Join(strings.Fields(c.given+" "+c.middle+" "+c.family), " ")
				if name["given"] != c.given || name["middle"] != c.middle || name["family"] != c.family || name["full"] != full {
					t.Fatalf("%v", name)
				}
			})
		}
	})
}

// What is wrong is told at once and at its place.
func TestCreateApplicantFaults(t *testing.T) {
	onBoth(t, func(t *testing.T, s *service) {
		tracker := s.postForm(v10("/applicants/trackers"), "code=FAIR").want(t, 201).object(t)["id"].(float64)
		s.create(t, "email=first%40example.org&name=First&reference=CRM-1")
		long := strings.Repeat("l", 51)
		for _, c := range []struct{ name, contentType, body, faults string }{
			{"form", formType, "email=x&name=" + long + "&citizenship=ZZ&phone=" + long + "&reference=a+b&tracker_ID=x",
				"email name citizenship phone reference tracker_ID"},
			{"JSON", "application/json", `{"email":"x","name":"` + long + `","citizenship":"ZZ","phone":5,"notes":true,"tracker_ID":1.5}`,
				"@/email @/name @/citizenship @/phone @/notes @/tracker_ID"},
			{"JSON, absent ones by name", "application/json", `{"phone":5}`, "email name @/phone"},
			{"from the database as well", formType, "email=x&name=Ann&reference=CRM-1&tracker_ID=99",
				"email reference#reference-in-use tracker_ID"},
			{"from the database as well, in JSON", "application/json", `{"email":"x","name":"Ann","reference":"CRM-1","tracker_ID":99}`,
				"@/email @/reference#reference-in-use @/tracker_ID"},
			{"from the database only", formType, "email=new%40example.org&name=Ann&reference=CRM-1&tracker_ID=99", "reference#reference-in-use tracker_ID"},
			{"given twice", formType, "email=a%40example.org&email=b%40example.org&name=A&name=A", "email name"},
			{"given as lists", formType, "email[]=a%40example.org&name[0]=A&phone[5]=1&phone[6]=2", "email name phone"},
			{"members twice", "application/json", `{"email":"a@example.org","email":"a@example.org","name":"A","name":{}}`, "@/email @/name"},
			{"of another shape", "application/json", `{"email":["a@example.org"],"name":{"given":"A"},"phone":["1","2"]}`, "@/email @/name/given @/phone name"},
			{"names", formType, "email=a%40example.org&name=A&a[b][c][d][e][f][g]=1&x%ff=1", "a[b][c][d][e][f][g] x\ufffd"},
			{"numbers", "application/json", `{"email":1,"name":2,"name_given":3,"name_family":4,"citizenship":5,"skype":6,"reference":-7,"matriculation":8.5}`,
				"@/email @/name @/name_given @/name_family @/citizenship @/skype @/reference @/matriculation"},
			{"IDs", formType, "email=a%40example.org&name=A&tracker_ID=0", "tracker_ID"},
			{"ID true", "application/json", `{"email":"a@example.org","name":"A","tracker_ID":true}`, "@/tracker_ID"},
			{"ID with exponent", "application/json", `{"email":"a@example.org","name":"A","tracker_ID":1e0}`, "@/tracker_ID"},
		} {
			t.Run(c.name, func(t *testing.T) {
				s.refused(t, "invalid-parameter", func() answer {
					return s.do("POST", v10("/applicants"), c.body, contentType(c.contentType))
				}).want(t, 400).wantFaults(t, c.faults)
			})
		}
		used := s.postForm(v10("/applicants"), "email=new%40example.org&name=Ann&reference=CRM-1").want(t, 400)
		if used.object(t)["code"] != "reference-in-use" {
			t.Errorf("%s", used.body)
		}
		// The same person sent again with the same reference: the address decides.
		again := s.refused(t, "already-exists", func() answer {
			return s.postForm("/api/applicants", "email=FIRST%40example.org&name=First&reference=CRM-1")
		}).want(t, 409)
		if again.header.Get("Location") != "/api/applicants/1" {
			t.Errorf("%v", again.header)
		}
		for i, id := range []string{fmt.Sprintf("%.0f", tracker), fmt.Sprintf(`"%.0f"`, tracker),
			fmt.Sprintf(`" %.0f "`, tracker)} {
			made := s.postJSON(v10("/applicants"), fmt.Sprintf(`{"email":"t%d@example.org","name":"T","tracker_ID":%s}`, i,
				id)).want(t, 201)
			if got := s.get(made.header.Get("Location")+"/trackers").want(t, 200).ids(t); len(got) != 1 ||
				got[0] != int64(tracker) {
				t.Errorf("%v", got)
			}
		}
	})
}

// A code takes a JSON integer by its digits, as PUT does. A refusal names the form as the OpenAPI documents write it,
// and a length only where that is what is wrong (resources.md 3.4 and 3.6).
func TestApplicantCodeForms(t *testing.T) {
	onEach(t, func(t *testing.T, s *service) {
		made := s.postJSON(v10("/applicants"), `{"email":"a@example.org","name":"A","reference":123456,"matriculation":900719925474099312345}`).want(t, 201)
		if got := s.get(made.header.Get("Location")).object(t); got["reference"] != "123456" ||
			got["matriculation"] != "900719925474099312345" {
			t.Errorf("%v, %v", got["reference"], got["matriculation"])
		}
		const form = `does not have the form ^[\-./0-9A-Z_a-z]{1,64}$`
		for _, field := range []string{"reference", "matriculation"} {
			for value, want := range map[string]string{
				"a b": form, strings.Repeat("9", 65): form, strings.Repeat("9", 300): form, "ä": form,
				`a\nb`: "only plain text on one line is allowed",
			} {
				posted := s.postJSON(v10("/applicants"), `{"email":"b@example.org","name":"B","`+field+`":"`+value+`"}`).want(t,
					400)
				put := s.do("PUT", v10("/applicants/1/"+field), `"`+value+`"`).want(t, 400)
				for _, a := range []answer{posted, put} {
					if said := a.object(t)["detail"].(string); !strings.HasSuffix(said, want) || strings.Contains(said, "characters") {
						t.Errorf("%s %.20q: %s", field, value, said)
					}
				}
			}
		}
		// The document prints the same form.
		if !strings.Contains(s.get("/developers/openapi-v10.json", noKey).body, `"^[\\-./0-9A-Z_a-z]{1,64}$"`) {
			t.Error("the OpenAPI document has another form")
		}
	})
	onEach(t, func(t *testing.T, s *service) {
		long := s.postForm(v10("/applicants"), "email=c%40example.org&name=C&reference="+strings.Repeat("A", 256)).want(t,
			400)
		if !strings.Contains(long.body, "has 256 characters; 3 to 255 are allowed") {
			t.Error(long.body)
		}
	}, func(o *options) { o.settings.Applicants.ReferencePattern = regexp.MustCompile(`\A(?:[A-Z]{3,})\z`) })
}

func TestUnknownParameters(t *testing.T) {
	onEach(t, func(t *testing.T, s *service) {
		form := url.Values{"email": {"a@example.org"}, "name": {"A"}, "region": {"x"}}
		many := []string{}
		for i := range 25 {
			form.Set(fmt.Sprintf("p%02d", i), "1")
			if i < 20 {
				many = append(many, fmt.Sprintf("p%02d", i))
			}
		}
		send := func(email, more string, changes ...with) answer {
			return s.postForm(v10("/applicants"), "email="+email+"%40example.org&name=A&region=x"+more, changes...)
		}
		for _, c := range []struct{ more, want string }{
			{"", ""},
			{"&Email=x", "Email"},
			{"&zz=1&aa=2&zz=3", "aa, zz"},
			{"&name-given=x&a.b_c-d[e]=1", "a.b_c-d[e], name-given"},
			{"&na%C3%AFve+%22%0D%0AX-Evil:%201%22=1", "na_ve____X-Evil__1_"},
			{"&" + strings.Repeat("x", 100) + "=1", strings.Repeat("x", 64)},
			{"&" + strings.Repeat("%C3%A9", 65) + "=1", strings.Repeat("_", 64)},
			{"&=1", "_"},
			{"&" + strings.TrimSuffix(strings.Join(many, "=1&"), "&") + "=1&p20=1&p21=1&p22=1", strings.Join(many, ", ")},
		} {
			made := send(fmt.Sprintf("u%d", len(c.more)), c.more).want(t, 201)
			if got := made.header.Get("Ignored-Parameters"); got != c.want {
				t.Errorf("%s: %q, want %q", c.more, got, c.want)
			}
		}
		s.refused(t, "invalid-parameter", func() answer {
			return send("strict", "&zz=1&aa[b]=2", header("Prefer", "respond-async, Handling=\"strict\""))
		}).want(t, 400).wantFaults(t, "aa[b] zz")
		s.refused(t, "invalid-parameter", func() answer {
			return s.postJSON(v10("/applicants?q=1"), `{"email":"x","aa":{"b":1},"zz":null}`,
				header("Prefer", "handling=strict"))
		}).want(t, 400).wantFaults(t, "@/email name @/aa/b q")
		send("strict", "", header("Prefer", "handling=strict")).want(t, 201)
		send("lenient", "&zz=1", header("Prefer", "handling=lenient")).want(t, 201)
		if got := s.postJSON(v10("/applicants?q=1"), `{"email":"json@example.org","name":"A","a/b":{"c":[{"d":1}]},"e":[1,2]}`).want(t, 201).header.Get("Ignored-Parameters"); got != "a_b[c][0][d], e, q" {
			t.Errorf("%q", got)
		}
	})
}

// The answer of a creation, to the letter.
func TestCreateApplicantAnswer(t *testing.T) {
	onEach(t, func(t *testing.T, s *service) {
		for i, prefix := range []string{"/api", oldestPath(""), defaultPath(""), "/api/v9", "/api/v10"} {
			made := s.postForm(prefix+"/applicants/", fmt.Sprintf("email=p%d%%40example.org&name=P", i)).want(t, 201)
			h := made.header
			if h.Get("Location") != fmt.Sprintf("%s/applicants/%d", prefix, i+1) ||
				h.Get("Content-Type") != "application/json" ||
				h.Get("Content-Length") != "0" || made.body != "" || h.Get("Content-Encoding") != "" {
				t.Errorf("%v %q", h, made.body)
			}
		}
		whole := s.postForm("/api/v10/applicants", "email=whole%40example.org&name=P&notes=N",
			header("Prefer", "return=representation")).want(t, 201)
		if got := s.get(whole.header.Get("Location")); got.body != whole.body ||
			whole.header.Get("Preference-Applied") != "return=representation" ||
			whole.header.Get("Content-Length") != fmt.Sprint(len(whole.body)) ||
			whole.header.Get("Content-Type") != "application/json" {
			t.Errorf("%s, got %s %v", got.body, whole.body, whole.header)
		}
		old := s.postForm("/api/v5/applicants", "email=old%40example.org&name=P&notes=N",
			header("Prefer", "return=representation")).want(t, 201)
		if old.object(t)["notes"] != "N" {
			t.Errorf("%s", old.body)
		}
	})
}

// One address is one applicant, however it is written.
func TestCreateApplicantTwice(t *testing.T) {
	onEach(t, func(t *testing.T, s *service) {
		for _, c := range []struct{ first, second string }{
			{"Ilse.Varga@example.org", "ILSE.VARGA@EXAMPLE.ORG"},
			{"a@b\u00fccher.example", "a@bu\u0308cher.example"},
			{"b@b\u00fccher.example", "B@xn--bcher-kva.example"},
			{"c@XN--BCHER-KVA.example", "C@B\u00dcCHER.example"},
			{"d@example.org", " d@example.org\n"},
		} {
			t.Run(c.second, func(t *testing.T) {
				made := s.postForm("/api/v10/applicants", url.Values{"email": {c.first}, "name": {"A"}}.Encode()).want(t, 201)
				if got := s.get(made.header.Get("Location")).object(t)["email"]; got != c.first {
					t.Fatalf("stored %q", got)
				}
				for _, prefix := range []string{"/api", "/api/v4"} {
					again := s.refused(t, "already-exists", func() answer {
						return s.postForm(prefix+"/applicants", url.Values{"email": {c.second}, "name": {"B"}}.Encode())
					}).want(t, 409)
					if got := again.header.Get("Location"); got != prefix+strings.TrimPrefix(made.header.Get("Location"), "/api/v10") {
						t.Fatalf("Location %q", got)
					}
				}
				found := s.get(v10("/applicants?byEmails="+url.QueryEscape(strings.TrimSpace(c.second)))).want(t, 200)
				if len(found.ids(t)) != 1 {
					t.Fatalf("%s", found.body)
				}
			})
		}
	})
}

// Two creations of one address at the same time: one applicant, one mail, and the other one is told.
func TestCreateApplicantAtOnce(t *testing.T) {
	onBoth(t, func(t *testing.T, s *service) {
		reached, release := make(chan bool, 2), make(chan bool)
		s.mail.Answer = func(context.Context, *mail.Message) error {
			reached <- true
			<-release
			return nil
		}
		answers := make(chan answer, 2)
		var sent sync.WaitGroup
		for range 2 {
			sent.Add(1)
			go func() {
				sent.Done()
				answers <- s.postForm(v10("/applicants"), "email=one%40example.org&name=One")
			}()
		}
		sent.Wait()
		<-reached
		close(release)
		first, second := <-answers, <-answers
		if first.status > second.status {
			first, second = second, first
		}
		first.want(t, 201)
		if second.want(t, 409).header.Get("Location") != first.header.Get("Location") {
			t.Errorf("%v, %v", first.header, second.header)
		}
		second.problem(t, "already-exists")
		if n := len(s.mail.Taken()); n != 1 {
			t.Errorf("%d mails", n)
		}
		if got := s.get(v10("/applicants")); got.header.Get("X-Count") != "1" {
			t.Errorf("%s", got.body)
		}
	})
}

func TestCreateApplicantEvents(t *testing.T) {
	onEach(t, func(t *testing.T, s *service) {
		s.postForm(v10("/applicants/trackers"), "code=FAIR").want(t, 201)
		for i, c := range []struct {
			more string
			want []string
		}{
			{"", nil},
			{"&notes=N", []string{"Note was added to applicant applicant=%d by api_key"}},
			{"&tracker_ID=1", []string{"Tracker was assigned applicant=%d tracker=1 by api_key"}},
			{"&notes=N&tracker_ID=1&reference=R&matriculation=M",
				[]string{"Tracker was assigned applicant=%d tracker=1 by api_key",
					"Note was added to applicant applicant=%d by api_key"}},
		} {
			last := s.lastEvent(t)
			s.create(t, fmt.Sprintf("email=e%d%%40example.org&name=E%s", i, c.more))
			want := []string{fmt.Sprintf("Applicant was collected applicant=%d by api_key", i+1)}
			for _, line := range c.want {
				want = append(want, fmt.Sprintf(line, i+1))
			}
			s.wantEvents(t, last, append(want, fmt.Sprintf("E-mail was sent: applicant-welcome-api applicant=%d by system", i+1))...)
		}
	})
}

// storedMail reads the copy of the mail to an applicant.
func (s *service) storedMail(t testing.TB, applicant int64) (subject, text string) {
	t.Helper()
	err := s.store.Read(context.Background(), func(tx *store.Tx) error {
		rows := sqltest.In(tx).Query("SELECT subject, message FROM email WHERE applicant_id = $1", applicant)
		for rows.Next() {
			subject, text = rows.Text(0), rows.Text(1)
		}
		return rows.Close()
	})
	if err != nil {
		t.Fatal(err)
	}
	return subject, text
}
