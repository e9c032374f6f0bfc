# The commands that contributors use most. Each is one line of what CONTRIBUTING.md says; nothing needs make.
.PHONY: run test test-faults lint bench replay

run: # the service with invented data, on https://127.0.0.1:8443
	go run ./cmd/admitto serve --demo

test: # all tests
	go test ./...

test-faults: # kills, full disks, failover, crowds; in the sizes of docs/promises.md, which takes up to an hour
	ADMITTO_TEST_FAULTS=full go test -count 1 -timeout 60m ./internal/faults ./cmd/admitto

lint: # formatting, vet, staticcheck, known vulnerabilities
	.ci/lint

bench: # measurements, beside PocketBase and PostgreSQL; bench/README.md has its flags
	cd bench && go run .

BEFORE ?=
replay: # compares the answers of this source with those of another build: make replay BEFORE=/tmp/admitto-before
	cd test && ADMITTO_REPLAY_BEFORE='$(abspath $(BEFORE))' go test -count 1 ./replay
