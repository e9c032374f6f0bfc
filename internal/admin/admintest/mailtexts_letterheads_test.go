package admintest

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"strings"
	"testing"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/pdf/pdftest"
	"github.com/admitto/admitto/internal/services/servicestest"
	"github.com/admitto/admitto/internal/site/sitetest"
)

// pictures are a PNG of sixteen bits a colour with an alpha channel, which letters do not take as it is, and a JPEG.
func pictures(t *testing.T) (deep, photo string) {
	t.Helper()
	picture := image.NewNRGBA64(image.Rect(0, 0, 60, 20))
	for x := range 60 {
		picture.Set(x, 10, color.NRGBA64{R: 0xffff, A: uint16(x * 1000)})
	}
	var a, b bytes.Buffer
	if err := png.Encode(&a, picture); err != nil {
		t.Fatal(err)
	}
	if err := jpeg.Encode(&b, picture, nil); err != nil {
		t.Fatal(err)
	}
	return a.String(), b.String()
}

// Staff make a letterhead and change it; a letter of an offer is made on it, and the preview shows it.
func TestLetterheads(t *testing.T) {
	servicestest.BySize(t, func(t *testing.T, d *servicestest.Desk) {
		i := sitetest.On(d)
		d.AtWork()
		i.Keep()
		deep, photo := pictures(t)
		staff := i.Staff(i.Superuser("Mara Lind"))
		began := len(d.Journal())
		if text := staff.Open("/admin/templates").Find(`main a[href="/admin/letterheads"]`).Text(); text != "Letterheads" {
			t.Error("the list of templates does not lead to letterheads", text)
		}
		const head, foot = "Office of Admissions\r\n1 North Road", "IBAN 123\r\nRegister 456"
		page := saved(t, staff.Open("/admin/letterheads/new").SubmitFile("logo", "logo.png", deep, "name", "Office",
			"head",
			head, "foot", foot))
		if page.Path != "/admin/letterheads/2" || page.Find("textarea[name=foot]").Text() != "IBAN 123\nRegister 456" {
			t.Fatal(page.Path, page.Text("main"))
		}
		if logo := staff.Open("/admin/letterheads/2/logo"); logo.Status != 200 ||
			logo.Header.Get("Content-Type") != "image/png" {
			t.Error(logo.Status, logo.Header)
		}
		letter := func(path string) string {
			t.Helper()
			p := staff.Open(path)
			if p.Status != 200 || p.Header.Get("Content-Type") != "application/pdf" {
				t.Fatal(p.Status, p.Header)
			}
			return pdftest.Text(t, []byte(p.Body))
		}
		inOrder := func(text string, parts ...string) {
			t.Helper()
			at := 0
			for _, part := range parts {
				n := strings.Index(text[at:], part)
				if n < 0 {
					t.Fatalf("no %q behind %q in %s", part, text[:at], text)
				}
				at += n
			}
		}
		inOrder(letter("/admin/letterheads/2/preview"), "Office of Admissions", "1 North Road", "Northfield University",
			"Ilse Varga", "Conditionally accepted", "IBAN 123", "Register 456", "Page 1 of 1")
		if text := letter("/admin/letterheads/1/preview"); strings.Contains(text, "Plain") {
			t.Error("the name of a letterhead stands on the letter: ", text)
		}
		list := staff.Open("/admin/letterheads")
		if text := list.Text("main"); !strings.Contains(text, "Office of Admissions · 1 North Road") ||
			!strings.Contains(text, "IBAN 123 · Register 456") || !strings.Contains(text, "PNG") {
			t.Error(text)
		}
		saved(t, staff.Open("/admin/letterheads/2").SubmitFile("logo", "", ""))
		page = saved(t, staff.Open("/admin/letterheads/2").SubmitFile("logo", "logo.jpg", photo, "head", "Office"))
		if logo := staff.Open("/admin/letterheads/2/logo"); logo.Header.Get("Content-Type") != "image/jpeg" {
			t.Error(logo.Header)
		}
		inOrder(letter("/admin/letterheads/2/preview"), "Office", "Northfield University")
		saved(t, page.SubmitFile("logo", "", "", "without", "yes"))
		if logo := staff.Open("/admin/letterheads/2/logo"); logo.Status != 404 {
			t.Error(logo.Status)
		}
		d.Put("INSERT INTO offer (id, application_id, applicant_id, course_id, intake_id, institution_id, priority, inserted, " +
			"type_id, decision, subject, comments) VALUES (71, 12, 2, 55, 8, 1, 1, 1, 15, 'None', 'Welcome', 'Dear %applicant-Name%')")
		made, err := d.Services.Admissions.CreateLetter(t.Context(), servicestest.Staff(), 12, 71, 2)
		d.Must(err)
		if made.Letterhead != 2 {
			t.Errorf("%+v", made)
		}
		inOrder(letter(fmt.Sprintf("/admin/offers/71/files/%d", made.Attachment)), "Office", "Bo Dijk", "Welcome",
			"Dear Bo Dijk",
			"IBAN 123")
		got := strings.Join(d.Since(began), ", ")
		if want := "Letterhead was created: 2, Letterhead was edited: 2, Letterhead was edited: 2, Offer letter was generated, " +
			"Offer attachment was added"; got != want {
			t.Error(got)
		}
		d.Chained()
	})
}

// What is wrong with a letterhead is said at its field, with everything typed still there, and nothing is stored.
func TestLetterheadFaults(t *testing.T) {
	servicestest.BySize(t, func(t *testing.T, d *servicestest.Desk) {
		i := sitetest.On(d)
		d.Must(d.Store.Seed(t.Context(), "Northfield University", 2026))
		staff := i.Staff(i.Superuser("Mara Lind"))
		began := len(d.Journal())
		_, photo := pictures(t)
		for _, c := range []struct{ field, name, head, foot, file, says string }{
			{"name", "", "Head", "Foot", photo, "Fill this in"},
			{"name", strings.Repeat("x", 101), "Head", "Foot", photo, "at most 100"},
			{"head", "Office", strings.Repeat("x", 501), "Foot", photo, "at most 500"},
			{"head", "Office", strings.Repeat("x\n", 6) + "x", "Foot", photo, "at most 6 lines"},
			{"foot", "Office", "Head", strings.Repeat("x\n", 6) + "x", photo, "at most 6 lines"},
			{"logo", "Office", "Head", "Foot", "<svg/>", "PNG"},
			{"logo", "Office", "Head", "Foot", strings.Repeat("x", 70_000), "64"},
		} {
			for _, path := range []string{"/admin/letterheads/new", "/admin/letterheads/1"} {
				page := staff.Open(path).SubmitFile("logo", "logo.png", c.file, "name", c.name, "head", c.head, "foot",
					c.foot)
				if said := page.Text("#f-" + c.field + "-error"); page.Status != 422 || !strings.Contains(said,
					c.says) ||
					len(page.Errors()) != 1 {
					t.Errorf("%s %s: %d %q %q", path, c.says, page.Status, said, page.Errors())
				}
				if page.Find("#f-name").AttrOr("value", "") != c.name || page.Find("#f-head").Text() != c.head ||
					page.Find("#f-foot").Text() != c.foot {
					t.Errorf("%s %s: what was typed is gone", path, c.says)
				}
			}
		}
		page := staff.Open("/admin/letterheads/new").SubmitFile("logo", "logo.png", "<svg/>", "name", "")
		if errors := page.Errors(); len(errors) != 2 {
			t.Errorf("name and logo are not refused at once: %q", errors)
		}
		if n := d.Number("SELECT count(*) FROM letterhead WHERE id > 1 OR head <> '' OR logo IS NOT NULL"); n != 0 ||
			len(d.Journal()) != began {
			t.Error("something was stored")
		}
		if p := staff.Open("/admin/letterheads/9"); p.Status != 404 {
			t.Error(p.Status)
		}
		few := i.Staff(i.Administrator("Olu Brandt", admitto.OffersEdit, admitto.OffersView))
		for _, path := range []string{"", "/new", "/1", "/1/logo", "/1/preview"} {
			if p := few.Open("/admin/letterheads" + path); p.Status != 403 {
				t.Error(path, p.Status)
			}
		}
		// Two who edit the same one see what the other has saved.
		mine := i.Staff(i.Superuser("Ada Wolf")).Open("/admin/letterheads/1")
		saved(t, i.Staff(i.Superuser("Kim Adeyemi")).Open("/admin/letterheads/1").SubmitFile("logo", "", "", "head",
			"Theirs"))
		if p := mine.SubmitFile("logo", "", "", "head", "Mine"); p.Status != 422 || !strings.Contains(p.Text("main"),
			"Kim Adeyemi") || !strings.Contains(p.Text("main"), "Theirs") {
			t.Error(fmt.Sprint(p.Status), p.Text("main"))
		}
	})
}
