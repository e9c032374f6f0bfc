package admin

import (
	"maps"
	"strings"

	"github.com/admitto/admitto/internal/admin/show"
	"github.com/admitto/admitto/internal/config"
)

// English are the messages that tables say in English, for ui.NewCatalogue: the names of settings and what they mean,
// and the events of the journal. Time rules say what the modes of their settings are.
func English() map[string]string {
	texts := map[string]string{}
	for _, row := range config.Table() {
		if row.StartOnly {
			continue
		}
		texts[settingKey(row.Name)] = row.Label
		if !strings.HasSuffix(row.Name, "_mode") {
			texts[settingKey(row.Name)+"_hint"] = row.Means
		}
	}
	maps.Copy(texts, show.EnglishEvents())
	return texts
}
