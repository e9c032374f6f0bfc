package api

import (
	"errors"
	"strings"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/api/params"
)

// faultNames are the names that parameters have of the values that use cases find fault with. A value of which only a
// body that is nothing else can be has the name that its resource has. internal/archtest compares them with what use
// cases say. Paths that begin with "page." are of what only pages write, and have no name here.
var faultNames = map[admitto.Path]string{
	"administrator.applications": "applications", // these are of pages only
	"administrator.batches":      "batches",
	"administrator.code":         "code",
	"administrator.email":        "email",
	"administrator.function":     "function",
	"administrator.keys":         "keys",
	"administrator.name":         "name",
	"administrator.password":     "password",
	"administrator.phone":        "phone",
	"administrator.roles":        "roles",
	"administrator.scoresheets":  "scoresheets",
	"administrator.tableviews":   "tableviews",
	"administrator.until":        "until",
	"administrator.views":        "views",
	"applicant.address":          "address",
	"applicant.citizenship":      "citizenship",
	"applicant.email":            "email",
	"applicant.family":           "name_family",
	"applicant.given":            "name_given",
	"applicant.language":         "language",
	"applicant.legal":            "name_legal",
	"applicant.matriculation":    "matriculation",
	"applicant.middle":           "name_middle",
	"applicant.note":             "notes",
	"applicant.parent":           "name_parent",
	"applicant.password":         "password",
	"applicant.phone":            "phone",
	"applicant.reference":        "reference",
	"applicant.scheme":           "scheme",
	"applicant.skype":            "skype",
	"applicant.tracker":          "tracker_ID",
	"applicant.type":             "type",
	"applicant.vatin":            "VATIN",
	"application.applicant":      "applicant",
	"application.copy":           "copy", // of a page only
	"application.course":         "course",
	"application.deadline":       "until",
	"application.intake":         "intake",
	"application.modifier":       "modifier",
	"application.priority":       "priority",
	"application.reason":         "reason",
	"course.institution":         "institution",
	"course.mode":                "mode",
	"course.type":                "type",
	"criteria":                   "criteria",
	"document.file":              "file",
	"batch.action":               "action", // those of batches are of pages only
	"batch.course":               "course",
	"batch.consent":              "consent",
	"batch.subject":              "subject",
	"batch.text":                 "text",
	"batch.type":                 "type",
	"batch.count":                "count",
	"batch.flag":                 "flag",
	"batch.sheet":                "sheet",
	"batch.officer":              "officer",
	"batch.tracker":              "tracker",
	"batch.intake":               "intake",
	"batch.until":                "until",
	"batch.reason":               "reason",
	"batch.task":                 "task",
	"batch.status":               "status",
	"check.from":                 "from",    // pages only
	"key.expires":                "expires", // pages only, as the others of keys
	"key.hours":                  "hours",
	"key.label":                  "label",
	"key.operations":             "operations",
	"key.owner":                  "owner",
	"key.per_hour":               "per_hour",
	"key.per_minute":             "per_minute",
	"key.scope":                  "scope",
	"invoice.administrator":      "issuer_administrator_ID",
	"invoice.application":        "application",
	"invoice.course":             "course_ID",
	"invoice.deadline":           "deadline",
	"invoice.institution":        "issuer_institution_ID",
	"invoice.items":              "items",
	"invoice.series":             "serie_ID",
	"invoice.type":               "type",
	"offer.decision-policy":      "decision-policy",
	"offer.decline-class":        "decline-class", // pages only
	"offer.decline-reason":       "decline-reason",
	"offer.letterhead":           "letterhead",
	"offer.type":                 "type",
	"outgoing.email":             "outgoing-email", // pages only
	"outgoing.name":              "outgoing-name",
	"payment.amount":             "amount",
	"payment.currency":           "currency",
	"payment.day":                "collected",
	"preferences":                "preferences", // pages only
	"role.name":                  "name",
	"role.permissions":           "permissions",
	"report.academicTerm":        "academicTerm",
	"report.calendarYear":        "calendarYear",
	"report.citizenships":        "citizenships",
	"report.commenceYear":        "commenceYear",
	"report.comparedYear":        "comparedYear",
	"report.courses":             "courses",
	"report.institutions":        "institutions",
	"report.intakes":             "intakes",
	"report.regions":             "regions",
	"score.application":          "application",
	"score.comments":             "comments",
	"score.date":                 "date",
	"score.language":             "language",
	"score.offer":                "offer",
	"score.points":               "points",
	"score.reference":            "reference",
	"score.subject":              "subject",
	"task.comment":               "comment",
	"task.course":                "course",
	"task.status":                "status",
	"task.template":              "template",
	"template.body":              "body",
	"template.code":              "code",
	"template.subject":           "subject",
	"view.name":                  "name", // these are of pages only
	"view.query":                 "query",
	"view.shared":                "shared",
	"wish.course":                "course",
	"wish.intake":                "intake",
	"wish.notes":                 "notes",
}

// contentPath is the path of the content of an application: the pointer into the body that changes it follows.
const contentPath admitto.Path = "content"

// placeOf returns where the client has put the value of a path, the parameter of a path of the domain.
func placeOf(path admitto.Path) params.Position {
	if at := params.PositionOf(path); at != (params.Position{}) || path == "" {
		return at
	}
	if pointer, ok := strings.CutPrefix(string(path), string(contentPath)); ok && (pointer == "" || pointer[0] == '/') {
		return params.Position{Pointer: pointer, InBody: true}
	}
	of, index, indexed := strings.Cut(string(path), "/")
	name := faultNames[admitto.Path(of)]
	if indexed {
		name += "[" + index + "]"
	}
	return params.Position{Parameter: name}
}

// named returns a fault of a use case with the place of its value as its path.
func named(f admitto.Fault) admitto.Fault {
	f.Path = placeOf(f.Path).Path()
	return f
}

// faultsNamed returns the faults of an error of values that are wrong, with the names of their parameters.
func faultsNamed(err error) (faults []admitto.Fault, ok bool) {
	var e *admitto.Error
	if !errors.As(err, &e) || e.Kind != admitto.InvalidParameter {
		return nil, false
	}
	for _, f := range e.Faults {
		faults = append(faults, named(f))
	}
	return faults, true
}

// located adds to faults of a use case the place where the client put the value.
func (c *call) located(list params.Args, faults []admitto.Fault) error {
	if len(faults) == 0 {
		return nil
	}
	e := &admitto.Error{Kind: admitto.InvalidParameter}
	for _, f := range faults {
		f = named(f)
		if a := list[params.PositionOf(f.Path).Parameter]; a != nil && a.Pointer != "" {
			f.Path = params.AtPointer(a.Pointer)
		}
		e.Faults = append(e.Faults, f)
	}
	return e
}

// locate is located for an error that may hold faults.
func (c *call) locate(list params.Args, err error) error {
	if faults, ok := faultsNamed(err); ok {
		return c.located(list, faults)
	}
	return err
}

// inObject points faults of a use case to the member of the JSON body.
func inObject(err error) error {
	faults, ok := faultsNamed(err)
	if !ok {
		return err
	}
	for i, f := range faults {
		if at := params.PositionOf(f.Path); at.Parameter != "" {
			faults[i].Path = params.AtPointer("/" + at.Parameter)
		}
	}
	return &admitto.Error{Kind: admitto.InvalidParameter, Faults: faults}
}

// inBareBody places the faults of a use case in a body that is one JSON value.
func inBareBody(err error) error {
	faults, ok := faultsNamed(err)
	if !ok {
		return err
	}
	for i := range faults {
		faults[i].Path = params.AtPointer("")
	}
	return &admitto.Error{Kind: admitto.InvalidBody, Faults: faults}
}
