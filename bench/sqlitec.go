package main

import (
	"bufio"
	"context"
	"fmt"
	"hash/fnv"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"time"
)

// floorInC is the program of c/ while it runs.
type floorInC struct {
	cmd    *exec.Cmd
	input  io.WriteCloser
	answer *bufio.Scanner
	hash   uint64 // of the last list
}

// startFloorInC builds it against the system's SQLite, and lets it open the database.
func startFloorInC(ctx context.Context, path, work string) (f *floorInC, err error) {
	binary := filepath.Join(work, "list")
	if _, err := output(exec.CommandContext(ctx, "cc", "-O2", "-o", binary, filepath.Join("c", "list.c"),
		"-lsqlite3")); err != nil {
		return nil, err
	}
	f = &floorInC{cmd: exec.CommandContext(ctx, binary, path)}
	f.cmd.Stderr = os.Stderr
	if f.input, err = f.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	answer, err := f.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	f.answer = bufio.NewScanner(answer)
	return f, f.cmd.Start()
}

// close ends it.
func (f *floorInC) close() {
	_ = f.input.Close()
	_ = f.cmd.Wait()
}

// list reads the biggest list once.
func (f *floorInC) list(int) (s sample, err error) {
	if _, err := fmt.Fprintf(f.input, "1 %d\n", most); err != nil {
		return s, err
	}
	if !f.answer.Scan() {
		return s, fmt.Errorf("the program in C has ended: %w", f.answer.Err())
	}
	var nanoseconds int64
	_, err = fmt.Sscan(f.answer.Text(), &nanoseconds, &s.bytes, &f.hash)
	s.total = time.Duration(nanoseconds)
	return s, err
}

// compare sees that it returns these bytes.
func (f *floorInC) compare(want []byte) error {
	if _, err := f.list(0); err != nil {
		return err
	}
	hash := fnv.New64a()
	_, _ = hash.Write(want)
	if f.hash != hash.Sum64() {
		return fmt.Errorf("the list in C is not the same as the service's")
	}
	return nil
}
