package main

import (
	"io"
	"log/slog"
	"os"

	"github.com/admitto/admitto/internal/config"
)

// newLogger makes the logger of log.level and log.format. Without a format it is text where a person reads
// along and JSON where a machine collects.
func newLogger(s *config.Settings, w io.Writer) *slog.Logger {
	options := &slog.HandlerOptions{Level: s.Log.Level}
	format := s.Log.Format
	if format == "" && isTerminal(w) {
		format = "text"
	}
	if format == "text" {
		return slog.New(slog.NewTextHandler(w, options))
	}
	return slog.New(slog.NewJSONHandler(w, options))
}

// isTerminal reports whether a person sees what is written: on a terminal and not in a file or a pipe.
func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}
