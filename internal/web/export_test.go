package web

import "context"

// Build begins an answer that is compressed however small it is.
func (b *Budget) Build(ctx context.Context, encoding string) (*Pieces, error) {
	return b.BuildAbove(ctx, encoding, 0)
}
