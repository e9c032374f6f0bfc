package main

import (
	"bytes"
	"debug/buildinfo"
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"text/tabwriter"
	"time"
)

// report prints the results as a table for a person or for a Markdown file.
func report(w io.Writer, o options, binary string, results []result) error {
	var out bytes.Buffer
	differ, err := driverDiffers(binary)
	if err != nil {
		return err
	}
	if o.markdown {
		writeMachine(&out, o)
		writeMarkdown(&out, results)
	} else if err := writeTable(&out, results); err != nil {
		return err
	}
	for _, line := range differ {
		fmt.Fprintf(&out, "\nCareful, the floor is not the service's driver: %s\n", line)
	}
	_, err = w.Write(out.Bytes())
	return err
}

func headings() []string {
	return []string{"case", "service", "first byte", "body", "floor", "floor's time", "floor's JSON", "ratio (10th–90th percentile)", "pairs", "peak memory"}
}

func (r *result) cells() []string {
	total := func(s sample) time.Duration { return s.total }
	first := func(s sample) time.Duration { return s.firstByte }
	size := func(s sample) int64 { return s.bytes }
	return []string{r.title, duration(median(r.admitto, total)), duration(median(r.admitto, first)), amount(median(r.admitto, size)),
		r.benchCase.floor, duration(median(r.floor, total)), amount(median(r.floor, size)),
		fmt.Sprintf("%s (%s–%s)", number(percentile(r.ratios, 50)), number(percentile(r.ratios, 10)), number(percentile(r.ratios, 90))),
		fmt.Sprintf("%d × %d", len(r.ratios), r.batch), mebibytes(r.peak)}
}

func writeTable(w io.Writer, results []result) error {
	table := tabwriter.NewWriter(w, 0, 8, 2, ' ', 0)
	fmt.Fprintln(table, strings.ToUpper(strings.Join(headings(), "\t")))
	for i := range results {
		fmt.Fprintln(table, strings.Join(results[i].cells(), "\t"))
	}
	return table.Flush()
}

func writeMarkdown(w io.Writer, results []result) {
	fmt.Fprintf(w, "| %s |\n|%s\n", strings.Join(headings(), " | "), strings.Repeat("---|", len(headings())))
	for i := range results {
		fmt.Fprintf(w, "| %s |\n", strings.Join(results[i].cells(), " | "))
	}
}

// writeMachine says what was measured, and where.
func writeMachine(w io.Writer, o options) {
	quota := "quota counted, with a limit that is never reached"
	if !o.quota {
		quota = "quota not counted"
	}
	for _, line := range []string{
		"Date: " + time.Now().Format("2006-01-02"),
		"Command: `go run . " + strings.Join(os.Args[1:], " ") + "`",
		fmt.Sprintf("Data: %d applicants; key checked, %s, journal on", o.applicants, quota),
		"Go: " + runtime.Version() + " " + runtime.GOOS + "/" + runtime.GOARCH,
		fmt.Sprintf("Processor: %s, %d cores", lineOf("/proc/cpuinfo", "model name"), runtime.NumCPU()),
		"Kernel: " + strings.TrimSpace(textOf("/proc/sys/kernel/osrelease")),
		"Load average at the end: " + strings.TrimSpace(textOf("/proc/loadavg")),
	} {
		fmt.Fprintf(w, "* %s\n", line)
	}
	fmt.Fprintln(w)
}

// textOf gives a file, "unknown" when it cannot be read (another system).
func textOf(path string) string {
	text, err := os.ReadFile(path)
	if err != nil {
		return "unknown"
	}
	return string(text)
}

// lineOf gives the value of the first line "name : value".
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

// median gives the middle one of the values of the samples.
func median[T time.Duration | int64](samples []sample, of func(sample) T) T {
	values := make([]T, len(samples))
	for i, s := range samples {
		values[i] = of(s)
	}
	slices.Sort(values)
	return values[len(values)/2]
}

// percentile gives a value of an ascending list, the nearest that is there.
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
