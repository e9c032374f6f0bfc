package admissions

import (
	"context"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/form"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/usecase"
)

// receiptPurpose is what the key of receipts is derived for, and receiptRules the version of the rules by which an
// attempt to submit is judged; it is raised with every change of them.
const (
	receiptPurpose = "receipt"
	receiptRules   = 1
)

// makeReceipt stores and signs the receipt of an attempt to submit (lifecycle.md 3.7). codes say what stood in the
// way; nil means accepted.
func (s *Service) makeReceipt(tx *store.Tx, d *usecase.LockedApplication, q *question,
	codes []string) (r admitto.Receipt, err error) {
	r = admitto.Receipt{Application: d.ID, Made: tx.Now(), Accepted: len(codes) == 0}
	if r.Number, err = tx.InsertReceipt(d.ID, r.Made, r.Accepted); err != nil {
		return r, err
	}
	content, err := tx.ApplicationContent(d.ID)
	if err != nil {
		return r, err
	}
	result := "accepted"
	if !r.Accepted {
		result = admitto.ReceiptRefused + strings.Join(codes, " ")
	}
	var chosen []string
	for _, c := range q.courses {
		chosen = append(chosen, fmt.Sprintf("%d. course %d", c.Priority, c.Course))
	}
	declared := ""
	for _, text := range q.declared {
		declared += "Declared " + strings.Join(strings.Fields(text), " ") + "\n"
	}
	r.Text = fmt.Sprintf("Receipt %d\nApplicant %d\nApplication %d\nTime %s\nResult %s\nCourses %s\n%sContent SHA-256 %s\nRules %d\n",
		r.Number, d.Applicant.ID, d.ID, s.receiptTime(r.Made), result, strings.Join(chosen, ", "), declared,
		contentHash(&content), receiptRules)
	r.Signature = base64.StdEncoding.EncodeToString(ed25519.Sign(s.key.Signer(receiptPurpose), []byte(r.Text)))
	return r, tx.SignReceipt(r.Number, r.Text, r.Signature)
}

// contentHash is the SHA-256 of the canonical JSON of a content: keys sorted, no spaces, unset values left out.
func contentHash(content *form.Content) string {
	plain := *content
	plain.Attention = nil
	raw, err := json.Marshal(plain)
	var tree map[string]any
	if err == nil {
		err = json.Unmarshal(raw, &tree)
	}
	if err == nil {
		raw, err = json.Marshal(unsetLeftOut(tree))
	}
	if err != nil {
		panic(err) // texts, numbers and lists always encode, and read back
	}
	sum := sha256.Sum256(raw)
	return hex.EncodeToString(sum[:])
}

// unsetLeftOut drops what is null, empty or holds nothing from objects, so that a field that is added to the product
// later does not change the hash of what was filled in before.
func unsetLeftOut(value any) any {
	switch v := value.(type) {
	case map[string]any:
		for key, inner := range v {
			if inner = unsetLeftOut(inner); inner == nil || inner == "" {
				delete(v, key)
			} else {
				v[key] = inner
			}
		}
		if len(v) == 0 {
			return nil
		}
	case []any:
		for i := range v {
			v[i] = unsetLeftOut(v[i])
		}
		if len(v) == 0 {
			return nil
		}
	}
	return value
}

// receiptTime is how receipts tell a time: to the millisecond, with the zone.
func (s *Service) receiptTime(at admitto.Time) string {
	return at.Std().In(s.core.Settings().Instance.Timezone).Format("2006-01-02T15:04:05.000-07:00") + " " +
		s.core.Settings().Instance.Timezone.String()
}

// ReceiptKey is the public key of receipts that are signed now, in base64.
func (s *Service) ReceiptKey() string {
	return base64.StdEncoding.EncodeToString(s.key.Signer(receiptPurpose).Public().(ed25519.PublicKey))
}

// ReceiptKeys are the public keys that receipts are checked with, in base64: the one of now, then those of former
// instance keys.
func (s *Service) ReceiptKeys(ctx context.Context) (keys []string, err error) {
	now := s.ReceiptKey()
	err = s.core.Read(ctx, func(tx *store.Tx) error {
		keys, err = tx.ReceiptKeys()
		return err
	})
	return slices.Insert(slices.DeleteFunc(keys, func(key string) bool { return key == now }), 0, now), err
}

// CheckReceipt reports whether a text that somebody has is a receipt that was signed, under one of the keys, as it is:
// everything above its last line, which holds the signature. White space around it, and line ends of other systems, do
// not matter.
func CheckReceipt(whole string, keys []string) bool {
	whole = strings.TrimSpace(strings.ReplaceAll(whole, "\r\n", "\n"))
	at := strings.LastIndexByte(whole, '\n')
	if at < 0 {
		return false
	}
	text, last := whole[:at+1], whole[at+1:]
	encoded, signed := strings.CutPrefix(last, admitto.ReceiptSignature)
	signature, err := base64.StdEncoding.DecodeString(strings.TrimSpace(encoded))
	return signed && err == nil && slices.ContainsFunc(keys, func(key string) bool {
		public, err := base64.StdEncoding.DecodeString(key)
		return err == nil && len(public) == ed25519.PublicKeySize && ed25519.Verify(public, []byte(text), signature)
	})
}
