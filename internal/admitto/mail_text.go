package admitto

// MailText is the text that staff keep of a kind of mail in a language, in the place of the shipped one
// (lifecycle.md 8.3).
type MailText struct {
	Code, Language string
	Subject, Body  string
}

// MailKind is what staff keep of a kind of mail besides its texts.
type MailKind struct {
	Silenced bool // it is not sent
	Edited   Time // 0: nobody has changed anything yet
	EditedBy int64
	// Version counts the changes of the kind and of its texts, from 1 on.
	Version int64
}
