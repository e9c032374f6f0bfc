package main

import (
	"bytes"
	"debug/buildinfo"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"text/tabwriter"
	"time"
)

// report prints the results as tables for a person or for a Markdown file.
func report(w io.Writer, o options, b *bench, binary string, results []result) error {
	var out bytes.Buffer
	differ, err := driverDiffers(binary)
	if err != nil {
		return err
	}
	write := writeTable
	if o.markdown {
		write = writeMarkdown
		writeMachine(&out, o, b)
	}
	write(&out, ownHeadings(), ownRows(results))
	fmt.Fprintln(&out)
	write(&out, pairHeadings(), pairRows(results))
	for _, line := range differ {
		fmt.Fprintf(&out, "\nCareful, the floor is not the service's driver: %s\n", line)
	}
	_, err = w.Write(out.Bytes())
	return err
}

func sampleTotal(s sample) time.Duration { return s.total }

func sampleFirst(s sample) time.Duration { return s.firstByte }

func sampleSize(s sample) int64 { return s.bytes }

// everyOwn returns what Admitto took next to any of the others.
func (r *result) everyOwn() (all []sample) {
	for _, p := range r.against {
		all = append(all, p.admitto...)
	}
	return all
}

func ownHeadings() []string {
	return []string{"case", "Admitto", "first byte", "body", "peak memory", "statements"}
}

func ownRows(results []result) (rows [][]string) {
	for i := range results {
		r := &results[i]
		own := r.everyOwn()
		if len(own) == 0 {
			continue // nobody to measure it against
		}
		statements := "–"
		if r.statements >= 0 {
			statements = fmt.Sprintf("%.3g", r.statements)
		}
		rows = append(rows, []string{r.title, duration(median(own, sampleTotal)), duration(median(own, sampleFirst)),
			amount(median(own, sampleSize)),
			mebibytes(r.peak), statements})
	}
	return rows
}

func pairHeadings() []string {
	return []string{"case", "against", "Admitto", "the other", "its body", "ratio (10th–90th percentile)", "", "pairs",
		"wanted"}
}

func pairRows(results []result) (rows [][]string) {
	for i := range results {
		r := &results[i]
		for _, p := range r.against {
			meaning := "times as quick"
			switch {
			case p.isFloor():
				meaning = "times as long"
			case p.name == onPostgres:
				meaning = "SQLite = 1"
			}
			rows = append(rows, []string{r.title, p.name, duration(median(p.admitto, sampleTotal)),
				duration(median(p.other, sampleTotal)),
				amount(median(p.other, sampleSize)), spread(p.ratios), meaning, fmt.Sprintf("%d × %d", len(p.ratios),
					r.batch), p.goal.verdict(p.ratios)})
		}
	}
	return rows
}

// spread writes the median of ascending ratios with the percentiles.
func spread(ratios []float64) string {
	return fmt.Sprintf("%s (%s–%s)", number(percentile(ratios, 50)), number(percentile(ratios, 10)),
		number(percentile(ratios, 90)))
}

// verdict says what is wanted of a ratio, and whether its median is that.
func (g goal) verdict(ratios []float64) string {
	middle := percentile(ratios, 50)
	word := func(isMet bool) string {
		if isMet {
			return "reached"
		}
		return "**missed**"
	}
	switch {
	case g.least > 0:
		return fmt.Sprintf("at least %g: %s", g.least, word(middle >= g.least))
	case g.most > 0:
		return fmt.Sprintf("at most %g: %s", g.most, word(middle <= g.most))
	}
	return "–"
}

func writeTable(w io.Writer, headings []string, rows [][]string) {
	table := tabwriter.NewWriter(w, 0, 8, 2, ' ', 0)
	fmt.Fprintln(table, strings.ToUpper(strings.Join(headings, "\t")))
	for _, cells := range rows {
		fmt.Fprintln(table, strings.Join(cells, "\t"))
	}
	_ = table.Flush() // w is memory
}

func writeMarkdown(w io.Writer, headings []string, rows [][]string) {
	fmt.Fprintf(w, "| %s |\n|%s\n", strings.Join(headings, " | "), strings.Repeat("---|", len(headings)))
	for _, cells := range rows {
		fmt.Fprintf(w, "| %s |\n", strings.Join(cells, " | "))
	}
}

// writeMachine says what was measured, and where.
func writeMachine(w io.Writer, o options, b *bench) {
	quota := "quota counted, with a limit that is never reached"
	if !o.quota {
		quota = "quota not counted"
	}
	var peers []string
	if b.pocketbase != nil {
		peers = append(peers, "PocketBase "+b.pocketbase.version)
	}
	if b.directus != nil {
		peers = append(peers, "Directus "+b.directus.version+" on SQLite, Node "+versionSaid("node", "--version"))
	}
	if b.postgres != nil {
		peers = append(peers, versionSaid(filepath.Join(b.postgres.cluster.bin, "postgres"), "--version"))
	}
	for _, line := range []string{
		"Date: " + time.Now().Format("2006-01-02"),
		"Command: `go run . " + strings.Join(os.Args[1:], " ") + "`",
		fmt.Sprintf("Data: %d applicants; key checked, %s, journal on", o.applicants, quota),
		"Next to it: " + strings.Join(peers, "; "),
		"Go: " + runtime.Version() + " " + runtime.GOOS + "/" + runtime.GOARCH,
		fmt.Sprintf("Processor: %s, %d cores", lineOf("/proc/cpuinfo", "model name"), runtime.NumCPU()),
		"Kernel: " + strings.TrimSpace(textOf("/proc/sys/kernel/osrelease")),
		"Load average at the end: " + strings.TrimSpace(textOf("/proc/loadavg")),
	} {
		fmt.Fprintf(w, "* %s\n", line)
	}
	fmt.Fprintln(w)
}

// versionSaid returns what a program says of itself.
func versionSaid(program, flag string) string {
	text, err := exec.Command(program, flag).Output()
	if err != nil {
		return "unknown"
	}
	return strings.TrimSpace(string(text))
}

// textOf returns a file, "unknown" when it cannot be read (another system).
func textOf(path string) string {
	text, err := os.ReadFile(path)
	if err != nil {
		return "unknown"
	}
	return string(text)
}

// lineOf returns the value of the first line "name : value".
func lineOf(path, name string) string {
	for line := range strings.Lines(textOf(path)) {
		if key, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(key) == name {
			return strings.TrimSpace(value)
		}
	}
	return "unknown"
}

// driverDiffers compares the modules of the driver here and in the binary.
func driverDiffers(binary string) (lines []string, err error) {
	theirs, err := buildinfo.ReadFile(binary)
	if err != nil {
		return nil, err
	}
	ours, _ := debug.ReadBuildInfo()
	for _, path := range []string{"zombiezen.com/go/sqlite", "modernc.org/sqlite", "modernc.org/libc"} {
		if a, b := versionOf(ours, path), versionOf(theirs, path); a != b {
			lines = append(lines, fmt.Sprintf("%s is %s here and %s in the service", path, a, b))
		}
	}
	return lines, nil
}

func versionOf(info *debug.BuildInfo, path string) string {
	for _, module := range info.Deps {
		if module.Path == path {
			return module.Version
		}
	}
	return "missing"
}

// median returns the middle one of the values of the samples.
func median[T time.Duration | int64](samples []sample, of func(sample) T) T {
	values := make([]T, len(samples))
	for i, s := range samples {
		values[i] = of(s)
	}
	slices.Sort(values)
	return values[len(values)/2]
}

// percentile returns a value of an ascending list, the nearest that is there.
func percentile(sorted []float64, p int) float64 { return sorted[(len(sorted)-1)*p/100] }

// number writes a ratio with three digits.
func number(x float64) string {
	switch {
	case x >= 100:
		return fmt.Sprintf("%.0f", x)
	case x >= 10:
		return fmt.Sprintf("%.1f", x)
	}
	return fmt.Sprintf("%.2f", x)
}

func duration(d time.Duration) string {
	if d == 0 {
		return "–"
	}
	if d >= time.Millisecond {
		return number(float64(d)/1e6) + " ms"
	}
	return number(float64(d)/1e3) + " µs"
}

func amount(bytes int64) string {
	switch {
	case bytes == 0:
		return "–"
	case bytes >= 1<<20:
		return mebibytes(bytes)
	}
	return number(float64(bytes)/1024) + " KiB"
}

func mebibytes(bytes int64) string {
	if bytes == 0 {
		return "unknown"
	}
	return number(float64(bytes)/(1<<20)) + " MiB"
}
