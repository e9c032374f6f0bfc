package main

import (
	"bytes"
	"encoding/json"

	"github.com/admitto/admitto/internal/api"
)

// openapiCmd is `admitto openapi [--version N]`.
type openapiCmd struct {
	Version int `placeholder:"N" help:"Version of the interface (default: the newest)."`
}

// Help is shown by --help.
func (*openapiCmd) Help() string {
	return `Prints the OpenAPI 3.1 document of a version, with the limits and forms that the settings say. The service answers
the same at /developers/openapi-v{n}.json.

Example:

    admitto openapi --version=10 > openapi-v10.json`
}

// Run prints the document. It needs no database.
func (c *openapiCmd) Run(app *app) error {
	document, err := api.OpenAPI(app.settings, c.Version)
	if err != nil {
		return err
	}
	var out bytes.Buffer
	if err := json.Indent(&out, document, "", " "); err != nil {
		return err
	}
	out.WriteByte('\n')
	_, err = out.WriteTo(app.stdout)
	return err
}
