package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"mime"
	"strings"

	"github.com/admitto/admitto/internal/api"
	"github.com/admitto/admitto/internal/config"
	"github.com/admitto/admitto/internal/web"
	"github.com/rogpeppe/go-internal/diff"
)

// diffVersionsCmd is `admitto diff-versions PATH`.
type diffVersionsCmd struct {
	Path string `arg:"" name:"PATH" help:"Path below /api, without version; a query may follow."`
	From int    `placeholder:"N" help:"The version a client uses (default: api.default_version)."`
	To   int    `placeholder:"N" help:"The version it is to use (default: the newest)."`
}

// Help is shown by --help.
func (*diffVersionsCmd) Help() string {
	return `Prints, as a unified diff, what a GET of the path answers in the one version and in the other: status, headers that
matter and the body, JSON with one member a line. It reads the database and sends no request. Links are shown without
the version, since they differ everywhere. No output means that the answers are the same.

Example:

    admitto diff-versions "/applications/4711?expand=offers" --from=5 --to=10`
}

// Validate is called by kong; what it refuses is wrong usage.
func (c *diffVersionsCmd) Validate() error {
	switch { // whether a version is served, the settings say
	case !strings.HasPrefix(c.Path, "/"):
		return errors.New("PATH must begin with a slash, as /applicants/4711 does")
	case c.Path == "/api" || strings.HasPrefix(c.Path, "/api/"):
		return errors.New("PATH must be without /api and version, as /applicants/4711 is")
	case strings.ContainsAny(c.Path, "# \t\r\n"):
		return errors.New("PATH must be written as in an address: a space is %20")
	}
	return nil
}

// Run prints the difference.
func (c *diffVersionsCmd) Run(app *app) error {
	in, err := app.open(false)
	if err != nil {
		return err
	}
	defer in.close()
	s := app.settings
	shown := *s
	shown.API.Enabled = true // whether others are answered does not matter here
	if c.From == 0 {
		c.From = s.API.DefaultVersion
	}
	if c.To == 0 {
		c.To = config.NewestVersion
	}
	for name, version := range map[string]int{"--from": c.From, "--to": c.To} {
		if version < s.API.OldestVersion || version > config.NewestVersion {
			return usageError(fmt.Errorf("%s must be a version that is served, %d to %d", name, s.API.OldestVersion,
				config.NewestVersion))
		}
	}
	rest := api.New(in.services, web.NewBudget(app.settings.Memory.Answers, 1, 0), config.NewLive(&shown), in.log)
	before, err := c.answer(app.ctx, rest, c.From)
	if err != nil {
		return err
	}
	after, err := c.answer(app.ctx, rest, c.To)
	if err != nil {
		return err
	}
	name := func(version int) string { return fmt.Sprintf("/api/v%d%s", version, c.Path) }
	_, err = app.stdout.Write(diff.Diff(name(c.From), before, name(c.To), after))
	return err
}

// answer returns the answer in a version, as lines that can be compared.
func (c *diffVersionsCmd) answer(ctx context.Context, rest *api.API, version int) ([]byte, error) {
	look, err := rest.Look(ctx, version, c.Path)
	if err != nil {
		return nil, fmt.Errorf("version %d: %w", version, err)
	}
	var out bytes.Buffer
	fmt.Fprintf(&out, "%d\n", look.Status)
	for _, header := range []string{"Content-Type", "X-Count", "Deprecation", "Sunset", "Ignored-Parameters"} {
		if value := look.Header.Get(header); value != "" {
			fmt.Fprintf(&out, "%s: %s\n", header, value)
		}
	}
	for _, link := range look.Header.Values("Link") {
		fmt.Fprintf(&out, "Link: %s\n", withoutVersion(link, "<", version))
	}
	out.WriteByte('\n')
	kind, _, _ := mime.ParseMediaType(look.Header.Get("Content-Type"))
	switch {
	case strings.HasSuffix(kind, "json"):
		if err := json.Indent(&out, []byte(withoutVersion(string(look.Body), `"`, version)), "", " "); err != nil {
			return nil, fmt.Errorf("version %d answers no JSON: %w", version, err)
		}
		out.WriteByte('\n')
	case strings.HasPrefix(kind, "text/"):
		out.WriteString(strings.ReplaceAll(string(look.Body), "\r\n", "\n"))
	default:
		fmt.Fprintf(&out, "%d bytes\n", len(look.Body))
	}
	return out.Bytes(), nil
}

// withoutVersion takes the version out of the links that follow a character.
func withoutVersion(text, after string, version int) string {
	return strings.ReplaceAll(text, fmt.Sprintf("%s/api/v%d/", after, version), after+"/api/")
}
