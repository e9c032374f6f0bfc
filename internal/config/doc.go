// Package config holds the settings: one table of them (table.go), where their values come from (sources.go), what is
// right for each (kinds.go, addresses.go) and for several together (checks.go), and the current values (live.go), which
// consumers read whenever they need one. It may import nothing of ours.
package config
