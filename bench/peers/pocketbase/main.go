// Command pocketbase is the peer that the benchmark measures Admitto against: PocketBase as a library, with
// collections for the same records, the same rows in them, and a user that must sign in.
//
// It prints one line of JSON on standard output before it serves: the token of the user. Nothing of PocketBase is
// set otherwise than it comes, unless -durable asks for commits that are on disk.
package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"

	"github.com/pocketbase/dbx"
	"github.com/pocketbase/pocketbase"
	"github.com/pocketbase/pocketbase/apis"
	"github.com/pocketbase/pocketbase/core"
)

func main() {
	dir := flag.String("dir", "", "folder of the data; it must be new")
	source := flag.String("source", "", "admitto.db to take the rows from")
	listen := flag.String("listen", "127.0.0.1:8090", "where to serve HTTP")
	durable := flag.Bool("durable", false, "with PRAGMA synchronous=FULL, so that what is acknowledged is on disk")
	flag.Parse()
	if err := run(*dir, *source, *listen, *durable); err != nil {
		fmt.Fprintln(os.Stderr, "pocketbase:", err)
		os.Exit(1)
	}
}

func run(dir, source, listen string, durable bool) error {
	if dir == "" || source == "" {
		return errors.New("-dir and -source are needed")
	}
	config := pocketbase.Config{HideStartBanner: true, DefaultDataDir: dir}
	if durable {
		config.DBConnect = connectDurable
	}
	app := pocketbase.NewWithConfig(config)
	if err := app.Bootstrap(); err != nil {
		return err
	}
	if err := app.RunAllMigrations(); err != nil {
		return err
	}
	if err := makeCollections(app); err != nil {
		return fmt.Errorf("collections: %w", err)
	}
	if err := importRows(app, source); err != nil {
		return fmt.Errorf("import: %w", err)
	}
	token, err := createUser(app)
	if err != nil {
		return fmt.Errorf("user: %w", err)
	}
	if err := json.NewEncoder(os.Stdout).Encode(map[string]string{"token": token, "version": version()}); err != nil {
		return err
	}
	return apis.Serve(app, apis.ServeConfig{HttpAddr: listen})
}

// connectDurable is core.DefaultDBConnect with another PRAGMA synchronous.
func connectDurable(path string) (*dbx.DB, error) {
	return dbx.Open("sqlite", path+"?_pragma=busy_timeout(10000)&_pragma=journal_mode(WAL)"+
		"&_pragma=journal_size_limit(200000000)&_pragma=synchronous(FULL)&_pragma=foreign_keys(ON)"+
		"&_pragma=temp_store(MEMORY)&_pragma=cache_size(-32000)")
}

// createUser makes the user that the benchmark signs in as, and returns a token as signing in does. A superuser is
// made too, as PocketBase would ask a browser for one otherwise; nobody signs in as that.
func createUser(app core.App) (string, error) {
	var user *core.Record
	for _, name := range []string{core.CollectionNameSuperusers, "users"} {
		users, err := app.FindCollectionByNameOrId(name)
		if err != nil {
			return "", err
		}
		user = core.NewRecord(users)
		user.SetEmail("bench@example.org")
		user.SetPassword("a password of the benchmark")
		user.SetVerified(true)
		if err := app.Save(user); err != nil {
			return "", err
		}
	}
	return user.NewAuthToken()
}
