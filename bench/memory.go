package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"
)

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
func measureMemory(ctx context.Context, o options, binary string) error {
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
	for _, stage := range []struct{ clients, lists int }{{manyClients, o.rounds * len(memoryLists)}, {100, 1}} {
		if err := bigLists(ctx, server, key, stage.clients, stage.lists); err != nil {
			return err
		}
	}
	return nil
}

// bigLists lets so many clients ask for so many big lists each, at once, and prints the most memory that took.
func bigLists(ctx context.Context, server *server, key string, clients, lists int) error {
	server.forgetPeak()
	var group sync.WaitGroup
	faults := make([]error, clients)
	over := make(chan struct{})
	flight := make(chan int64)
	go func() { flight <- mostInFlight(server.metrics, over) }()
	began := time.Now()
	for n := range clients {
		group.Go(func() {
			c := newClient(ctx, server.url+"/api/v10", key)
			for i := range lists {
				if _, _, err := c.do(get(memoryLists[(i+n)%len(memoryLists)])); err != nil {
					faults[n] = err
					return
				}
			}
		})
	}
	group.Wait()
	took := time.Since(began)
	close(over)
	inFlight := <-flight
	fmt.Printf("%d clients, %d big lists each: %s, peak %s, answers in flight at most %s\n", clients, lists, round(took),
		mebibytes(server.peak()), mebibytes(inFlight))
	return errors.Join(faults...)
}

// mostInFlight reads the service's metrics until over is closed, and returns the highest number of bytes of answers
// that it has seen.
func mostInFlight(metrics string, over <-chan struct{}) (most int64) {
	for {
		select {
		case <-over:
			return most
		case <-time.After(pollEvery):
		}
		answer, err := http.Get("http://" + metrics + "/metrics")
		if err != nil {
			continue // it is only looked at
		}
		lines := bufio.NewScanner(answer.Body)
		for lines.Scan() {
			if text, ok := strings.CutPrefix(lines.Text(), "admitto_answer_bytes_in_flight "); ok {
				bytes, _ := strconv.ParseFloat(text, 64)
				most = max(most, int64(bytes))
			}
		}
		_ = answer.Body.Close()
	}
}
