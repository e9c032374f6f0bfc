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
	words   func(language string) func(group, english string) string // of papers; nil: in English
	log     *slog.Logger
	numbers sharedNumbers
}

// New makes a Service. words are those of papers in a language, by their group and their English words; nil: they are
// in English.
func New(core *usecase.Core, files *files.Service, printer *pdf.Printer,
	words func(language string) func(group, english string) string, log *slog.Logger) *Service {
	return &Service{core: core, files: files, printer: printer, words: words, log: log,
		numbers: sharedNumbers{from: largeFrom, turn: make(chan struct{}, 1)}}
}

// wordIn is a word of a group in a language, "" for that of programs.
func (s *Service) wordIn(language, group, english string) string {
	if language == "" || s.words == nil || english == "" {
		return english
	}
	return s.words(language)(group, english)
}

// labelsIn are the labels of papers in a language, which are those of the form, and some more.
func (s *Service) labelsIn(language string) pdf.Words {
	return func(english string) string { return s.wordIn(language, "form", english) }
}
