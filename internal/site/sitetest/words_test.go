package sitetest_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/message"
	"github.com/admitto/admitto/internal/site/sitetest"
	"github.com/admitto/admitto/internal/ui"
)

// TestWordsOfLists wants every word that an instance begins with in every language, and no others: the codes of
// classes, the statuses of tasks, the regions, and what applicants read of consents, task templates and offer types.
func TestWordsOfLists(t *testing.T) {
	t.Parallel()
	catalogue, err := ui.NewCatalogue()
	if err != nil {
		t.Fatal(err)
	}
	i := sitetest.Filled(t)
	// TestLabels of internal/admin/card looks at the labels of the form, TestNamesOfExport of internal/privacy at data.
	words := map[string][]string{"form": nil, "data": nil}
	for line := range strings.SplitSeq(i.Lines("SELECT class || '|' || title || ';' FROM classificator UNION SELECT '"+
		admitto.TaskStatusWords+"|' || title || ';' FROM task_template_status UNION SELECT '"+admitto.TerritoryWords+
		"|' || name || ';' FROM region UNION SELECT '"+admitto.SeededTexts+"|' || text || ';' FROM consent UNION SELECT '"+
		admitto.SeededTexts+"|' || title || ';' FROM task_template UNION SELECT '"+admitto.SeededTexts+
		"|' || public_title || ';' FROM offer_type"), ";") {
		group, word, found := strings.Cut(strings.TrimSpace(line), "|")
		if !found {
			continue
		}
		words[group] = append(words[group], word)
	}
	if declared, known := i.Services.Core.Settings().Value("portal.declarations"); known {
		words[admitto.SeededTexts] = append(words[admitto.SeededTexts], declared.Default)
	}
	if len(words) < 30 || len(words["Course type"]) < 5 {
		t.Fatal(words)
	}
	for _, lang := range catalogue.Languages() {
		l := catalogue.Locale(lang)
		if lang == "en" {
			continue
		}
		for group, list := range words {
			for _, word := range list {
				if !slices.Contains(l.Words(group), word) {
					t.Errorf("locale/words/%s.toml lacks %q of %q", lang, word, group)
				}
			}
			for _, word := range l.Words(group) {
				if list != nil && !slices.Contains(list, word) {
					t.Errorf("locale/words/%s.toml has %q of %q, which no instance begins with", lang, word, group)
				}
			}
		}
		for _, group := range l.WordGroups() {
			if _, known := words[group]; !known {
				t.Errorf("locale/words/%s.toml has words of %q, which there is not", lang, group)
			}
		}
	}
}

// messages are the beginnings of the keys of what pages say for the values of the enumerations of internal/admitto.
var messages = map[string][]string{
	"ApplicantType": {"applicant.type_"}, "ApplicationStatus": {"status."}, "BatchRecordState": {"batch_record."},
	"BatchState": {"batch_state."}, "DataRequestKind": {"protection.", "protection.grant_", "my_data.request_"},
	"DataRequestOutcome": {"protection.was_"}, "DeadlinePolicy": {"intake_policy.", "after_deadline."},
	"Decision": {"decision."}, "ExtraType": {"question_type."}, "FeeAutomatic": {"fee_automatic."},
	"FeeCause": {"fee_cause."}, "IntakeState": {"intake_state.", "intake_now."}, "InvoiceState": {"invoice_state."},
	"LeadField": {"lead_field."}, "LeadImportState": {"lead_import."}, "LeadRowState": {"lead_row."},
	"Ranked": {"offer_ranking."}, "RowState": {"csv_file."},
}

// silent are the enumerations whose values no page says: it has sentences for them, or they only decide.
var silent = []string{"AccessKind", "ActorKind", "ApplicantState", "ApplicationEvent", "BatchSource", "BrowseSort",
	"DecisionEvent", "DecisionGuard", "DecisionOrigin", "Guard", "Kind", "LoginResult", "PurgedType", "Scope", "TaskEvent",
	"TaskState", "Pattern"} // TestEnglish of internal/admin looks at the events

// TestWordsOfEnumerations wants a word in every language for every value of the enumerations that pages show.
func TestWordsOfEnumerations(t *testing.T) {
	t.Parallel()
	catalogue, err := ui.NewCatalogue()
	if err != nil {
		t.Fatal(err)
	}
	keys := map[string][]string{}
	for _, lang := range catalogue.Languages() {
		if keys[lang], err = ui.Keys(lang); err != nil {
			t.Fatal(err)
		}
	}
	values := enumerations(t)
	for name, list := range values {
		if messages[name] == nil != slices.Contains(silent, name) {
			t.Errorf("say in messages or in silent what pages say for the values of admitto.%s: %q", name, list)
		}
		for lang := range keys {
			for _, begins := range messages[name] {
				for _, value := range list {
					if name == "ApplicationStatus" && (value == "Accepted" || value == "Rejected") {
						continue // what the API calls statuses of old versions
					}
					if !has(keys[lang], begins+ui.Slug(value)) && !has(keys[lang], begins+value) {
						t.Errorf("there is no message %s%s in %s", begins, ui.Slug(value), lang)
					}
				}
			}
		}
	}
	for _, name := range append(slices.Collect(maps.Keys(messages)), silent...) {
		if values[name] == nil {
			t.Errorf("there is no enumeration admitto.%s", name)
		}
	}
}

// has looks for a key in keys in order.
func has(keys []string, key string) bool {
	_, found := slices.BinarySearch(keys, key)
	return found
}

// enumerations are the constants of admitto that are texts with a type of their own, by that type.
func enumerations(t *testing.T) map[string][]string {
	t.Helper()
	names, err := filepath.Glob("../../admitto/*.go")
	if err != nil || len(names) == 0 {
		t.Fatal(err)
	}
	values := map[string][]string{}
	for _, name := range names {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			spec, ok := n.(*ast.ValueSpec)
			if !ok {
				return true
			}
			of, ok := spec.Type.(*ast.Ident)
			if !ok || of.Name == "string" {
				return true
			}
			for _, v := range spec.Values {
				if text, ok := v.(*ast.BasicLit); ok && text.Kind == token.STRING {
					if value, err := strconv.Unquote(text.Value); err == nil && value != "" {
						values[of.Name] = append(values[of.Name], value)
					}
				}
			}
			return true
		})
	}
	return values
}

// TestPagesSayLists wants pages to read lists of words in the language of the reader, but where the lists are edited.
func TestPagesSayLists(t *testing.T) {
	t.Parallel()
	for _, pattern := range []string{"admin/*.go", "admin/*/*.go", "portal/*.go", "portal/*/*.go", "site/*/*.go"} {
		names, err := filepath.Glob("../../" + pattern)
		if err != nil || len(names) == 0 {
			t.Fatal(pattern, err)
		}
		for _, name := range names {
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			for line := range strings.Lines(string(text)) {
				for read, say := range map[string]string{"Query.Classificators(": "Classes(", "Query.Regions(": "Regions(p.",
					"text.LanguageName(": "r.Language", "text.CountryName(": "r.Country"} {
					if strings.Contains(line, read) && !strings.Contains(line, say) && filepath.Base(name) != "lists.go" {
						t.Errorf("%s: a page says it in English: %s", name, strings.TrimSpace(line))
					}
				}
			}
		}
	}
}

// TestWordsInRefusals has statuses in refusals in the language of the reader, also in those that were kept, and in
// those of the API as they are.
func TestWordsInRefusals(t *testing.T) {
	t.Parallel()
	catalogue, err := ui.NewCatalogue()
	if err != nil {
		t.Fatal(err)
	}
	said := []message.Text{message.Of("application-exists", 7, admitto.Submitted),
		message.Of("task-blocks", 7, "Diploma", admitto.TaskStatusWord("In review")),
		message.Of("task-blocks", 7, "Diploma", admitto.TaskStatusWord("Under way")), // of this instance
		message.Of("permission-needed", admitto.AcademicTermsEdit), message.Of("decided-already", admitto.DecisionFinal),
		message.Of("score-field-required", admitto.ScoreReference)}
	for n, want := range []struct{ api, arabic string }{
		{"the applicant has another application of the term, 7, which is Submitted", "مُقدَّم"},
		{"task 7, Diploma, is In review", "قيد المراجعة"},
		{"task 7, Diploma, is Under way", "Under way"},
		{"The permission academic-terms is needed.", catalogue.Locale("ar").Text("permission.academic_terms")},
		{"The decision on the offer is Final already.", catalogue.Locale("ar").Text("decision.final")},
		{"scores of this sheet must have a reference", "المرجع"},
	} {
		for _, text := range []message.Text{said[n], message.Kept(message.Keep(said[n:]))[0]} {
			if got := text.String(); got != want.api {
				t.Errorf("the API says %q instead of %q", got, want.api)
			}
			if got := catalogue.Locale("ar").Say(text); !strings.Contains(got, want.arabic) ||
				strings.ContainsAny(strings.NewReplacer("Diploma", "", "Under way", "").Replace(got), "abcdefgimnorstu") {
				t.Errorf("%q in Arabic", got)
			}
		}
	}
}
