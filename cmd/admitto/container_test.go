package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/admitto/admitto/internal/config"
)

// TestContainerfile compares the container file with the repository, for machines without an engine that could build
// it: the version of Go, every path, the settings of the environment, the port and the command.
func TestContainerfile(t *testing.T) {
	const repository = "../.."
	read := func(name string) string {
		text, err := os.ReadFile(filepath.Join(repository, name))
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	file := strings.ReplaceAll(read("deploy/Containerfile"), "\\\n", " ")
	one := func(pattern string) []string {
		t.Helper()
		found := regexp.MustCompile("(?m)"+pattern).FindAllStringSubmatch(file, -1)
		if len(found) != 1 {
			t.Fatalf("%d times %s", len(found), pattern)
		}
		return found[0]
	}

	if goVersion := one(`^FROM .*/golang:(\S+) AS build$`)[1]; !strings.Contains(read("go.mod"), "\ngo "+goVersion) {
		t.Errorf("go.mod is not of Go %s", goVersion)
	}
	for _, match := range regexp.MustCompile(`(?m)^COPY ([^-\n].*) \S+$`).FindAllStringSubmatch(file, -1) {
		for _, name := range strings.Fields(match[1]) {
			if _, err := os.Stat(filepath.Join(repository, name)); err != nil {
				t.Error(err)
			}
		}
	}
	build := one(`^RUN .*go build (.*?) -o (\S+) (\S+) `)
	if _, err := os.Stat(filepath.Join(repository, build[3], "main.go")); err != nil {
		t.Error(err)
	}
	one(`^ARG RELEASE= COMMIT=$`)
	if !strings.Contains(build[1], "-X main.release=$RELEASE -X main.commit=$COMMIT") {
		t.Errorf("the version is not stamped: %s", build[1])
	}
	binary := one(`^COPY --from=build (/admitto) (\S+)$`)
	if entry := one(`^ENTRYPOINT \["(.*)"\]$`)[1]; build[2] != binary[1] || entry != binary[2] {
		t.Errorf("built to %s, copied from %s to %s, started as %s", build[2], binary[1], binary[2], entry)
	}

	// Everything that the environment says is a setting, and the port is the one that is listened on.
	environment := strings.Fields(one(`^ENV (.*)$`)[1])
	s, err := config.Load(config.Sources{Env: environment})
	if err != nil || len(s.Strange) > 0 {
		t.Fatal(err, s.Strange)
	}
	if port := one(`^EXPOSE (\d+)$`)[1]; !strings.HasSuffix(s.Listen, ":"+port) {
		t.Errorf("listens on %s, but %s is exposed", s.Listen, port)
	}
	if volume := one(`^VOLUME (\S+)$`)[1]; s.Data != volume {
		t.Errorf("the data is in %s, the volume is %s", s.Data, volume)
	}
	one(`^CMD \["serve"\]$`)
}

// TestDockerignore looks for files of the program, embedded ones too, among those that .dockerignore keeps from the
// build.
func TestDockerignore(t *testing.T) {
	text, err := os.ReadFile("../../.dockerignore")
	if err != nil {
		t.Fatal(err)
	}
	ignored := regexp.MustCompile(`(?m)^/(\S+)$`).FindAllStringSubmatch(string(text), -1)
	list := exec.Command("go", "list", "-deps", "-f",
		`{{if and .Module .Module.Main}}{{$p := .ImportPath}}{{range .GoFiles}}{{$p}}/{{.}} {{end}}{{range .EmbedFiles}}{{$p}}/{{.}} {{end}}{{end}}`, ".")
	out, err := list.Output()
	files := strings.Fields(string(out))
	if err != nil || len(ignored) == 0 || len(files) < 100 {
		t.Fatal(err, len(ignored), len(files))
	}
	for _, file := range files {
		file = strings.TrimPrefix(file, "github.com/admitto/admitto/")
		for _, match := range ignored {
			if file == match[1] || strings.HasPrefix(file, match[1]+"/") {
				t.Errorf("%s is kept out by /%s", file, match[1])
			}
		}
		if strings.HasSuffix(file, "_test.go") {
			t.Errorf("%s is kept out as a test", file)
		}
	}
}
