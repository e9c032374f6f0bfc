// Package admitto is the vocabulary of an application management service for universities and colleges:
// the types, the state tables, the validation and the error kinds that every other package speaks in. It
// imports nothing but the standard library.
//
// # The map of this repository
//
//	admitto (this folder)   the vocabulary
//	store/                  all SQL, one text for SQLite and PostgreSQL; internal/store/db is the thin layer over the drivers,
//	                        internal/store/migrations the schema, internal/store/storetest the suite that both engines pass
//	admissions/             the use cases, one file a decision, one write transaction each
//	api/                    REST, versions 1 to 10; routes.go is the table of everything it answers
//	web/                    HTTPS, the middleware chain, memory budget and compression of answers, metrics
//	mail/                   messages, templates, SMTP and the outbox folder
//	pdf/                    leaf: the printout of an application
//	text/                   leaf: normal forms and codes (Unicode, e-mail addresses, countries, languages, currencies, moments)
//	seal/                   leaf: sealing of secrets with the instance key, and password hashes
//	blob/                   leaf: the bytes of files, by the hash of them, in a folder or a bucket
//	tabular/                leaf: CSV
//	jobs/                   work that runs next to requests
//	demo/                   invented data, deterministic at any size
//	cmd/admitto/            command line, settings, wiring
//	internal/archtest/      the import table, the dependency list and the file sizes, as a test
//	bench/                  measurements (a module of its own)
//	docs/, deploy/          for operators, integrators and contributors; examples of installations
//
// # Who may import whom
//
// Imports go one way: cmd/admitto → api, jobs, demo → admissions → store → admitto. The leaves (blob, mail, pdf, seal,
// tabular, text, web) import only admitto, and api never imports store. docs/architecture.md has the full table, and
// internal/archtest fails when the code does not keep to it.
//
// A request's way in: cmd/admitto → the chain of web (request ID, log, TLS check, recover) → the adapter of
// api (key, quota, version, permission, decode) → a handler of ten lines → admissions (the decision) →
// store (rows) → the encoder of api. No step goes back up.
package admitto
