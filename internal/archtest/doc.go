// Package archtest checks the plan of the code: who imports whom, which modules the product depends on, the
// size of files, and the rules of style that a machine can read. It holds tests only and imports the standard
// library only. The tables it checks against are those of docs/architecture.md, so that plan and code cannot
// drift apart; bench and test, modules of their own, are left out.
package archtest
