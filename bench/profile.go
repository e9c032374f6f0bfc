package main

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"
)

// profileTime is how long a profile is taken.
const profileTime = 10 * time.Second

// profile writes a CPU profile of the service that does nothing but this operation. After POST the twin does
// not fit any more, which is why that case is the last.
func (s *server) profile(op operation, path string) error {
	say("Profiling into %s", path)
	done := make(chan error, 1)
	go func() {
		done <- download(fmt.Sprintf("http://%s/debug/pprof/profile?seconds=%d", s.metrics,
			int(profileTime.Seconds())), path)
	}()
	for i := 0; ; i++ {
		select {
		case err := <-done:
			return err
		default:
		}
		if _, err := op(i); err != nil {
			return err
		}
	}
}

func download(url, path string) error {
	answer, err := http.Get(url)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return fmt.Errorf("%s: %s", url, answer.Status)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	_, err = io.Copy(file, answer.Body)
	if closing := file.Close(); err == nil {
		err = closing
	}
	return err
}

func onTerminal() bool { return term.IsTerminal(int(os.Stderr.Fd())) }

// say tells a person what goes on, next to the results on standard output.
func say(form string, values ...any) { fmt.Fprintf(os.Stderr, form+"\n", values...) }

// progress returns the function that is called for each step: a bar on a terminal, one line elsewhere.
func progress(what string, steps int) func() {
	if !onTerminal() {
		say("Measuring %s", what)
		return func() {}
	}
	bar := progressbar.NewOptions(steps, progressbar.OptionSetWriter(os.Stderr), progressbar.OptionSetDescription(what),
		progressbar.OptionShowCount(), progressbar.OptionClearOnFinish())
	return func() { _ = bar.Add(1) } // a bar that cannot be drawn is no fault
}
