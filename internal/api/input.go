package api

import (
	"mime"
	"strings"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/api/params"
	"github.com/admitto/admitto/internal/message"
)

// queryArgs reads the parameters of the query.
func (c *call) queryArgs() (params.Args, error) { return params.FormArgs(c.r.URL.RawQuery, "query") }

// creationArgs reads the parameters of a creating POST from the query and from the body, which wins.
func (c *call) creationArgs() (params.Args, error) {
	list, err := c.queryArgs()
	if err != nil {
		return nil, err
	}
	raw, err := c.body()
	if err != nil {
		return nil, err
	}
	return list.Creation(raw, c.r.Header.Get("Content-Type"))
}

// decoder reads the parameters of the call.
func (c *call) decoder() *params.Decoder {
	return &params.Decoder{Plans: &c.api.inputs, Version: c.version, Settings: c.api.settings(),
		Strict: c.prefers("handling=strict")}
}

// decode reads the parameters into the request struct that into points to. Its error, if any, lists every
// fault; what was well-formed is stored all the same. Names that nobody knows are told in a header, or are
// faults when the client asks for strictness.
func (c *call) decode(list params.Args, into any) error {
	c.countParameters(list)
	ignored, err := c.decoder().Decode(list, into)
	c.tellIgnored(ignored)
	return err
}

// tellIgnored names the parameters that nobody knows.
func (c *call) tellIgnored(names []string) {
	if len(names) > 0 {
		c.w.Header().Set("Ignored-Parameters", strings.Join(names, ", "))
	}
}

// value reads a body that is one JSON value: a string, json.Number, bool or nil (conventions.md 3, setting
// PUT). The content type does not matter.
func (c *call) value() (any, error) {
	raw, err := c.body()
	if err != nil {
		return nil, err
	}
	return params.JSONValue(raw)
}

// textOrNull reads a body that is a JSON string, or null to clear, which is "".
func (c *call) textOrNull(check func(string) (string, error)) (string, error) {
	v, err := c.value()
	if err != nil || v == nil {
		return "", err
	}
	s, ok := v.(string)
	if !ok {
		return "", params.InvalidBody("", message.Of("body-no-string-or-null"))
	}
	if s, err = check(s); err != nil {
		return "", params.InvalidBody("", message.From(err))
	}
	return s, nil
}

// mergePatch reads a body that is a JSON merge patch of what is at the path. What is wrong inside of it is among the
// faults, so that it can be told together with what the values get wrong.
func (c *call) mergePatch(of admitto.Path) (members map[string]any, faults []admitto.Fault, err error) {
	contentType, _, err := mime.ParseMediaType(c.r.Header.Get("Content-Type"))
	if err != nil || contentType != jsonType && contentType != params.MergePatchType {
		c.w.Header().Set("Accept-Patch", params.MergePatchType+", "+jsonType)
		return nil, nil, admitto.Refused(admitto.UnsupportedFormat,
			message.Of("changes-as-patch", params.MergePatchType, jsonType))
	}
	raw, err := c.body()
	if err == nil && len(raw) > admitto.MaxContentBytes {
		err = admitto.Refused(admitto.TooLarge, message.Of("body-too-large", admitto.MaxContentBytes))
	}
	if err != nil {
		return nil, nil, err
	}
	return params.ReadPatch(raw, of)
}
