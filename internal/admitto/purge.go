package admitto

// PurgedResource is an object that was erased for good (resources.md 24.12). IDs and times that are 0 are unset.
type PurgedResource struct {
	ID              int64 // of the entry
	Object          int64 // the ID that the erased object had
	Type            PurgedType
	Created         Time // of the erased object
	ForgetRequested Time
	Marked          Time // deleted
	MarkedBy        int64
	Purged          Time
}

// PurgedType says what was erased.
type PurgedType string

// The kinds of objects in the purge list.
const (
	PurgedApplicant   PurgedType = "Applicant"
	PurgedApplication PurgedType = "Application"
)

// Login is a sign-in of an administrator, or an attempt (resources.md 24.15).
type Login struct {
	ID            int64
	Logged        Time
	IP            string // v4 or v6, without port
	Administrator int64  // 0: unknown
	Role          int64  // 0: none
	RoleName      string
	Result        LoginResult
}

// Access is that one of staff opened data of a person which are not shown otherwise (lifecycle.md 13).
type Access struct {
	ID                         int64
	Logged                     Time
	Administrator, Application int64
	What                       AccessKind
}

// AccessKind says what was opened.
type AccessKind string

// AccessSensitive are the fields of the form that need a permission of their own.
const AccessSensitive AccessKind = "sensitive"

// LoginResult says how a sign-in went.
type LoginResult string

// The results of sign-ins.
const (
	LoginSuccess       LoginResult = "Success"
	LoginWrongPassword LoginResult = "Wrong password"
	LoginWrongCode     LoginResult = "Wrong code"
	LoginBlocked       LoginResult = "Blocked"
	LoginExpired       LoginResult = "Expired"
)

// PageSize is how many entries a page of the purge list or of the sign-ins has.
const PageSize = 100

// PageQuery selects one page of entries with IDs and times in a range, oldest first; both ends are inclusive.
type PageQuery struct {
	FromID, ToID     int64 // ToID 0: no end, below 0: nothing
	FromTime, ToTime Time  // 0: no bound
	Page             int64 // from 1
}

// Pages returns how many pages so many entries make.
func Pages(entries int64) int64 { return (entries + PageSize - 1) / PageSize }
