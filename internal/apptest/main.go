package apptest

import (
	"flag"
	"runtime/debug"
	"testing"
)

// Run runs the tests of a package whose tests make much garbage and keep little. The collector then comes less often,
// which saves such a package a sixth of its time; the memory it takes stays below a gigabyte. Tests that draw their
// cases draw a quarter of them in short; of a package where they do, all tests run in the long size, too.
func Run(m *testing.M) int {
	if draws := flag.Lookup("rapid.checks"); draws != nil && Size(true, false) {
		_ = draws.Value.Set("25") // what the command line says comes later
	}
	debug.SetGCPercent(800)
	debug.SetMemoryLimit(1 << 30)
	return m.Run()
}
