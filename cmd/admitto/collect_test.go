package main

import (
	"math"
	"runtime"
	"runtime/debug"
	"sync"
	"testing"

	"github.com/admitto/admitto/internal/wait"
)

// TestCollectorGoesWithTheHeap checks that the limit of memory follows what is in use, up and down again.
func TestCollectorGoesWithTheHeap(t *testing.T) {
	t.Setenv("GOGC", "")
	t.Setenv("GOMEMLIMIT", "")
	before := debug.SetGCPercent(100)
	stop := tuneCollector()
	defer func() {
		stop()
		debug.SetGCPercent(before)
		debug.SetMemoryLimit(math.MaxInt64)
	}()
	if limit := debug.SetMemoryLimit(-1); limit != calmMemory {
		t.Errorf("the limit begins at %d bytes, not %d", limit, calmMemory)
	}
	const big = 200 << 20
	held := make([][]byte, big>>20)
	for i := range held {
		held[i] = make([]byte, 1<<20)
	}
	awaitLimit(t, func(limit int64) bool { return limit >= big+big/4 && limit <= 2*big })
	runtime.KeepAlive(held)
	held = nil
	awaitLimit(t, func(limit int64) bool { return limit < big/2 })
}

// TestCollectorGoesWithTheStacks checks that the limit leaves room for the stacks of many connections, which are no
// heap; without it they had the collector work without a pause.
func TestCollectorGoesWithTheStacks(t *testing.T) {
	t.Setenv("GOGC", "")
	t.Setenv("GOMEMLIMIT", "")
	before := debug.SetGCPercent(100)
	stop := tuneCollector()
	defer func() {
		stop()
		debug.SetGCPercent(before)
		debug.SetMemoryLimit(math.MaxInt64)
	}()
	const connections, deep = 2_000, 20 << 10
	release := make(chan struct{})
	var all, there sync.WaitGroup
	there.Add(connections)
	for range connections {
		all.Go(func() {
			var stack [deep]byte
			stack[len(release)] = 1
			there.Done()
			<-release
			runtime.KeepAlive(&stack)
		})
	}
	there.Wait()
	awaitLimit(t, func(limit int64) bool { return limit > connections*deep+minGrowth })
	close(release)
	all.Wait()
	awaitLimit(t, func(limit int64) bool { return limit < connections*deep+minGrowth })
}

// TestCollectorIsThePersons checks that Go's own variables win.
func TestCollectorIsThePersons(t *testing.T) {
	before := debug.SetGCPercent(123)
	defer debug.SetGCPercent(before)
	t.Setenv("GOGC", "123")
	tuneCollector()()
	if now := debug.SetGCPercent(123); now != 123 {
		t.Errorf("GOGC was set to 123 and is %d", now)
	}
	if limit := debug.SetMemoryLimit(-1); limit != math.MaxInt64 {
		t.Errorf("a limit of %d was set beside GOGC", limit)
	}
}

// awaitLimit collects until the limit is as wanted.
func awaitLimit(t *testing.T, wanted func(int64) bool) {
	t.Helper()
	wait.Until(t, "the limit follows", func() bool {
		runtime.GC()
		return wanted(debug.SetMemoryLimit(-1))
	})
}
