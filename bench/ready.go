package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
)

// readyCommand starts this program as the server of bytes that are ready, and as nothing else.
const readyCommand = "serve-ready-bytes"

// serveReady answers GET with the bytes of the last PUT, by net/http over TLS, until the context ends. It writes its
// address to out.
func serveReady(ctx context.Context, out io.Writer) error {
	var ready atomic.Pointer[[]byte]
	ready.Store(new([]byte))
	server := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPut {
			given, err := io.ReadAll(r.Body)
			if err != nil {
				http.Error(w, err.Error(), http.StatusBadRequest)
				return
			}
			ready.Store(&given)
			return
		}
		answer := *ready.Load()
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Content-Length", strconv.Itoa(len(answer)))
		_, _ = w.Write(answer) // the client says when it got nothing
	}))
	defer server.Close()
	if _, err := fmt.Fprintln(out, server.URL); err != nil {
		return err
	}
	<-ctx.Done()
	return nil
}

// bare is such a server.
type bare struct {
	process
	client *client
	given  string
}

func startBare(ctx context.Context, work string) (*bare, error) {
	program, err := os.Executable()
	if err != nil {
		return nil, err
	}
	b := new(bare)
	if b.process, err = startProcess(exec.Command(program, readyCommand), filepath.Join(work, "ready.log")); err != nil {
		return nil, err
	}
	url := ""
	err = b.await(ctx, func() (bool, error) {
		line, whole := strings.CutSuffix(textOf(b.log), "\n")
		url = line
		return whole, nil
	})
	if err != nil {
		b.stop()
		return nil, err
	}
	b.client = newClient(ctx, url, "none")
	return b, nil
}

// give has it answer these bytes.
func (b *bare) give(ready []byte) error {
	if b.given == string(ready) {
		return nil
	}
	_, _, err := b.client.do(call{method: http.MethodPut, path: "/", body: string(ready), status: http.StatusOK})
	if err == nil {
		b.given = string(ready)
	}
	return err
}
