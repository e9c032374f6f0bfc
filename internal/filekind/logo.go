package filekind

import (
	"bytes"
	"image"
	"image/jpeg"
	"image/png"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/message"
)

// Bounds of a logo. Every first visit of the portal loads it.
const (
	MaxLogoBytes = 64 << 10
	LeastLogo    = 16   // pixels of a side
	MostLogo     = 2000 // pixels of a side
)

// Logo returns the kind of a picture that pages may show, "png" or "jpg". It decodes the picture, whose size its head
// says before; what a browser could run, such as SVG, is none.
func Logo(content []byte) (string, error) {
	if len(content) > MaxLogoBytes {
		return "", admitto.Refused(admitto.TooLarge, message.Of("logo-too-large", MaxLogoBytes>>10))
	}
	kind := ""
	var head image.Config
	var err error
	decode := png.Decode
	switch {
	case bytes.HasPrefix(content, []byte("\x89PNG\r\n\x1a\n")):
		kind = "png"
		head, err = png.DecodeConfig(bytes.NewReader(content))
	case bytes.HasPrefix(content, []byte("\xff\xd8\xff")):
		kind, decode = "jpg", jpeg.Decode
		head, err = jpeg.DecodeConfig(bytes.NewReader(content))
	default:
		return "", admitto.Refused(admitto.UnsupportedFormat, message.Of("logo-kind"))
	}
	if err == nil {
		if w, h := head.Width, head.Height; min(w, h) < LeastLogo || max(w, h) > MostLogo {
			return "", admitto.Refused(admitto.UnsupportedFormat, message.Of("logo-size", w, h, LeastLogo, MostLogo))
		}
		_, err = decode(bytes.NewReader(content))
	}
	if err != nil {
		return "", admitto.Refused(admitto.UnsupportedFormat, message.Of("picture-broken"))
	}
	return kind, nil
}
