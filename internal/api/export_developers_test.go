package api

// CurlExample is an example of guides/examples.txt as the test that runs it sees it.
type CurlExample struct {
	Name, Command, Answer string
	Headers               []string
	Lines                 int
}

// CurlExamples reads the file of examples.
func CurlExamples() (list []CurlExample, err error) {
	all, err := curlExamples()
	for _, e := range all {
		list = append(list, CurlExample{e.name, e.command, e.answer, e.headers, e.lines})
	}
	return list, err
}

// String writes the section of the file.
func (e CurlExample) String() string {
	return (&curlExample{name: e.Name, headers: e.Headers, lines: e.Lines, command: e.Command, answer: e.Answer}).String()
}

// ShownAddress stands in examples for the address of an instance.
const ShownAddress = shownAddress

// GuideSlugs are the names of the guides.
func GuideSlugs() (slugs []string) {
	for _, g := range guides() {
		slugs = append(slugs, g.Slug)
	}
	return slugs
}

// Stylesheet is that of the public pages.
func Stylesheet() string { return string(stylesheet()) }
