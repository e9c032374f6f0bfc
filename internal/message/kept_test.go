package message

import "testing"

// What is kept is read as it was said, with sentences among its arguments; what is not ours is nothing.
func TestKept(t *testing.T) {
	said := []Text{Of("task-blocks", 4, Of("reason-required"), "Open"), Of("last-course"), Plain("50 % of \"it\"")}
	read := Kept(Keep(said))
	if len(read) != len(said) {
		t.Fatalf("%v", read)
	}
	for i := range said {
		if said[i].String() != read[i].String() || said[i].Code != read[i].Code {
			t.Errorf("%q became %q", said[i], read[i])
		}
	}
	for _, other := range []string{"", "[]", "{", "null", "7", `"x"`, `[{"c":"last-course","a":[7]}]`} {
		for _, text := range Kept(other) {
			_ = text.String()
		}
	}
	if Keep(nil) != "" {
		t.Error("nothing is kept as something")
	}
}
