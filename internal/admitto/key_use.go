package admitto

// KeyUse is one way in which an API key uses what will end (conventions.md 1).
type KeyUse struct {
	Key       int64
	Operation string // GET /applicants/{id}
	Version   int    // that answered
	What      string // what of it will end, in the words of the interface: "version", "path", "parameter byCommenceYear"
	Day       Date   // in the time zone of the instance
}

// KeyUseSum is how often a key used something that will end, over all days that are kept.
type KeyUseSum struct {
	Operation   string
	Version     int
	What        string
	First, Last Date
	Count       int64
}
