package uitest

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"math/rand/v2"
	"testing"
)

// A picture of many colors becomes smaller and shorter and looks the same; what is no picture is refused.
func TestShrink(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	from := image.NewRGBA(image.Rect(0, 0, 300, keptHeight+500))
	for y := range keptHeight + 500 {
		for x := range 300 {
			from.Set(x, y, color.RGBA{uint8(random.Uint32()), uint8(random.Uint32()), uint8(y), 255})
		}
	}
	var before bytes.Buffer
	if err := png.Encode(&before, from); err != nil {
		t.Fatal(err)
	}
	after, err := shrink(before.Bytes())
	if err != nil || len(after) >= before.Len() {
		t.Fatalf("%d bytes of %d, %v", len(after), before.Len(), err)
	}
	to, err := png.Decode(bytes.NewReader(after))
	if err != nil || to.Bounds() != image.Rect(0, 0, 300, keptHeight) {
		t.Fatal(to.Bounds(), err)
	}

	plain := image.NewRGBA(image.Rect(0, 0, 4, 4))
	colors := []color.RGBA{{27, 36, 48, 255}, {255, 255, 255, 255}, {11, 95, 165, 255}, {179, 38, 30, 255}}
	for y := range 4 {
		for x := range 4 {
			plain.Set(x, y, colors[(x+y)%4])
		}
	}
	before.Reset()
	if err := png.Encode(&before, plain); err != nil {
		t.Fatal(err)
	}
	if after, err = shrink(before.Bytes()); err != nil {
		t.Fatal(err)
	}
	if to, err = png.Decode(bytes.NewReader(after)); err != nil {
		t.Fatal(err)
	}
	for y := range 4 {
		for x := range 4 {
			if got := color.RGBAModel.Convert(to.At(x, y)); got != colors[(x+y)%4] {
				t.Errorf("at %d, %d: %v, want %v", x, y, got, colors[(x+y)%4])
			}
		}
	}
	if _, err := shrink([]byte("no picture")); err == nil {
		t.Error("no picture is taken")
	}
}
