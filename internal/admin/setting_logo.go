package admin

import (
	"errors"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/config"
	"github.com/admitto/admitto/internal/filekind"
	"github.com/admitto/admitto/internal/maintenance"
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/ui"
)

// refusedPicture is the value of a setting that is refused with all others: the picture that was chosen cannot be one.
const refusedPicture = "-"

// pictureChanges keeps the pictures that were chosen, and returns what changes by them.
func (p *pages) pictureChanges(r *site.Request, f *site.Form, states []maintenance.SettingState) (
	changes []config.Change, err error) {
	for i := range states {
		s := &states[i]
		if s.Control() != config.ControlPicture || s.Value.Outside {
			continue
		}
		file, err := f.File(s.Name)
		if err != nil {
			return nil, err
		}
		if file == nil {
			if s.Saved && f.Has(clears(s.Name)) {
				changes = append(changes, config.Change{Name: s.Name})
			}
			continue
		}
		value := ""
		content, err := file.Bytes(filekind.MaxLogoBytes)
		if err == nil {
			value, err = p.Maintenance.KeepLogo(r.Context(), r.Caller(), content)
		}
		if refusal, ok := errors.AsType[*admitto.Error](err); ok &&
			(refusal.Kind == admitto.UnsupportedFormat || refusal.Kind == admitto.TooLarge) {
			f.FailText(s.Name, refusal.Text)
			value, err = refusedPicture, nil
		}
		if err != nil {
			return nil, err
		}
		changes = append(changes, config.Change{Name: s.Name, Value: &value})
	}
	return changes, nil
}

// pictureFields are the choice of a picture, with the one that there is, and the box that takes it away.
func pictureFields(r *site.Request, f *site.Form, s *maintenance.SettingState,
	settle func(*ui.Field)) ([]ui.Component, error) {
	field, err := f.Upload(s.Name, settingKey(s.Name), "image/png,image/jpeg")
	if err != nil {
		return nil, err
	}
	settle(&field.Field)
	parts := []ui.Component{field}
	if s.Value.Text == "" {
		return parts, nil
	}
	field.Files = append([]ui.FileState{{Name: r.T("settings.picture_now"), Image: logoAddress(s.Value.Text), Done: 100}},
		field.Files...)
	parts[0] = field
	if s.Saved && !s.Value.Outside {
		parts = append(parts, f.Tick(clears(s.Name), settingKey(s.Name)+"_clear", "settings.clear"))
	}
	return parts, nil
}

// logoAddress is where the portal answers a picture by its name.
func logoAddress(name string) string { return "/brand/logo-" + name }
