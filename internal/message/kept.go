package message

import (
	"encoding/json"
	"fmt"
)

// kept is a sentence as it is stored: arguments are texts, or sentences themselves.
type kept struct {
	Code string            `json:"c"`
	Args []json.RawMessage `json:"a,omitempty"`
}

// Keep writes sentences down, "" for none, so that they can be shown in every language later.
func Keep(texts []Text) string {
	if len(texts) == 0 {
		return ""
	}
	list := make([]kept, len(texts))
	for i, t := range texts {
		list[i] = keep(t)
	}
	text, _ := json.Marshal(list) // texts always marshal
	return string(text)
}

func keep(t Text) kept {
	k := kept{Code: t.Code}
	for _, arg := range t.Args {
		var raw []byte
		if inner, ok := arg.(Text); ok {
			raw, _ = json.Marshal(keep(inner))
		} else {
			raw, _ = json.Marshal(fmt.Sprint(arg))
		}
		k.Args = append(k.Args, raw)
	}
	return k
}

// Kept reads what Keep wrote, and nothing of what it did not write.
func Kept(text string) (texts []Text) {
	var list []kept
	if text == "" || json.Unmarshal([]byte(text), &list) != nil {
		return nil
	}
	for _, k := range list {
		texts = append(texts, k.read())
	}
	return texts
}

func (k *kept) read() Text {
	t := Text{Code: k.Code}
	for _, raw := range k.Args {
		var word string
		var inner kept
		if json.Unmarshal(raw, &word) == nil {
			t.Args = append(t.Args, word)
		} else if json.Unmarshal(raw, &inner) == nil {
			t.Args = append(t.Args, inner.read())
		}
	}
	return t
}
