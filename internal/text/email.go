package text

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/idna"
	"golang.org/x/text/unicode/norm"

	"github.com/admitto/admitto/internal/message"
)

// hosts converts host names to ASCII by UTS 46, as browsers and mail programs look them up: non-transitional
// (ß stays ß), case and width folded. Hyphens in the third and fourth place are left alone: such names are
// in use, and the rule of resources.md 0.4 does not forbid them. It is never changed.
var hosts = idna.New(
	idna.MapForLookup(),
	idna.Transitional(false),
	idna.CheckHyphens(false),
	idna.BidiRule(),
)

// Characters that the local part of an address may not have: the specials of RFC 5322 without the dot. An
// apostrophe and braces are no specials; O'Brien has an address, too.
const localForbidden = `,;:"()<>[]\`

const (
	emailMax = 254 // the longest path of RFC 5321 without its angle brackets
	localMax = 64
	labelMax = 63

	// domainBytes is more than any domain of an acceptable address has. The time of the conversion to ASCII
	// grows with the square of the length, so longer ones are not converted.
	domainBytes = 4 * emailMax
)

// Email checks an e-mail address by resources.md 0.4 and returns it as it is stored and shown: trimmed, NFC,
// otherwise as sent. Compare addresses by EmailKey, never by this form.
func Email(s string) (shown string, err error) {
	shown, _, err = parseEmail(s)
	return shown, err
}

// EmailASCII checks an address as Email does and returns it with its domain in ASCII form, for the envelope
// of SMTP and for headers.
func EmailASCII(s string) (string, error) {
	shown, host, err := parseEmail(s)
	if err != nil {
		return "", err
	}
	return shown[:strings.IndexByte(shown, '@')+1] + host, nil
}

// EmailKey returns the normal form of an address in which addresses are unique and filters compare
// (lifecycle.md 2.1): trimmed, NFC, lower case, domain in ASCII form. It takes anything and never fails; a
// domain that has no ASCII form stays lower-cased.
func EmailKey(s string) string {
	s = trimNFC(s)
	at := strings.LastIndexByte(s, '@')
	if at < 0 {
		return lower(s)
	}
	local, domain := lower(s[:at]), s[at+1:]
	lowered := lower(domain)
	if len(lowered) > domainBytes {
		return local + "@" + lowered
	}
	// The domain goes in with the case it has: it must come out as it does for the envelope, and strings.ToLower
	// knows less about it (it takes the dot from İ).
	for _, candidate := range []string{domain, lowered} {
		if host, err := hosts.ToASCII(candidate); err == nil {
			return local + "@" + host
		}
	}
	return local + "@" + lowered
}

// lower returns lower case in NFC, which lower-casing alone may break: J with caron is one character only in
// lower case.
func lower(s string) string { return norm.NFC.String(strings.ToLower(s)) }

// parseEmail returns the address as shown and its domain in ASCII form.
func parseEmail(s string) (shown, host string, err error) {
	refuse := func(why message.Text) (string, string, error) {
		return "", "", message.Of("no-email", Quote(s), why)
	}
	if !utf8.ValidString(s) {
		return refuse(message.Of("email-not-utf8"))
	}
	shown = trimNFC(s)
	if utf8.RuneCountInString(shown) > emailMax {
		return refuse(message.Of("email-too-long", emailMax))
	}
	if strings.Count(shown, "@") != 1 {
		return refuse(message.Of("email-one-at"))
	}
	local, domain, _ := strings.Cut(shown, "@")
	if local == "" || len(local) > localMax {
		return refuse(message.Of("email-local-length", localMax))
	}
	for _, r := range local {
		if r <= ' ' || r > '~' || strings.ContainsRune(localForbidden, r) {
			return refuse(message.Of("email-local-character", Quote(string(r))))
		}
	}
	// Dots divide a local part into words, none of which is empty (RFC 5321 4.1.2): no mail server takes another.
	if slices.Contains(strings.Split(local, "."), "") {
		return refuse(message.Of("email-local-dots"))
	}
	if why := hostFault(domain); !why.IsZero() {
		return refuse(why)
	}
	host, err = hosts.ToASCII(domain)
	if err != nil {
		return refuse(message.Of("email-host-invalid", Quote(domain)))
	}
	for label := range strings.SplitSeq(host, ".") {
		if label == "" || len(label) > labelMax {
			return refuse(message.Of("email-host-part-length", labelMax))
		}
	}
	// The envelope carries the ASCII form, which is longer; better refused here than by every mail server.
	if len(local)+1+len(host) > emailMax {
		return refuse(message.Of("email-too-long-in-ascii", emailMax))
	}
	return shown, host, nil
}

// hostFault says what is wrong with a host name before conversion, if anything.
func hostFault(domain string) message.Text {
	if !strings.Contains(domain, ".") {
		return message.Of("email-host-dot")
	}
	for label := range strings.SplitSeq(domain, ".") {
		if label == "" {
			return message.Of("email-host-empty-part")
		}
		if label[0] == '-' || label[len(label)-1] == '-' {
			return message.Of("email-host-hyphen")
		}
		for _, r := range label {
			if !hostRune(r) {
				return message.Of("email-host-character", Quote(string(r)))
			}
		}
	}
	return message.Text{}
}

// hostRune tells letters, digits and hyphens. Marks count as letters, since the scripts of India cannot be
// written without them; what does not show (joiners, fillers, variation selectors) does not.
func hostRune(r rune) bool {
	if unicode.In(r, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector) {
		return false
	}
	return r == '-' || unicode.In(r, unicode.L, unicode.M, unicode.Nd)
}
