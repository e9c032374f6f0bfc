package filekind

import (
	"bytes"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/message"
	"github.com/bep/imagemeta"
	"github.com/gabriel-vasile/mimetype"
	"golang.org/x/image/draw"
)

// Bounds of a photo, in pixels. What is kept has the shape of a photo in a passport, 35 × 45 mm.
const (
	MostPhotoPixels = 50_000_000 // lifecycle.md 3.5
	LeastPhoto      = 200        // of the shorter side
	photoWidth      = 934
	photoHeight     = 1200 // resources.md 3.5
)

// Photo makes of a JPEG or PNG picture what is kept of it: its middle, upright, as JPEG without metadata. It takes some
// hundred megabytes for the largest picture that is allowed, so it should run once at a time.
func Photo(content []byte) ([]byte, error) {
	decode, head := png.Decode, png.DecodeConfig
	turned := 1
	switch {
	case bytes.HasPrefix(content, []byte("\x89PNG\r\n\x1a\n")):
	case bytes.HasPrefix(content, []byte("\xff\xd8\xff")):
		decode, head, turned = jpeg.Decode, jpeg.DecodeConfig, orientation(content)
	case isOneOf(mimetype.Detect(content), heic...):
		return nil, refused(message.Of("file-heic"))
	default:
		return nil, admitto.Refused(admitto.UnsupportedFormat, message.Of("photo-kind"))
	}
	size, err := head(bytes.NewReader(content))
	switch {
	case err != nil:
		return nil, admitto.Refused(admitto.UnsupportedFormat, message.Of("picture-broken"))
	case int64(size.Width)*int64(size.Height) > MostPhotoPixels:
		return nil, admitto.Refused(admitto.TooLarge, message.Of("photo-too-large", MostPhotoPixels/1_000_000))
	case min(size.Width, size.Height) < LeastPhoto:
		return nil, admitto.Refused(admitto.UnsupportedFormat, message.Of("photo-small", size.Width, size.Height, LeastPhoto))
	}
	picture, err := decode(bytes.NewReader(content))
	if err != nil {
		return nil, admitto.Refused(admitto.UnsupportedFormat, message.Of("picture-broken"))
	}
	var out bytes.Buffer
	err = jpeg.Encode(&out, passport(picture, turned), &jpeg.Options{Quality: 88})
	return out.Bytes(), err
}

// orientation is how a camera held the picture, as EXIF numbers it from 1 (upright) to 8; what is not known is upright.
func orientation(content []byte) int {
	found := 1
	_, _ = imagemeta.Decode(imagemeta.Options{R: bytes.NewReader(content), ImageFormat: imagemeta.JPEG,
		Sources:         imagemeta.EXIF,
		ShouldHandleTag: func(tag imagemeta.TagInfo) bool { return tag.Tag == "Orientation" && tag.Namespace == "IFD0" },
		HandleTag: func(tag imagemeta.TagInfo) error {
			if v, ok := tag.Value.(uint16); ok && v >= 1 && v <= 8 {
				found = int(v)
			}
			return imagemeta.ErrStopWalking
		}})
	return found
}

// passport cuts the middle out of a picture, makes it small and turns it upright. What is transparent becomes white.
func passport(picture image.Image, turned int) *image.RGBA {
	lying := turned >= 5 // its lines are columns of the upright picture
	width, height := photoWidth, photoHeight
	if lying {
		width, height = height, width
	}
	middle := centre(picture.Bounds(), width, height)
	if middle.Dx() < width { // never larger than it was
		width, height = middle.Dx(), middle.Dy()
	}
	// Twice the size is enough to make the final one of; the better way would take memory for each line of the original.
	if middle.Dx() > 2*width {
		smaller := image.NewRGBA(image.Rect(0, 0, 2*width, 2*height))
		draw.ApproxBiLinear.Scale(smaller, smaller.Bounds(), picture, middle, draw.Src, nil)
		picture, middle = smaller, smaller.Bounds()
	}
	small := image.NewRGBA(image.Rect(0, 0, width, height))
	draw.Draw(small, small.Bounds(), image.NewUniform(color.White), image.Point{}, draw.Src)
	draw.CatmullRom.Scale(small, small.Bounds(), picture, middle, draw.Over, nil)
	if turned == 1 {
		return small
	}
	upright := image.NewRGBA(image.Rect(0, 0, width, height))
	if lying {
		upright = image.NewRGBA(image.Rect(0, 0, height, width))
	}
	for y := range upright.Rect.Dy() {
		for x := range upright.Rect.Dx() {
			upright.SetRGBA(x, y, small.RGBAAt(source(turned, x, y, width-1, height-1)))
		}
	}
	return upright
}

// centre is the largest part in the middle of a picture with the shape of width and height.
func centre(r image.Rectangle, width, height int) image.Rectangle {
	w, h := r.Dx(), r.Dx()*height/width
	if h > r.Dy() {
		w, h = r.Dy()*width/height, r.Dy()
	}
	w, h = max(w, 1), max(h, 1)
	at := r.Min.Add(image.Pt((r.Dx()-w)/2, (r.Dy()-h)/2))
	return image.Rectangle{Min: at, Max: at.Add(image.Pt(w, h))}
}

// source is where a point of the upright picture lies in what the camera stored, whose last point is (right, bottom).
func source(turned, x, y, right, bottom int) (int, int) {
	switch turned {
	case 2:
		return right - x, y
	case 3:
		return right - x, bottom - y
	case 4:
		return x, bottom - y
	case 5:
		return y, x
	case 6:
		return y, bottom - x
	case 7:
		return right - y, bottom - x
	case 8:
		return right - y, x
	}
	return x, y
}
