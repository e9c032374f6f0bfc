package openapi

import (
	"cmp"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/api/problem"
	"github.com/admitto/admitto/internal/api/schema"
)

// success makes the answers of a request that was not refused.
func (d *Document) success(r *Row, s *Shape) (list schema.Members) {
	a := s.Answer(d)
	meaning := a.Meaning
	if meaning == "" {
		meaning = r.Summary + "."
	}
	answer := &response{Description: meaning, Headers: d.headers(r, a.Headers...)}
	example := d.examples[r.Name]
	for _, one := range a.Content {
		content := &mediaContent{}
		if of := one.Value.(*schema.Schema); of.Type != nil || of.Ref != "" || of.AnyOf != nil {
			content.Schema = of
		}
		if len(answer.Content) == 0 && content.Schema != nil {
			content.Example = example // of the form that is answered when nothing else is asked for
		}
		answer.Content = append(answer.Content, schema.Member{Name: one.Name, Value: content})
	}
	list = append(list, schema.Member{Name: fmt.Sprint(a.Status), Value: answer})
	if a.Other != 0 {
		list = append(list, schema.Member{Name: fmt.Sprint(a.Other), Value: answer})
		slices.SortFunc(list, func(x, y schema.Member) int { return strings.Compare(x.Name, y.Name) })
	}
	if a.isFile {
		part := *answer
		part.Description, part.Headers = "The bytes asked for.",
			d.headers(r, append(slices.Clone(a.Headers), "Content-Range")...)
		list = append(list, schema.Member{Name: "206", Value: &part})
	}
	if r.Method == http.MethodGet && slices.Contains(a.Headers, "ETag") {
		d.responses["NotModified"] = &response{Description: "What If-None-Match names is still so.",
			Headers: d.headers(r, "ETag")}
		list = append(list, schema.Member{Name: "304", Value: &response{Ref: "#/components/responses/NotModified"}})
	}
	return list
}

// headers are those of an answer of an operation, by reference, with what says that it is deprecated.
func (d *Document) headers(r *Row, names ...string) map[string]*header {
	rel, isOld := d.release()
	kind := map[string]string{"Link": "NextLink"}
	if isOld || r.In.IsDeprecated {
		kind["Link"] = "DeprecationLink"
		if slices.Contains(names, "Link") {
			kind["Link"] = "NextAndDeprecation"
		}
		names = append(slices.Clone(names), "Link")
	}
	if isOld && rel.Deprecation != "" {
		names = append(slices.Clone(names), "Deprecation")
	}
	if isOld && rel.Ends != "" {
		names = append(slices.Clone(names), "Sunset")
	}
	all := map[string]*header{}
	for _, name := range names {
		all[name] = d.sentHeader(cmp.Or(kind[name], name))
	}
	return all
}

// headersBefore are those of an answer that is given before anybody looks at the version, by reference.
func (d *Document) headersBefore(names ...string) map[string]*header {
	all := map[string]*header{}
	for _, name := range names {
		all[name] = d.sentHeader(name)
	}
	return all
}

// sentHeader puts a header among the components and returns the reference to it.
func (d *Document) sentHeader(name string) *header {
	d.sent[name] = documentHeaders()[name]
	return &header{Ref: "#/components/headers/" + name}
}

// problems makes the refusals, by status.
func (d *Document) problems(r *Row, s *Shape) (list schema.Members) {
	byStatus := map[int][]admitto.Kind{}
	var statuses []int
	for _, k := range sortedKinds(d.refusals(r, s)) {
		status := problem.TypeOf(k).Status
		if byStatus[status] == nil {
			statuses = append(statuses, status)
		}
		byStatus[status] = append(byStatus[status], k)
	}
	slices.Sort(statuses)
	for _, status := range statuses {
		list = append(list, schema.Member{Name: fmt.Sprint(status), Value: d.refusal(r, status, byStatus[status])})
	}
	return list
}

// refusals are the kinds of problems that an operation may answer: what follows from its row, and what its shape adds.
func (d *Document) refusals(r *Row, s *Shape) []admitto.Kind {
	kinds := append([]admitto.Kind{admitto.InvalidParameter, problem.HTTPSRequired, admitto.Internal, admitto.Unavailable},
		s.Refuses...)
	if !r.In.IsOpen {
		kinds = append(kinds, problem.Unauthorized, admitto.NotPermitted, problem.QuotaExceeded)
	}
	if strings.Contains(r.Path, "{") {
		kinds = append(kinds, admitto.NotFound)
	}
	for _, checked := range []string{"{id}", "{year}", "{blob}"} {
		if strings.Contains(r.Path, checked) {
			kinds = append(kinds, problem.InvalidID)
		}
	}
	switch s.Body.form {
	case noBody:
	case bareValue:
		kinds = append(kinds, admitto.InvalidBody, admitto.TooLarge)
	default:
		kinds = append(kinds, admitto.InvalidBody, admitto.TooLarge, admitto.UnsupportedFormat)
	}
	switch {
	case r.Method == http.MethodPost:
		kinds = append(kinds, admitto.RepeatConflict, admitto.RepeatInProgress, admitto.TooLarge)
	case r.Method != http.MethodGet && d.readable(r):
		kinds = append(kinds, admitto.ChangedMeanwhile)
	}
	if s.Answer(d).isFile {
		kinds = append(kinds, problem.RangeUnsatisfied, admitto.ChangedMeanwhile)
	}
	return kinds
}

// refusal returns the reference to the response of a status that is one of some kinds of problems, or the response
// itself where it has codes of its own. Those of a deprecated operation say so in their headers, so they are responses
// of their own.
func (d *Document) refusal(r *Row, status int, kinds []admitto.Kind) *response {
	var name strings.Builder
	var titles []string
	for i, k := range kinds {
		if i > 0 {
			name.WriteString("Or")
		}
		for word := range strings.SplitSeq(string(k), "-") {
			name.WriteString(strings.ToUpper(word[:1]) + word[1:])
		}
		titles = append(titles, problem.TypeOf(k).Title)
	}
	var headers []string
	switch {
	case status == http.StatusUnauthorized:
		headers = append(headers, "WWW-Authenticate")
	case status == http.StatusTooManyRequests:
		headers = append(headers, "Retry-After", "RateLimit", "RateLimit-Policy")
	case status == http.StatusServiceUnavailable:
		headers = append(headers, "Retry-After")
	case status == http.StatusBadGateway: // where another try may help, not where address or mail are refused for good
		headers = append(headers, "Retry-After")
	case slices.Contains(kinds, admitto.AlreadyExists):
		headers = append(headers, "Location")
	}
	headers = append(headers, "X-Request-Id")
	var sent map[string]*header
	if status == http.StatusUnauthorized || status == http.StatusTooManyRequests {
		sent = d.headersBefore(headers...) // refused before the version is looked at
	} else {
		sent = d.headers(r, headers...)
		if r.In.IsDeprecated {
			name.WriteString("WhenDeprecated")
		}
	}
	answer := &response{Description: strings.Join(titles, "; ") + "." + d.codesOf(r, status), Headers: sent,
		Content: schema.Members{{Name: "application/problem+json", Value: &mediaContent{Schema: d.typeIs(kinds)}},
			{Name: "text/plain", Value: &mediaContent{Schema: &schema.Schema{Type: "string",
				Description: "The same words, where Accept prefers it."}}}}}
	if d.codesOf(r, status) != "" {
		return answer
	}
	d.responses[name.String()] = answer
	return &response{Ref: "#/components/responses/" + name.String()}
}
