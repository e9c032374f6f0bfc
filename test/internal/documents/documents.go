// Package documents knows which versions of the API have a document in docs/openapi, so that no test names a version
// which may be dropped.
package documents

import (
	"fmt"
	"path/filepath"
	"slices"
	"testing"
)

// Versions are the versions that are documented, the oldest first. The test runs two folders below the project.
func Versions(t testing.TB) (list []int) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("..", "..", "docs", "openapi", "openapi-v*.json"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		var version int
		if _, err := fmt.Sscanf(filepath.Base(file), "openapi-v%d.json", &version); err != nil {
			t.Fatal(err)
		}
		list = append(list, version)
	}
	if len(list) == 0 {
		t.Fatal("no version is documented")
	}
	slices.Sort(list)
	return list
}
