package portal

import (
	"context"
	"strconv"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/site"
	"github.com/admitto/admitto/internal/ui"
)

// person reads who an account is.
func (p *pages) person(ctx context.Context, account int64, requestID string) (site.Person, error) {
	m, err := p.Accounts.ApplicantMember(ctx, account)
	if err != nil {
		return site.Person{}, err
	}
	first := ""
	switch {
	case m.ChangePassword:
		first = "my-password"
	case m.CitizenshipMissing || m.ConsentsUndecided:
		first = "welcome"
	}
	return site.Person{Account: account, Caller: admitto.ApplicantCaller(account, requestID), Name: m.Name.Full(),
		Lang: m.Language, Scheme: m.Scheme, First: first,
		Waiting: map[string]int64{"tasks": m.OpenTasks, "messages": m.UnreadMessages}}, nil
}

// frame is what surrounds every page of the portal.
func (p *pages) frame(r *site.Request) ui.Frame {
	f := &ui.Portal{Home: r.At("front"), Logo: logoAddress(r.Settings()), Steps: r.Steps(), Ends: r.Ends(),
		Banner: lookBanner(r)}
	add := func(list *[]ui.Link, name string) {
		if link, ok := r.Link(name); ok {
			link.Current = r.Current(name)
			if n := r.Person.Waiting[name]; n > 0 {
				link.Count = r.Number(int(n))
			}
			*list = append(*list, link)
		}
	}
	for _, name := range []string{"help", "privacy", "accessibility", "receipts"} {
		add(&f.Foot, name)
	}
	f.Foot[0].Href += helpOn(r)
	languages := &ui.Menu{Icon: "globe"}
	for _, link := range r.Foot("choose") {
		if link.Lang == "" {
			f.Foot = append(f.Foot, link)
			continue
		}
		if languages.Links = append(languages.Links, link); link.Current {
			languages.Text = link.Text
		}
	}
	if len(languages.Links) > 1 {
		f.Language = languages
	}
	add(&f.Nav, "courses")
	if r.Person.Account == 0 {
		add(&f.SignIn, "sign-in")
		add(&f.SignIn, "register")
		for i := range f.SignIn { // the wish to apply goes along
			f.SignIn[i].Href = withNext(f.SignIn[i].Href, r.Next(""))
		}
		return f
	}
	add(&f.Nav, "applications")
	add(&f.Nav, "tasks")
	add(&f.Nav, "messages")
	f.User = &ui.Menu{Text: r.T("portal.account", "ID", strconv.FormatInt(r.Person.Account, 10)), Icon: "user"}
	for _, name := range []string{"my-account", "invoices", "wishes", "consents", "privacy-mine"} {
		add(&f.User.Links, name)
	}
	if r.Person.LookedAtBy != "" {
		return f
	}
	f.User.Links = append(f.User.Links, ui.Link{Text: r.T("action.sign-out"), Icon: "log-out", Href: r.At("sign-out"),
		Posts: true})
	return f
}

// choose keeps the language or the scheme of the footer for the account, too.
func (p *pages) choose(r *site.Request) error {
	if r.Person.Account == 0 || r.Person.LookedAtBy != "" {
		return site.Choose(r)
	}
	lang, scheme := r.Person.Lang, r.Person.Scheme
	switch r.Part("kind") {
	case "language":
		lang = r.Part("value")
	case "scheme":
		if scheme = r.Part("value"); scheme == "system" {
			scheme = ""
		}
	}
	err := p.Accounts.SetApplicantPreferences(r.Context(), r.Reader(), lang, scheme)
	if admitto.KindOf(err) == admitto.InvalidParameter {
		err = &admitto.Error{Kind: admitto.NotFound}
	}
	if err != nil {
		return err
	}
	return site.Choose(r)
}
