package config

import (
	"encoding/base64"
	"errors"
	"fmt"
	"net"
	"net/mail"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
)

// address is where to listen, host:port. The host may be empty, which means every address of the machine.
func address(field func(*Settings) *string, optional bool) kind {
	want := "an address and a port such as 127.0.0.1:8443, [::1]:8443 or :8443"
	if optional {
		want += ", or empty"
	}
	return of(field, want, func(text string) (string, error) {
		if text == "" && optional {
			return "", nil
		}
		host, port, err := net.SplitHostPort(text)
		if err != nil || !isPort(port, 0) {
			return "", errWrong
		}
		if host != "" && !isHost(host) {
			return "", errWrong
		}
		return text, nil
	})
}

func isPort(text string, min int) bool {
	n, err := strconv.Atoi(text)
	return err == nil && n >= min && n <= 65535 && strconv.Itoa(n) == text
}

// isHost reports whether the text is an IP address or looks like a host name.
func isHost(text string) bool {
	if _, err := netip.ParseAddr(text); err == nil {
		return true
	}
	if len(text) > 253 {
		return false
	}
	for label := range strings.SplitSeq(strings.TrimSuffix(text, "."), ".") {
		if label == "" || len(label) > 63 || label[0] == '-' || label[len(label)-1] == '-' {
			return false
		}
		for _, r := range label {
			if (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && r != '-' && r != '_' {
				return false
			}
		}
	}
	return true
}

// hasHost reports whether the URL has a host that can be one, and a port that can be one if any.
func hasHost(u *url.URL) bool {
	return isHost(u.Hostname()) && !strings.HasSuffix(u.Host, ":") && (u.Port() == "" || isPort(u.Port(), 1))
}

func baseURL(field func(*Settings) *string) kind {
	want := "https:// and a host without a path, such as https://apply.example.org"
	return of(field, want, func(text string) (string, error) {
		if text == "" {
			return "", nil
		}
		u, err := url.Parse(text)
		if err != nil || u.Scheme != "https" || !hasHost(u) || text != "https://"+u.Host {
			return "", errWrong
		}
		return text, nil
	})
}

// domains are the names that a certificate authority can check: no addresses and no wildcards.
func domains(field func(*Settings) *[]string) kind {
	want := "host names with commas between them, such as apply.example.org"
	return of(field, want, func(text string) (names []string, err error) {
		for _, name := range list(strings.ToLower(text)) {
			if _, err := netip.ParseAddr(name); err == nil || !isHost(name) {
				return nil, fmt.Errorf("%.60q is none", name)
			}
			names = append(names, strings.TrimSuffix(name, "."))
		}
		return names, nil
	})
}

// contact is an e-mail address without a name.
func contact(field func(*Settings) *string) kind {
	return of(field, "one e-mail address, or empty", func(text string) (string, error) {
		if a, err := mail.ParseAddress(text); text != "" && (err != nil || a.Address != text) {
			return "", errWrong
		}
		return text, nil
	})
}

func httpsURL(field func(*Settings) *string) kind {
	return of(field, "an address that begins with https://", func(text string) (string, error) {
		u, err := url.Parse(text)
		if err != nil || u.Scheme != "https" || !hasHost(u) || u.User != nil || u.Fragment != "" {
			return "", errWrong
		}
		return text, nil
	})
}

func databaseURL(field func(*Settings) *Secret) kind {
	want := "sqlite: (in the data folder), sqlite:PATH or postgres://user:password@host/name"
	return of(field, want, func(text string) (Secret, error) {
		if path, ok := strings.CutPrefix(text, "sqlite:"); ok {
			if strings.HasPrefix(path, "//") && !strings.HasPrefix(path, "///") || strings.ContainsAny(path, "?#") {
				return "", errWrong
			}
			return Secret(text), nil
		}
		return postgresURL(text)
	})
}

func replicaURL(field func(*Settings) *Secret) kind {
	return of(field, "postgres://user:password@host/name, or empty", func(text string) (Secret, error) {
		if text == "" {
			return "", nil
		}
		return postgresURL(text)
	})
}

// postgresURL also takes a socket's folder as ?host=/run/postgresql, as the driver does.
func postgresURL(text string) (Secret, error) {
	u, err := url.Parse(text)
	if err != nil || u.Scheme != "postgres" || u.Opaque != "" || u.Fragment != "" {
		return "", errWrong
	}
	if u.Host == "" && u.Query().Get("host") == "" || u.Host != "" && u.Hostname() == "" {
		return "", errWrong
	}
	return Secret(text), nil
}

func filesURL(field func(*Settings) *string) kind {
	return of(field, "s3://bucket?…, or empty", func(text string) (string, error) {
		if text == "" {
			return "", nil
		}
		u, err := url.Parse(text)
		if err != nil || u.Scheme != "s3" || u.Host == "" || u.User != nil || u.Path != "" && u.Path != "/" ||
			u.Fragment != "" {
			return "", errWrong
		}
		return text, nil
	})
}

func smtpURL(field func(*Settings) *Secret) kind {
	want := "smtp://user:password@host:587 (with ?tls=none where STARTTLS is not wanted), smtps://user:password@host:465, or empty"
	return of(field, want, func(text string) (Secret, error) {
		if text == "" {
			return "", nil
		}
		u, err := url.Parse(text)
		if err != nil || u.Scheme != "smtp" && u.Scheme != "smtps" || !hasHost(u) || u.Fragment != "" || u.Path != "" &&
			u.Path != "/" {
			return "", errWrong
		}
		if _, password := u.User.Password(); u.User != nil && (!password || u.User.Username() == "") {
			return "", errWrong // a user without a password is a forgotten password
		}
		if u.RawQuery != "" && (u.Scheme != "smtp" || u.RawQuery != "tls=none") {
			return "", errWrong
		}
		return Secret(text), nil
	})
}

// KeyBytes is the length of the instance key.
const KeyBytes = 32

// DecodeKeys returns the bytes of an instance key, or of the two that there are while it is being changed, one a line.
// Its error never quotes the text.
func DecodeKeys(text string) (keys [][]byte, err error) {
	for word := range strings.FieldsSeq(text) {
		key, err := base64.StdEncoding.DecodeString(word)
		if err != nil || len(key) != KeyBytes {
			return nil, errors.New("an instance key is 32 bytes in base64, 44 characters")
		}
		keys = append(keys, key)
	}
	if len(keys) == 0 || len(keys) > 2 {
		return nil, errors.New("there is one instance key, 44 characters of base64, or two while it is being changed")
	}
	return keys, nil
}

func instanceKeyKind(field func(*Settings) *Secret) kind {
	k := of(field, "32 bytes in base64 (openssl rand -base64 32), or empty", func(text string) (Secret, error) {
		if text == "" {
			return "", nil
		}
		if _, err := DecodeKeys(text); err != nil {
			return "", errWrong
		}
		return Secret(text), nil
	})
	k.several = true
	return k
}
