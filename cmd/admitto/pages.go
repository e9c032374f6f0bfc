package main

import (
	"fmt"
	"log/slog"
	"sync"

	"github.com/admitto/admitto/internal/admin"
	"github.com/admitto/admitto/internal/api"
	"github.com/admitto/admitto/internal/message"
	"github.com/admitto/admitto/internal/portal"
	"github.com/admitto/admitto/internal/ui"
	"github.com/admitto/admitto/internal/web"
)

// sentences are those of the use cases in a language, for mails. They are read when the first mail wants them.
func sentences(log *slog.Logger) func(language string) message.Catalogue {
	read := sync.OnceValues(func() (*ui.Catalogue, error) { return ui.NewCatalogue() })
	return func(language string) message.Catalogue {
		catalogue, err := read()
		if err != nil { // the pages, which need it, do not start without
			log.Error("mails are written with English sentences", "cause", err)
			return nil
		}
		return catalogue.Locale(language).Sentences()
	}
}

// openPages makes the pages of staff and applicants. rest answers programs that look for what there is not.
func openPages(in *instance, budget *web.Budget, rest web.Site) ([]web.Site, error) {
	catalogue, err := ui.NewCatalogue(admin.English())
	if err != nil {
		return nil, err
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
