package portal_test

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"io"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/site/sitetest"
)

// small is a PDF that counts as one.
const small = "%PDF-1.7\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF\n"

// long is a PDF of as many bytes.
func long(size int) string {
	return (small[:20] + strings.Repeat("0123456789abcdef", size/16))[:size-len(small)] + small
}

// heic is the beginning of a photograph of an iPhone.
const heic = "\x00\x00\x00\x18ftypheic\x00\x00\x00\x00mif1heic"

// lying is a photograph that a phone took upright: its lines are columns, and its metadata says so.
func lying(t *testing.T) string {
	t.Helper()
	picture := image.NewGray(image.Rect(0, 0, 400, 300))
	for y := range 300 {
		picture.SetGray(0, y, color.Gray{Y: 255})
	}
	var out bytes.Buffer
	if err := jpeg.Encode(&out, picture, nil); err != nil {
		t.Fatal(err)
	}
	exif := "Exif\x00\x00MM\x00\x2a\x00\x00\x00\x08\x00\x01\x01\x12\x00\x03\x00\x00\x00\x01\x00\x06\x00\x00\x00\x00\x00\x00"
	return "\xff\xd8\xff\xe1\x00" + string(rune(len(exif)+2)) + exif + out.String()[2:]
}

// locked is a PDF that opens with a password only.
func locked(t *testing.T) string {
	t.Helper()
	content, err := os.ReadFile("../filekind/testdata/pdf/closed-r6.pdf")
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}

// applying is somebody who has begun an application, and the address of its documents.
func applying(t *testing.T, i *sitetest.Instance, email string) (id int64, own *sitetest.Visitor, address string) {
	t.Helper()
	i.Must(i.Store.Seed(t.Context(), "Northfield", 2026))
	season(i)
	i.Put("UPDATE task_template SET active = FALSE", "UPDATE consent SET type = 'Voluntary'")
	at(i, time.Date(2031, 5, 1, 12, 0, 0, 0, time.UTC))
	i.Keep()
	id, own = begun(t, i, email)
	return id, own, fmt.Sprintf("/my/applications/%d/documents", id)
}

// TestDocuments sends good and bad files at once: the good ones are added and the others say what to do. Sent once more
// the form adds nothing. A document is replaced and removed until the application is submitted; later files are added
// only (screens.md P11, lifecycle.md T21).
func TestDocuments(t *testing.T) {
	bySize(t, func(t *testing.T, i *sitetest.Instance) {
		id, own, address := applying(t, i, "ilse@example.org")
		page := own.Open(address)
		want(t, page, address, "at most 10.0 MB")
		if page.Find("input[type=file][multiple]").Length() != 1 {
			t.Error("one file at a time")
		}
		count := func() int64 {
			return i.Number(fmt.Sprintf("SELECT count(*) FROM document WHERE application_id = %d AND trashed IS NULL", id))
		}
		files := []string{"transcript.pdf", small, "IMG_1.heic", heic, "scan.jpg", lying(t), "nothing.pdf", "", "bank.pdf",
			locked(t), "film.pdf", "\x00\x00\x00\x18ftypmp42\x00\x00\x00\x00", "huge.pdf", small + strings.Repeat("x", 10<<20),
			"my%22own%22notes.txt", "Hello", "torn.pdf", small[:20]}
		page = page.SubmitFiles("file", files)
		said := strings.Join(page.Errors(), "\n")
		for _, words := range []string{"IMG_1.heic: This photograph is in the format HEIC", "nothing.pdf: This file is empty",
			"bank.pdf: This file opens with a password only", "film.pdf: This kind of file is not taken",
			"huge.pdf: This file is larger than 10.0 MB", "torn.pdf: The end of this file is missing"} {
			if !strings.Contains(said, words) {
				t.Errorf("%q is not in %s", words, said)
			}
			if at := page.Text("#f-file-error"); !strings.Contains(at, words) {
				t.Errorf("%q is not at the field: %s", words, at)
			}
		}
		if len(page.Errors()) != 6 || count() != 3 || i.Count("stash_file") != 0 {
			t.Errorf("%d faults, %d documents, %d files wait", len(page.Errors()), count(), i.Count("stash_file"))
		}
		text := page.Text("main")
		for _, words := range []string{"3 documents were added.", "transcript.pdf", "scan.jpg", `my"own"notes.txt`} {
			if !strings.Contains(text, words) {
				t.Errorf("%q is not in %s", words, text)
			}
		}
		again := own.Open(address)
		again.SubmitFiles("file", files[:4])
		want(t, again.SubmitFiles("file", files[:4]), address, "This was already saved.")
		if count() != 4 {
			t.Errorf("%d documents", count())
		}
		if page := own.Open(address).Submit("Upload"); strings.Join(page.Errors(), "") != "Choose a file first." {
			t.Error(page.Errors())
		}

		// Replacing keeps the place.
		first := i.Number(fmt.Sprintf("SELECT min(id) FROM document WHERE application_id = %d", id))
		replace := fmt.Sprintf("%s/%d/replace", address, first)
		if page := own.Open(replace).SubmitFile("file", "IMG_1.heic", heic); len(page.Errors()) != 1 || count() != 4 {
			t.Error(page.Errors(), count())
		}
		events := i.Number("SELECT max(id) FROM journal")
		want(t, own.Open(replace).SubmitFile("file", "better.pdf", small+"%"), address, "better.pdf is in the place of")
		if text := own.Open(address).Text("main"); strings.Count(text, "Show transcript.pdf") != 1 || count() != 4 {
			t.Error(count(), text)
		}
		if n := i.Number("SELECT count(*) FROM journal WHERE id > $1 AND pattern IN ($2, $3)", events,
			string(admitto.DocumentRemoved), string(admitto.DocumentUploaded)); n != 2 {
			t.Errorf("%d events", n)
		}
		_, other := signedIn(t, i, "else@example.org")
		if page := other.Open(replace); page.Status != 404 {
			t.Error(page.Status)
		}

		// After the submission files are added, and nothing else.
		i.Put(fmt.Sprintf("UPDATE application SET status = 'Submitted' WHERE id = %d", id))
		page = own.Open(address)
		if text := page.Text("main"); strings.Contains(text, "Replace") || strings.Contains(text, "Remove") {
			t.Error(text)
		}
		want(t, page.SubmitFiles("file", []string{"late.pdf", small}), address, "late.pdf was added.")
		last := i.Number(fmt.Sprintf("SELECT max(id) FROM document WHERE application_id = %d", id))
		happened := own.Open(fmt.Sprintf("/my/applications/%d", id)).Text("main")
		for _, words := range []string{"The document scan.jpg was added", "The document transcript.pdf was removed",
			"The document better.pdf was added"} {
			if !strings.Contains(happened, words) {
				t.Errorf("%q is not in %s", words, happened)
			}
		}
		for _, end := range []string{"/replace", "/remove"} {
			if page := own.Open(fmt.Sprintf("%s/%d%s", address, last, end)); strings.Contains(page.Text("main"), "Choose") {
				t.Error(page.Text("main"))
			}
		}
	})
}

// TestTenDocuments sends ten files at once, and one too many: the first ten are added, and the last one is named.
func TestTenDocuments(t *testing.T) {
	bySize(t, func(t *testing.T, i *sitetest.Instance) {
		_, own, address := applying(t, i, "ten@example.org")
		var files []string
		for n := range 11 {
			files = append(files, fmt.Sprintf("page %d.pdf", n), fmt.Sprintf("%s%%%d", small, n))
		}
		page := own.Open(address).SubmitFiles("file", files)
		if said := strings.Join(page.Errors(), " "); page.Status != 422 || i.Count("document") != 10 ||
			!strings.Contains(said, "At most 10 files") || !strings.Contains(said, "Not sent: page 10.pdf.") {
			t.Error(page.Status, i.Count("document"), page.Text("main"))
		}
		want(t, own.Open(address).SubmitFiles("file", files[:20]), address, "10 documents were added.")
		// After the end of the session those that were kept come back, and the others are named.
		applicant := i.Number("SELECT max(id) FROM applicant")
		page = own.Open(address)
		i.Put("DELETE FROM session")
		page.SubmitFiles("file", files)
		want(t, i.Applicant(applicant).Open(address), address, "Not kept: page 10.pdf. Choose them again.")
	})
}

// TestMaxBytes follows the setting: one fact for the words, the form and the use case.
func TestMaxBytes(t *testing.T) {
	bySize(t, func(t *testing.T, i *sitetest.Instance) {
		_, own, address := applying(t, i, "large@example.org")
		staff := i.Staff(i.Superuser("Hana Yildiz"))
		set := func(most int) {
			t.Helper()
			page := staff.Open("/admin/settings/applications").Submit("Save", "documents.max_bytes", fmt.Sprint(most))
			if page.Errors() != nil {
				t.Fatal(page.Errors())
			}
		}
		large := long(11 << 20)
		set(12 << 20)
		page := own.Open(address)
		want(t, page, address, "at most 12.0 MB")
		want(t, page.SubmitFiles("file", []string{"large.pdf", large}), address, "large.pdf was added.")
		set(1000)
		page = own.Open(address)
		want(t, page, address, "at most 1 KB")
		if page = page.SubmitFiles("file", []string{"a.pdf", small + strings.Repeat("x", 2000)}); !strings.Contains(
			strings.Join(page.Errors(), ""), "larger than 1 KB") {
			t.Error(page.Errors())
		}
	})
}

// TestPhoto keeps a photo, shows it, replaces it and takes it away; staff see it on the card (screens.md P12).
func TestPhoto(t *testing.T) {
	bySize(t, func(t *testing.T, i *sitetest.Instance) {
		i.Keep()
		id, own := signedIn(t, i, "ilse@example.org")
		i.Put(fmt.Sprintf("UPDATE applicant SET citizenship = 'PT' WHERE id = %d", id))
		picture := func(w, h int) string {
			var out bytes.Buffer
			i.Must(jpeg.Encode(&out, image.NewGray(image.Rect(0, 0, w, h)), nil))
			return out.String()
		}
		if page := own.Open("/my/photo/file"); page.Status != 404 {
			t.Errorf("%d without a photo", page.Status)
		}
		if page := own.Open("/my/photo").Submit("Save photo"); strings.Join(page.Errors(), " ") != "Choose a picture." {
			t.Error(page.Errors())
		}
		for words, content := range map[string]string{"This is no JPEG or PNG picture.": "Hello",
			"This file is empty.":          "",
			"Choose one with at least 200": picture(100, 300), "cannot be read to its end": picture(300, 300)[:900]} {
			page := own.Open("/my/photo").SubmitFile("photo", "me.jpg", content)
			if !strings.Contains(strings.Join(page.Errors(), " "), words) || i.Count("applicant_photo") != 0 ||
				strings.Contains(own.Open("/my/photo").Text("main"), "me.jpg") {
				t.Errorf("%s: %s", words, page.Errors())
			}
		}
		page := own.Open("/my/photo").SubmitFile("photo", "me.jpg", picture(300, 400))
		want(t, page, "/my/photo", "Your photo was saved.")
		i.Put("CREATE TABLE before AS SELECT hash FROM applicant_photo")
		at, _ := page.Find("main img").Attr("src")
		if file := own.Open(at); file.Status != 200 || !strings.HasPrefix(file.Body, "\xff\xd8\xff") {
			t.Errorf("%s: %d", at, file.Status)
		}
		want(t, own.Open("/my/photo").SubmitFile("photo", "me.jpg", picture(400, 400)), "/my/photo", "saved")
		if i.Count("applicant_photo p JOIN before b ON b.hash = p.hash") != 0 ||
			i.Count("loose_file l JOIN before b ON b.hash = l.hash") != 1 {
			t.Error("the photo before is kept")
		}
		_, other := signedIn(t, i, "other@example.org")
		i.Put("UPDATE applicant SET citizenship = 'PT'")
		if page := other.Open("/my/photo/file"); page.Status != 404 {
			t.Errorf("%d for somebody else", page.Status)
		}
		asked := own.Open("/my/photo/remove")
		want(t, asked, "/my/photo/remove", "It cannot be brought back")
		if own.Open("/my/photo/file").Status != 200 {
			t.Error("the photo is gone before anybody confirmed it")
		}
		want(t, asked.Submit("Remove the photo"), "/my/photo", "Your photo was removed.")
		want(t, own.Open("/my/photo/remove"), "/my/photo", "Save photo") // pressed in another tab
		if page := own.Open("/my/photo"); i.Count("applicant_photo") != 0 || page.Find("main img").Length() != 0 {
			t.Error("the photo is still there")
		}
		if n := i.Count("journal WHERE pattern LIKE 'Applicant photo was %'"); n != 3 {
			t.Errorf("%d records", n)
		}
	})
}

// ahead is a request of the protocol of uploads, as a script of the page sends it.
func ahead(t *testing.T, v *sitetest.Visitor, method, path string, body io.Reader, headers ...string) *sitetest.Page {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), method, path, body)
	r.Header.Set("Tus-Resumable", "1.0.0")
	r.Header.Set("Sec-Fetch-Site", "same-origin")
	for n := 0; n+1 < len(headers); n += 2 {
		if r.Header.Set(headers[n], headers[n+1]); headers[n+1] == "" {
			r.Header.Del(headers[n])
		}
	}
	return v.Send(r)
}

// about is what an upload of a file into the form of a page begins with.
func about(page *sitetest.Page, name string) string {
	pair := func(key, value string) string { return key + " " + base64.StdEncoding.EncodeToString([]byte(value)) }
	return strings.Join([]string{pair("of", sitetest.Typed(page.Find("form[enctype]")).Get("of")), pair("field", "file"),
		pair("filename", name), pair("filetype", "application/pdf")}, ",")
}

// begin begins an upload of so many bytes into the form of a page.
func begin(t *testing.T, v *sitetest.Visitor, page *sitetest.Page, size string, headers ...string) *sitetest.Page {
	t.Helper()
	return ahead(t, v, "POST", "/my/uploads", nil, append([]string{"Upload-Length", size, "Upload-Metadata",
		about(page, "a.pdf")}, headers...)...)
}

// TestUploadGoesOn sends a file of 10 MB ahead of its form; the line breaks in the middle, the page is loaded again,
// and the rest is sent. Then the form adds it. Nobody else can go on with it (screens.md P11, U8).
func TestUploadGoesOn(t *testing.T) {
	bySize(t, func(t *testing.T, i *sitetest.Instance) {
		id, own, address := applying(t, i, "broken@example.org")
		whole := long(10 << 20)
		page := own.Open(address)
		begun := ahead(t, own, "POST", "/my/uploads", nil, "Upload-Length", fmt.Sprint(len(whole)), "Upload-Metadata",
			about(page, `C:\Scans\record.pdf`))
		place := begun.Header.Get("Location")
		if begun.Status != 201 || !strings.HasPrefix(place, "/my/uploads/") {
			t.Fatal(begun.Status, place)
		}
		offset := func() string {
			return ahead(t, own, "HEAD", place, nil).Header.Get("Upload-Offset")
		}
		patch := func(v *sitetest.Visitor, at int, body io.Reader, headers ...string) *sitetest.Page {
			return ahead(t, v, "PATCH", place, body, append([]string{"Content-Type", "application/offset+octet-stream",
				"Upload-Offset", fmt.Sprint(at)}, headers...)...)
		}
		half := len(whole)/2 + 7
		patch(own, 0, io.MultiReader(strings.NewReader(whole[:half]), iotest.ErrReader(errors.New("the line broke"))))
		if got := offset(); got != fmt.Sprint(half) {
			t.Fatalf("%s of %d bytes are here", got, half)
		}
		_, other := signedIn(t, i, "else@example.org")
		rest := func() io.Reader { return strings.NewReader(whole[half:]) }
		for name, c := range map[string]struct {
			got    *sitetest.Page
			status int
		}{
			"somebody else":     {patch(other, half, rest()), 404},
			"nobody":            {patch(i.Visitor(), half, rest()), 401},
			"another site":      {patch(own, half, rest(), "Sec-Fetch-Site", "cross-site"), 403},
			"another place":     {patch(own, half-1, rest()), 409},
			"no place":          {patch(own, 0, rest(), "Upload-Offset", "-1"), 400},
			"a form":            {patch(own, half, rest(), "Content-Type", "text/plain"), 415},
			"another protocol":  {patch(own, half, rest(), "Tus-Resumable", "0.2"), 412},
			"too much":          {begin(t, own, page, "99999999"), 413},
			"no length":         {begin(t, own, page, ""), 400},
			"a strange length":  {begin(t, own, page, "1e3"), 400},
			"no form":           {begin(t, own, page, "1", "Upload-Metadata", ""), 400},
			"a broken text":     {begin(t, own, page, "1", "Upload-Metadata", "of !"), 400},
			"a form of others":  {begin(t, other, page, "1"), 403},
			"from another site": {begin(t, own, page, "1", "Sec-Fetch-Site", "cross-site"), 403},
			"reading":           {ahead(t, own, "GET", place, nil), 405},
			"forgotten by all":  {ahead(t, other, "DELETE", place, nil), 404},
			"no such file":      {ahead(t, own, "HEAD", "/my/uploads/x", nil), 404},
			"nothing":           {begin(t, own, page, "0"), 422},
			"more than is left": {patch(own, half, strings.NewReader(whole[half:]+"x")), 413},
		} {
			if c.got.Status != c.status {
				t.Errorf("%s: %d", name, c.got.Status)
			}
		}
		if got := offset(); got != fmt.Sprint(half) || i.Count("stash_file") != 1 {
			t.Fatalf("%s bytes are here, %d files", got, i.Count("stash_file"))
		}
		page = own.Open(address)
		if item := page.Find("li[data-go-on]"); item.AttrOr("data-go-on", "") != place || item.AttrOr("data-name", "") !=
			"record.pdf" || !strings.Contains(page.Text(".files"), "50 % is here. Choose the same file again") {
			t.Error(page.Text("main"))
		}
		// What is not whole is not taken, and does not get lost.
		if page = page.Submit("Upload"); strings.Join(page.Errors(), "") != "Choose a file first." {
			t.Error(page.Errors())
		}
		done := patch(own, half, rest())
		if done.Status != 204 || done.Header.Get("Upload-Offset") != fmt.Sprint(len(whole)) {
			t.Fatal(done.Status, done.Header)
		}
		if more := patch(own, len(whole), strings.NewReader("x")); more.Status != 413 {
			t.Error(more.Status)
		}
		page = own.Open(address)
		if !strings.Contains(page.Text(".files"), "record.pdf 10.0 MB, not saved yet") {
			t.Error(page.Text("main"))
		}
		want(t, page.Submit("Upload"), address, "record.pdf was added.")
		file := i.Number(fmt.Sprintf("SELECT id FROM document WHERE application_id = %d", id))
		if got := own.Open(fmt.Sprintf("%s/%d", address, file)).Body; got != whole {
			t.Errorf("%d bytes came back of %d", len(got), len(whole))
		}
		// What turns out to be longer than was announced is forgotten: a part of a file is none.
		place = begin(t, own, own.Open(address), "3").Header.Get("Location")
		if text := own.Open(address).Text(".files"); !strings.Contains(text, "1 KB, nothing of it is here yet") {
			t.Error(text)
		}
		longer := patch(own, 0, io.MultiReader(strings.NewReader("four")))
		if then := ahead(t, own, "HEAD", place, nil); longer.Status != 413 || then.Status != 404 {
			t.Error(longer.Status, then.Status)
		}
		if i.Count("stash_file") != 0 || i.Count("stash_part") != 0 {
			t.Error("something waits still")
		}
		options := ahead(t, own, "OPTIONS", "/my/uploads", nil, "Tus-Resumable", "")
		if options.Status != 204 || options.Header.Get("Tus-Extension") != "creation,termination" {
			t.Error(options.Status, options.Header)
		}
	})
}

// TestUploadsOfForm sends ten files ahead, takes one back, and saves the others with one press; the bad one among them
// is named, and staff who look at the portal send nothing.
func TestUploadsOfForm(t *testing.T) {
	bySize(t, func(t *testing.T, i *sitetest.Instance) {
		_, own, address := applying(t, i, "many@example.org")
		page, places := own.Open(address), []string(nil)
		for n := range 10 {
			content := fmt.Sprintf("%s%%%d", small, n)
			if n == 4 {
				content = heic
			}
			begun := ahead(t, own, "POST", "/my/uploads", nil, "Upload-Length", fmt.Sprint(len(content)),
				"Upload-Metadata", about(page, fmt.Sprintf("page %d.pdf", n)))
			places = append(places, begun.Header.Get("Location"))
			ahead(t, own, "PATCH", places[n], strings.NewReader(content), "Content-Type",
				"application/offset+octet-stream", "Upload-Offset", "0")
		}
		if gone := ahead(t, own, "DELETE", places[9], nil); gone.Status != 204 {
			t.Error(gone.Status)
		}
		page = own.Open(address)
		if page.Find(".files li").Length() != 9 {
			t.Error(page.Text(".files"))
		}
		page = page.Submit("Remove page 8.pdf").Submit("Upload")
		said := page.Errors()
		if len(said) != 1 || !strings.HasPrefix(said[0], "page 4.pdf: This photograph is in the format HEIC") ||
			i.Count("document") != 7 || !strings.Contains(page.Text("main"), "7 documents were added.") {
			t.Error(said, i.Count("document"))
		}
	})
}

// TestSubmitWithUnsaved has a newer text and a file that were never saved when an application is to be submitted: the
// pages name both with a link, and the submission asks for a tick (screens.md P09, P14, U8).
func TestSubmitWithUnsaved(t *testing.T) {
	bySize(t, func(t *testing.T, i *sitetest.Instance) {
		id, own, documents := applying(t, i, "unsaved@example.org")
		fill(t, own, id)
		address := fmt.Sprintf("/my/applications/%d", id)
		motivation := address + "/form/motivation"
		page := own.Open(address + "/check")
		if text := page.Text("main"); strings.Contains(text, "Not saved yet") {
			t.Fatal(text)
		}
		// A page that was opened before is refused as well.
		own.Do("POST", "/my/draft", sitetest.TypedWith(own.Open(motivation), "content.general", "NEW TYPED"))
		begun := ahead(t, own, "POST", "/my/uploads", strings.NewReader(small), "Upload-Length", fmt.Sprint(len(small)),
			"Upload-Metadata", about(own.Open(documents), "diploma.pdf"), "Content-Type", "application/offset+octet-stream")
		if begun.Status != 201 {
			t.Fatal(begun.Status, begun.Body)
		}
		page = page.Submit("Submit application", "declared-0", "yes")
		if page.Status != 422 || i.Number("SELECT count(*) FROM application WHERE status = 'Submitted'") != 0 {
			t.Error(page.Status, page.Text("main"))
		}
		for _, p := range []*sitetest.Page{page, own.Open(address + "/check"), own.Open(address), own.Open("/my")} {
			if text := p.Text("main"); !strings.Contains(text, "Not saved yet") || !strings.Contains(text, "diploma.pdf") ||
				p.Find("main a[href='"+motivation+"']").Length() == 0 || p.Find("main a[href='"+documents+"']").Length() == 0 {
				t.Error(p.Path, text)
			}
		}
		if text := own.Open(motivation).Text("main textarea"); !strings.Contains(text, "NEW TYPED") {
			t.Error(text)
		}
		page = own.Open(address+"/check").Submit("Submit application", "declared-0", "yes", "without-unsaved", "yes")
		want(t, page, address+"/receipts/1", "Your application was submitted on")
	})
}

// TestPhotoFromApplication leads from the documents of an application to the photo and back.
func TestPhotoFromApplication(t *testing.T) {
	i := sitetest.Filled(t)
	_, own := atWork(t, i, "photo@example.org")
	documents := strings.Replace(own.Open("/my").Find("main a[href*='/form/']").AttrOr("href", ""), "/form/profile",
		"/documents", 1)
	link := own.Open(documents).Find("main a[href^='/my/photo']").AttrOr("href", "")
	page := own.Open(link)
	if back := page.Find("main a:contains('Cancel')").AttrOr("href", ""); back != documents {
		t.Errorf("back to %q", back)
	}
	var picture bytes.Buffer
	i.Must(jpeg.Encode(&picture, image.NewGray(image.Rect(0, 0, 300, 400)), nil))
	want(t, page.SubmitFile("photo", "me.jpg", picture.String()), documents, "Your photo was saved.")
}
