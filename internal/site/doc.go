// Package site is what the administration and the portal are made with: a table of routes that names the permission of
// each, sessions, forms that lose nothing (screens.md U7 to U10), notices, lists whose address is the whole view (U15),
// and the pages for what is refused (U19). A page is a row of the table, a function, and a template.
package site
