package message

// mailRows are words that mails are filled in with.
func mailRows() []Row {
	return []Row{
		{"mail-nothing-missing", "nothing"},
		{"mail-deadline-again", "You can change your application and submit it again until then."},
		{"mail-deadline-open", "You can complete and submit your application until then."},
		{"mail-deadline-submitted", "Your application is submitted, and need not be submitted again unless it is opened for changes."},
		{"mail-offer-accepted", "The offer is accepted."},
		{"mail-offer-declined", "The offer is declined."},
		{"mail-offer-missed", "The offer is declined, because no answer came by its deadline."},
		{"mail-offer-unanswered", "The offer is not answered."},
	}
}
