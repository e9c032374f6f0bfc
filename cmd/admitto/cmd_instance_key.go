package main

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"os"
	"slices"
	"time"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/seal"
)

// instanceKeyCmd groups the commands about the instance key.
type instanceKeyCmd struct {
	Rotate instanceKeyRotateCmd `cmd:"" help:"Seal everything under a new instance key."`
}

// Help is shown by --help.
func (*instanceKeyCmd) Help() string {
	return `Example:

    admitto instance-key rotate`
}

// instanceKeyRotateCmd is `admitto instance-key rotate`.
type instanceKeyRotateCmd struct{}

// Help is shown by --help.
func (*instanceKeyRotateCmd) Help() string {
	return `Everything sealed is sealed under a new key: the password of the mail server, second factors, waiting mails, what was typed
and not saved yet. Where no service runs on the data folder (SQLite) one run does it all. Otherwise the first run puts a
new key behind the one in the file instance.key; copy the file to every instance, start each again, and run the
command once more. Interrupted, it goes on when it is run again; each run says what is to be done next.
Keep the former key as long as the backups that were made under it.

Example:

    admitto instance-key rotate --data=/var/lib/admitto`
}

// restOfServices is for how long services may still seal with the former key after it was changed: they look every
// second, and something may be under way.
const restOfServices = 5 * time.Second

// Run changes the key, or goes on where a run before has ended.
func (c *instanceKeyRotateCmd) Run(app *app) error {
	in, err := app.open(false)
	if err != nil {
		return err
	}
	defer in.close()
	alone := false
	if app.settings.SQLitePath() != "" {
		release, err := in.folder.lockServe()
		if err == nil {
			defer release()
			alone = true
		} else if !errors.Is(err, errFolderInUse) {
			return err
		}
	}
	_, former, err := in.store.InstanceKeys(app.ctx)
	if err != nil {
		return err
	}
	keys := in.key.Fingerprints()
	at := slices.Index(keys, in.key.Fingerprint())
	switch {
	case former != "": // a run before was interrupted
	case at == 1: // its file only was left
		return in.oneKey(app)
	case len(keys) == 1:
		if err := in.secondKey(app); err != nil {
			return err
		}
		if !alone {
			fmt.Fprintf(app.stderr, "A new key stands in %s, behind the one that is used. Copy the file to every instance, start each service again, and run this once more.\n",
				in.folder.file(keyFile))
			return nil
		}
		in.close()
		if err := c.reopen(app, in); err != nil {
			return err
		}
		keys = in.key.Fingerprints()
		fallthrough
	default:
		if err := in.changeKey(app, keys[1], alone); err != nil {
			return err
		}
	}
	if err := in.sealAgain(app, alone); err != nil {
		return err
	}
	return in.oneKey(app)
}

// reopen opens the instance with both keys.
func (*instanceKeyRotateCmd) reopen(app *app, in *instance) error {
	again, err := app.open(false)
	if err != nil {
		again = &instance{} // closed already
	}
	*in = *again
	return err
}

// secondKey puts a new key behind the one in the file.
func (in *instance) secondKey(app *app) error {
	if app.settings.Instance.Key != "" {
		return errors.New("the instance key is given as instance.key: put a new one (openssl rand -base64 32) on a line below it on every instance, start each again, and run this once more")
	}
	return in.folder.lockKey(func() error {
		keys, err := in.folder.readKeys()
		if err != nil || len(keys) > 1 { // another run has put it there
			return err
		}
		return in.folder.writeKeys(in.key.Encode(), seal.NewKey().Encode())
	})
}

// changeKey lets the second key seal, unless a service runs that cannot have it.
func (in *instance) changeKey(app *app, to string, alone bool) error {
	if !alone && app.settings.SQLitePath() != "" {
		began, err := os.Stat(in.folder.file(urlFile))
		key, errKey := os.Stat(in.folder.file(keyFile))
		if errKey == nil && (err != nil || began.ModTime().Before(key.ModTime())) {
			return errors.New("the service on this data folder was started before the new key was there: start it again, and run this once more")
		}
	}
	if err := in.services.Maintenance.ChangeKey(app.ctx, admitto.SystemCaller(), to); err != nil {
		return err
	}
	return in.store.RememberReceiptKey(app.ctx, in.services.Admissions.ReceiptKey())
}

// sealAgain goes over everything until nothing is sealed under the former key, and forgets that.
func (in *instance) sealAgain(app *app, alone bool) error {
	if !alone {
		if err := rest(app.ctx); err != nil {
			return err
		}
	}
	sum := 0
	for {
		done, lost, err := in.services.Maintenance.SealAgain(app.ctx, admitto.SystemCaller())
		if sum += done; err != nil {
			return fmt.Errorf("%d were sealed under the new key, the others still open with the former one; run this once more: %w", sum, err)
		}
		if done == 0 {
			if lost > 0 {
				fmt.Fprintf(app.stderr, "%d open with neither key. They were lost before.\n", lost)
			}
			break
		}
	}
	fmt.Fprintf(app.stderr, "%d secrets were sealed under the new key.\n", sum)
	return in.services.Maintenance.EndKeyChange(app.ctx, admitto.SystemCaller())
}

func rest(ctx context.Context) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(restOfServices):
		return nil
	}
}

// oneKey takes the former key out of the file.
func (in *instance) oneKey(app *app) error {
	if app.settings.Instance.Key != "" {
		fmt.Fprintln(app.stderr, "Done. Take the former key, the first line, out of instance.key on every instance before its next start, and keep it with the backups made until now.")
		return nil
	}
	var former string
	err := in.folder.lockKey(func() error {
		keys, err := in.folder.readKeys()
		if err != nil || len(keys) == 1 {
			return err
		}
		former = in.folder.file(keyFile) + ".former"
		return errors.Join(in.folder.keepFormer(former, base64.StdEncoding.EncodeToString(keys[0])),
			in.folder.writeKeys(in.key.Encode()))
	})
	if err != nil {
		return err
	}
	fmt.Fprintf(app.stderr, "Done. Copy %s to the other instances; none needs the former key any more. It is in %s: keep it with the backups made until now, apart from this machine.\n",
		in.folder.file(keyFile), former)
	return nil
}
