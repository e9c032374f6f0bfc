package maintenance

import (
	"context"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/config"
	"github.com/admitto/admitto/internal/filekind"
	"github.com/admitto/admitto/internal/message"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/usecase"
)

// KeepLogo stores a picture, and returns the value of config.LogoSetting that names it. Unless that is saved within an
// hour, the picture is removed again. Errors: too-large, unsupported-media-type.
func (s *Service) KeepLogo(ctx context.Context, by usecase.Caller, content []byte) (string, error) {
	if err := by.Needs(admitto.InstanceAdmin); err != nil {
		return "", err
	}
	kind, err := filekind.Logo(content)
	if err != nil {
		return "", err
	}
	f, err := s.files.KeepFile(ctx, "logo."+kind, "image/"+kind, content)
	return config.Logo{Hash: f.Hash, Kind: kind}.String(), err
}

// Logo returns the picture of the institution and its media type when name is that of the current one; NotFound
// otherwise.
func (s *Service) Logo(ctx context.Context, name string) (content []byte, mime string, err error) {
	wanted, err := config.ParseLogo(name)
	missing := &admitto.Error{Kind: admitto.NotFound}
	if err != nil || wanted == (config.Logo{}) {
		return nil, "", missing
	}
	if s.core.Settings().Portal.Logo != wanted { // another instance may have changed it within the last second
		if err := s.refreshSettings(ctx); err != nil || s.core.Settings().Portal.Logo != wanted {
			return nil, "", missing
		}
	}
	content, err = s.files.ReadPublic(ctx, wanted.Hash, filekind.MaxLogoBytes)
	return content, map[string]string{config.LogoPNG: "image/png", config.LogoJPEG: "image/jpeg"}[wanted.Kind], err
}

// lockLogo locks the picture that is about to be saved, so that nobody removes it meanwhile, and refuses the name of
// one that there is not.
func lockLogo(tx *store.Tx, changes []config.Change) error {
	for _, c := range changes {
		if c.Name != config.LogoSetting || c.Value == nil {
			continue
		}
		l, err := config.ParseLogo(*c.Value)
		if err != nil || l == (config.Logo{}) {
			continue // refused with all other values
		}
		held, err := tx.HoldsFile(l.Hash)
		if err == nil && !held {
			held, err = tx.RefersToFile(l.Hash)
		}
		if err != nil {
			return err
		}
		if !held {
			return admitto.Refuse(admitto.InvalidParameter, admitto.Path(c.Name), "", message.Of("logo-missing"))
		}
	}
	return nil
}

// changeLogo has the picture that a saved value names kept, and the former one let go.
func changeLogo(tx *store.Tx, was, now string) error {
	former, _ := config.ParseLogo(was) // both have been checked
	next, _ := config.ParseLogo(now)
	if former.Hash == next.Hash {
		return nil
	}
	if next.Hash != "" {
		if err := tx.FileKept(next.Hash); err != nil {
			return err
		}
	}
	if former.Hash == "" {
		return nil
	}
	return tx.LoosenFile(former.Hash)
}
