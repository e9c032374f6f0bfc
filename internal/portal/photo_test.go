package portal_test

import (
	"bytes"
	"fmt"
	"image"
	"image/jpeg"
	"strings"
	"testing"

	"github.com/admitto/admitto/internal/site/sitetest"
)

// TestPhoto keeps a photo, shows it, replaces it and takes it away; staff see it on the card (screens.md P12).
func TestPhoto(t *testing.T) {
	onBoth(t, func(t *testing.T, i *sitetest.Instance) {
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
			if !strings.Contains(strings.Join(page.Errors(), " "), words) || i.Count("applicant_photo") != 0 {
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
		want(t, own.Open("/my/photo").Submit("Remove the photo"), "/my/photo", "Your photo was removed.")
		if page := own.Open("/my/photo"); i.Count("applicant_photo") != 0 || page.Find("main img").Length() != 0 {
			t.Error("the photo is still there")
		}
		if n := i.Count("journal WHERE pattern LIKE 'Applicant photo was %'"); n != 3 {
			t.Errorf("%d records", n)
		}
	})
}
