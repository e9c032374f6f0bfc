package mail

import (
	"errors"
	"net"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
)

// security is how the connection to the mail server is encrypted.
type security int

const (
	startTLS security = iota
	implicitTLS
	noTLS
)

// target is the parsed value of mail.smtp.
type target struct {
	host, port     string
	user, password string
	security       security
}

func (t target) String() string {
	user := ""
	if t.user != "" {
		user = url.User(t.user).String() + "@"
	}
	address := user + net.JoinHostPort(t.host, t.port)
	switch t.security {
	case implicitTLS:
		return "smtps://" + address
	case noTLS:
		return "smtp://" + address + "?tls=none"
	}
	return "smtp://" + address
}

// Place says which server a mail.smtp means, and as whom, without the password; "" for a wrong value.
func Place(smtp string) string {
	t, err := parseTarget(smtp)
	if err != nil {
		return ""
	}
	return t.String()
}

// loopback reports whether the host is this machine, where a password may travel without encryption.
func (t target) loopback() bool {
	if strings.EqualFold(strings.TrimSuffix(t.host, "."), "localhost") {
		return true
	}
	ip, err := netip.ParseAddr(t.host)
	return err == nil && ip.Unmap().IsLoopback()
}

// parseTarget reads mail.smtp. None of its errors repeats a piece of the value: with a "/" or "#" in the
// password the parser takes the password for a port, a path or a query.
func parseTarget(value string) (target, error) {
	fault := func(right string) (target, error) {
		return target{}, errors.New("mail.smtp: " + right)
	}
	u, err := url.Parse(value)
	if err != nil {
		return fault("not an address of the form smtp://user:password@host:587 or smtps://user:password@host:465; " +
			"write special characters of the password as %XX, for example # as %23, / as %2F, @ as %40")
	}
	t := target{host: u.Hostname(), port: u.Port()}
	switch u.Scheme {
	case "smtp":
		t.security = startTLS
	case "smtps":
		t.security = implicitTLS
	default:
		return fault("must begin with smtp:// (encrypted by STARTTLS) or smtps:// (encrypted from the start)")
	}
	if u.Opaque != "" || t.host == "" {
		return fault("has no host; the form is smtp://user:password@host:587")
	}
	if !hostName(t.host) {
		return fault("the host must be a name in ASCII letters (xn--… for others) or an IP address, IPv6 in brackets")
	}
	if t.port == "" && !strings.HasSuffix(u.Host, ":") {
		t.port = map[security]string{startTLS: "587", implicitTLS: "465"}[t.security]
	}
	if n, err := strconv.Atoi(t.port); err != nil || n < 1 || n > 65535 {
		return fault("the port must be a number from 1 to 65535")
	}
	if (u.Path != "" && u.Path != "/") || u.Fragment != "" || strings.Contains(value, "#") {
		return fault("nothing but ?tls=none may follow the port; write / as %2F and # as %23 in a password")
	}
	if err := t.readQuery(u.RawQuery); err != nil {
		return target{}, err
	}
	if u.User != nil {
		t.user = u.User.Username()
		t.password, _ = u.User.Password()
		if t.user == "" || t.password == "" {
			return fault("needs both user and password before the @, or neither and no @")
		}
		if strings.ContainsFunc(t.user+t.password, isControl) {
			return fault("user and password must not hold control characters")
		}
		if t.security == noTLS && !t.loopback() {
			return fault("with tls=none a password may only be sent to this machine (localhost, 127.0.0.1, ::1); leave tls=none or the password away")
		}
	}
	return t, nil
}

func (t *target) readQuery(raw string) error {
	query, err := url.ParseQuery(raw)
	if err != nil || len(query) > 1 || (len(query) == 1 && len(query["tls"]) != 1) {
		return errors.New("mail.smtp: the only parameter is tls=none; write ? as %3F in a password")
	}
	if values := query["tls"]; len(values) == 1 {
		if values[0] != "none" || t.security != startTLS {
			return errors.New("mail.smtp: tls may only be none, and only with smtp://; without it the connection is encrypted")
		}
		t.security = noTLS
	}
	return nil
}

func hostName(host string) bool {
	if _, err := netip.ParseAddr(host); err == nil {
		return true
	}
	if len(host) > 253 || strings.HasPrefix(host, ".") || strings.HasPrefix(host, "-") || strings.Contains(host, "..") {
		return false
	}
	for i := 0; i < len(host); i++ {
		c := host[i]
		if !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '-' || c == '.' || c == '_') {
			return false
		}
	}
	return true
}
