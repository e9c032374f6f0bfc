package db

import (
	"errors"
	"strings"
)

// rewrite turns the parameters $1 of the shared SQL into ?1, the numbered parameters of SQLite (its own $1
// is a name without a number). String literals, quoted identifiers and comments stay as they are. A ? is
// refused outside of them: it would make two texts out of one statement.
func rewrite(sql string) (string, error) {
	var out []byte
	for i := 0; i < len(sql); {
		if end := skipQuoted(sql, i); end > i {
			i = end
			continue
		}
		switch c := sql[i]; {
		case c == '?':
			return "", errors.New("parameters are written $1, not ?")
		case c == '$' && i+1 < len(sql) && isDigit(sql[i+1]):
			if out == nil {
				out = []byte(sql)
			}
			out[i] = '?'
			i += 2
		case isWord(c):
			// A dollar inside of a word belongs to the word.
			for i < len(sql) && (isWord(sql[i]) || sql[i] == '$') {
				i++
			}
		default:
			i++
		}
	}
	if out == nil {
		return sql, nil
	}
	return string(out), nil
}

// skipQuoted returns the end of the literal, quoted identifier or comment that begins at i, or i when there is
// none. One that is not finished reaches to the end of the text.
func skipQuoted(sql string, i int) int {
	rest := sql[i:]
	switch c := rest[0]; {
	case c == '\'' || c == '"' || c == '`':
		// A doubled quote looks like two literals side by side, which comes to the same.
		return after(sql, i+1, rest[:1])
	case strings.HasPrefix(rest, "--"):
		return after(sql, i+2, "\n")
	case strings.HasPrefix(rest, "/*"):
		return after(sql, i+2, "*/")
	}
	return i
}

// after returns the position behind the next mark.
func after(sql string, from int, mark string) int {
	if n := strings.Index(sql[from:], mark); n >= 0 {
		return from + n + len(mark)
	}
	return len(sql)
}

// skipBlank cuts off what comes before the next statement of a script: space, comments and semicolons.
func skipBlank(sql string) string {
	for i := 0; i < len(sql); {
		switch c := sql[i]; {
		case c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == ';':
			i++
		case c == '-' || c == '/':
			end := skipQuoted(sql, i)
			if end == i {
				return sql[i:]
			}
			i = end
		default:
			return sql[i:]
		}
	}
	return ""
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func isWord(c byte) bool {
	return isDigit(c) || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c == '_' || c >= 0x80
}
