package main

import (
	"fmt"
	"html"
	"net/url"
	"regexp"
	"strconv"
	"time"
)

// reportNames are the reports of resources.md 19.3.
var reportNames = []string{"ReportStatus", "ReportCourses", "ReportCitizenships", "ReportFunnel", "Registrations",
	"ReportOffers", "ReportInvoices", "ReportTrackers", "ReportTrackersApplicantDetails", "ReportTasks",
	"ReportDeadlines", "ReportScores"}

// manyColumns are those of the tableview that is opened, or all that there are.
const manyColumns = 100

var (
	pickedColumn = regexp.MustCompile(`name="pick"[^>]* value="([^"]+)"`)
	savedView    = regexp.MustCompile(`^/admin/tableviews/\d+$`)
)

// openCounted opens each report once for all terms, and a tableview of many columns with its file, while nobody else
// clicks: these are the pages whose time grows with the instance.
func (r *pageRun) openCounted() error {
	v := r.staff[0]
	for _, name := range reportNames {
		query := "?term=all"
		if name == "Registrations" || name == "ReportInvoices" {
			query = "?calendar=" + strconv.Itoa(time.Now().UTC().Year())
		}
		if err := v.open("report, each once", "/admin/reports/"+name+query); err != nil {
			return err
		}
	}
	const builder = "/admin/tableviews/new"
	page, err := v.read("builder of tableviews", builder)
	if err != nil {
		return err
	}
	form, err := formOf(builder, page)
	if err != nil {
		return err
	}
	form.Set("title", "Many columns")
	form.Set("term", "all")
	for _, field := range []string{"do", "search", "pick", "column"} {
		form.Del(field)
	}
	columns := url.Values{}
	for _, m := range pickedColumn.FindAllStringSubmatch(page, -1) {
		if len(columns["column"]) < manyColumns {
			columns.Add("column", html.UnescapeString(m[1]))
		}
	}
	form["column"] = columns["column"]
	request, err := formRequest(r.ctx, r.url, builder, form)
	if err != nil {
		return err
	}
	answer, err := v.http.Do(request)
	if err != nil {
		return err
	}
	if err := answer.Body.Close(); err != nil {
		return err
	}
	view := answer.Header.Get("Location")
	if !savedView.MatchString(view) {
		return fmt.Errorf("the tableview of %d columns was not saved: %s to %s", len(form["column"]), answer.Status, view)
	}
	say("a tableview of %d columns", len(form["column"]))
	if err := v.open("tableview of many columns", view); err != nil {
		return err
	}
	return v.open("tableview of many columns as a file", view+"/csv")
}
