package main

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/admitto/admitto/internal/admin"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/disk"
	"github.com/admitto/admitto/internal/mail"
	"github.com/admitto/admitto/internal/maintenance"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/web"
)

// checkCmd is `admitto check`.
type checkCmd struct{}

// Help is shown by --help.
func (*checkCmd) Help() string {
	return `Tries the database, the mail server, the store of files, the certificate, the clock and the space on the disk, and
reads the folder of texts where there is one: a line for each, beside a running service or without one. Exit status 1
when something is wrong. Nothing is sent to anybody.

Example:

    admitto check --config=/etc/admitto.toml`
}

// Run tries everything, whatever of it fails.
func (*checkCmd) Run(a *app) error {
	in, err := a.open(false)
	if err != nil {
		part := "database"
		if in.store != nil { // that could be opened
			part = "start"
		}
		fmt.Fprintf(a.stdout, "%s  wrong  %v\n", part, err)
		return &exit{code: 1}
	}
	defer in.close()
	table := tabwriter.NewWriter(a.stdout, 0, 0, 2, ' ', 0)
	wrong := 0
	for _, part := range []struct {
		name string
		try  func(*app, *instance) (string, error)
	}{{"database", tryDatabase}, {"mail", tryMailServer}, {"files", tryFiles}, {"certificate", tryCertificate},
		{"clock", tryClock}, {"space", trySpace}, {"texts", tryTexts}} {
		said, err := part.try(a, in)
		if said == "" && err == nil {
			continue
		}
		state := "ok"
		if err != nil {
			wrong++
			state, said = "wrong", err.Error()
		}
		fmt.Fprintf(table, "%s\t%s\t%s\n", part.name, state, said)
	}
	if err := table.Flush(); err != nil {
		return err
	}
	if wrong > 0 {
		return &exit{code: 1}
	}
	return nil
}

func tryDatabase(app *app, in *instance) (string, error) {
	return app.settings.DatabaseName(), in.store.Ready(app.ctx)
}

// tryMailServer signs in to the mail server and sends nothing.
func tryMailServer(app *app, in *instance) (string, error) {
	server, is := in.mailer.(mail.Trial)
	if app.settings.Mail.SMTP == "" || !is {
		return "no mail.smtp: mails are written to " + in.folder.file("outbox"), nil
	}
	ctx, cancel := context.WithTimeout(app.ctx, app.settings.Mail.SyncTimeout)
	defer cancel()
	return in.mailer.String(), server.Try(ctx)
}

// tryFiles tries the store of files.
func tryFiles(app *app, in *instance) (string, error) {
	if err := in.files.Check(app.ctx); err != nil {
		if cause := errors.Unwrap(err); admitto.KindOf(err) == admitto.Unavailable && cause != nil {
			err = fmt.Errorf("the store of files does not work: %w", cause)
		}
		return "", err
	}
	if app.settings.Files.URL != "" {
		return app.settings.Files.URL, nil
	}
	return in.folder.file("files"), nil
}

// tryCertificate looks at the certificate that the settings name; those of the other modes the service makes or fetches
// by itself, or the proxy has it.
func tryCertificate(app *app, _ *instance) (string, error) {
	t := app.settings.TLS
	if web.TLSMode(t.Mode) != web.Files {
		return "tls.mode " + t.Mode, nil
	}
	pair, err := tls.LoadX509KeyPair(t.Cert, t.Key)
	if err != nil {
		return "", err
	}
	ends := pair.Leaf.NotAfter
	if host := hostOf(app.settings.BaseURL); host != "" {
		if err := pair.Leaf.VerifyHostname(host); err != nil {
			return "", fmt.Errorf("%s: %w", t.Cert, err)
		}
	}
	said := fmt.Sprintf("%s, until %s", t.Cert, ends.UTC().Format(time.DateOnly))
	if left := ends.Sub(app.now()); left < maintenance.CertificateLeft {
		return "", errors.New(said)
	}
	return said, nil
}

// tryClock compares the clock of this machine with that of the database.
func tryClock(app *app, in *instance) (string, error) {
	var now admitto.Time
	err := in.store.Read(app.ctx, func(tx *store.Tx) error {
		now = tx.Now()
		return nil
	})
	if err != nil {
		return "", err
	}
	apart := app.now().Sub(now.Std()).Abs().Round(time.Millisecond)
	said := fmt.Sprintf("%v apart from that of the database", apart)
	if apart > maintenance.ClocksApart {
		return "", errors.New(said)
	}
	return said, nil
}

// trySpace asks how much is free where the data folder is.
func trySpace(_ *app, in *instance) (string, error) {
	free, known, err := disk.Free(in.folder.path)
	switch {
	case err != nil:
		return "", err
	case !known:
		return "not known on this system", nil
	}
	said := fmt.Sprintf("%d MB free in %s", free>>20, in.folder.path)
	if free < maintenance.SpaceLeft {
		return "", errors.New(said)
	}
	return said, nil
}

// tryTexts reads the folder of texts, where there is one.
func tryTexts(_ *app, in *instance) (string, error) {
	path := in.folder.file(textFolder)
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	catalogue, wrong, err := in.folder.texts(admin.English())
	if err == nil && len(wrong) > 0 {
		err = fmt.Errorf("%s: %w", path, joined(wrong))
	}
	if err != nil {
		return "", err
	}
	return path + ": " + strings.Join(catalogue.Languages(), ", "), nil
}

// joined tells several faults in one line.
func joined(faults []error) error {
	said := make([]string, len(faults))
	for i, fault := range faults {
		said[i] = strings.ReplaceAll(fault.Error(), "\n", " ")
	}
	return errors.New(strings.Join(said, "; "))
}
