package accounts

import (
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/alexedwards/scs/v2"
)

// The values of a session that its store keeps in columns, too. The others are texts, numbers and truths that the pages
// keep.
const (
	SessionAccount = "account" // int64: whose it is; none before the sign-in
	SessionBegun   = "begun"   // int64, milliseconds: the sign-in
	SessionProved  = "proved"  // int64, milliseconds: the last proof of identity
	SessionAgent   = "agent"   // string: the browser in few words
	// SessionID is filled in by the store, with what lists of sessions name the session by.
	SessionID = "session"
)

// SessionCodec encodes the values of a session, those first that the store has columns for. Values are texts, numbers
// and truths: string, int64, int, bool.
type SessionCodec struct{}

var _ scs.Codec = SessionCodec{}

// sessionFormat is the first byte of every encoding, so that the format can change; maxSession is its most bytes.
const (
	sessionFormat = 1
	maxSession    = 64 << 10
)

// sessionHead is what begins an encoding.
type sessionHead struct {
	account, begun, proved int64
	agent, id              string
}

var errSession = errors.New("what is kept of a session cannot be read")

// Encode is of scs.Codec.
func (SessionCodec) Encode(deadline time.Time, values map[string]any) ([]byte, error) {
	var h sessionHead
	h.account, _ = values[SessionAccount].(int64)
	h.begun, _ = values[SessionBegun].(int64)
	h.proved, _ = values[SessionProved].(int64)
	h.agent, _ = values[SessionAgent].(string)
	h.id, _ = values[SessionID].(string)
	dst := h.append([]byte{sessionFormat})
	dst = binary.AppendVarint(dst, deadline.UnixMicro())
	for _, name := range slices.Sorted(maps.Keys(values)) {
		switch name {
		case SessionAccount, SessionBegun, SessionProved, SessionAgent, SessionID:
			continue
		}
		dst = appendText(dst, name)
		switch v := values[name].(type) {
		case string:
			dst = appendText(append(dst, 's'), v)
		case int64:
			dst = binary.AppendVarint(append(dst, 'n'), v)
		case int:
			dst = binary.AppendVarint(append(dst, 'i'), int64(v))
		case bool:
			if v {
				dst = append(dst, 't')
			} else {
				dst = append(dst, 'f')
			}
		default:
			return nil, fmt.Errorf("the value %s of a session is a %T, which is not kept", name, v)
		}
	}
	if len(dst) > maxSession {
		return nil, fmt.Errorf("the values of a session have %d bytes; at most %d are kept", len(dst), maxSession)
	}
	return dst, nil
}

func (h *sessionHead) append(dst []byte) []byte {
	for _, n := range []int64{h.account, h.begun, h.proved} {
		dst = binary.AppendVarint(dst, n)
	}
	return appendText(appendText(dst, h.agent), h.id)
}

func appendText(dst []byte, text string) []byte {
	return append(binary.AppendUvarint(dst, uint64(len(text))), text...)
}

// readHead reads what begins an encoding, and returns what follows.
func readHead(b []byte) (h sessionHead, rest []byte, err error) {
	if len(b) == 0 || len(b) > maxSession || b[0] != sessionFormat {
		return h, nil, errSession
	}
	r := reader{b: b[1:]}
	h.account, h.begun, h.proved = r.number(), r.number(), r.number()
	h.agent, h.id = r.text(), r.text()
	if r.bad {
		return h, nil, errSession
	}
	return h, r.b, nil
}

// Decode is of scs.Codec.
func (SessionCodec) Decode(b []byte) (deadline time.Time, values map[string]any, err error) {
	h, rest, err := readHead(b)
	if err != nil {
		return deadline, nil, err
	}
	r := reader{b: rest}
	values = map[string]any{}
	deadline = time.UnixMicro(r.number()).UTC()
	for len(r.b) > 0 && !r.bad {
		name := r.text()
		switch r.kind() {
		case 's':
			values[name] = r.text()
		case 'n':
			values[name] = r.number()
		case 'i':
			values[name] = int(r.number())
		case 't':
			values[name] = true
		case 'f':
			values[name] = false
		default:
			r.bad = true
		}
	}
	if r.bad {
		return time.Time{}, nil, errSession
	}
	for name, n := range map[string]int64{SessionAccount: h.account, SessionBegun: h.begun, SessionProved: h.proved} {
		if n != 0 {
			values[name] = n
		}
	}
	for name, text := range map[string]string{SessionAgent: h.agent, SessionID: h.id} {
		if text != "" {
			values[name] = text
		}
	}
	return deadline, values, nil
}

// reader takes values off the front of bytes; bad says that one was not there.
type reader struct {
	b   []byte
	bad bool
}

func (r *reader) number() int64 {
	n, size := binary.Varint(r.b)
	if size <= 0 {
		r.bad, r.b = true, nil
		return 0
	}
	r.b = r.b[size:]
	return n
}

func (r *reader) text() string {
	n, size := binary.Uvarint(r.b)
	if size <= 0 || n > uint64(len(r.b)-size) {
		r.bad, r.b = true, nil
		return ""
	}
	text := string(r.b[size : size+int(n)])
	r.b = r.b[size+int(n):]
	return text
}

func (r *reader) kind() byte {
	if len(r.b) == 0 {
		r.bad = true
		return 0
	}
	kind := r.b[0]
	r.b = r.b[1:]
	return kind
}
