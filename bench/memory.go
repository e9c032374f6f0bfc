package main

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"sync"
	"time"
)

// memoryClients is how many clients ask for big lists at once.
const memoryClients = 8

// memoryLists are the biggest answers there are.
var memoryLists = []string{
	"/applicants?limit=16384",
	"/applications?limit=16384",
	"/applicants?expand=*&limit=512",
	"/applications?expand=*&limit=512",
	"/invoices?limit=16384",
	"/journal",
}

// measureMemory starts the service on a data folder that is there already, counts, and lets clients ask for the
// biggest lists all at once. It prints how long the start took and the most memory the service had.
func measureMemory(ctx context.Context, o options) error {
	work, err := os.MkdirTemp("", "admitto-bench-run-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	binary := filepath.Join(work, "admitto")
	say("Building admitto")
	if err := build(ctx, o.source, binary); err != nil {
		return err
	}
	key, err := createKey(ctx, binary, o.memory)
	if err != nil {
		return err
	}
	began := time.Now()
	server, err := startServer(ctx, binary, o.memory, "127.0.0.1:1", o)
	if err != nil {
		return err
	}
	defer server.stop()
	fmt.Printf("started in %s with %s\n", round(time.Since(began)), mebibytes(server.peak()))
	one := newClient(ctx, server.url+"/api/v10", key)
	for _, path := range []string{"/applicants", "/applications", "/invoices", "/journal"} {
		s, header, err := one.do(call{method: http.MethodHead, path: path, status: http.StatusOK})
		if err != nil {
			return err
		}
		fmt.Printf("HEAD %s: X-Count %s in %s\n", path, header.Get("X-Count"), round(s.total))
	}
	for _, path := range memoryLists {
		s, _, err := one.do(get(path))
		if err != nil {
			return err
		}
		fmt.Printf("GET %s: %s in %s, peak %s\n", path, mebibytes(s.bytes), round(s.total), mebibytes(server.peak()))
	}
	var clients sync.WaitGroup
	failed := make(chan error, memoryClients)
	for n := range memoryClients {
		clients.Go(func() {
			c := newClient(ctx, server.url+"/api/v10", key)
			for i := range o.rounds * len(memoryLists) {
				if _, _, err := c.do(get(memoryLists[(i+n)%len(memoryLists)])); err != nil {
					failed <- err
					return
				}
			}
		})
	}
	clients.Wait()
	close(failed)
	for err := range failed {
		return err
	}
	fmt.Printf("%d clients, %d big lists each: peak %s\n", memoryClients, o.rounds*len(memoryLists), mebibytes(server.peak()))
	return nil
}

func round(d time.Duration) time.Duration { return d.Round(d / 100) }
