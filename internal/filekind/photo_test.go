package filekind_test

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"strings"
	"testing"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/filekind"
)

// byteOrder is one of the two that EXIF has.
type byteOrder = binary.AppendByteOrder

// flag is a picture whose upper left quarter is red, as it looks upright; the rest is white.
func flag(w, h int) *image.RGBA {
	m := image.NewRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			c := color.RGBA{255, 255, 255, 255}
			if x < w/2 && y < h/2 {
				c = color.RGBA{255, 0, 0, 255}
			}
			m.SetRGBA(x, y, c)
		}
	}
	return m
}

// held is the flag as a camera stores it that was held in one of the eight ways, with where it was taken.
func held(t testing.TB, way uint16, order byteOrder) []byte {
	t.Helper()
	const w, h = 210, 270
	upright := flag(w, h)
	stored := image.NewRGBA(image.Rect(0, 0, w, h))
	if way >= 5 {
		stored = image.NewRGBA(image.Rect(0, 0, h, w))
	}
	for y := range h {
		for x := range w {
			at := map[uint16]image.Point{1: {x, y}, 2: {w - 1 - x, y}, 3: {w - 1 - x, h - 1 - y}, 4: {x, h - 1 - y},
				5: {y, x}, 6: {y, w - 1 - x}, 7: {h - 1 - y, w - 1 - x}, 8: {h - 1 - y, x}}[way]
			stored.SetRGBA(at.X, at.Y, upright.RGBAAt(x, y))
		}
	}
	var plain bytes.Buffer
	if err := jpeg.Encode(&plain, stored, nil); err != nil {
		t.Fatal(err)
	}
	return withOrientation(plain.Bytes(), way, order)
}

// withOrientation puts EXIF behind the first marker of a JPEG picture: how it was held, and the words of a place.
func withOrientation(picture []byte, way uint16, order byteOrder) []byte {
	mark := "II*\x00"
	if order == byteOrder(binary.BigEndian) {
		mark = "MM\x00*"
	}
	exif := append([]byte("Exif\x00\x00"), mark...)
	exif = order.AppendUint32(exif, 8)
	exif = order.AppendUint16(exif, 1)
	exif = order.AppendUint16(exif, 0x112) // Orientation, one short
	exif = order.AppendUint16(exif, 3)
	exif = order.AppendUint32(exif, 1)
	exif = order.AppendUint16(exif, way)
	exif = append(exif, 0, 0, 0, 0, 0, 0)
	exif = append(exif, "taken in Porto"...)
	out := append([]byte{}, picture[:2]...)
	out = append(out, 0xff, 0xe1)
	out = binary.BigEndian.AppendUint16(out, uint16(len(exif)+2))
	return append(append(out, exif...), picture[2:]...)
}

// TestPhoto turns a picture upright however the camera was held, and forgets where it was taken (screens.md P12).
func TestPhoto(t *testing.T) {
	for way := range uint16(8) {
		for _, order := range []byteOrder{binary.BigEndian, binary.LittleEndian} {
			kept, err := filekind.Photo(held(t, way+1, order))
			if err != nil {
				t.Fatal(way+1, err)
			}
			m, err := jpeg.Decode(bytes.NewReader(kept))
			if err != nil {
				t.Fatal(err)
			}
			if size := m.Bounds().Size(); size != image.Pt(210, 269) && size != image.Pt(209, 270) &&
				size != image.Pt(210, 270) {
				t.Errorf("%d: %v", way+1, size)
			}
			for at, red := range map[image.Point]bool{{30, 30}: true, {180, 30}: false, {30, 240}: false, {180, 240}: false} {
				if _, g, _, _ := m.At(at.X, at.Y).RGBA(); (g < 1<<14) != red {
					t.Errorf("held the way %d: %v is red: %t", way+1, at, !red)
				}
			}
			if bytes.Contains(kept, []byte("Exif")) || bytes.Contains(kept, []byte("Porto")) {
				t.Error("the metadata is there")
			}
		}
	}
}

// TestPhotoShape keeps the middle in one shape, at most so large, and shows white through what is transparent.
func TestPhotoShape(t *testing.T) {
	for _, of := range [][4]int{{1700, 1300, 934, 1200}, {200, 200, 155, 200}, {300, 900, 300, 385}} {
		kept, err := filekind.Photo(pictureOf(t, of[0], of[1], true))
		if err != nil {
			t.Fatal(of, err)
		}
		size, err := jpeg.DecodeConfig(bytes.NewReader(kept))
		if err != nil || size.Width != of[2] || size.Height != of[3] {
			t.Errorf("%v became %d × %d, %v", of, size.Width, size.Height, err)
		}
	}
	var clear bytes.Buffer
	if err := png.Encode(&clear, image.NewNRGBA(image.Rect(0, 0, 300, 300))); err != nil {
		t.Fatal(err)
	}
	kept, err := filekind.Photo(clear.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	m, err := jpeg.Decode(bytes.NewReader(kept))
	if err != nil {
		t.Fatal(err)
	}
	if r, _, _, _ := m.At(10, 10).RGBA(); r < 0xf000 {
		t.Error("what was transparent is dark")
	}
}

// badPhotos are what is refused, with the sentence that says why.
func badPhotos(t testing.TB) map[string][]byte {
	good := pictureOf(t, 300, 400, true)
	head := func(w, h uint32) []byte { // of a picture that is not there; its checksum is right
		lying := pictureOf(t, 10, 10, false)
		binary.BigEndian.PutUint32(lying[16:], w)
		binary.BigEndian.PutUint32(lying[20:], h)
		binary.BigEndian.PutUint32(lying[29:], crc32.ChecksumIEEE(lying[12:29]))
		return lying
	}
	return map[string][]byte{
		"photo-kind\x00empty":        nil,
		"photo-kind\x00text":         []byte("Hello"),
		"photo-kind\x00gif":          []byte("GIF89a\x01\x00\x01\x00"),
		"file-heic\x00heic":          []byte("\x00\x00\x00\x18ftypheic\x00\x00\x00\x00mif1heic"),
		"photo-kind\x00svg":          []byte("<svg xmlns='http://www.w3.org/2000/svg'/>"),
		"picture-broken\x00half":     good[:len(good)/2],
		"picture-broken\x00start":    good[:3],
		"picture-broken\x00headonly": head(300, 400),
		"photo-small\x00thumb":       pictureOf(t, 199, 400, true),
		"photo-too-large\x00bomb":    head(20_000, 20_000),
	}
}

// TestPhotoRefused tells of each what is wrong; a picture that says to be huge is not decoded.
func TestPhotoRefused(t *testing.T) {
	for name, content := range badPhotos(t) {
		want, _, _ := strings.Cut(name, "\x00")
		_, err := filekind.Photo(content)
		refusal, ok := err.(*admitto.Error) //nolint:errorlint // it comes as it is
		if !ok || refusal.Text.Code != want {
			t.Errorf("%q: %v", name, err)
		}
	}
}

// FuzzPhoto makes a photo of anything that has one.
func FuzzPhoto(f *testing.F) {
	for _, content := range badPhotos(f) {
		f.Add(content)
	}
	f.Add(held(f, 6, binary.BigEndian))
	f.Fuzz(func(t *testing.T, content []byte) {
		if size, _, err := image.DecodeConfig(bytes.NewReader(content)); err == nil && size.Width*size.Height > 4_000_000 {
			return // it would only take long
		}
		kept, err := filekind.Photo(content)
		if err != nil {
			return
		}
		if size, err := jpeg.DecodeConfig(bytes.NewReader(kept)); err != nil || max(size.Width, size.Height) > 1200 {
			t.Errorf("%d × %d, %v", size.Width, size.Height, err)
		}
	})
}
