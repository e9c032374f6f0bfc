package wait_test

import (
	"testing"
	"testing/synctest"

	"github.com/admitto/admitto/internal/wait"
)

func TestEver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		looks := 0
		third := func() bool { looks++; return looks == 3 }
		if !wait.Ever(third, nil) || looks != 3 {
			t.Errorf("%d looks", looks)
		}
		never := func() bool { return false }
		if wait.Ever(never, nil) {
			t.Error("what never holds has held")
		}
		ended := make(chan struct{})
		close(ended)
		if wait.Ever(never, ended) {
			t.Error("what has ended has held")
		}
	})
}
