package filekind_test

import (
	"bytes"
	"slices"
	"testing"

	"github.com/admitto/admitto/internal/filekind"
)

// TestCutOff refuses a picture whose end is missing, wherever it breaks off, and takes what some programs and phones
// write behind the end.
func TestCutOff(t *testing.T) {
	jpeg, png := pictureOf(t, 64, 64, true), pictureOf(t, 64, 64, false)
	// With a smaller picture in it, as cameras write one.
	thumbnail := []byte("\xff\xe1\x00\x0aExif\x00\x00\xff\xd9")
	withThumbnail := slices.Concat(jpeg[:2], thumbnail, jpeg[2:])
	webp := []byte("RIFF\x16\x00\x00\x00WEBPVP8 \x0a\x00\x00\x000123456789")
	for name, picture := range map[string][]byte{"JPEG": jpeg, "with a thumbnail": withThumbnail,
		"PNG": png, "WebP": webp} {
		for _, behind := range []string{"", "\n", "behind it " + string(make([]byte, 4000))} {
			all := slices.Concat(picture, []byte(behind))
			if err := whole(all); err != nil {
				t.Errorf("%s with %d bytes behind it: %v", name, len(behind), err)
			}
		}
		for n := 24; n < len(picture)-2; n++ {
			if err := whole(picture[:n]); codeOf(err) != "file-cut-off" {
				t.Fatalf("%s: %d bytes of %d: %v", name, n, len(picture), err)
			}
		}
	}
}

func whole(content []byte) error {
	kind, err := filekind.Of(bytes.NewReader(content), int64(len(content)))
	if err == nil {
		err = filekind.Whole(kind, bytes.NewReader(content), int64(len(content)))
	}
	return err
}
