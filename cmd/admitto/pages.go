package main

import (
	"fmt"

	"github.com/admitto/admitto/internal/admin"
	"github.com/admitto/admitto/internal/api"
	"github.com/admitto/admitto/internal/portal"
	"github.com/admitto/admitto/internal/ui"
	"github.com/admitto/admitto/internal/web"
)

// openPages makes the pages of staff and applicants. rest answers programs that look for what there is not.
func openPages(in *instance, budget *web.Budget, rest web.Site) ([]web.Site, error) {
	catalogue, err := ui.NewCatalogue()
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
