package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// process is something that the benchmark has started and that it ends.
type process struct {
	cmd   *exec.Cmd
	ended chan struct{} // closed when the process is gone
	log   string        // where it writes
}

// startProcess starts a command that writes into a file. It is stopped by stop and not by a context, so that it
// can end in order.
func startProcess(cmd *exec.Cmd, log string) (process, error) {
	p := process{cmd: cmd, ended: make(chan struct{}), log: log}
	file, err := os.Create(log)
	if err != nil {
		return p, err
	}
	defer file.Close()
	if cmd.Stdout == nil {
		cmd.Stdout = file
	}
	cmd.Stderr = file
	if err := cmd.Start(); err != nil {
		return p, err
	}
	go func() {
		_ = cmd.Wait()
		close(p.ended)
	}()
	return p, nil
}

// pollEvery is how often it is looked whether something has started.
const pollEvery = 20 * time.Millisecond

// await asks again and again until the answer is yes, the process has ended or a minute is over.
func (p *process) await(ctx context.Context, isReady func() (bool, error)) error {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	for {
		ready, err := isReady()
		if err != nil || ready {
			return err
		}
		select {
		case <-time.After(pollEvery):
		case <-p.ended:
			return fmt.Errorf("%s ended:\n%s", p.cmd.Path, textOf(p.log))
		case <-ctx.Done():
			return fmt.Errorf("%s does not serve: %w\n%s", p.cmd.Path, ctx.Err(), textOf(p.log))
		}
	}
}

// awaitHTTP waits until the address answers with 200.
func (p *process) awaitHTTP(ctx context.Context, url string) error {
	return p.await(ctx, func() (bool, error) {
		r, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
		if err != nil {
			return false, err
		}
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			return false, ctx.Err() // it does not listen yet
		}
		return answer.StatusCode == http.StatusOK, answer.Body.Close()
	})
}

// stop ends the process in order, and waits for that.
func (p *process) stop() { p.stopBy(syscall.SIGTERM) }

func (p *process) stopBy(signal os.Signal) {
	_ = p.cmd.Process.Signal(signal)
	select {
	case <-p.ended:
	case <-time.After(40 * time.Second):
		_ = p.cmd.Process.Kill()
		<-p.ended
	}
}

// peak returns the most memory the process had since forgetPeak, in bytes; 0 where the system does not tell.
func (p *process) peak() int64 {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.cmd.Process.Pid))
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(text), "\nVmHWM:")
	kilobytes, _, _ := strings.Cut(rest, "kB")
	n, _ := strconv.ParseInt(strings.TrimSpace(kilobytes), 10, 64)
	return n << 10
}

// used returns the time of the processor that the process has taken, 0 where the system does not tell.
func (p *process) used() time.Duration { return p.ticks(11, 12) } // in the program and in the system

// ticks adds up fields of the process' state that count hundredths of a second.
func (p *process) ticks(fields ...int) time.Duration {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", p.cmd.Process.Pid))
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(text), ") ") // the name of the program may have spaces
	var ticks int64
	for i, field := range strings.Fields(rest) {
		if slices.Contains(fields, i) {
			n, _ := strconv.ParseInt(field, 10, 64)
			ticks += n
		}
	}
	return time.Duration(ticks) * (time.Second / 100)
}

// exact is used to the nanosecond, without what threads have taken that are gone.
func exact(pid int) (sum time.Duration) {
	threads, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/schedstat", pid))
	for _, file := range threads {
		running, _, _ := strings.Cut(textOf(file), " ")
		n, _ := strconv.ParseInt(running, 10, 64)
		sum += time.Duration(n)
	}
	return sum
}

// exactOfAll is exact of the process and of those that it has started, with the ended ones to a hundredth of a second.
func (p *process) exactOfAll() time.Duration {
	pid := p.cmd.Process.Pid
	children, _ := os.ReadFile(fmt.Sprintf("/proc/%d/task/%d/children", pid, pid))
	sum := exact(pid) + p.ticks(13, 14)
	for _, child := range strings.Fields(string(children)) {
		n, _ := strconv.Atoi(child)
		sum += exact(n)
	}
	return sum
}

// forgetPeak begins the peak again, at what the process has now. Where that is not allowed the peak is that of
// the whole run.
func (p *process) forgetPeak() {
	_ = os.WriteFile(fmt.Sprintf("/proc/%d/clear_refs", p.cmd.Process.Pid), []byte("5"), 0)
}

// freeAddress finds a port of this machine that is free now.
func freeAddress() (string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	return l.Addr().String(), errors.Join(l.Close())
}
