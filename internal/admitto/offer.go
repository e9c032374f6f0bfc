package admitto

// OfferType is what an offer says (lifecycle.md 4.1).
type OfferType struct {
	ID                                       int64
	Archived                                 bool
	Title, Colour                            string
	Ranking                                  Ranked
	BCC                                      []string
	Confirm, Freeze, Decide                  bool
	Decline, StrictDeclined, Reopen, Silence bool
	Subject, Comments                        string
	Reasons                                  []OfferReason
}

// InitialOfferType is the ID of the type that every new offer has.
const InitialOfferType int64 = 1

// Ranked says how offers of a type stand in rankings.
type Ranked string

// The ranking words of offer types.
const (
	RankedPending    Ranked = "Pending"
	RankedInQuota    Ranked = "In quota"
	RankedEliminated Ranked = "Eliminated"
)

// OfferReason is a predefined reason of an offer type.
type OfferReason struct {
	ID     int64
	Reason string
}

// Decision is the answer to an offer.
type Decision string

// The decisions.
const (
	DecisionNone     Decision = "None"
	DecisionFinal    Decision = "Final"
	DecisionDeclined Decision = "Declined"
)

// Offer is what the institution says about one course of an application. IDs and times that are 0 are unset.
type Offer struct {
	ID, Application, Applicant, Course, Intake  int64
	Institution                                 int64 // of the course
	RowVersion                                  int64
	Priority                                    int
	Inserted, Saved, Confirmed, Decided, Scored Time
	Type, TypeConfirmed                         int64
	Subject, Comments, CommentsConfirmed        string
	Decision                                    Decision
	DecisionPolicy                              string
	DecisionDeadline                            Date
	ScoreAuto, ScoreExtra                       *Hundredths
	Reason                                      OfferReason
}

// Links names what a journal event about the offer concerns.
func (o *Offer) Links() Links {
	return Links{Applicant: o.Applicant, Application: o.Application, Course: o.Course, Institution: o.Institution, Offer: o.ID}
}

// Letter is a rendered offer letter.
type Letter struct {
	ID, Offer, Letterhead, Administrator, Attachment int64
	Rendered                                         Time
}

// Letterhead is the paper of letters.
type Letterhead struct {
	ID                int64
	Name              string
	Created, Modified Time
}

// File is what is known of a stored file (resources.md 0.7). Hash is the SHA-256 of its bytes in hexadecimal
// digits; the bytes are in the blob store under it.
type File struct {
	ID                int64
	Owner             int64 // the application, offer, e-mail or applicant it belongs to
	Uploaded, Expires Time
	Name, MIME        string
	Size              int64
	Hash              string
}
