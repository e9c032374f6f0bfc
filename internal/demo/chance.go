package demo

import (
	"math/rand/v2"
	"strings"

	"github.com/brianvoe/gofakeit/v7"
)

// chance draws everything that is left to chance. All draws are of whole numbers, since floating point may
// round differently on another processor and the data would not be the same.
type chance struct {
	*rand.Rand
	fake *gofakeit.Faker // flavour that is needed rarely; it draws from the same source
}

func newChance(seed uint64) chance {
	source := rand.NewPCG(seed, 0x61646d6974746f) // any constant: all of the variety is in the seed
	return chance{rand.New(source), gofakeit.NewFaker(source, false)}
}

// per says yes n times in a thousand.
func (c chance) per(n int) bool { return c.IntN(1000) < n }

// between returns a whole number, both ends included.
func (c chance) between(low, high int) int { return low + c.IntN(high-low+1) }

func pick[T any](c chance, list []T) T { return list[c.IntN(len(list))] }

const hexDigits = "0123456789abcdef"

// hex returns n random digits.
func (c chance) hex(n int) string {
	b := make([]byte, n)
	var bits uint64
	for i := range b {
		if i%16 == 0 {
			bits = c.Uint64()
		}
		b[i] = hexDigits[bits&15]
		bits >>= 4
	}
	return string(b)
}

// digits returns n random digits, the first of which is not zero.
func (c chance) digits(n int) string {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte('0' + c.IntN(10))
	}
	if b[0] == '0' {
		b[0] = '7'
	}
	return string(b)
}

// latin says how the letters with marks are written in an e-mail address; each word begins with the plain
// form, then ":" and what becomes it.
var latin = foldTable(`a:áàâãäåāăąảạấầẩẫậắằẳẵặ c:çćčĉ d:ďđð e:éèêëēĕėęěẻẽẹếềểễệəǝ g:ğģĝ h:ħ i:íìîïīĭįıỉĩị k:ķ l:łľļĺ n:ñńňņ
	o:óòôõöøōŏőỏọốồổỗộơớờởỡợ r:ŕřŗ s:śşšșŝ t:ťţțŧ u:úùûüūŭůűųủũụưứừửữự y:ýÿỳỷỹỵ z:źżž ae:æ oe:œ ss:ß th:þ :'’`)

func foldTable(table string) *strings.Replacer {
	pairs := []string{" ", "", "_", ""}
	for word := range strings.FieldsSeq(table) {
		plain, letters, _ := strings.Cut(word, ":")
		for _, r := range letters {
			pairs = append(pairs, string(r), plain)
		}
	}
	return strings.NewReplacer(pairs...)
}

// fold returns a name in lower-case ASCII, for the local part of an address.
func fold(name string) string { return latin.Replace(strings.ToLower(name)) }
