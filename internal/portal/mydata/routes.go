// Package mydata has the pages on which applicants read what is kept about them, and take it with them (screens.md
// P23).
package mydata

import (
	"github.com/admitto/admitto/internal/services"
	"github.com/admitto/admitto/internal/site"
)

// pages has the functions of these pages.
type pages struct {
	*services.Services
}

// Routes are the pages of the data of an applicant.
func Routes(s *services.Services) []site.Route {
	p := &pages{s}
	return []site.Route{
		{Name: "privacy-mine", Path: "/my/privacy", Access: site.SignedIn(), Form: true, Handle: p.mine},
		{Name: "my-data-file", Path: "/my/privacy/files/{file}", Access: site.SignedIn(), Parent: "privacy-mine",
			Handle: p.file},
		{Name: "my-erasure", Path: "/my/privacy/erasure", Access: site.SignedIn(), Form: true, Parent: "privacy-mine",
			Handle: p.erasure},
		{Name: "my-erasure-back", Path: "/my/privacy/erasure/withdraw", Access: site.SignedIn(), Form: true,
			Parent: "privacy-mine", Handle: p.takeBack},
	}
}
