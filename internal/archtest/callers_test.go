package archtest

import (
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"
	"testing"
)

// reach are the types by whose fields a type reaches the database: all its exported methods are use cases.
var reach = []string{"*Service", "*usecase.Core", "*store.Store", "*store.Tx"}

// withoutCaller are the exported methods that can have no caller, and why.
var withoutCaller = map[string]string{
	"accounts.Service.AcceptToken":        "the link says who calls",
	"accounts.Service.ApplicantMember":    "finds out who calls",
	"accounts.Service.BeginForm":          "is about the form, not about a record: what it saves asks",
	"accounts.Service.CheckFirst":         "part of the set-up, before there is anybody",
	"accounts.Service.ConfirmEmail":       "a token stands for the caller",
	"accounts.Service.ConsentsAsked":      "open to everybody",
	"accounts.Service.ConfirmStaffEmail":  "the link says who calls",
	"accounts.Service.SignInByCode":       "lets somebody in",
	"accounts.Service.DropForm":           "is about what a signed field says whose it is, when nobody may be signed in",
	"accounts.Service.EndForm":            "is about the form, not about a record: what it saves asks",
	"accounts.Service.EmailLink":          "a token stands for the caller",
	"accounts.Service.BeginFile":          "is about what a signed field says whose it is, when nobody may be signed in",
	"accounts.Service.AddToFile":          "is about what a signed field says whose it is, when nobody may be signed in",
	"accounts.Service.CopyFile":           "is about what a signed field says whose it is, when nobody may be signed in",
	"accounts.Service.KeptFiles":          "is about what a signed field says whose it is, when nobody may be signed in",
	"accounts.Service.DropKeptFile":       "is about what a signed field says whose it is, when nobody may be signed in",
	"accounts.Service.ArrivingFile":       "finds files of that account only",
	"accounts.Service.MostFileBytes":      "a setting",
	"accounts.Service.KeepForm":           "is about what a signed field says whose it is, when nobody may be signed in",
	"accounts.Service.SentFormState":      "is about the form, not about a record: what it saves asks",
	"accounts.Service.KeptPaths":          "is about what the site keeps of the account that is signed in, as KeptForm",
	"accounts.Service.KeptForm":           "is about what a signed field says whose it is, when nobody may be signed in",
	"accounts.Service.Looks":              "finds out who calls",
	"accounts.Service.NewLinkFor":         "the link says whose it is, and the mail goes to them",
	"accounts.Service.PressSignInLink":    "finds out who calls",
	"accounts.Service.Register":           "open to everybody",
	"accounts.Service.RequestReset":       "sends a mail to the owner of an address",
	"accounts.Service.RequestSignInLink":  "open to everybody, and says nothing of anybody",
	"accounts.Service.RequestsWaiting":    "wiring",
	"accounts.Service.ResendRegistration": "open to everybody, and says nothing of anybody",
	"accounts.Service.SessionStore":       "wiring",
	"accounts.SessionStore.Commit":        "finds out who calls",
	"accounts.SessionStore.CommitCtx":     "finds out who calls",
	"accounts.SessionStore.Delete":        "finds out who calls",
	"accounts.SessionStore.DeleteCtx":     "finds out who calls",
	"accounts.SessionStore.Find":          "finds out who calls",
	"accounts.SessionStore.FindCtx":       "finds out who calls",
	"accounts.SessionStore.Limits":        "settings, for the cookies",
	"accounts.Service.SignInApplicant":    "finds out who calls",
	"accounts.Service.SignInLink":         "a token stands for the caller",
	"accounts.Service.SignInStaff":        "finds out who calls",
	"accounts.Service.StaffMember":        "finds out who calls",
	"accounts.Service.TokenState":         "the link says whose it is",
	"accounts.Service.UseSignInLink":      "finds out who calls",
	"admissions.Service.ReceiptKeys":      "public, and says nothing that is not in the text",
	"admissions.Service.ReceiptKey":       "public",
	"query.Service.OfferedCourse":         "open to everybody",
	"query.Service.OfferedCourses":        "open to everybody",
	"apikey.Service.Authenticate":         "finds out who calls",
	"apikey.Service.BeginIdempotent":      "is about the request, not about a record: what it repeats asks",
	"apikey.Service.Called":               "counts in memory",
	"apikey.Service.Count":                "counts in memory what a key has used",
	"apikey.Service.EndIdempotent":        "is about the request, not about a record: what it repeats asks",
	"apikey.Service.IdempotentOutcome":    "is about the request, not about a record: what it repeats asks",
	"apikey.Service.CountLater":           "counts a request before anything is known of it but its key",
	"apikey.Service.TakeQuota":            "counts a request before anything is known of it but its key",
	"apikey.Counting.Take":                "counts a request of which nothing but its key matters",
	"automation.Service.Know":             "wiring",
	"batch.Service.Waiting":               "wiring",
	"leads.Service.Waiting":               "wiring",
	"files.Service.Works":                 "whether files can be stored",
	"maintenance.Service.Logo":            "open to everybody",
	"maintenance.Service.Ready":           "whether the database can be reached",
	"maintenance.Service.SetUp":           "the link to the set-up lets in, before there is anybody",
	"maintenance.Service.SetupOpen":       "the link to the set-up lets in, before there is anybody",
	"maintenance.Service.TrySetupMail":    "the link to the set-up lets in, before there is anybody",
	"maintenance.Service.ChecksWaiting":   "wiring",
	"scoring.Service.CriteriaWaiting":     "wiring",
	"maintenance.Service.Watch":           "wiring",
	"notify.Service.Language":             "a setting",
	"notify.Service.Active":               "which of the texts that the caller has is sent",
	"notify.Service.InLanguage":           "how a text that the caller has is written",
	"notify.Service.Sentences":            "words of a language",
	"notify.Service.Contact":              "whether mails can be sent",
	"notify.Service.Shipped":              "a text that comes with the service",
	"notify.Service.Reached":              "whether mails can be sent",
	"notify.Service.MailsWaiting":         "wiring",
	"privacy.Service.ExportsWaiting":      "wiring",
	"report.Table.Next":                   "goes on with what OpenTable has asked for",
}

// forServices are the exported methods that other services call in the course of a use case, and interfaces never do.
var forServices = []string{"ApplicantMarkers", "DropFile", "InvoiceMarkers", "KeepBytes", "KeepFile", "LeaseTime",
	"Begin", "Postpone", "RunRule", "ReadPublic", "SendNow", "Sender", "UsageDay"}

// TestInterfacesCallUseCasesOnly finds calls of what is for other services where there are none.
func TestInterfacesCallUseCasesOnly(t *testing.T) {
	found := map[string]bool{}
	for _, f := range readFiles(t) {
		if f.isTesting() || f.dir == "services" {
			continue
		}
		own := slices.Contains(useCases, f.dir)
		ast.Inspect(f.ast, func(n ast.Node) bool {
			if s, ok := n.(*ast.SelectorExpr); ok && slices.Contains(forServices, s.Sel.Name) {
				if found[s.Sel.Name] = true; !own {
					t.Errorf("%s:%d: %s is for other services", f.path, f.line(n), s.Sel.Name)
				}
			}
			return true
		})
	}
	for _, name := range forServices {
		if !found[name] {
			t.Errorf("nobody calls %s", name)
		}
	}
}

// forTests are the exported methods of services and transactions that only tests call, and why.
var forTests = map[string]string{
	"store.Tx.RecountCounters": "tests of other packages write rows behind the back of the counters",
}

// TestEverythingIsCalled finds use cases and statements that nothing but tests calls: what no interface reaches goes. A
// method of the same name that is called elsewhere hides one.
func TestEverythingIsCalled(t *testing.T) {
	named, declared := map[string]bool{}, map[string]string{} // by name; where each is, by its full name
	for _, f := range readFiles(t) {
		if f.isTesting() || strings.HasSuffix(f.dir, "test") {
			continue
		}
		ast.Inspect(f.ast, func(n ast.Node) bool {
			if s, ok := n.(*ast.SelectorExpr); ok {
				named[s.Sel.Name] = true
			}
			return true
		})
		if f.dir != "store" && !slices.Contains(useCases, f.dir) {
			continue
		}
		for _, d := range f.ast.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv != nil && fn.Name.IsExported() && ast.IsExported(receiver(fn)) {
				declared[f.dir+"."+receiver(fn)+"."+fn.Name.Name] = f.path
			}
		}
	}
	if len(declared) < 800 {
		t.Errorf("there are only %d methods", len(declared))
	}
	for name, where := range declared {
		called := named[name[strings.LastIndex(name, ".")+1:]]
		switch {
		case !called && forTests[name] == "":
			t.Errorf("%s: nothing but tests calls %s", where, name)
		case called && forTests[name] != "":
			t.Errorf("%s needs no exception", name)
		}
	}
}

// actForService are the packages that may act for the service itself: none of them hands on what a request says.
var actForService = []string{"cmd/admitto", "jobs", "automation", "notify", "devdocs", "admitto",
	"services/servicestest"}

// TestNoRequestActsForTheService finds interfaces that become the system caller, who may do everything.
func TestNoRequestActsForTheService(t *testing.T) {
	found := 0
	for _, f := range readFiles(t) {
		if f.isTesting() {
			continue
		}
		ast.Inspect(f.ast, func(n ast.Node) bool {
			if s, ok := n.(*ast.SelectorExpr); ok && s.Sel.Name == "SystemCaller" {
				if found++; !slices.Contains(actForService, f.dir) {
					t.Errorf("%s:%d: a caller of this package is never the service itself", f.path, f.line(n))
				}
			}
			return true
		})
	}
	if found < 10 {
		t.Errorf("only %d uses of the system caller were found", found)
	}
}

// checks are what a use case may begin with. The last stands for a check of which permission depends on what is read.
var checks = []string{"Needs", "NeedsAny", "NeedsOrOwns", "NeedsOrApplicant", "Owns", "StaffOrOwns", "ApplicantOnly",
	"SignedIn", "Staff", "AdministratorOnly", "System", "permitted"}

// ownership is the function that every use case comes past which lets an applicant in before it knows whose record it
// is.
const ownership = "OnlyOwn"

// TestUseCasesAskTheirCaller fails for a use case that does not begin with a check of its caller (docs/architecture.md,
// "Who may do what").
func TestUseCasesAskTheirCaller(t *testing.T) {
	files := readFiles(t)
	used := map[string]bool{}
	var base []file // what use cases of all packages call
	for _, f := range files {
		if f.dir == "usecase" && !f.isTest {
			base = append(base, f)
		}
	}
	for _, folder := range useCases {
		if folder == "usecase" {
			continue
		}
		var list []file
		for _, f := range files {
			if f.dir == folder && !f.isTest {
				list = append(list, f)
			}
		}
		faults, n := useCaseFaults(list, base)
		if n == 0 {
			t.Errorf("there are no use cases in %s", folder)
		}
		for name, fault := range faults {
			if name = folder + "." + name; withoutCaller[name] == "" {
				t.Errorf("%s %s", name, fault)
			} else {
				used[name] = true
			}
		}
	}
	for name := range withoutCaller {
		if !used[name] {
			t.Errorf("%s needs no exception", name)
		}
	}
}

// useCaseFaults says what is wrong with the use cases of a package, by type and name, and how many there are. base are
// the files of usecase. What takes a transaction is a part of use cases of other services: interfaces have none.
func useCaseFaults(list, base []file) (faults map[string]string, n int) {
	faults = map[string]string{}
	calls := map[string]map[string]bool{} // by name of a function of the package: what it calls
	for _, f := range slices.Concat(list, base) {
		for _, d := range f.ast.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Body != nil {
				calls[fn.Name.Name] = namesCalled(fn.Body)
			}
		}
	}
	reaching := map[string]bool{} // the types by whose methods somebody gets at the database
	for _, f := range list {
		ast.Inspect(f.ast, func(n ast.Node) bool {
			if spec, ok := n.(*ast.TypeSpec); ok && hasReach(spec) {
				reaching[spec.Name.Name] = true
			}
			return true
		})
	}
	for _, f := range list {
		for _, d := range f.ast.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || !fn.Name.IsExported() || fn.Recv == nil && fn.Name.Name == "New" || takesTransaction(fn) ||
				slices.Contains(forServices, fn.Name.Name) {
				continue
			}
			name := fn.Name.Name
			if fn.Recv != nil {
				name = receiver(fn) + "." + name
			}
			if !(fn.Recv != nil && reaching[receiver(fn)]) && !takes(fn, reach...) && !takes(fn, "context.Context") {
				continue
			}
			n++
			switch check := firstCheck(fn); {
			case !hasCaller(fn):
				faults[name] = "takes no caller as by"
			case check == "":
				faults[name] = "does not begin with a check of its caller"
			case check == "NeedsOrApplicant" && !reaches(calls, fn.Name.Name, map[string]bool{}):
				faults[name] = "lets any applicant in, and never asks " + ownership
			}
		}
	}
	return faults, n
}

// receiver is the name of the type that a method is of.
func receiver(fn *ast.FuncDecl) string {
	typ := fn.Recv.List[0].Type
	if star, ok := typ.(*ast.StarExpr); ok {
		typ = star.X
	}
	if name, ok := typ.(*ast.Ident); ok {
		return name.Name
	}
	return ""
}

// hasReach reports whether a type is a service or holds something by which it reaches the database.
func hasReach(spec *ast.TypeSpec) bool {
	record, ok := spec.Type.(*ast.StructType)
	return spec.Name.Name == "Service" || ok && slices.ContainsFunc(record.Fields.List, func(f *ast.Field) bool {
		return slices.Contains(reach, types.ExprString(f.Type))
	})
}

// takesTransaction reports whether the first parameter of a function is a *store.Tx.
func takesTransaction(fn *ast.FuncDecl) bool {
	return len(fn.Type.Params.List) > 0 && types.ExprString(fn.Type.Params.List[0].Type) == "*store.Tx"
}

// takes reports whether a function has a parameter of one of the types.
func takes(fn *ast.FuncDecl, list ...string) bool {
	return slices.ContainsFunc(fn.Type.Params.List, func(f *ast.Field) bool {
		return slices.Contains(list, types.ExprString(f.Type))
	})
}

// hasCaller reports whether a function takes a caller under the name by.
func hasCaller(fn *ast.FuncDecl) bool {
	for _, field := range fn.Type.Params.List {
		name := ""
		switch typ := field.Type.(type) {
		case *ast.Ident:
			name = typ.Name
		case *ast.SelectorExpr:
			name = typ.Sel.Name
		}
		for _, given := range field.Names {
			if name == "Caller" && given.Name == "by" {
				return true
			}
		}
	}
	return false
}

// firstCheck is the name of the check that the first statement of a function makes of its caller and acts on: "if err
// := by.Needs(…); err != nil { return …, err }"; "" when it is something else.
func firstCheck(fn *ast.FuncDecl) string {
	if fn.Body == nil || len(fn.Body.List) == 0 {
		return ""
	}
	first, ok := fn.Body.List[0].(*ast.IfStmt)
	if !ok || first.Else != nil {
		return ""
	}
	assign, ok := first.Init.(*ast.AssignStmt)
	if !ok || len(assign.Lhs) != 1 || len(assign.Rhs) != 1 {
		return ""
	}
	cond, ok := first.Cond.(*ast.BinaryExpr)
	if !ok || cond.Op != token.NEQ || !isName(cond.X, "err") || !isName(cond.Y, "nil") || !isName(assign.Lhs[0], "err") {
		return ""
	}
	result, ok := first.Body.List[0].(*ast.ReturnStmt)
	if !ok || len(result.Results) == 0 || !isName(result.Results[len(result.Results)-1], "err") {
		return ""
	}
	call, ok := assign.Rhs[0].(*ast.CallExpr)
	if !ok {
		return ""
	}
	check, ok := call.Fun.(*ast.SelectorExpr)
	if !ok || !slices.Contains(checks, check.Sel.Name) {
		return ""
	}
	asksCaller := isName(check.X, "by") || check.Sel.Name == "permitted" && len(call.Args) == 1 &&
		isName(call.Args[0], "by")
	if !asksCaller {
		return ""
	}
	return check.Sel.Name
}

func isName(e ast.Expr, name string) bool {
	ident, ok := e.(*ast.Ident)
	return ok && ident.Name == name
}

// namesCalled is the names of the functions and methods that a body calls.
func namesCalled(body *ast.BlockStmt) map[string]bool {
	names := map[string]bool{}
	ast.Inspect(body, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok {
			switch fun := call.Fun.(type) {
			case *ast.Ident:
				names[fun.Name] = true
			case *ast.SelectorExpr:
				names[fun.Sel.Name] = true
			}
		}
		return true
	})
	return names
}

// reaches reports whether a function calls the ownership function, or another one of the package that does.
func reaches(calls map[string]map[string]bool, name string, seen map[string]bool) bool {
	if seen[name] {
		return false
	}
	seen[name] = true
	for called := range calls[name] {
		if called == ownership || reaches(calls, called, seen) {
			return true
		}
	}
	return false
}

// What the test above refuses, and what it takes.
func TestUseCaseFaults(t *testing.T) {
	const good = "if err := by.Needs(admitto.FlagsEdit); err != nil { return err }\n"
	for body, want := range map[string]string{
		good + "return nil": "",
		"if err := by.SignedIn(); err != nil { return err }; return nil":        "",
		"if err := report.permitted(by); err != nil { return err }; return nil": "",
		"return nil":                     "does not begin",
		"":                               "does not begin",
		"x := 1\n" + good + "return nil": "does not begin",
		"by.Needs(admitto.FlagsEdit); return nil":                                                     "does not begin",
		"if err := by.Needs(admitto.FlagsEdit); err == nil { return err }; return nil":                "does not begin",
		"if err := by.Needs(admitto.FlagsEdit); err != nil { return nil }; return nil":                "does not begin",
		"if err := by.Needs(admitto.FlagsEdit); err != nil { println(err) }; return nil":              "does not begin",
		"if err := by.Has(admitto.FlagsEdit); err != nil { return err }; return nil":                  "does not begin",
		"if err := other.Needs(admitto.FlagsEdit); err != nil { return err }; return nil":             "does not begin",
		"if err := by.NeedsOrApplicant(admitto.FlagsEdit); err != nil { return err }; return nil":     "lets any applicant in",
		"if err := by.NeedsOrApplicant(admitto.FlagsEdit); err != nil { return err }; return s.one()": "",
		"if err := by.NeedsOrApplicant(admitto.FlagsEdit); err != nil { return err }; return two()":   "lets any applicant in",
	} {
		source := "package p\ntype Service struct{}\nfunc (s *Service) one() error { return OnlyOwn() }\nfunc two() error { return two() }\n" +
			"func (s *Service) Do(by admitto.Caller) error {\n" + body + "\n}\n"
		f, err := parseFile("internal/p/p.go", source)
		if err != nil {
			t.Fatal(err)
		}
		faults, n := useCaseFaults([]file{f}, nil)
		got := strings.Join(slices.Collect(maps.Values(faults)), "")
		if n != 1 || (want == "") != (got == "") || !strings.Contains(got, want) {
			t.Errorf("%s: %q, want %q", body, got, want)
		}
	}
	within, err := parseFile("internal/p/p.go",
		"package p\nfunc (s *Service) Do(tx *store.Tx, id int64) error { return nil }")
	if err != nil {
		t.Fatal(err)
	}
	if _, n := useCaseFaults([]file{within}, nil); n != 0 {
		t.Error("what takes a transaction is taken for a use case")
	}
	for source, want := range map[string]int{
		"func (s *Service) Do() {}":                                      1,
		"func (s Service) Do(as Caller) {}":                              1,
		"func (s *Service) Do(by *Person) {}":                            1,
		"type Desk struct{ core *usecase.Core }\nfunc (d *Desk) Do() {}": 1,
		"type List struct{ tx *store.Tx }\nfunc (l *List) Next() {}":     1,
		"func Do(ctx context.Context) {}":                                1,
		"func Do(id int64, core *usecase.Core) {}":                       1,
		"func New(core *usecase.Core) *Service { return nil }":           0,
		"type Desk struct{ id int64 }\nfunc (d *Desk) Do() {}":           0,
		"func Do(id int64) {}":                                           0,
	} {
		f, err := parseFile("internal/p/p.go", "package p\ntype Service struct{}\n"+source)
		if err != nil {
			t.Fatal(err)
		}
		if faults, _ := useCaseFaults([]file{f}, nil); len(faults) != want {
			t.Errorf("%s: %v", source, faults)
		}
	}
}
