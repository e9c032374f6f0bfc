package main

import (
	"slices"
	"testing"
	"testing/fstest"
)

// A test is larger when it asks for the size itself, or by what it names: functions and methods, its own or of another
// package, and rapid where apptest.Run says how much it draws.
func TestLarger(t *testing.T) {
	files := fstest.MapFS{}
	for name, source := range map[string]string{
		"internal/apptest/size.go": `package apptest; func Long() bool { return false }; func Size() bool { return Long() }
			func Run() { Size() }`,
		"internal/desk/desk.go": `package desk; import ("testing"; "github.com/admitto/admitto/internal/apptest")
			type Desk struct{}; func (Desk) BySize() { apptest.Long() }; func (Desk) Each() {}`,
		"internal/a/a_test.go": `package a_test
			import ("github.com/admitto/admitto/internal/apptest"; other "github.com/admitto/admitto/internal/desk")
			func TestSmall() { other.Desk{}.Each(); helps() }
			func helps() {}
			func onAll() { _ = apptest.Size() }
			func TestItself() { if apptest.Long() { helps() } }
			func TestByHelper() { onAll() }
			var desk other.Desk
			func TestByValue() { f := onAll; f() }
			func FuzzOne() { onAll() }`,
		"internal/a/more_test.go": `package a_test
			func TestByMethod() { desk.BySize() }
			var both = onAll
			func TestByVariable() { both() }`,
		"internal/b/b_test.go": `package b; import ("github.com/admitto/admitto/internal/apptest"; "pgregory.net/rapid")
			func TestMain() { apptest.Run() }
			func TestDraws() { rapid.Check() }
			func TestDrawsNothing() {}`,
		"internal/c/c_test.go": `package c; import "pgregory.net/rapid"; func TestDrawsTheSame() { rapid.Check() }`,
		"internal/d/d_test.go": `package d; import "github.com/admitto/admitto/internal/apptest"
			func TestMain() { apptest.Long() }
			func TestOfMain() {}`,
	} {
		files[name] = &fstest.MapFile{Data: []byte(source)}
	}
	d, err := read(files, "internal")
	if err != nil {
		t.Fatal(err)
	}
	tests, packages := d.larger()
	if want := []string{"FuzzOne", "TestByHelper", "TestByMethod", "TestByValue",
		"TestByVariable", "TestDraws", "TestItself", "TestOfMain"}; !slices.Equal(tests, want) {
		t.Errorf("%q, want %q", tests, want)
	}
	if want := []string{"./internal/a", "./internal/b", "./internal/d"}; !slices.Equal(packages, want) {
		t.Errorf("%q, want %q", packages, want)
	}
}
