package main

import (
	"fmt"
	"os"

	"github.com/admitto/admitto/internal/config"
	"github.com/admitto/admitto/internal/store"
)

// Only serve, migrate, demo and restore make a database (cli.md), and copy its target. All other commands work with an
// instance that is there and say which it is, since a command in an environment other than that of the service finds
// another one, or none.

// openExisting opens the database of an instance that is there, whose schema is this binary's, and names it on standard
// error. Where there is none it makes nothing. setting is what names the database: database.url, or a flag of the
// command.
func (a *app) openExisting(s *config.Settings, setting string) (*store.Store, error) {
	if err := mustExist(s, setting); err != nil {
		return nil, err
	}
	fmt.Fprintf(a.stderr, "Database: %s\n", s.DatabaseName())
	opened, err := store.Open(a.ctx, s.StoreURL(), store.Options{})
	if err == nil {
		if err = opened.Ready(a.ctx); err == nil {
			return opened, nil
		}
		opened.Close()
	}
	return nil, fmt.Errorf("%s, %s: %w", setting, s.DatabaseName(), err)
}

// mustExist refuses settings that name an SQLite database which is not there.
func mustExist(s *config.Settings, setting string) error {
	if s.HasDatabaseFile() {
		return nil
	}
	path := s.DatabaseFile()
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
