package uitest

import (
	"bytes"
	"cmp"
	"image"
	"image/color"
	"image/png"
	"slices"
)

// keptHeight is how much of a page a kept picture shows, in pixels from its top.
const keptHeight = 2000

// shrink returns a PNG picture with at most 256 colors and keptHeight pixels of height, about a third of its bytes: for
// pictures that are kept with the source.
func shrink(picture []byte) ([]byte, error) {
	from, err := png.Decode(bytes.NewReader(picture))
	if err != nil {
		return nil, err
	}
	area := from.Bounds()
	area.Max.Y = min(area.Max.Y, area.Min.Y+keptHeight)

	type shade [3]uint8
	shadeAt := func(x, y int) shade { // near ones are one: three bits of each channel do not count
		r, g, b, _ := from.At(x, y).RGBA()
		return shade{uint8(r >> 8 &^ 7), uint8(g >> 8 &^ 7), uint8(b >> 8 &^ 7)}
	}
	type use struct {
		n       int
		r, g, b int // sums
	}
	uses := map[shade]*use{}
	for y := area.Min.Y; y < area.Max.Y; y++ {
		for x := area.Min.X; x < area.Max.X; x++ {
			s := shadeAt(x, y)
			if uses[s] == nil {
				uses[s] = &use{}
			}
			r, g, b, _ := from.At(x, y).RGBA()
			u := uses[s]
			u.n, u.r, u.g, u.b = u.n+1, u.r+int(r>>8), u.g+int(g>>8), u.b+int(b>>8)
		}
	}
	shades := make([]shade, 0, len(uses))
	for s := range uses {
		shades = append(shades, s)
	}
	slices.SortFunc(shades, func(a, b shade) int {
		return cmp.Or(uses[b].n-uses[a].n, slices.Compare(a[:], b[:]))
	})
	var palette color.Palette
	for _, s := range shades[:min(len(shades), 256)] {
		u := uses[s]
		palette = append(palette, color.RGBA{uint8(u.r / u.n), uint8(u.g / u.n), uint8(u.b / u.n), 255})
	}
	index := make(map[shade]uint8, len(shades))
	for _, s := range shades {
		index[s] = uint8(palette.Index(color.RGBA{s[0] + 4, s[1] + 4, s[2] + 4, 255}))
	}

	to := image.NewPaletted(image.Rect(0, 0, area.Dx(), area.Dy()), palette)
	for y := range area.Dy() {
		for x := range area.Dx() {
			to.SetColorIndex(x, y, index[shadeAt(area.Min.X+x, area.Min.Y+y)])
		}
	}
	var out bytes.Buffer
	err = (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&out, to)
	return out.Bytes(), err
}
