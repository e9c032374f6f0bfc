package query

import (
	"context"
	"strings"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/store"
)

// Differing is what an application says of a person otherwise than the account of the applicant does; "" is the same.
type Differing struct {
	Application       int64
	Name, Citizenship string
}

// DiffersInApplications returns the applications of an applicant that name the person, or the citizenship, otherwise
// than the account, by ID; what is not filled in does not differ. Not-found without the applicant.
func (s *Service) DiffersInApplications(ctx context.Context, by admitto.Caller, applicant int64) (list []Differing,
	err error) {
	if err := by.Needs(admitto.ApplicationsView); err != nil {
		return nil, err
	}
	if err := by.Needs(admitto.ApplicantsView); err != nil {
		return nil, err
	}
	err = s.core.Read(ctx, func(tx *store.Tx) error {
		list = nil
		a, err := tx.Applicant(applicant)
		if err != nil {
			return err
		}
		ids, err := tx.ApplicationsOf(applicant)
		if err != nil || len(ids) == 0 {
			return err
		}
		contents, err := tx.ContentsOf(ids, []string{"profile/name/given", "profile/name/middle", "profile/name/family",
			"profile/citizenship"}, nil)
		for _, id := range ids {
			if d := differing(&a, contents[id].Texts); d != (Differing{}) {
				d.Application = id
				list = append(list, d)
			}
		}
		return err
	})
	return list, err
}

// differing compares name and citizenship of an application, in this order, with those of the applicant.
func differing(a *admitto.Applicant, said []string) (d Differing) {
	if len(said) < 4 {
		return d
	}
	name := admitto.Name{Given: said[0], Middle: said[1], Family: said[2]}
	if a.Type != admitto.Legal && name.Given != "" && name.Family != "" && !sameWords(name.Full(), a.Name.Full()) {
		d.Name = name.Full()
	}
	if said[3] != "" && said[3] != a.Citizenship {
		d.Citizenship = said[3]
	}
	return d
}

// sameWords compares names without letter case and spaces.
func sameWords(one, other string) bool {
	return strings.EqualFold(strings.Join(strings.Fields(one), " "), strings.Join(strings.Fields(other), " "))
}
