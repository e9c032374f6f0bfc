package main

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync/atomic"
)

// The collector of garbage, in the service. What a request leaves behind is small next to what the service is made of,
// so the heap may triple before it is collected, but only as long as all of Go's memory stays below calmMemory; from
// there on it may grow by a quarter of what is in use, as big lists make much that is soon free. SQLite's memory is not
// in these figures.
const (
	collectAt  = 200      // percent over what is in use
	calmMemory = 40 << 20 // bytes
	minGrowth  = 12 << 20 // bytes between two collections, at least
	overhead   = 6 << 20  // bytes that are no heap, at least: stacks, tables of the runtime
)

// tuneCollector sets this up, unless the person has set Go's own variables; stop ends it and leaves what is set.
func tuneCollector() (stop func()) {
	if os.Getenv("GOGC") != "" || os.Getenv("GOMEMLIMIT") != "" {
		return func() {}
	}
	debug.SetGCPercent(collectAt)
	debug.SetMemoryLimit(calmMemory)
	sample := []metrics.Sample{{Name: "/gc/heap/live:bytes"}, {Name: "/memory/classes/total:bytes"}}
	for _, part := range []string{"objects", "free", "released", "unused"} {
		sample = append(sample, metrics.Sample{Name: "/memory/classes/heap/" + part + ":bytes"})
	}
	last := int64(calmMemory)
	stopped := new(atomic.Bool)
	afterCollection(func() bool {
		if stopped.Load() {
			return false
		}
		metrics.Read(sample)
		live, other := int64(sample[0].Value.Uint64()), int64(sample[1].Value.Uint64())
		for _, heap := range sample[2:] {
			other -= int64(heap.Value.Uint64())
		}
		// The limit goes with what is in use, so that many connections, whose stacks are no heap, never make the collector
		// work without a pause.
		if limit := max(calmMemory, live+max(live/4, minGrowth)+max(other, overhead)); limit != last {
			last = limit
			debug.SetMemoryLimit(limit)
		}
		return true
	})
	return func() { stopped.Store(true) }
}

// afterCollection calls fn after each collection until it says false. It learns of one by the end of an object that
// nobody uses.
func afterCollection(fn func() (again bool)) {
	type marker struct{ _ [64]byte }
	runtime.AddCleanup(new(marker), func(fn func() bool) {
		if fn() {
			afterCollection(fn)
		}
	}, fn)
}
