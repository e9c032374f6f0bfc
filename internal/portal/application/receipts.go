package application

import (
	"github.com/admitto/admitto/internal/admissions"
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/ui"
)

// mostReceipt is how many characters a receipt may have that somebody checks.
const mostReceipt = 20_000

// receipts is the page on which everybody checks a receipt (screens.md P15). It says no more than what is in it.
func (p *pages) receipts(r *site.Request) error {
	f, err := r.Form(nil, 0)
	if err != nil {
		return err
	}
	keys, err := p.Admissions.ReceiptKeys(r.Context())
	if err != nil {
		return err
	}
	page := site.Sheet{Intro: []string{r.T("my_receipt.check_intro", "Institution", r.Instance())}}
	if r.Posted() {
		switch text := f.Typed("receipt"); {
		case text == "":
			f.Fail("receipt", "my_receipt.paste")
		case len(text) > mostReceipt:
			f.Fail("receipt", "my_receipt.too_long")
		case admissions.CheckReceipt(text, keys):
			page.Parts = append(page.Parts, ui.Notice{Tone: ui.OK, Text: r.T("my_receipt.valid", "Institution", r.Instance())})
		default:
			page.Parts = append(page.Parts, ui.Notice{Tone: ui.Bad, Text: r.T("my_receipt.not_valid")})
		}
	}
	field := f.Long("receipt", "my_receipt.whole", 12, mostReceipt)
	listed := []ui.Component{ui.Words{Text: r.T("my_receipt.key_text")}, ui.Words{Text: keys[0]}}
	if len(keys) > 1 {
		listed = append(listed, ui.Words{Text: r.T("my_receipt.former_keys")})
	}
	for _, key := range keys[1:] {
		listed = append(listed, ui.Words{Text: key})
	}
	page.Parts = append(page.Parts, f.Box([]ui.Button{r.Save("action.receipts")}, field),
		ui.Fold{Title: r.T("my_receipt.key"), Parts: listed})
	return page.Show(r)
}
