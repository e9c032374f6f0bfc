package config

import (
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"strings"
)

// PublicURL is the public address: base_url, or else the address that the service listens on. addr is the
// one that was got, since port 0 becomes a real one only then.
func (s *Settings) PublicURL(addr net.Addr) string {
	if s.BaseURL != "" {
		return s.BaseURL
	}
	host, _, err := net.SplitHostPort(s.Listen)
	if err != nil {
		return "https://" + addr.String()
	}
	if ip, err := netip.ParseAddr(host); host == "" || err == nil && ip.IsUnspecified() {
		host = "localhost" // nobody can open 0.0.0.0
	}
	_, port, err := net.SplitHostPort(addr.String())
	if err != nil {
		return "https://" + addr.String()
	}
	return "https://" + net.JoinHostPort(host, port)
}

// MailServer is the mail server that was typed, else that of mail.smtp, to ask whether it takes mails.
func (s *Settings) MailServer(typed string) string {
	if typed != "" {
		return typed
	}
	return string(s.Mail.SMTP)
}

// WithDatabase returns the settings with another database.url, which is checked as any value of it.
func (s *Settings) WithDatabase(url string) (*Settings, error) {
	row, _ := Find("database.url")
	other := *s
	if err := row.kind.set(&other, url); err != nil {
		return nil, err
	}
	return &other, nil
}

// SQLitePath is the file of the SQLite database, or empty with PostgreSQL. A relative path counts from the
// data folder.
func (s *Settings) SQLitePath() string {
	path, ok := strings.CutPrefix(string(s.Database.URL), "sqlite:")
	switch path = strings.TrimPrefix(path, "//"); {
	case !ok:
		return ""
	case path == "":
		path = "admitto.db"
	}
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(s.Data, path)
}

// DatabaseFile is SQLitePath as it is from every folder.
func (s *Settings) DatabaseFile() string {
	path := s.SQLitePath()
	if abs, err := filepath.Abs(path); path != "" && err == nil {
		return abs
	}
	return path
}

// HasDatabaseFile reports whether the file of an SQLite database is there and has anything in it, for SQLite makes a
// database of an empty file as soon as it opens it; with PostgreSQL only the server knows.
func (s *Settings) HasDatabaseFile() bool {
	path := s.SQLitePath()
	if path == "" {
		return true
	}
	info, err := os.Stat(path)
	return err == nil && info.Size() > 0 || err != nil && !errors.Is(err, fs.ErrNotExist)
}

// StoreURL is the database as package store names it.
func (s *Settings) StoreURL() string {
	if path := s.SQLitePath(); path != "" {
		return "sqlite:" + path
	}
	return string(s.Database.URL)
}

// DatabaseName names the database for a person, without what is secret in its URL.
func (s *Settings) DatabaseName() string {
	if path := s.DatabaseFile(); path != "" {
		return path + " (SQLite)"
	}
	u, err := url.Parse(string(s.Database.URL))
	if err != nil { // not reached: the setting has been checked
		return "PostgreSQL"
	}
	q := u.Query()
	host := u.Host
	if host == "" {
		host = q.Get("host")
	}
	name := strings.TrimPrefix(u.Path, "/")
	if name == "" {
		name = q.Get("dbname")
	}
	text := strings.TrimSpace(fmt.Sprintf("%s at %s", name, host))
	if schema := q.Get("search_path"); schema != "" {
		text += ", schema " + schema
	}
	return text + " (PostgreSQL)"
}

// ContactEmail is the address that applicants write to, "" for none.
func (s *Settings) ContactEmail() string {
	if email := s.Portal.ContactEmail; email != "" || s.Mail.From == nil {
		return email
	}
	return s.Mail.From.Address
}
