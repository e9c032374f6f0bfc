// Package portal is what applicants see: the pages of screens.md 4. routes.go is the table of all of them; a page is
// one file, next to its template where it has one of its own.
package portal
