package main

import (
	"encoding/json"
	"net/url"
	"runtime/debug"
	"slices"
	"strings"
)

// document is the part of CycloneDX 1.6 that says what a program is made of.
type document struct {
	Format   string `json:"bomFormat"`
	Spec     string `json:"specVersion"`
	Version  int    `json:"version"`
	Metadata struct {
		Component component `json:"component"`
	} `json:"metadata"`
	Components   []component  `json:"components"`
	Dependencies []dependency `json:"dependencies"`
}

type component struct {
	Type       string     `json:"type"`
	Ref        string     `json:"bom-ref"`
	Name       string     `json:"name"`
	Version    string     `json:"version"`
	PURL       string     `json:"purl"`
	Properties []property `json:"properties,omitempty"`
}

type property struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// dependency says what a component is made of; what the modules need of one another is not in a binary.
type dependency struct {
	Ref string   `json:"ref"`
	On  []string `json:"dependsOn"`
}

// bom lists the modules that the linker has put into a binary, and the standard library. The same binary makes the same
// bytes.
func bom(info *debug.BuildInfo, version string) ([]byte, error) {
	d := document{Format: "CycloneDX", Spec: "1.6", Version: 1, Components: []component{}}
	d.Metadata.Component = module("application", info.Main.Path, version, "")
	d.Components = append(d.Components, module("library", "std", strings.TrimPrefix(info.GoVersion, "go"), ""))
	for _, dep := range info.Deps {
		if dep.Replace != nil {
			dep = dep.Replace
		}
		d.Components = append(d.Components, module("library", dep.Path, dep.Version, dep.Sum))
	}
	slices.SortFunc(d.Components, func(a, b component) int { return strings.Compare(a.Ref, b.Ref) })
	all := dependency{Ref: d.Metadata.Component.Ref}
	for _, c := range d.Components {
		all.On = append(all.On, c.Ref)
	}
	d.Dependencies = []dependency{all}
	text, err := json.MarshalIndent(d, "", "  ")
	return append(text, '\n'), err
}

// module describes a Go module; sum is its line of go.sum.
func module(kind, path, version, sum string) component {
	ref := "pkg:golang/" + path + "@" + url.PathEscape(version)
	c := component{Type: kind, Ref: ref, Name: path, Version: version, PURL: ref}
	if sum != "" {
		c.Properties = []property{{"go:sum", sum}}
	}
	return c
}
