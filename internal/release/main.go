// Command release builds what is published of a version: an archive of the binary for each system, the list of the
// modules in it (an SBOM) next to each, and the checksums of all. The version is the tag of the commit. It imports the
// standard library only.
package main

import (
	"context"
	"crypto/sha256"
	"debug/buildinfo"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// targets are the systems that archives are built for, as GOOS/GOARCH.
const targets = "linux/amd64 linux/arm64 darwin/amd64 darwin/arm64 windows/amd64"

func main() {
	out := flag.String("out", "dist", "folder for the archives; it must be empty or missing")
	only := flag.String("targets", targets, "systems to build for")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx, *out, strings.Fields(*only))
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

// source is the commit that is built.
type source struct {
	version, commit string
	when            time.Time
}

func run(ctx context.Context, out string, systems []string) error {
	if old, _ := os.ReadDir(out); len(old) > 0 {
		return fmt.Errorf("%s is not empty: remove what an earlier run left there", out)
	}
	src, err := describe(ctx)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(out, 0o755); err != nil {
		return err
	}
	var published []string
	for _, system := range systems {
		names, err := src.build(ctx, out, system)
		if err != nil {
			return fmt.Errorf("%s: %w", system, err)
		}
		fmt.Println(strings.Join(names, "\n"))
		published = append(published, names...)
	}
	return writeChecksums(out, published)
}

// describe asks git what is built. A commit without a tag, or changed files, show in the version.
func describe(ctx context.Context) (src source, err error) {
	git := func(args ...string) (text string) {
		if err != nil {
			return ""
		}
		var said []byte
		if said, err = exec.CommandContext(ctx, "git", args...).Output(); err != nil {
			err = fmt.Errorf("git %s: %w", strings.Join(args, " "), err)
		}
		return strings.TrimSpace(string(said))
	}
	src.version = git("describe", "--tags", "--always", "--dirty")
	src.commit = git("rev-parse", "HEAD")
	seconds := git("log", "-1", "--format=%ct")
	if err != nil {
		return src, err
	}
	unix, err := strconv.ParseInt(seconds, 10, 64)
	src.when = time.Unix(unix, 0).UTC()
	return src, err
}

// build compiles for a system and returns the names of the archive and the SBOM that it has written to out.
func (src source) build(ctx context.Context, out, system string) (names []string, err error) {
	goos, goarch, _ := strings.Cut(system, "/")
	temp, err := os.MkdirTemp("", "admitto-release-")
	if err != nil {
		return nil, err
	}
	defer func() { err = firstOf(err, os.RemoveAll(temp)) }()
	binary := filepath.Join(temp, "admitto")
	if goos == "windows" {
		binary += ".exe"
	}
	command := exec.CommandContext(ctx, "go", "build", "-trimpath", "-buildvcs=false", "-o", binary,
		"-ldflags=-s -w -X main.release="+src.version+" -X main.commit="+src.commit, "./cmd/admitto")
	command.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS="+goos, "GOARCH="+goarch)
	command.Stderr = os.Stderr
	if err := command.Run(); err != nil {
		return nil, fmt.Errorf("go build: %w", err)
	}

	folder := fmt.Sprintf("admitto_%s_%s_%s", strings.TrimPrefix(src.version, "v"), goos, goarch)
	archive, write := folder+".tar.gz", writeTar
	if goos == "windows" {
		archive, write = folder+".zip", writeZip
	}
	contents := []string{binary, "LICENSE", "README.md", "CHANGELOG.md"}
	if err := write(filepath.Join(out, archive), folder, src.when, contents); err != nil {
		return nil, err
	}
	info, err := buildinfo.ReadFile(binary)
	if err != nil {
		return nil, err
	}
	document, err := bom(info, src.version)
	if err != nil {
		return nil, err
	}
	list := folder + ".cdx.json"
	return []string{archive, list}, os.WriteFile(filepath.Join(out, list), document, 0o644)
}

// writeChecksums writes checksums.txt as sha256sum --check reads it.
func writeChecksums(out string, names []string) error {
	var lines strings.Builder
	for _, name := range slices.Sorted(slices.Values(names)) {
		content, err := os.ReadFile(filepath.Join(out, name))
		if err != nil {
			return err
		}
		fmt.Fprintf(&lines, "%x  %s\n", sha256.Sum256(content), name)
	}
	return os.WriteFile(filepath.Join(out, "checksums.txt"), []byte(lines.String()), 0o644)
}

// firstOf returns the first error that is one.
func firstOf(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}
