package admitto

import "github.com/admitto/admitto/internal/message"

// Groups of words that come with an instance and may be changed there. Lists of codes are groups by their class. Pages
// show words that nobody has changed in the language of the reader (internal/ui/locale/words).
const (
	TaskStatusWords = "Task status"
	TerritoryWords  = "Territory"
	SeededTexts     = "Text" // of consents, declarations, task templates and offer types
)

// Word names the status in the messages of pages.
func (s ApplicationStatus) Word() message.Word { return message.Word{Group: "status", Text: string(s)} }

// Word names the decision in the messages of pages.
func (d Decision) Word() message.Word { return message.Word{Group: "decision", Text: string(d)} }

// Word names the type of a question in the messages of pages.
func (t ExtraType) Word() message.Word { return message.Word{Group: "question_type", Text: string(t)} }

// Word names the permission in the messages of pages.
func (p Permission) Word() message.Word { return message.Word{Group: "permission", Text: p.String()} }

// TaskStatusWord is the name of a status of tasks in a sentence.
func TaskStatusWord(name string) message.Word {
	return message.Word{Group: TaskStatusWords, Text: name}
}

// Word names the single field in the messages of pages.
func (f ScoreFields) Word() message.Word { return message.Word{Group: "score_field", Text: f.Name()} }

// String is the name of the single field.
func (f ScoreFields) String() string { return f.Name() }
