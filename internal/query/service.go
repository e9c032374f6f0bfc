// Package query holds the reads: lists and single records as the interfaces show them, and nothing that changes
// anything.
package query

import (
	"log/slog"

	"github.com/admitto/admitto/internal/files"
	"github.com/admitto/admitto/internal/pdf"
	"github.com/admitto/admitto/internal/usecase"
)

// Service reads. It is safe for concurrent use.
type Service struct {
	core    *usecase.Core
	files   *files.Service
	printer *pdf.Printer
	log     *slog.Logger
	numbers sharedNumbers
}

// New makes a Service.
func New(core *usecase.Core, files *files.Service, printer *pdf.Printer, log *slog.Logger) *Service {
	return &Service{core: core, files: files, printer: printer, log: log,
		numbers: sharedNumbers{from: largeFrom, turn: make(chan struct{}, 1)}}
}
