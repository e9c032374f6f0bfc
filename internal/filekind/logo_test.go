package filekind_test

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/filekind"
)

func pictureOf(t testing.TB, w, h int, asJPEG bool) []byte {
	t.Helper()
	m := image.NewPaletted(image.Rect(0, 0, w, h), color.Palette{color.White, color.Black})
	out := &bytes.Buffer{}
	err := png.Encode(out, m)
	if asJPEG {
		out.Reset()
		err = jpeg.Encode(out, m, nil)
	}
	if err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// TestLogo takes pictures in two kinds, and refuses what is none, too large, cut off, or says that it is larger than it
// may be.
func TestLogo(t *testing.T) {
	t.Parallel()
	small, photo := pictureOf(t, 120, 40, false), pictureOf(t, 120, 40, true)
	lying := bytes.Clone(small) // its head says 100,000 pixels, and its checksum is right
	binary.BigEndian.PutUint32(lying[16:], 100_000)
	binary.BigEndian.PutUint32(lying[29:], crc32.ChecksumIEEE(lying[12:29]))
	noise := make([]byte, 500)
	random := rand.New(rand.NewPCG(1, 2))
	for i := range noise {
		noise[i] = byte(random.Uint32())
	}
	for name, c := range map[string]struct {
		content []byte
		kind    string
		code    string
	}{
		"png":               {small, "png", ""},
		"jpeg":              {photo, "jpg", ""},
		"least":             {pictureOf(t, 16, 16, false), "png", ""},
		"most":              {pictureOf(t, 2000, 2000, false), "png", ""},
		"nothing":           {nil, "", "logo-kind"},
		"text":              {[]byte("logo"), "", "logo-kind"},
		"svg":               {[]byte(`<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>`), "", "logo-kind"},
		"gif":               {[]byte("GIF89a" + strings.Repeat("\x10", 100)), "", "logo-kind"},
		"html":              {[]byte("<html><script>alert(1)</script>"), "", "logo-kind"},
		"noise":             {noise, "", "logo-kind"},
		"head of png alone": {small[:8], "", "picture-broken"},
		"png cut off":       {small[:len(small)-20], "", "picture-broken"},
		"jpeg cut off":      {photo[:len(photo)/2], "", "picture-broken"},
		"png and noise":     {append(bytes.Clone(small[:40]), noise...), "", "picture-broken"},
		"too narrow":        {pictureOf(t, 120, 15, false), "", "logo-size"},
		"too wide":          {pictureOf(t, 2001, 20, false), "", "logo-size"},
		"a head that lies":  {lying, "", "logo-size"},
		"too many bytes":    {append(bytes.Clone(small), make([]byte, filekind.MaxLogoBytes)...), "", "logo-too-large"},
	} {
		kind, err := filekind.Logo(c.content)
		e, _ := err.(*admitto.Error)
		if kind != c.kind || (c.code == "") != (err == nil) || c.code != "" && (e == nil || e.Text.Code != c.code) {
			t.Errorf("%s: %q %v", name, kind, err)
		}
	}
}

// FuzzLogo wants no panic, and no picture of more pixels than there may be.
func FuzzLogo(f *testing.F) {
	f.Add(pictureOf(f, 20, 20, false))
	f.Add(pictureOf(f, 20, 20, true))
	f.Fuzz(func(t *testing.T, content []byte) {
		if _, err := filekind.Logo(content); err != nil {
			return
		}
		head, _, err := image.DecodeConfig(bytes.NewReader(content))
		if err != nil || max(head.Width, head.Height) > filekind.MostLogo || len(content) > filekind.MaxLogoBytes {
			t.Errorf("%+v %v", head, err)
		}
	})
}
