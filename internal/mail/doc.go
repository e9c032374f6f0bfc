// Package mail is the leaf that knows e-mail: messages in their form on the wire (message.go), the ways out,
// a mail server or a folder of .eml files (mailer.go, smtp.go, outbox.go), and the texts
// of lifecycle.md 8.3 with their markers and the markup of rule O12 (template.go, markers.go, markup.go,
// render.go).
//
// It keeps no queue and repeats nothing: what is to be sent, when again and until when, is decided by those
// who hold the outbox rows (lifecycle.md 8.1, 8.2). It imports package admitto, the standard library and
// the SMTP protocol of github.com/wneessen/go-mail, whose message builder is not used because it can give
// neither the same bytes twice nor file names after RFC 2231.
package mail
