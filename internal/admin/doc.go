// Package admin is the administration: the pages of staff (screens.md 3). routes.go is the table of all of them with
// the permission of each; a page is one file, next to its template where it has one of its own.
package admin
