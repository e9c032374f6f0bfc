package system

import (
	"encoding/json"
	"io"
	"runtime"
	"time"

	"github.com/admitto/admitto/internal/config"
	"github.com/admitto/admitto/internal/jobs"
	"github.com/admitto/admitto/internal/maintenance"
	"github.com/admitto/admitto/internal/site"
)

// diagnosis is what can be handed to those who help: how the instance is, and which settings are not as they come,
// without their values. Nothing in it is about a person: keys have their numbers only. The times of Health are
// microseconds since 1970 in UTC.
type diagnosis struct {
	Made     string
	System   string
	Parts    []diagnosed
	Settings []diagnosedSetting
	Health   maintenance.Health
}

// diagnosed is a line of the page.
type diagnosed struct {
	Part, State string
	Facts       []string
}

type diagnosedSetting struct{ Name, Origin string }

// diagnostics answers with a file for those who help.
func (p *pages) diagnostics(r *site.Request) error {
	h, err := p.Maintenance.Health(r.Context(), r.Reader(), jobs.SharedNames())
	if err != nil {
		return err
	}
	d := diagnosis{Made: h.Now.Std().UTC().Format(time.RFC3339), Health: h,
		System: runtime.Version() + " " + runtime.GOOS + "/" + runtime.GOARCH}
	for _, part := range p.parts(r, &h) {
		d.Parts = append(d.Parts, diagnosed{part.name, string(part.tone), part.facts})
	}
	for i := range d.Health.Keys {
		d.Health.Keys[i].Label = ""
	}
	for _, row := range config.Table() {
		if value, known := r.Settings().Value(row.Name); known && value.Text != value.Default {
			d.Settings = append(d.Settings, diagnosedSetting{row.Name, value.Origin})
		}
	}
	return r.Download("admitto-diagnostics.json", "application/json", func(w io.Writer) error {
		out := json.NewEncoder(w)
		out.SetEscapeHTML(false)
		out.SetIndent("", "  ")
		return out.Encode(d)
	})
}
