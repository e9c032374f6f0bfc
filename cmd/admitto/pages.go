package main

import (
	"fmt"
	"log/slog"
	"os"

	"github.com/admitto/admitto/internal/admin"
	"github.com/admitto/admitto/internal/api"
	"github.com/admitto/admitto/internal/message"
	"github.com/admitto/admitto/internal/portal"
	"github.com/admitto/admitto/internal/ui"
	"github.com/admitto/admitto/internal/web"
)

// sentences are those of the use cases in a language, for mails. They are read when the first mail wants them.
func sentences(catalogue func() (*ui.Catalogue, error), log *slog.Logger) func(language string) message.Catalogue {
	return func(language string) message.Catalogue {
		words, err := catalogue()
		if err != nil { // the pages, which need it, do not start without
			log.Error("mails are written with English sentences", "cause", err)
			return nil
		}
		return words.Locale(language).Sentences()
	}
}

// words are those of papers in each language.
func words(catalogue func() (*ui.Catalogue, error),
	log *slog.Logger) func(language string) func(group, english string) string {
	return func(language string) func(group, english string) string {
		all, err := catalogue()
		if err != nil {
			log.Error("papers are written with English words", "cause", err)
			return func(_, english string) string { return english }
		}
		return all.Locale(language).Word
	}
}

// textFolder is the folder, in the data folder, of texts that the operator has written.
const textFolder = "locale"

// texts are those of pages: compiled in, and as the operator has written them. Text that cannot be used is in wrong.
func (f *folder) texts(english ...map[string]string) (catalogue *ui.Catalogue, wrong []error, err error) {
	if catalogue, err = ui.NewCatalogue(english...); err != nil {
		return nil, nil, err
	}
	return catalogue, catalogue.Own(os.DirFS(f.file(textFolder))), nil
}

// openPages makes the pages of staff and applicants. rest answers programs that look for what there is not.
func openPages(in *instance, budget *web.Budget, rest web.Site) ([]web.Site, error) {
	catalogue, wrong, err := in.folder.texts(admin.English())
	if err != nil {
		return nil, err
	}
	for _, cause := range wrong {
		in.log.Warn("a text of the folder locale is left out", "cause", cause)
	}
	assets, err := ui.NewAssets()
	if err != nil {
		return nil, err
	}
	staff, err := admin.New(admin.Needs{Services: in.services, Catalogue: catalogue, Assets: assets,
		Budget: budget, Key: in.key, Operations: api.Operations(), Ends: api.Ends, Log: in.log})
	if err != nil {
		return nil, fmt.Errorf("the administration: %w", err)
	}
	applicants, err := portal.New(portal.Needs{Services: in.services, Catalogue: catalogue,
		Assets: assets, Budget: budget, Key: in.key, Other: rest.Fault, Log: in.log})
	if err != nil {
		return nil, fmt.Errorf("the portal: %w", err)
	}
	return append(staff.Sites(), applicants.Sites()...), nil
}
