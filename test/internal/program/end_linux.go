package program

import (
	"os/exec"
	"syscall"
)

// dieWithTest ends the program when the tests are killed.
func dieWithTest(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL} }
