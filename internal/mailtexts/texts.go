package mailtexts

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/mail"
	"github.com/admitto/admitto/internal/message"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/text"
	"github.com/admitto/admitto/internal/usecase"
)

// Bounds of what is typed.
const (
	MostSubject = 200
	MostBody    = 10_000
)

// Kind is a kind of mail with what staff keep of it.
type Kind struct {
	mail.Kind
	admitto.MailKind
	Languages []string // in which staff keep a text
	Editor    string   // who changed it last
}

// Kinds lists all kinds of mail in the order of their codes.
func (s *Service) Kinds(ctx context.Context, by admitto.Caller) (list []Kind, err error) {
	if err := by.Needs(admitto.TemplatesEdit); err != nil {
		return nil, err
	}
	err = s.core.Read(ctx, func(tx *store.Tx) error {
		list = nil
		kept, err := tx.MailKinds()
		if err != nil {
			return err
		}
		languages, err := tx.EmailTextLanguages()
		if err != nil {
			return err
		}
		for _, kind := range mail.Kinds() {
			k := Kind{Kind: kind, MailKind: kept[kind.Code()], Languages: languages[kind.Code()]}
			k.Silenced = k.Silenced && kind.MayBeSilenced()
			if k.Editor, err = editor(tx, k.EditedBy); err != nil {
				return err
			}
			list = append(list, k)
		}
		return nil
	})
	return list, err
}

// editor is the name of a member of staff; "" for nobody.
func editor(tx *store.Tx, id int64) (string, error) {
	if id == 0 {
		return "", nil
	}
	a, err := tx.Administrator(id)
	if admitto.KindOf(err) == admitto.NotFound {
		err = nil
	}
	return a.Name, err
}

// Text is the text of a kind of mail in a language.
type Text struct {
	Kind
	Language string
	Own      bool          // staff keep one
	Text     mail.Template // that one, else the one from which they would start
	Shipped  mail.Template // which is in another language where none comes with the service
	Sent     string        // language of the text that goes to who reads Language
}

// Text reads the text of a kind of mail in a language of the instance. Errors: not-found.
func (s *Service) Text(ctx context.Context, by admitto.Caller, code, language string) (t Text, err error) {
	if err := by.Needs(admitto.TemplatesEdit); err != nil {
		return t, err
	}
	kind, err := s.known(code, language)
	if err != nil {
		return t, err
	}
	err = s.core.Read(ctx, func(tx *store.Tx) error {
		t, err = s.text(tx, kind, language)
		if err == nil {
			t.Editor, err = editor(tx, t.EditedBy)
		}
		return err
	})
	return t, err
}

// known finds a kind of mail, and refuses languages that the instance does not have.
func (s *Service) known(code, language string) (mail.Kind, error) {
	kind, found := mail.KindOf(code)
	if !found || !slices.Contains(s.languages(), language) {
		return kind, &admitto.Error{Kind: admitto.NotFound}
	}
	return kind, nil
}

func (s *Service) languages() []string {
	if list := s.core.Settings().Instance.Languages; len(list) > 0 {
		return list
	}
	return []string{s.notify.Language()}
}

func (s *Service) text(tx *store.Tx, kind mail.Kind, language string) (t Text, err error) {
	t = Text{Kind: Kind{Kind: kind}, Language: language, Shipped: s.notify.Shipped(kind, language)}
	if t.MailKind, err = tx.MailKind(kind.Code()); err != nil {
		return t, err
	}
	t.Silenced = t.Silenced && kind.MayBeSilenced()
	texts, _, err := tx.EmailTexts(kind.Code())
	if err != nil {
		return t, err
	}
	for of := range texts {
		t.Languages = append(t.Languages, of)
	}
	slices.Sort(t.Languages)
	active := s.notify.Active(kind, language, texts)
	t.Sent, t.Text = active.Language, active
	if kept, own := texts[language]; own {
		t.Own = true
		t.Text = s.notify.InLanguage(mail.Template{Kind: kind, Subject: kept.Subject, Body: kept.Body}, language)
	} else if t.Shipped.Language == language {
		t.Text = t.Shipped
	}
	t.Text.Body = strings.TrimSpace(t.Text.Body) // as it is typed
	t.Shipped.Body = strings.TrimSpace(t.Shipped.Body)
	return t, nil
}

// Edit is a text as staff have typed it, and whether the mails of the kind are silenced in all languages.
type Edit struct {
	Code, Language string
	Subject, Body  string
	Silenced       bool
}

// checked are the bounds of a text, and its markers.
func (e *Edit) checked(kind mail.Kind) error {
	var faults []admitto.Fault
	var err error
	if e.Subject, err = text.Line(e.Subject, 1, MostSubject); err != nil {
		faults = append(faults, admitto.Fault{Path: "template.subject", Text: message.From(err)})
	}
	if e.Body, err = text.Multiline(e.Body, 1, MostBody); err != nil {
		faults = append(faults, admitto.Fault{Path: "template.body", Text: message.From(err)})
	}
	if e.Silenced && !kind.MayBeSilenced() {
		faults = append(faults, admitto.Fault{Path: "page.template.silenced", Text: message.Of("mail-not-to-silence")})
	}
	err = mail.Template{Kind: kind, Subject: e.Subject, Body: e.Body}.Check()
	if refused, ok := errors.AsType[*admitto.Error](err); ok && refused.Kind == admitto.InvalidParameter {
		faults, err = append(faults, refused.Faults...), nil
	}
	if err == nil && faults != nil {
		err = &admitto.Error{Kind: admitto.InvalidParameter, Faults: faults}
	}
	return err
}

// SaveText stores a text of staff, which every mail of the kind has from then on. A text that is sent already as it is
// stays what it was. Errors: not-found; invalid-parameter (marker-unknown); changed-meanwhile.
func (s *Service) SaveText(ctx context.Context, by usecase.Caller, e Edit) error {
	if err := by.Needs(admitto.TemplatesEdit); err != nil {
		return err
	}
	kind, err := s.known(e.Code, e.Language)
	if err != nil {
		return err
	}
	wrong := e.checked(kind)
	return s.change(ctx, by, kind, e.Language, wrong, func(tx *store.Tx, was *Text) (changes []admitto.Detail, err error) {
		changes = append(changed(e.Language+"/subject", was.Text.Subject, e.Subject),
			changed(e.Language+"/body", was.Text.Body, e.Body)...)
		if len(changes) > 0 || was.Sent != e.Language {
			if err := tx.SetEmailTemplate(e.Code, e.Language, e.Subject, e.Body); err != nil {
				return nil, err
			}
			changes = append(changes, changed(e.Language+"/kept", strconv.FormatBool(was.Own), "true")...)
		}
		changes = append(changes, changed("silenced", strconv.FormatBool(was.Silenced),
			strconv.FormatBool(e.Silenced))...)
		was.Silenced = e.Silenced
		return changes, nil
	})
}

// RestoreText takes the text of staff away, so that the shipped one is sent again. Errors: not-found,
// changed-meanwhile.
func (s *Service) RestoreText(ctx context.Context, by usecase.Caller, code, language string) error {
	if err := by.Needs(admitto.TemplatesEdit); err != nil {
		return err
	}
	kind, err := s.known(code, language)
	if err != nil {
		return err
	}
	return s.change(ctx, by, kind, language, nil, func(tx *store.Tx, was *Text) ([]admitto.Detail, error) {
		if !was.Own {
			return nil, nil
		}
		changes := append(changed(language+"/subject", was.Text.Subject, was.Shipped.Subject),
			changed(language+"/body", was.Text.Body, was.Shipped.Body)...)
		return append(changes, changed(language+"/kept", "true", "false")...), tx.DeleteEmailTemplate(code, language)
	})
}

// change makes a change of a kind of mail in one transaction, as the caller has seen it, with its line in the journal.
// wrong refuses it.
func (s *Service) change(ctx context.Context, by usecase.Caller, kind mail.Kind, language string, wrong error,
	change func(tx *store.Tx, was *Text) ([]admitto.Detail, error)) error {
	return s.core.Write(ctx, func(tx *store.Tx) error {
		if err := tx.LockOrder(); err != nil {
			return err
		}
		t, err := s.text(tx, kind, language)
		if err != nil {
			return err
		}
		if err := by.Together(by.Sees(t.Version), wrong); err != nil {
			return err
		}
		changes, err := change(tx, &t)
		if err != nil || len(changes) == 0 {
			return err
		}
		var editor int64
		if by.Actor.Kind == admitto.ByAdministrator {
			editor = by.Actor.ID
		}
		if err := tx.SaveMailKind(kind.Code(), t.Silenced, editor); err != nil {
			return err
		}
		tx.Record(by.Actor, admitto.Event{Pattern: admitto.MailTextEdited, Bind: []string{kind.Code()},
			Details: changes})
		return nil
	})
}

// changed is a value that is another than it was; none for one that is the same.
func changed(name, was, is string) []admitto.Detail {
	if was == is {
		return nil
	}
	return []admitto.Detail{{Path: "/" + name, Old: was, New: is}}
}
