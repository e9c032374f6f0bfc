// Command gen writes the typed part of package client from an OpenAPI document of the interface. It imports the
// standard library only and understands the forms of schemas that the documents of Admitto have; another form is an
// error, not a guess. "go generate ./client" runs it; a test fails while what is committed is not what it writes.
package main

import (
	"flag"
	"fmt"
	"os"
)

func main() {
	document := flag.String("document", "", "OpenAPI document to read")
	types := flag.String("types", "", "file to write the types to")
	operations := flag.String("operations", "", "file to write the methods to")
	flag.Parse()
	if err := run(*document, *types, *operations); err != nil {
		fmt.Fprintln(os.Stderr, "gen:", err)
		os.Exit(1)
	}
}

// run reads the document and writes both files.
func run(document, types, operations string) error {
	text, err := os.ReadFile(document)
	if err != nil {
		return err
	}
	typeCode, methodCode, err := generate(text)
	if err != nil {
		return fmt.Errorf("%s: %w", document, err)
	}
	if err := os.WriteFile(types, typeCode, 0o644); err != nil {
		return err
	}
	return os.WriteFile(operations, methodCode, 0o644)
}
