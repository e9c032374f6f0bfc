//go:build unix

package main

import (
	"errors"
	"os"
	"os/exec"
	"os/user"
	"strconv"
	"syscall"
)

// unprivileged returns the user that PostgreSQL runs as; nil when it is the one who runs this. It refuses to run as
// root.
func unprivileged() (*syscall.Credential, error) {
	if os.Geteuid() != 0 {
		return nil, nil
	}
	for _, name := range []string{"postgres", "nobody"} {
		u, err := user.Lookup(name)
		if err != nil {
			continue
		}
		uid, err1 := strconv.ParseUint(u.Uid, 10, 32)
		gid, err2 := strconv.ParseUint(u.Gid, 10, 32)
		return &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}, errors.Join(err1, err2)
	}
	return nil, errors.New("PostgreSQL does not run as root, and there is no user postgres or nobody")
}

// demote lets a command run as a user without privileges.
func demote(cmd *exec.Cmd) error {
	as, err := unprivileged()
	if err != nil || as == nil {
		return err
	}
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: as}
	return nil
}

// giveTo makes that user the owner of a folder.
func giveTo(folder string) error {
	as, err := unprivileged()
	if err != nil || as == nil {
		return err
	}
	return os.Chown(folder, int(as.Uid), int(as.Gid))
}
