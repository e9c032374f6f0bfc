package main

import (
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"github.com/admitto/admitto/store"
)

// Only serve, migrate, demo and restore make a database (cli.md), and copy its target. All other commands work with an
// instance that is there and say which it is, since a command in an environment other than that of the service finds
// another one, or none.

// openExisting opens the database of an instance that is there, whose schema is this binary's, and names it on standard
// error. Where there is none it makes nothing.
func (a *app) openExisting(s *Settings) (*store.Store, error) {
	if err := a.mustExist(s); err != nil {
		return nil, err
	}
	fmt.Fprintf(a.stderr, "Database: %s\n", s.databaseName())
	opened, err := store.Open(a.ctx, s.storeURL(), store.Options{})
	if err == nil {
		if err = opened.Ready(a.ctx); err == nil {
			return opened, nil
		}
		opened.Close()
	}
	return nil, fmt.Errorf("database.url, %s: %w", s.databaseName(), err)
}

// mustExist refuses settings that name an SQLite database which is not there.
func (a *app) mustExist(s *Settings) error {
	if !s.hasDatabaseFile() {
		return fmt.Errorf("there is no database at %s; name the data folder of the service with --data or its settings file with --config. "+
			"A new instance is made by admitto serve, or by admitto migrate", s.sqlitePath())
	}
	return nil
}

// hasDatabaseFile reports whether the file of an SQLite database is there; with PostgreSQL only the server knows.
func (s *Settings) hasDatabaseFile() bool {
	path := s.sqlitePath()
	if path == "" {
		return true
	}
	_, err := os.Stat(path)
	return !errors.Is(err, fs.ErrNotExist)
}

// storeURL is the database as package store names it.
func (s *Settings) storeURL() string {
	if path := s.sqlitePath(); path != "" {
		return "sqlite:" + path
	}
	return string(s.Database.URL)
}

// databaseName names the database for a person, without what is secret in its URL.
func (s *Settings) databaseName() string {
	if path := s.sqlitePath(); path != "" {
		if abs, err := filepath.Abs(path); err == nil {
			path = abs
		}
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
