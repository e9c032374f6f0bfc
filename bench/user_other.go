//go:build !unix

package main

import "os/exec"

func demote(*exec.Cmd) error { return nil }

func giveTo(string) error { return nil }
