package config

import "strings"

// Logo is the picture of the institution that is kept: the SHA-256 of its bytes in hexadecimal digits, and its kind,
// LogoPNG or LogoJPEG. The zero value is none.
type Logo struct{ Hash, Kind string }

// The kinds of a Logo, as its name ends.
const (
	LogoPNG  = "png"
	LogoJPEG = "jpg"
)

// LogoSetting is the setting that holds the Logo.
const LogoSetting = "portal.logo"

// String is the name of the picture, as the setting has it.
func (l Logo) String() string {
	if l == (Logo{}) {
		return ""
	}
	return l.Hash + "." + l.Kind
}

// ParseLogo reads the name of a picture that is kept.
func ParseLogo(text string) (Logo, error) {
	if text == "" {
		return Logo{}, nil
	}
	hash, kind, _ := strings.Cut(text, ".")
	if len(hash) != 64 || strings.Trim(hash, "0123456789abcdef") != "" || kind != LogoPNG && kind != LogoJPEG {
		return Logo{}, errWrong
	}
	return Logo{hash, kind}, nil
}

func logo(field func(*Settings) *Logo) kind {
	return of(field, "the name of a picture that was uploaded on the page of general settings, or empty", ParseLogo).
		as(ControlPicture)
}
