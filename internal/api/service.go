package api

import (
	"strconv"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/api/version"
	"github.com/admitto/admitto/internal/api/wire"
)

// getVersion answers GET /version (resources.md 1.2). It is the same in all versions.
func (a *API) getVersion(c *call) error {
	if err := c.noParameters(); err != nil {
		return err
	}
	body := append([]byte(`{"version":`), version.Latest.String()...)
	body = strconv.AppendInt(append(body, `,"default":`...), int64(a.settings().API.DefaultVersion), 10)
	body = append(body, `,"versions":{`...)
	for i, rel := range version.Releases() {
		if i > 0 {
			body = append(body, ',')
		}
		body = append(wire.AppendString(body, rel.Number.String()), ':')
		body = c.encode(body, &versionWire{rel.Status(a.settings().API.OldestVersion), wire.Nullable(rel.Deprecation),
			wire.Nullable(rel.Ends)})
	}
	return c.json(append(body, "}}"...))
}

type versionWire struct {
	Status     string        `wire:"status"`
	Deprecated wire.Nullable `wire:"deprecated"`
	Sunset     wire.Nullable `wire:"sunset"`
}

// getPing answers GET /ping (resources.md 1.3).
func (a *API) getPing(c *call) error {
	if err := c.noParameters(); err != nil {
		return err
	}
	return c.object(&pingWire{int64(a.services.Core.Now() / admitto.Second)})
}

type pingWire struct {
	Pong int64 `wire:"pong"`
}
