package blob

import (
	"bytes"
	"context"
	"io"
	"io/fs"
	"sync"
)

// memory has objects of tests.
type memory struct {
	objects sync.Map // key to []byte
}

func (*memory) check(context.Context) error { return nil }

func (m *memory) size(ctx context.Context, key string) (int64, error) {
	_, size, err := m.open(ctx, key)
	return size, err
}

func (m *memory) open(_ context.Context, key string) (io.ReadSeekCloser, int64, error) {
	data, there := m.objects.Load(key)
	if !there {
		return nil, 0, fs.ErrNotExist
	}
	r := bytes.NewReader(data.([]byte))
	return struct {
		io.ReadSeeker
		io.Closer
	}{r, io.NopCloser(r)}, r.Size(), nil
}

func (m *memory) write(ctx context.Context, key string, _ int64, r io.Reader, _ bool) error {
	data, err := io.ReadAll(r)
	if err == nil {
		err = ctx.Err()
	}
	if err == nil {
		m.objects.Store(key, data)
	}
	return err
}

func (m *memory) remove(_ context.Context, key string) error {
	m.objects.Delete(key)
	return nil
}
