package message

import (
	"encoding/json"
	"fmt"
	"time"
)

// kept is a sentence as it is stored: arguments are texts, sentences themselves, words of enumerations, days or times.
type kept struct {
	Code string            `json:"c"`
	Args []json.RawMessage `json:"a,omitempty"`
}

// keptTime is a day or a time as it is stored: a day has no zone.
type keptTime struct {
	At     time.Time `json:"t"`
	Zone   string    `json:"z,omitempty"`
	Layout string    `json:"l,omitempty"`
}

// keptWord is a word of an enumeration as it is stored.
type keptWord struct {
	Group string `json:"g"`
	Text  string `json:"w"`
	Said  string `json:"s,omitempty"`
}

// day is a day that was stored.
type day struct{ time.Time }

func (d day) String() string { return d.Format(time.DateOnly) }

// In is the beginning of the day in a zone.
func (d day) In(zone *time.Location) time.Time {
	return time.Date(d.Year(), d.Month(), d.Day(), 0, 0, 0, 0, zone)
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
		var value any = fmt.Sprint(arg)
		switch v := arg.(type) {
		case Text:
			value = keep(v)
		case Day:
			if !v.IsZero() {
				value = keptTime{At: v.In(time.UTC)}
			}
		case Time:
			value = keptTime{v.At, v.At.Location().String(), v.Layout}
		case Worded:
			value = keptWord(v.Word())
		}
		raw, _ := json.Marshal(value)
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
		var at keptTime
		var of keptWord
		if json.Unmarshal(raw, &word) == nil {
			t.Args = append(t.Args, word)
		} else if json.Unmarshal(raw, &at) == nil && !at.At.IsZero() {
			t.Args = append(t.Args, at.read())
		} else if json.Unmarshal(raw, &of) == nil && of.Group != "" {
			t.Args = append(t.Args, Word(of))
		} else if json.Unmarshal(raw, &inner) == nil {
			t.Args = append(t.Args, inner.read())
		}
	}
	return t
}

func (k *keptTime) read() any {
	if k.Zone == "" {
		return day{k.At}
	}
	zone, err := time.LoadLocation(k.Zone)
	if err != nil {
		zone = time.UTC
	}
	return Time{k.At.In(zone), k.Layout}
}
