package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/admitto/admitto/internal/ui"
)

// textsCmd is `admitto texts FOLDER`.
type textsCmd struct {
	Folder string `arg:"" placeholder:"FOLDER" help:"New folder that the files are written to."`
}

// Help is shown by --help.
func (*textsCmd) Help() string {
	return `Writes the texts of the pages, as they are compiled in, to a new folder: a file of each part and language. A
service reads the folder locale in its data folder when it starts: what files there say, under the same names, stands
in the place of what is compiled in. Keep in them only what you change. A file such as pages.pt.toml there adds a
language, which the setting instance.languages then offers; what it lacks is said in English. "admitto check" tells
what cannot be used.

Example:

    admitto texts /tmp/texts`
}

// Run writes the files. It needs no database.
func (c *textsCmd) Run(*app) error {
	files, err := ui.Files()
	if err != nil {
		return err
	}
	err = os.CopyFS(c.Folder, files)
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%s has such files already: name a new folder", c.Folder)
	}
	return err
}
