package accounts

import (
	"context"
	"slices"

	"github.com/admitto/admitto/internal/admitto"
	"github.com/admitto/admitto/internal/message"
	"github.com/admitto/admitto/internal/store"
	"github.com/admitto/admitto/internal/text"
	"github.com/admitto/admitto/internal/usecase"
)

// Roles returns all roles by ascending ID with what they permit: built-in ones, which have a code, and custom ones.
func (s *Service) Roles(ctx context.Context, by admitto.Caller) (list []admitto.Role, err error) {
	if err := by.Needs(admitto.AdministratorsEdit); err != nil {
		return nil, err
	}
	return usecase.Get(ctx, s.core, func(tx *store.Tx) ([]admitto.Role, error) { return tx.Roles() })
}

// CreateRole makes a custom role. It permits nothing that the caller may not do.
func (s *Service) CreateRole(ctx context.Context, by usecase.Caller, name string,
	may admitto.Permissions) (id int64, err error) {
	if err := by.Needs(admitto.AdministratorsEdit); err != nil {
		return 0, err
	}
	r, err := roleOf(by, name, may)
	if err != nil {
		return 0, err
	}
	err = s.core.Write(ctx, func(tx *store.Tx) error {
		if err := freeName(tx, &r); err != nil {
			return err
		}
		if id, err = tx.InsertRole(&r); err != nil {
			return err
		}
		tx.Record(by.Actor, about(admitto.RoleCreated, id))
		return nil
	})
	return id, err
}

// roleOf checks what a custom role is to be called and to permit.
func roleOf(by usecase.Caller, name string, may admitto.Permissions) (r admitto.Role, err error) {
	var faults []admitto.Fault
	if r.Name, err = text.Line(name, 1, 60); err != nil {
		faults = append(faults, admitto.Fault{Path: "role.name", Text: message.From(err)})
	}
	if r.Permissions = may; !by.Permissions.HasAll(may) {
		faults = append(faults, admitto.Fault{Path: "role.permissions", Code: "role-above-own",
			Text: message.Of("role-above-own", r.Name)})
	}
	if len(faults) > 0 {
		return r, &admitto.Error{Kind: admitto.InvalidParameter, Faults: faults}
	}
	return r, nil
}

// freeName refuses a name that another role has, and keeps others from taking it.
func freeName(tx *store.Tx, r *admitto.Role) error {
	if err := tx.LockStaffAddresses(); err != nil { // the first role stands for all
		return err
	}
	roles, err := tx.Roles()
	if err != nil {
		return err
	}
	if slices.ContainsFunc(roles, func(o admitto.Role) bool {
		return o.ID != r.ID && text.EmailKey(o.Name) == text.EmailKey(r.Name)
	}) {
		return admitto.Refuse(admitto.InvalidParameter, "role.name", "", message.Of("role-exists"))
	}
	return nil
}

// customRole finds a custom role that does not permit more than the caller may.
func customRole(tx *store.Tx, by usecase.Caller, id int64) (r admitto.Role, err error) {
	roles, err := tx.Roles()
	if err != nil {
		return r, err
	}
	at := slices.IndexFunc(roles, func(r admitto.Role) bool { return r.ID == id })
	switch {
	case at < 0:
		return r, &admitto.Error{Kind: admitto.NotFound}
	case roles[at].Code != "":
		return r, admitto.Refuse(admitto.NotAllowedNow, "", "role-built-in", message.Of("role-built-in"))
	case !by.Permissions.HasAll(roles[at].Permissions):
		return r, admitto.Refuse(admitto.NotPermitted, "", "role-above-own", message.Of("role-above-own", roles[at].Name))
	}
	return roles[at], nil
}

// EditRole changes what a custom role is called and permits, for all who have it.
func (s *Service) EditRole(ctx context.Context, by usecase.Caller, id int64, name string,
	may admitto.Permissions) error {
	if err := by.Needs(admitto.AdministratorsEdit); err != nil {
		return err
	}
	r, wrong := roleOf(by, name, may)
	r.ID = id
	return s.core.Write(ctx, func(tx *store.Tx) error {
		fault := wrong
		if fault == nil {
			fault = freeName(tx, &r)
		}
		was, err := customRole(tx, by, id)
		if err != nil {
			return err
		}
		if err := by.Together(by.SeesRow(tx, admitto.Row{Kind: admitto.RoleRow, ID: id}), fault); err != nil {
			return err
		}
		if was.Name == r.Name && was.Permissions == may {
			return nil
		}
		tx.Record(by.Actor, about(admitto.RoleEdited, id))
		return tx.UpdateRole(&r)
	})
}

// DeleteRole removes a custom role that nobody has.
func (s *Service) DeleteRole(ctx context.Context, by usecase.Caller, id int64) error {
	if err := by.Needs(admitto.AdministratorsEdit); err != nil {
		return err
	}
	return s.core.Write(ctx, func(tx *store.Tx) error {
		if _, err := customRole(tx, by, id); err != nil {
			return err
		}
		n, err := tx.RoleHolders(id)
		if err != nil {
			return err
		}
		if n > 0 {
			return admitto.Refuse(admitto.NotAllowedNow, "", "role-in-use", message.Of("role-in-use", n))
		}
		tx.Record(by.Actor, about(admitto.RoleDeleted, id))
		return tx.DeleteRole(id)
	})
}
