package rehearse

import (
	"bytes"
	"context"
	"crypto/tls"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"mime/multipart"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"
)

// filledIn is what an application needs before it can be submitted, but for the motivation.
const filledIn = `{"profile":{"name":{"given":"Ann","family":"Night"},"citizenship":"HU","birth":{"date":"2004-05-17",
	"place":"Pécs","country":"HU"}},"contact":{"telephone":{"mobile":"+36 20 555 0000"},"address":{"type":"C",
	"street":"Fő utca","house":"1","city":"Pécs","country":"HU"}},"education":[{"level":"SE","institution":"Gymnasium",
	"country":"HU","enrolment":"2018-09","graduation":"2022-06"}],"languages":[{"name":"en","native":false,
	"proficiency":"C1"}]}`

// secure trusts the certificate of the service, which was made by the process that it is asked by.
func secure() *tls.Config { return &tls.Config{InsecureSkipVerify: true} }

// call asks the API.
func (n *Night) call(ctx context.Context, method, to, body string, status int, into any) (at string, err error) {
	r, err := http.NewRequestWithContext(ctx, method, n.URL+"/api/v10"+to, strings.NewReader(body))
	if err != nil {
		return "", err
	}
	r.Header.Set("Authorization", `SERVICE apikey="`+n.Key+`"`)
	r.Header.Set("Content-Type", "application/json")
	answer, err := api.Do(r)
	if err != nil {
		return "", err
	}
	defer answer.Body.Close() //nolint:errcheck // it was only read
	text, err := io.ReadAll(answer.Body)
	if err == nil && answer.StatusCode != status {
		err = fmt.Errorf("%s %s: %s: %.500s", method, to, answer.Status, text)
	}
	if err == nil && into != nil {
		err = json.Unmarshal(text, into)
	}
	return path.Base(answer.Header.Get("Location")), err
}

var api = &http.Client{Timeout: time.Minute, Transport: &http.Transport{TLSClientConfig: secure()}}

// invite makes the people, each with an application that lacks little, and finds the links that were mailed to them.
func (n *Night) invite(ctx context.Context) ([]*person, error) {
	people := make([]*person, n.People)
	var course, intake string
	begun := strconv.FormatInt(time.Now().UnixNano(), 36)
	make := func(i int) error {
		p := &person{night: n, ctx: ctx, email: fmt.Sprintf("night-%s-%d@example.org", begun, i+1)}
		applicant, err := n.call(ctx, http.MethodPost, "/applicants",
			fmt.Sprintf(`{"email":%q,"name":"Ann Night","citizenship":"HU"}`, p.email), http.StatusCreated, nil)
		if err != nil {
			return err
		}
		if i == 0 {
			course, intake, p.application, err = n.openCourse(ctx, applicant)
		} else {
			p.application, err = n.apply(ctx, applicant, course, intake)
		}
		if err == nil {
			_, err = n.call(ctx, http.MethodPatch, "/applications/"+p.application, filledIn, http.StatusNoContent, nil)
		}
		people[i] = p
		return err
	}
	if err := make(0); err != nil {
		return nil, err
	}
	if err := n.each(n.People-1, func(i int) error { return make(i + 1) }); err != nil {
		return nil, err
	}
	links, err := n.Links()
	if err != nil {
		return nil, err
	}
	for _, p := range people {
		if p.link = links[p.email]; p.link == "" {
			return nil, fmt.Errorf("%s got no link to sign in", p.email)
		}
		jar, err := cookiejar.New(nil)
		if err != nil {
			return nil, err
		}
		p.browser = &http.Client{Jar: jar, Timeout: 2 * time.Minute,
			Transport: &http.Transport{MaxConnsPerHost: 2, TLSClientConfig: secure()}}
	}
	return people, nil
}

// openCourse is the first course with an intake that somebody can apply for, who does.
func (n *Night) openCourse(ctx context.Context, applicant string) (course, intake, application string, err error) {
	var courses map[string]struct {
		Intakes map[string]string `json:"intakes"`
	}
	if _, err := n.call(ctx, http.MethodGet, "/courses?limit=100", "", http.StatusOK, &courses); err != nil {
		return "", "", "", err
	}
	byNumber := func(a, b string) int { return number(a) - number(b) }
	for _, course := range slices.SortedFunc(maps.Keys(courses), byNumber) {
		intakes := slices.SortedFunc(maps.Keys(courses[course].Intakes), byNumber)
		slices.Reverse(intakes)
		for _, intake := range intakes {
			if application, err = n.apply(ctx, applicant, course, intake); err == nil {
				return course, intake, application, nil
			}
		}
	}
	return "", "", "", fmt.Errorf("nobody can apply for any course: %w", err)
}

func number(text string) int {
	n, _ := strconv.Atoi(text)
	return n
}

func (n *Night) apply(ctx context.Context, applicant, course, intake string) (string, error) {
	return n.call(ctx, http.MethodPost, "/applications",
		fmt.Sprintf(`{"applicant":%s,"course":%s,"intake":%s}`, applicant, course, intake), http.StatusCreated, nil)
}

// status is what the API says about an application.
func (n *Night) status(ctx context.Context, application string) (string, error) {
	var said struct {
		Status string `json:"status"`
	}
	_, err := n.call(ctx, http.MethodGet, "/applications/"+application, "", http.StatusOK, &said)
	return said.Status, err
}

// upload sends a form with a document.
func (p *person) upload(to string, fields url.Values) error {
	var body bytes.Buffer
	parts := multipart.NewWriter(&body)
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		if name != "file" {
			if err := parts.WriteField(name, fields.Get(name)); err != nil {
				return err
			}
		}
	}
	file, err := parts.CreateFormFile("file", "passport.pdf")
	if err == nil {
		_, err = fmt.Fprintf(file, "%%PDF-1.7\n%%%s\n%s", to, strings.Repeat(p.email+"\n", documentLines))
	}
	if err == nil {
		err = parts.Close()
	}
	if err != nil {
		return err
	}
	_, err = p.press(to, parts.FormDataContentType(), &body)
	return err
}
