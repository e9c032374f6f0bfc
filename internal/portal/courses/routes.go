// Package courses is what visitors can apply for: the catalogue, the page of a course, the way from there to an
// application, and the wishlist (screens.md P01, P02, P22).
package courses

import (
	"github.com/admitto/admitto/internal/services"
	"github.com/admitto/admitto/internal/site"
)

// pages has the functions of these pages.
type pages struct {
	*services.Services
}

// Routes are the pages of what can be applied for.
func Routes(s *services.Services) []site.Route {
	p := &pages{s}
	open, signedIn := site.Everyone(), site.SignedIn()
	return []site.Route{
		{Name: "front", Path: "/{$}", Access: open, Handle: p.front},
		{Name: "courses", Path: "/courses", Access: open, Handle: p.list},
		{Name: "course", Path: "/courses/{id}", Access: open, Parent: "courses", Handle: p.course},
		{Name: "sitemap", Path: "/sitemap.xml", Access: open, Handle: p.sitemap},
		{Name: "robots", Path: "/robots.txt", Access: open, Handle: p.robots},
		{Name: "apply", Path: "/my/apply/{course}/{intake}", Access: signedIn, Form: true, Handle: p.apply},
		{Name: "wishes", Path: "/my/wishes", Access: signedIn, Handle: p.wishes},
		{Name: "wish-add", Path: "/my/wish/{course}", Access: signedIn, Form: true, Parent: "wishes",
			Handle: p.addWish},
		{Name: "wish-note", Path: "/my/wishes/{id}/note", Access: signedIn, Form: true, Parent: "wishes",
			Handle: p.wishNote},
		{Name: "wish-remove", Path: "/my/wishes/{id}/remove", Access: signedIn, Only: true, Handle: p.removeWish},
		{Name: "wish-back", Path: "/my/wish/{course}/back/{intake}", Access: signedIn, Only: true, Handle: p.wishBack},
	}
}
