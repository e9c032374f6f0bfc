package show

import (
	"cmp"
	"regexp"
	"strconv"
	"strings"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/message"
	"github.com/admitto/admitto/internal/site"
)

// overridden begins the paths of what a reason has set aside.
const overridden = "/overridden/"

// The journal keeps what was set aside as the English sentence that it was.
var (
	wasEmpty   = regexp.MustCompile(`^(\S+) is not filled in$`)
	wasAsked   = regexp.MustCompile(`^the question (.*) is not answered: \S+$`)
	wasOver    = regexp.MustCompile(`^the deadline for submitting course (\d+) is over$`)
	hasBlocked = regexp.MustCompile(`^task (\d+), (.*), is (.*)$`)
	wasUnpaid  = regexp.MustCompile(`^invoice (.*) is not paid$`)
	wasBarred  = regexp.MustCompile(`^citizens of this country cannot apply in the intake (.*)$`)
	wasOpen    = regexp.MustCompile(`^consent (\d+) is mandatory and was not given$`)
)

// setAside says in the language of the reader what a reason has set aside; what it does not know stays as it is.
func (w *Words) setAside(r *site.Request, kept string) string {
	found := func(sentence *regexp.Regexp) []string { return sentence.FindStringSubmatch(kept) }
	if m := found(wasEmpty); m != nil {
		return r.T("history.was_empty", "Field", cmp.Or(fieldName(r, "/"+m[1]), m[1]))
	} else if m := found(wasAsked); m != nil {
		return r.T("history.was_empty", "Field", m[1])
	} else if m := found(wasOver); m != nil {
		return r.T("history.was_over", "Course", cmp.Or(w.course(number(m[1])), m[1]))
	} else if m := found(hasBlocked); m != nil {
		return r.Say(message.Of("task-blocks", number(m[1]), m[2], admitto.TaskStatusWord(m[3])))
	} else if m := found(wasUnpaid); m != nil {
		return r.Say(message.Of("invoice-unpaid", m[1]))
	} else if m := found(wasBarred); m != nil {
		return r.Say(message.Of("territory-barred", m[1]))
	} else if m := found(wasOpen); m != nil {
		return r.Say(message.Of("consent-missing", number(m[1])))
	}
	return kept
}

func number(digits string) int64 {
	id, _ := strconv.ParseInt(digits, 10, 64) // the sentences take nothing else
	return id
}

// WhyRefused says the codes of what spoke against a submission.
func WhyRefused(r *site.Request, codes []string) (list []string) {
	for _, code := range codes {
		if key := "why." + strings.ReplaceAll(code, "-", "_"); r.Has(key) {
			code = r.T(key)
		}
		list = append(list, code)
	}
	return list
}
