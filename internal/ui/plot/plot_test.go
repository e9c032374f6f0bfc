package plot

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func TestTicks(t *testing.T) {
	for _, c := range []struct {
		greatest, count int
		want            []int
	}{
		{0, 5, []int{0, 1}}, {1, 5, []int{0, 1}}, {4, 5, []int{0, 1, 2, 3, 4}}, {7, 5, []int{0, 2, 4, 6, 8}}, {297, 5,
			[]int{0, 100, 200, 300}},
		{500000, 5, []int{0, 100000, 200000, 300000, 400000, 500000}}, {12, 3, []int{0, 5, 10, 15}},
	} {
		if got := Ticks(c.greatest, c.count); !slices.Equal(got, c.want) {
			t.Errorf("%d by %d: %v, want %v", c.greatest, c.count, got, c.want)
		}
	}
}

// Axes begin at 0, end at or above what is drawn, and have even steps; points lie in their area.
func TestPlotHolds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		greatest, count := rapid.IntRange(0, 1<<40).Draw(t, "greatest"), rapid.IntRange(1, 12).Draw(t, "count")
		ticks := Ticks(greatest, count)
		if ticks[0] != 0 || ticks[len(ticks)-1] < greatest || len(ticks) > count+2 {
			t.Fatal(ticks)
		}
		for i := range ticks[1:] {
			if ticks[i+1]-ticks[i] != ticks[1] {
				t.Fatal(ticks)
			}
		}
		n := rapid.IntRange(1, 400).Draw(t, "points")
		area := Area{10, 5, 300, 200}
		for i := range n {
			if x := area.X(i, n); x < area.Left || x > area.Right {
				t.Fatal(x)
			}
		}
		if y := area.Y(greatest, ticks[len(ticks)-1]); y < area.Top || y > area.Bottom {
			t.Fatal(y)
		}
		if marks := Marks(n, count); len(marks) > count || marks[0] != 0 || marks[len(marks)-1] >= n {
			t.Fatal(marks)
		}
	})
}

func TestBars(t *testing.T) {
	if got := Segments([]int{980, 0, 224}, 2740); !slices.Equal(got, []Segment{{0, 35.77}, {35.77, 0}, {35.77, 8.18}}) {
		t.Error(got)
	}
	if got := Segments([]int{1}, 500000); got[0].Width != .4 {
		t.Error("what is there cannot be seen: ", got)
	}
	if got := Segments([]int{1}, 0); got[0].Width != 0 {
		t.Error(got)
	}
	if Percent(1, 3) != 33 || Percent(1, 0) != 0 {
		t.Error("percent")
	}
	if got := (Area{0, 0, 10, 10}).Line([]int{0, 5, 10}, 10); got != "0,10 5,5 10,0" {
		t.Error(got)
	}
}
