package mail

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/admitto/admitto/internal/disk"
)

// outbox keeps messages as files, for instances without a mail server. A message counts as accepted when
// its file is on the disk.
type outbox struct {
	folder string

	mu sync.Mutex
	// names holds the file of each Message-ID by its hash, read once at the start: asking the folder each
	// time would make many messages slow.
	names map[string]string
}

func openOutbox(folder string) (*outbox, error) {
	if folder == "" {
		return nil, errors.New("mail.smtp is empty and there is no folder to keep the messages in; set mail.smtp to smtp://user:password@host:587")
	}
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return nil, err
	}
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil, err
	}
	o := &outbox{folder: folder, names: make(map[string]string, len(entries))}
	for _, e := range entries {
		if stem, isMail := strings.CutSuffix(e.Name(), ".eml"); isMail {
			o.names[stem[strings.LastIndexByte(stem, '-')+1:]] = e.Name()
		}
	}
	return o, nil
}

// Send writes the message into the folder. A Message-ID that lies there already is left as it is, so that a
// repeat after a crash makes no second file.
func (o *outbox) Send(ctx context.Context, m *Message) error {
	content, err := m.Bytes()
	if err != nil {
		return &Refusal{Step: "message", cause: err}
	}
	if err := ctx.Err(); err != nil {
		return refuse("outbox", err)
	}
	sum := sha256.Sum256([]byte(m.ID))
	hash := hex.EncodeToString(sum[:8])

	o.mu.Lock()
	defer o.mu.Unlock()
	if name := o.names[hash]; name != "" {
		if _, err := os.Stat(filepath.Join(o.folder, name)); err == nil {
			return nil
		}
	}
	// The time is that of the message and not that of the clock: should another process repeat it, the file
	// has the same name.
	name := m.Date.UTC().Format("20060102T150405Z") + "-" + hash + ".eml"
	if err := disk.WriteFile(filepath.Join(o.folder, name), content); err != nil {
		return refuse("outbox", err)
	}
	o.names[hash] = name
	return nil
}

func (o *outbox) String() string { return "folder " + o.folder }

func (o *outbox) Close() error { return nil }
