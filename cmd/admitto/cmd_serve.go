package main

// serveCmd is `admitto serve [--demo]`.
type serveCmd struct {
	Demo bool `help:"Run on a fresh data folder filled with invented data; prints an API key and a curl to paste."`
}

// Help is shown by --help.
func (*serveCmd) Help() string {
	return `The first start makes the data folder, the database, the instance key and a self-signed certificate, and
prints the one-time set-up link. SIGINT and SIGTERM end it: no new connections, running requests finish
within 30 seconds. On SQLite a second serve on the same data folder refuses to start.

Examples:

    admitto serve --demo
    admitto serve --listen=:443 --tls.mode=files --tls.cert=/etc/admitto/cert.pem --tls.key=/etc/admitto/key.pem

"admitto config --help" lists all settings.`
}

// Run runs the service until the context ends.
func (c *serveCmd) Run(app *app) error {
	return notWired("admitto serve")
}
