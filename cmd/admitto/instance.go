package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"sync"
	"time"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/api"
	"github.com/admitto/admitto/internal/blob"
	"github.com/admitto/admitto/internal/config"
	"github.com/admitto/admitto/internal/links"
	"github.com/admitto/admitto/internal/mail"
	"github.com/admitto/admitto/internal/maintenance"
	"github.com/admitto/admitto/internal/pdf"
	"github.com/admitto/admitto/internal/seal"
	"github.com/admitto/admitto/internal/services"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/ui"
)

// instance is everything a command works with: the data folder, the database, the files, the services.
type instance struct {
	folder   *folder
	store    *store.Store
	files    *blob.Store
	mailer   mail.Mailer
	settings *config.Live
	services *services.Services
	key      seal.Key
	log      *slog.Logger
}

// open opens the database of the instance and reads the settings that administrators saved. The one who opens it
// must close it. With found the commands begin an instance that is not there yet, and bring the database to
// this binary's schema unless database.migrate is false; without it nothing is made.
func (a *app) open(found bool) (in *instance, err error) {
	in = &instance{}
	defer func() {
		if err != nil {
			in.close()
		}
	}()
	if found {
		err = in.found(a)
	} else if in.store, err = a.openExisting(a.settings, databaseSetting); err == nil {
		in.folder, err = folderAt(a.settings.Data)
	}
	if err != nil {
		return in, err
	}
	var saved map[string]string
	err = in.store.Read(a.ctx, func(tx *store.Tx) (err error) {
		saved, err = tx.SavedSettings()
		return err
	})
	if err != nil {
		return in, err
	}
	if saved, err = in.unsealed(a, saved); err != nil {
		return in, err
	}
	if err = a.complete(saved); err != nil {
		return in, err
	}
	in.log = newLogger(a.settings, a.stderr)
	if found {
		if err = in.store.Seed(a.ctx, a.settings.Instance.Name, academicYear(a)); err != nil {
			return in, err
		}
	}
	return in, in.openServices(a)
}

// unsealed opens the secrets among saved settings. Without any the instance key is not needed.
func (in *instance) unsealed(a *app, saved map[string]string) (map[string]string, error) {
	if !config.HaveSecrets(saved) {
		return saved, nil
	}
	raw, _, err := in.instanceKey(a)
	if err != nil {
		return nil, err
	}
	key := seal.KeyOf(raw...)
	if _, err := in.store.RememberKey(a.ctx, key.Fingerprints()...); err != nil { // the plainer reason
		return nil, err
	}
	return maintenance.OpenSettings(saved, key)
}

// found opens the database and makes what of the instance is not there yet.
func (in *instance) found(a *app) (err error) {
	if in.folder, err = openFolder(a.settings.Data); err != nil {
		return err
	}
	if in.store, err = a.openStore(store.Options{}); err != nil {
		return err
	}
	if a.settings.Database.Migrate {
		_, err = in.store.Migrate(a.ctx, false)
		return err
	}
	return in.store.Ready(a.ctx)
}

// academicYear is the current academic year, which begins on 1 September.
func academicYear(a *app) int {
	now := a.now().In(a.settings.Instance.Timezone)
	if now.Month() < time.September {
		return now.Year() - 1
	}
	return now.Year()
}

// openStore opens the database as it is.
func (a *app) openStore(o store.Options) (*store.Store, error) {
	s, err := store.Open(a.ctx, a.settings.StoreURL(), o)
	if err != nil {
		return nil, fmt.Errorf(databaseSetting+", %s: %w", a.settings.DatabaseName(), err)
	}
	return s, nil
}

// openServices makes the services on the open store.
func (in *instance) openServices(a *app) error {
	s := a.settings
	if err := in.openReplica(a); err != nil {
		return err
	}
	raw, made, err := in.instanceKey(a)
	if err != nil {
		return err
	}
	key := seal.KeyOf(raw...)
	in.key = key
	now, err := in.store.RememberKey(a.ctx, key.Fingerprints()...)
	if err != nil {
		return err
	}
	key.Use(now)
	if made {
		in.log.Info("the instance key was made; keep a copy of it apart from the database", "file", in.folder.file(keyFile))
	}
	if in.files, err = blob.Open(s.Files.URL, in.folder.file("files")); err != nil {
		return err
	}
	printer, err := pdf.New(s.PDF.Fonts)
	if err != nil {
		return err
	}
	live, outbox := config.NewLive(s), in.folder.file("outbox")
	in.settings = live
	in.mailer, err = mail.OpenLive(func() mail.Settings {
		now := live.Current()
		return mail.Settings{SMTP: string(now.Mail.SMTP), Outbox: outbox, Timeout: now.Mail.SyncTimeout}
	})
	if err != nil {
		return err
	}
	catalogue := sync.OnceValues(func() (*ui.Catalogue, error) {
		all, _, err := in.folder.texts() // what is wrong in them the pages tell
		return all, err
	})
	in.services = services.New(services.Needs{Store: in.store, Mailer: in.mailer, Files: in.files, Printer: printer,
		Key: key, Live: live, Sentences: sentences(catalogue, in.log), Words: words(catalogue, in.log),
		Links: links.At, Paths: api.Paths{}, Log: in.log})
	return in.store.RememberReceiptKey(a.ctx, in.services.Admissions.ReceiptKey())
}

// openReplica lets reports and tables be read from the replica, if there is one.
func (in *instance) openReplica(a *app) error {
	d := a.settings.Database
	if d.Replica == "" {
		return nil
	}
	return in.store.UseReplica(a.ctx, store.Replica{URL: string(d.Replica), Lag: d.Lag, Note: func(reason string) {
		if reason == "" {
			in.log.Info("reports and tables are read from the replica")
			return
		}
		in.log.Warn("reports and tables are read from the database itself and not from the replica", "cause", reason)
	}}, store.Options{})
}

// instanceKey returns the instance key, or two while it is being changed. It is made only for a database that has none
// yet: a new one would not open what another has sealed.
func (in *instance) instanceKey(a *app) (keys [][]byte, made bool, err error) {
	if a.settings.Instance.Key == "" {
		known, err := in.store.KnowsKey(a.ctx)
		if err != nil {
			return nil, false, err
		}
		if _, err := os.Stat(in.folder.file(keyFile)); known && errors.Is(err, fs.ErrNotExist) {
			return nil, false, fmt.Errorf("the instance key of this database is missing: put it back into %s, or give it as instance.key", in.folder.file(keyFile))
		}
	}
	return in.folder.instanceKey(a.settings.Instance.Key)
}

// At most as many mails leave at once as connections to the mail server are kept.
const _ = uint(mail.MaxConnections - config.MaxMailWorkers)

// close saves what an instance still has in memory, and closes its connections.
func (in *instance) close() {
	if in.services != nil {
		// The times of the last use of keys are collected in memory.
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		defer cancel()
		if err := in.services.Keys.SaveKeyUse(ctx, admitto.SystemCaller()); err != nil {
			in.log.Warn("when keys were last used could not be saved", "cause", err)
		}
	}
	if in.mailer != nil {
		in.mailer.Close()
	}
	if in.store != nil {
		in.store.Close()
	}
}
