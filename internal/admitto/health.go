package admitto

// InstanceReport is what an instance says of itself twice a minute (screens.md A57). It holds nothing about persons.
type InstanceReport struct {
	Started, Seen Time
	Name          string // of the machine
	Version       string
	Mail          MailContact
	Files         string // why the store of files does not work, "" when it does
	FilesCount    int64
	FilesBytes    int64
	FilesCounted  Time
	Apart         Time // its clock from that of the database
	Free          int64
	FreeKnown     bool
	Certificate   Certificate
	Jobs          []JobOutcome // those that each instance does
	Pages         []PageTime   // the slowest of the day
}

// MailContact is how an instance stands with the mail server.
type MailContact struct {
	None   bool   // there is none: mails are written to a folder
	Server string // without its password
	Since  Time   // since when it does not answer; 0: it does
	Reason string
	Heard  Time // when it answered last
}

// Certificate is the certificate in use that is worst off; the zero value where a proxy has it.
type Certificate struct {
	Begins, Ends Time
	Names        []string
	Fault        string // why clients refuse it
}

// JobOutcome is how the last runs of a job went. Failures counts since the last run that went well.
type JobOutcome struct {
	Job           string
	Asked         Time // for when somebody asked for a run; 0: nobody did
	Begun, Took   Time // of the last run that ended
	Failures      int
	Failed        Time // when a run failed last
	Cause         string
	LastFinished  Time // when a run went well last, or the first time was passed over
	WaitsForAsked bool // the run that was asked for has not ended
}

// Ran reports whether a run ended. The first time of a new job is passed over, which is no run: nothing was missed.
func (o *JobOutcome) Ran() bool { return o.Begun != 0 }

// PageTime is how long a kind of request took on a day.
type PageTime struct {
	Route    string
	Requests int64
	Most     Time // of 95 of 100 requests, at most
	Slowest  Time
}

// Backup is the last backup that was made; the zero value for none.
type Backup struct {
	Made       Time
	Bytes      int64
	LastRecord int64 // of the journal that is in it
}

// MailQueue is what waits to leave, and what does not leave.
type MailQueue struct {
	Waiting       int64
	Oldest        Time // when the one was queued that waits longest
	Welcomes      int64
	WelcomeOldest Time
	Failed        []FailedMails
}

// FailedMails are mails that were given up for one reason. Addresses are left out of it.
type FailedMails struct {
	Template string
	Reason   string
	Count    int64
	Last     Time
}
