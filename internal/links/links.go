// Package links knows the addresses of the pages that mails name. It may import usecase, whose Links it is.
package links

import (
	"net/url"
	"strconv"

	"github.com/admitto/admitto/internal/usecase"
)

// Site is the address that an instance has for its users: https://admissions.example.edu, no slash at the end.
type Site string

// At returns the links of the instance at an address.
func At(address string) usecase.Links { return Site(address) }

// Home is the front page.
func (s Site) Home() string { return string(s) }

// SignIn is the page that signs an applicant in by a token, and leads on to the page next; "" for none.
func (s Site) SignIn(token, next string) string {
	page := string(s) + "/sign-in/link/" + token
	if next != "" {
		page += "?next=" + url.QueryEscape(next)
	}
	return page
}

// EmailChange is the page that confirms a new address of an applicant by a token.
func (s Site) EmailChange(token string) string { return string(s) + "/sign-in/e-mail/" + token }

// Portal is where an applicant begins.
func (s Site) Portal() string { return string(s) + "/my" }

// Application is the page of an application for its applicant.
func (s Site) Application(id int64) string { return s.Portal() + "/applications/" + decimal(id) }

// Invoice is the page of an invoice for its applicant.
func (s Site) Invoice(id int64) string { return s.Portal() + "/invoices/" + decimal(id) }

// Offer is the page of an offer for its applicant.
func (s Site) Offer(id int64) string { return s.Portal() + "/offers/" + decimal(id) }

// Task is the page of a task for its applicant.
func (s Site) Task(id int64) string { return s.Portal() + "/tasks/" + decimal(id) }

// OwnData is the page on which applicants read what is kept about them.
func (s Site) OwnData() string { return s.Portal() + "/privacy" }

// InvoiceCard is the page of an invoice for staff.
func (s Site) InvoiceCard(id int64) string { return string(s) + "/admin/invoices/" + decimal(id) }

// Batch is the page of a batch for staff.
func (s Site) Batch(id int64) string { return string(s) + "/admin/batches/" + decimal(id) }

// Scoring is the page on which staff enter the points of a scoresheet.
func (s Site) Scoring(sheet int64) string {
	return string(s) + "/admin/scoresheets/" + decimal(sheet) + "/score"
}

// Setup is the page of the first set-up.
func (s Site) Setup(token string) string { return string(s) + "/setup/" + token }

// StaffInvitation is the page on which a new member of staff sets a password.
func (s Site) StaffInvitation(token string) string { return string(s) + "/admin/invite/" + token }

// StaffReset is the page on which a member of staff sets another password.
func (s Site) StaffReset(token string) string { return string(s) + "/admin/reset/" + token }

// StaffEmail is the page on which a member of staff confirms an address.
func (s Site) StaffEmail(token string) string { return string(s) + "/admin/email/" + token }

func decimal(id int64) string { return strconv.FormatInt(id, 10) }
