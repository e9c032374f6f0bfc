// Package leads imports people whom staff collected, such as at a fair: a file is kept with what its columns are, a dry
// run says what comes of each row, the good rows become leads next to requests, and an import can be undone (screens.md
// A36). What a restart interrupts is gone on with; each row has its effect once.
package leads

import (
	"log/slog"
	"slices"

	"github.com/admitto/admitto/internal/accounts"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/message"
	"github.com/admitto/admitto/internal/usecase"
)

// Bounds of a file that is imported: rows, columns, characters of a cell, bytes.
const (
	MostRows    = 50_000
	MostColumns = 60
	MostCell    = 2_500
	MostBytes   = 10 << 20
)

// Kept is how long an import that nobody starts is kept, and the rows of one that has ended at least.
const Kept = 7 * admitto.Day

// Service imports leads. It is safe for concurrent use.
type Service struct {
	core     *usecase.Core
	accounts *accounts.Service
	log      *slog.Logger
	ready    chan struct{} // filled when an import waits to be worked on
}

// New makes a Service.
func New(core *usecase.Core, accounts *accounts.Service, log *slog.Logger) *Service {
	return &Service{core: core, accounts: accounts, log: log, ready: make(chan struct{}, 1)}
}

// Waiting returns the channel that is filled when an import waits to be worked on.
func (s *Service) Waiting() <-chan struct{} { return s.ready }

func (s *Service) wake() {
	select {
	case s.ready <- struct{}{}:
	default: // it is awake already
	}
}

// ofState refuses what the state of an import does not allow.
func ofState(i *admitto.LeadImport, states ...admitto.LeadImportState) error {
	if slices.Contains(states, i.State) {
		return nil
	}
	return admitto.Refused(admitto.NotAllowedNow, message.Of("import-not-now"))
}
