package rehearse

import (
	"context"
	"fmt"
	"html"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"strings"
)

// documentLines make a document of some 400 kB, such as a page that was scanned.
const documentLines = 10_000

// person is an applicant with a browser of their own.
type person struct {
	night       *Night
	ctx         context.Context //nolint:containedctx // of the whole night
	browser     *http.Client
	email, link string
	application string // its ID
	task        string // the address of what is to be handed in, "" for nothing
	at          string // the path of the last page
	receipt     string
	fault       error
	submitted   bool
}

func (p *person) card() string { return "/my/applications/" + p.application }

func (p *person) signIn() error {
	fields, err := p.form(p.link)
	if err != nil {
		return err
	}
	if _, err := p.post(p.link, fields); err != nil {
		return err
	}
	if _, err := p.get("/my"); err != nil {
		return err
	}
	if !strings.HasPrefix(p.at, "/my") {
		return fmt.Errorf("/my leads to %s", p.at)
	}
	return nil
}

var consentField = regexp.MustCompile(`<input type="radio"[^>]* name="(consent-[0-9-]+)"`)

func (p *person) consent() error {
	page, err := p.get("/my/welcome")
	if err != nil || p.at != "/my/welcome" { // nothing is asked
		return err
	}
	fields, err := formOf(page)
	if err != nil {
		return err
	}
	for _, field := range consentField.FindAllStringSubmatch(page, -1) {
		fields.Set(field[1], "Accept")
	}
	_, err = p.post("/my/welcome", fields)
	return err
}

var ownTask = regexp.MustCompile(`/my/tasks/\d+`)

func (p *person) look() error {
	page, err := p.get(p.card())
	p.task = ownTask.FindString(page)
	return err
}

func (p *person) save() error {
	fields, err := p.form(p.card() + "/form/motivation")
	if err != nil {
		return err
	}
	fields.Set("content.general", "I want to study here.")
	_, err = p.post(p.card()+"/form/motivation", fields)
	return err
}

func (p *person) handIn() error {
	if p.task == "" {
		return nil
	}
	fields, err := p.form(p.task)
	if err != nil {
		return err
	}
	return p.upload(p.task, fields)
}

func (p *person) submit() error {
	fields, err := p.form(p.card() + "/check")
	if err != nil {
		return err
	}
	fields.Set("declared-0", "yes")
	page, err := p.post(p.card()+"/check", fields)
	if err == nil && !strings.Contains(page, "Your application was submitted") {
		err = fmt.Errorf("the page after it, %s, does not say that it was submitted", p.at)
	}
	return err
}

func (p *person) read() (err error) {
	p.receipt, err = p.get(p.at + "/text")
	return err
}

func (p *person) get(to string) (string, error) {
	r, err := http.NewRequestWithContext(p.ctx, http.MethodGet, p.night.URL+to, nil)
	if err != nil {
		return "", err
	}
	return p.ask(r)
}

// post sends a form, and opens the page that it leads to.
func (p *person) post(to string, fields url.Values) (string, error) {
	return p.press(to, "application/x-www-form-urlencoded", strings.NewReader(fields.Encode()))
}

func (p *person) press(to, kind string, body io.Reader) (string, error) {
	r, err := http.NewRequestWithContext(p.ctx, http.MethodPost, p.night.URL+to, body)
	if err != nil {
		return "", err
	}
	r.Header.Set("Content-Type", kind)
	r.Header.Set("Origin", p.night.URL)
	r.Header.Set("Sec-Fetch-Site", "same-origin")
	return p.ask(r)
}

// mostOfPage is how much of a page is read.
const mostOfPage = 1 << 20

func (p *person) ask(r *http.Request) (string, error) {
	to := r.URL.Path
	r.Header.Set("Accept", "text/html")
	r.Header.Set("Accept-Language", "en")
	answer, err := p.browser.Do(r)
	if err != nil {
		return "", err
	}
	defer answer.Body.Close() //nolint:errcheck // it was only read
	text, err := io.ReadAll(io.LimitReader(answer.Body, mostOfPage))
	if err != nil {
		return "", err
	}
	p.at = answer.Request.URL.Path
	if answer.StatusCode >= http.StatusMultipleChoices {
		return "", fmt.Errorf("%s %s: %s at %s", r.Method, to, answer.Status, p.at)
	}
	return string(text), nil
}

var (
	postForm   = regexp.MustCompile(`(?s)<form [^>]*method="post"[^>]*>(.*?)</form>`)
	formInput  = regexp.MustCompile(`<input [^>]*>`)
	inputName  = regexp.MustCompile(` name="([^"]*)"`)
	inputValue = regexp.MustCompile(` value="([^"]*)"`)
)

// form is what the main form of a page sends as it is.
func (p *person) form(to string) (url.Values, error) {
	page, err := p.get(to)
	if err != nil {
		return nil, err
	}
	if p.at != to {
		return nil, fmt.Errorf("%s leads to %s", to, p.at)
	}
	fields, err := formOf(page)
	if err != nil {
		err = fmt.Errorf("%s: %w", to, err)
	}
	return fields, err
}

// formOf takes the form with the most fields.
func formOf(page string) (url.Values, error) {
	forms := postForm.FindAllStringSubmatch(page[max(strings.Index(page, "<main"), 0):], -1)
	if len(forms) == 0 {
		return nil, fmt.Errorf("the page has no form")
	}
	var most []string
	for _, form := range forms {
		if inputs := formInput.FindAllString(form[1], -1); len(inputs) > len(most) {
			most = inputs
		}
	}
	fields := url.Values{}
	for _, input := range most {
		name, value := inputName.FindStringSubmatch(input), inputValue.FindStringSubmatch(input)
		if name == nil || strings.Contains(input, `type="checkbox"`) || strings.Contains(input, `type="radio"`) {
			continue
		}
		text := ""
		if value != nil {
			text = html.UnescapeString(value[1])
		}
		fields.Set(html.UnescapeString(name[1]), text)
	}
	return fields, nil
}
