// Package automation holds the time rules (lifecycle.md 11): what happens because time has passed. It runs them for one
// instance at a time.
package automation

import (
	"github.com/admitto/admitto/internal/admissions"
	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/billing"
	"github.com/admitto/admitto/internal/config"
	"github.com/admitto/admitto/internal/notify"
	"github.com/admitto/admitto/internal/usecase"
)

// Service applies the time rules. It is safe for concurrent use.
type Service struct {
	core       *usecase.Core
	notify     *notify.Service
	billing    *billing.Service
	admissions *admissions.Service
	others     []RuleMaker
}

// RuleMaker makes a rule with settings, as it is at a time; 0 is when it runs.
type RuleMaker func(set *config.Settings, at admitto.Time) Rule

// Know adds rules of other services to those that can be previewed. It belongs to the making of the services.
func (s *Service) Know(rules ...RuleMaker) { s.others = append(s.others, rules...) }

// New makes a Service.
func New(core *usecase.Core, notify *notify.Service, billing *billing.Service,
	admissions *admissions.Service) *Service {
	return &Service{core: core, notify: notify, billing: billing, admissions: admissions}
}
