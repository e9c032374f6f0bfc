package devdocs

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/admitto/admitto/internal/api/openapi"
)

// Example is a call of guides/examples.txt and what it answers. A test sends every one to a service and compares,
// so that nothing is shown that does not work.
//
// A section of the file begins with "== name", followed by what is shown of the answer: the names of headers, and in
// the form lines=n how much of the body. The command follows, and then the answer, of which every line of the header
// begins with "< ", the first with the status. The test writes the answers (go test ./internal/api -run Examples
// -update).
type Example struct {
	Name    string
	Headers []string // names of those to show
	Lines   int      // of the body, the most that are shown
	Command string   // names stand where the address and the keys belong
	Answer  string
}

// wholeBody is as many lines as there are.
const wholeBody = 1 << 20

// What stands in commands for the address of an instance and the word before the key.
const (
	ShownAddress = "https://admissions.example.edu"
	shownScheme  = `SERVICE apikey=`
)

// Examples reads the file of examples, in their order.
func Examples() ([]Example, error) {
	file, err := pageFiles.ReadFile("guides/examples.txt")
	if err != nil {
		return nil, err
	}
	var list []Example
	for section := range strings.SplitSeq("\n"+string(file), "\n== ") {
		if section = strings.TrimSpace(section); section == "" {
			continue
		}
		e, err := parseExample(section)
		if err != nil {
			return nil, fmt.Errorf("guides/examples.txt: %q: %w", section, err)
		}
		list = append(list, e)
	}
	return list, nil
}

func parseExample(section string) (e Example, err error) {
	head, rest, _ := strings.Cut(section, "\n")
	words := strings.Fields(head)
	e.Name, e.Lines = words[0], wholeBody
	for _, w := range words[1:] {
		if n, isLines := strings.CutPrefix(w, "lines="); isLines {
			if e.Lines, err = strconv.Atoi(n); err != nil {
				return e, err
			}
			continue
		}
		e.Headers = append(e.Headers, w)
	}
	e.Command, e.Answer, _ = strings.Cut(rest, "\n< ")
	if !strings.HasPrefix(e.Command, "curl ") {
		return e, fmt.Errorf("the command is no curl")
	}
	if e.Answer != "" {
		e.Answer = "< " + e.Answer
	}
	return e, nil
}

// String writes the section of the file.
func (e *Example) String() string {
	head := append([]string{"==", e.Name}, e.Headers...)
	if e.Lines < wholeBody {
		head = append(head, "lines="+strconv.Itoa(e.Lines))
	}
	return strings.Join(head, " ") + "\n" + e.Command + "\n" + e.Answer + "\n"
}

// shownExample is an example on a page.
type shownExample struct {
	Command string
	Status  string   // with its word
	Headers []string // of the answer
	Body    string
}

// shownExamples returns the examples by name, with the scheme word that clients of this instance write, its address and
// its IDs.
func (d *Docs) shownExamples(about *samples) map[string]shownExample {
	list, err := Examples()
	if err != nil {
		panic(err) // the file is our own
	}
	all := map[string]shownExample{}
	for _, e := range list {
		e.Command, e.Answer = about.replace(e.Command), about.replace(e.Answer)
		shown := shownExample{Command: strings.ReplaceAll(e.Command, shownScheme, d.scheme()+" apikey=")}
		var body []string
		for line := range strings.SplitSeq(e.Answer, "\n") {
			text, isHeader := strings.CutPrefix(line, "< ")
			switch {
			case len(body) > 0 || !isHeader:
				body = append(body, line)
			case shown.Status == "":
				shown.Status = strings.TrimSpace(text + " " + openapi.StatusText(text))
			default:
				shown.Headers = append(shown.Headers, text)
			}
		}
		shown.Body = strings.Join(body, "\n")
		all[e.Name] = shown
	}
	return all
}
