package main

import (
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"github.com/admitto/admitto/internal/store"
)

// Only serve, migrate, demo and restore make a database (cli.md), and copy its target. All other commands work with an
// instance that is there and say which it is, since a command in an environment other than that of the service finds
// another one, or none.

// openExisting opens the database of an instance that is there, whose schema is this binary's, and names it on standard
// error. Where there is none it makes nothing. setting is what names the database: database.url, or a flag of the command.
func (a *app) openExisting(s *Settings, setting string) (*store.Store, error) {
	if err := s.mustExist(setting); err != nil {
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
	return nil, fmt.Errorf("%s, %s: %w", setting, s.databaseName(), err)
}

// mustExist refuses settings that name an SQLite database which is not there.
func (s *Settings) mustExist(setting string) error {
	if s.hasDatabaseFile() {
		return nil
	}
	path := absolute(s.sqlitePath())
	fault := "there is no database at " + path
	if _, err := os.Stat(path); err == nil {
		fault += ", the file is empty"
	}
	if setting != databaseSetting {
		return fmt.Errorf("%s; name the one that is meant with %s", fault, setting)
	}
	return fmt.Errorf("%s; name the data folder of the service with --data or its settings file with --config. "+
		"A new instance is made by admitto serve, or by admitto migrate", fault)
}

// databaseSetting is what names the database of an instance.
const databaseSetting = "database.url"

// hasDatabaseFile reports whether the file of an SQLite database is there and has anything in it, for SQLite makes a database of
// an empty file as soon as it opens it; with PostgreSQL only the server knows.
func (s *Settings) hasDatabaseFile() bool {
	path := s.sqlitePath()
	if path == "" {
		return true
	}
	info, err := os.Stat(path)
	return err == nil && info.Size() > 0 || err != nil && !errors.Is(err, fs.ErrNotExist)
}

// absolute gives a path as it is from everywhere.
func absolute(path string) string {
	if abs, err := filepath.Abs(path); err == nil {
		return abs
	}
	return path
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
		return absolute(path) + " (SQLite)"
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
