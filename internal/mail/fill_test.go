package mail

import "testing"

func TestFillBody(t *testing.T) {
	values := Values{ApplicantName: "Ann %offer-Type%\r\n*x*", OfferType: "Accepted", OfferReason: ""}
	for in, want := range map[string]string{
		"":                                  "",
		"Dear %applicant-Name%, *é* 5%":     "Dear Ann %offer-Type%\n*x*, *é* 5%",
		"%offer-Type%%offer-Reason%%%":      "Accepted%%",
		"%nobody-Knows% %offer-Type %offer": "%nobody-Knows% %offer-Type %offer",
	} {
		if got := (Template{Body: in}).FillBody(values); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}
