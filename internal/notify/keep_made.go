package notify

import (
	"context"
	"slices"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/mail"
	"github.com/admitto/admitto/internal/store"
)

// madeFiles are attachments that were made as a mail left, on their way to its copy: who reads that finds what came
// with the mail (screens.md P20).
type madeFiles struct {
	s     *Service
	email int64
	files []admitto.File
	kept  bool
}

// keepMade stores the bytes of what was made for a mail, unless an earlier try has. The mail went to the mail server
// already: what cannot be kept is missing from the copy, and no reason to send it again.
func (s *Service) keepMade(ctx context.Context, email int64, made []mail.Attachment) *madeFiles {
	m := &madeFiles{s: s, email: email}
	if email == 0 || len(made) == 0 {
		return m
	}
	var known []admitto.File
	err := s.core.Read(ctx, func(tx *store.Tx) (err error) {
		known, err = tx.EmailAttachments(email)
		return err
	})
	for i := 0; err == nil && i < len(made); i++ {
		a := &made[i]
		if slices.ContainsFunc(known, func(f admitto.File) bool { return f.Name == a.Name }) {
			continue
		}
		var f admitto.File
		if f, err = s.files.KeepFile(ctx, a.Name, a.Type, a.Data); err == nil {
			m.files = append(m.files, f)
		}
	}
	if err != nil {
		s.log.Error("what went with a mail is missing from its copy", "email", email, "cause", err)
	}
	return m
}

// attach adds the files to the copy, in the transaction that keeps what became of the mail.
func (m *madeFiles) attach(tx *store.Tx) error {
	for i := range m.files {
		if err := tx.AttachToEmail(m.email, &m.files[i]); err != nil {
			return err
		}
		if err := m.s.files.FileKept(tx, m.files[i].Hash); err != nil {
			return err
		}
	}
	m.kept = true
	return nil
}

// end takes the bytes away again that the transaction did not come to attach.
func (m *madeFiles) end(ctx context.Context) {
	if m.kept {
		return
	}
	for i := range m.files {
		m.s.files.DropFile(ctx, m.files[i].Hash)
	}
}
