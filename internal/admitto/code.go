package admitto

import "strings"

// RefusalCode is a row of the catalogue of codes: the word in the member code of a problem document that says which
// rule refused (conventions.md 6). Programs decide by it, so a code is never renamed.
type RefusalCode struct {
	Code    string
	Kinds   []Kind // of the problems that have it
	Meaning string // one sentence for the reader of the documentation, with what to do where that is not plain
}

// RefusalCodes is the catalogue, by matter and in it in the order in which things happen. The page about codes is made
// from it, and internal/archtest fails when the code uses one that is not here.
func RefusalCodes() []RefusalCode {
	state := []Kind{NotAllowedNow}
	value := []Kind{InvalidParameter, InvalidBody} // the latter where the body is one value
	var list []RefusalCode
	for _, s := range ApplicationStatuses() {
		list = append(list, RefusalCode{"application-" + strings.ToLower(string(s)), state,
			"The application is " + string(s) + ", and what was asked for does not go with that."})
	}
	return append(list,
		RefusalCode{CodeApplicationExpired, state, "The last day of the term for applying is over. Staff may move it."},
		RefusalCode{CodeNotExpired, state, "The application has not expired, so there is nothing to lift."},
		RefusalCode{CodeApplicationExists, state, "The applicant has another application in the term that is not Closed."},
		RefusalCode{CodeCitizenshipMissing, state,
			"The citizenship of the applicant is not set; deadlines and fees depend on it."},
		RefusalCode{CodeTerritoryBarred, state, "The intake takes no applicants of this citizenship."},
		RefusalCode{CodeDeadlinePassed, state, "The deadline of a course has passed for this applicant."},
		RefusalCode{CodeNoCourse, state, "The application has no course."},
		RefusalCode{CodeLastCourse, state, "It is the only course of the application, and one must stay."},
		RefusalCode{CodeTooManyCourses, state, "The application has as many courses as applications.max_courses allows."},
		RefusalCode{CodeCourseNotOpen, []Kind{InvalidParameter, NotAllowedNow},
			"The course cannot be applied for: it is not online, not in the intake, not open yet, or its term is over."},
		RefusalCode{CodeSectionIncomplete, state,
			"A section of the application lacks what a course requires; the sentence names it."},
		RefusalCode{CodeTaskBlocks, state, "A task must be done before the application can be submitted."},
		RefusalCode{CodeInvoiceUnpaid, state, "An invoice must be paid before the application can be submitted."},
		RefusalCode{CodeConsentMissing, state, "The applicant has not given a mandatory consent."},
		RefusalCode{CodeFrozen, state, "What was to be changed is frozen. POST …/unfreeze allows it again."},
		RefusalCode{CodeReopenNotOffered, state, "Applicants cannot reopen their application here, or not any more."},
		RefusalCode{CodeUndoTimeOver, state, "A withdrawal can be undone for some minutes only, and they are over."},

		RefusalCode{"reference-in-use", value, "Another applicant has the reference code."},
		RefusalCode{"matriculation-format-missing", state,
			"There is no format from which the next matriculation number could be made; send the number."},
		RefusalCode{"offer-not-accepted", state,
			"The applicant is matriculated on an offer that is accepted or in the quota only."},

		RefusalCode{"type-archived", []Kind{InvalidBody}, "The offer type is archived and cannot be chosen any more."},
		RefusalCode{"offer-unreplied", state,
			"The offer still has the type that every offer begins with; set another before it is confirmed."},
		RefusalCode{"type-without-letter", state, "Offers of the type have no letter, so they cannot be confirmed."},
		RefusalCode{"letter-empty", state, "The letter has no subject or no text; set them on the offer or its type."},
		RefusalCode{"marker-unresolved", state,
			"The letter has a marker for which there is no value; the sentence lists them."},
		RefusalCode{CodeOfferConfirmed, state, "The offer was confirmed, and its course can be neither removed nor moved."},
		RefusalCode{"offer-unconfirmed", state, "No letter of the offer was sent yet."},
		RefusalCode{"type-without-decision", state, "The confirmed letter does not ask for an answer."},
		RefusalCode{"decision-deadline-passed", state, "The time for the answer to the offer is over."},
		RefusalCode{"decision-deadline-open", state, "The offer can still be answered, so it cannot lapse."},
		RefusalCode{"decision-none", state, "The offer has no decision already."},
		RefusalCode{"decision-final", state, "The offer is accepted already, or was declined for good."},
		RefusalCode{"decision-declined", state, "The offer is declined already."},
		RefusalCode{"decision-not-yours", state, "The decision is for somebody else to take."},
		RefusalCode{"binding-accepted", state, "The applicant has accepted another offer of the term, and that is binding."},

		RefusalCode{"status-unknown", []Kind{InvalidBody}, "The template of the task has no such status."},
		RefusalCode{"status-not-public", state, "The status is not one that applicants may choose."},
		RefusalCode{"document-missing", state, "The status needs a document at the task."},
		RefusalCode{"task-closed", state, "The task is closed and cannot be changed by the applicant any more."},
		RefusalCode{"comments-not-taken", state, "The task takes no comments."},
		RefusalCode{"documents-not-taken", state, "The task takes no documents."},
		RefusalCode{"too-many-documents", state, "The application or the task has as many documents as it may have."},
		RefusalCode{"template-inactive", state, "The template of the task is not active."},
		RefusalCode{"template-not-for-course", state, "The template of the task is not for this course."},

		RefusalCode{PointsInvalid, value,
			"The points are no number, outside the range of the scoresheet, or have too many decimals."},
		RefusalCode{"sheet-confirmed", state, "The scoresheet is confirmed, and its scores cannot be changed any more."},

		RefusalCode{"amount-invalid", []Kind{InvalidParameter},
			"The amount of a payment is greater than 0 and has at most two decimals."},
		RefusalCode{"currency-mismatch", []Kind{InvalidParameter}, "The payment is in another currency than the invoice."},
		RefusalCode{"over-payment", state,
			"The payment is more than what is still to be paid; the sentence says how much that is."},
		RefusalCode{"invoice-lapsed", state, "The invoice has lapsed and cannot be paid. Staff may revive it."},
		RefusalCode{"invoice-has-transactions", state, "Somebody has paid towards the invoice, so it cannot be deleted."},
		RefusalCode{"series-permanent", state, "Invoices of the series are kept for good."},
		RefusalCode{"fee-charged", state,
			"Another invoice was issued for the same fee meanwhile, so this one cannot be revived."},

		RefusalCode{CodeAddressRefused, []Kind{MailRefused},
			"The mail server refused the mail to the address; check the address."},
		RefusalCode{CodeAddressDeferred, []Kind{MailRefused}, "The mail server does not take mail to the address at this time; send the call again after the time in Retry-After."},
		RefusalCode{CodeMessageRefused, []Kind{MailRefused}, "The mail server took the address, but refused the mail itself for good. Sending the call again does not help; tell the operator."},
		RefusalCode{CodeMailServer, []Kind{MailRefused}, "The mail server could not be reached, or takes no mail of this service now. The address is not to blame; send the call again after the time in Retry-After."},

		RefusalCode{"template-unknown", []Kind{InvalidParameter}, "There is no mail template with this code."},
		RefusalCode{"marker-unknown", []Kind{InvalidParameter}, "The template has a marker that nothing fills."},
	)
}

// PageCodes is the catalogue of codes that only pages refuse with, never the API. Pages decide by them.
func PageCodes() []RefusalCode {
	refused := []Kind{NotPermitted}
	return []RefusalCode{
		{"link-dead", []Kind{NotFound}, "The link does not work, or its time is over; another one may be asked for."},
		{"setup-link-dead", []Kind{NotFound}, "The link to the set-up does not work; the command setup-link makes another one."},
		{"password-refused", []Kind{InvalidParameter}, "The password is too short, too long, or too common."},
		{"password-set", []Kind{NotAllowedNow}, "The invitation was accepted already."},
		{"role-above-own", []Kind{InvalidParameter, NotPermitted}, "The role permits what the caller may not do."},
		{"staff-above-own", refused, "The administrator may do what the caller may not do."},
		{"last-superuser", []Kind{NotAllowedNow}, "One active Superuser must stay."},
		{"no-second-factor", []Kind{NotAllowedNow}, "There is no second factor that recovery codes could stand for."},
		{"role-built-in", []Kind{NotAllowedNow}, "Built-in roles stay as they are."},
		{"role-in-use", []Kind{NotAllowedNow}, "Somebody has the role."},
		{"sign-in-wrong", refused, "Address or password is wrong, or the account may not sign in."},
		{"sign-in-throttled", []Kind{NotAllowedNow}, "There were too many failures; the next attempt is taken a little later."},
		{"code-needed", refused, "Address and password are right, and the code of the second factor is missing."},
		{"sign-in-over", refused, "The code came too long after the password; both are asked for again."},
		{"code-wrong", refused, "The code of the second factor is wrong, too old, or was used before."},
		{"account-blocked", refused, "Address and password are right, and staff stopped the account."},
	}
}
