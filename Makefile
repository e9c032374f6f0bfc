# The commands that contributors use most. Each is one line of what CONTRIBUTING.md says; nothing needs make.
.PHONY: run test test-long test-faults test-season test-interop test-full lint docs bench replay assets screenshots release

run: # the service with invented data, on https://127.0.0.1:8443
	go run ./cmd/admitto serve --demo

test: # what a change is tried with, on both engines: about 300 seconds of processor
	go test ./...

test-long: # the tests that are larger so: both engines, all versions, 10 seconds of fuzzing, large demos and backups, kills
	larger=$$(go run ./internal/apptest/larger) && ADMITTO_TEST_SIZE=long go test -count 1 -timeout 30m $$larger

test-faults: # kills, full disks, failover, several instances, crowds; most of the time a test waits
	cd test && go test -count 1 -parallel 4 -timeout 20m ./faults

test-season: # a season from an empty folder through pages only, to somebody who has accepted an offer
	cd test && go test -count 1 -timeout 20m ./season

test-interop: # against an ACME server, an S3 store and a validator of OpenAPI that others wrote; an archive of a release, twice; a season
	cd test && go test -timeout 20m ./acme ./openapi ./release ./replay ./s3 ./season

test-full: # faults and kills in the sizes of docs/promises.md, which takes up to an hour
	cd test && ADMITTO_TEST_FAULTS=full go test -count 1 -timeout 60m ./faults
	ADMITTO_TEST_SIZE=long ADMITTO_TEST_FAULTS=full go test -count 1 -timeout 60m -run '^(TestKill|TestKillMix)$$' ./cmd/admitto

lint: # formatting, vet, staticcheck, known vulnerabilities
	.ci/lint

docs: # docs/settings.md, from the table of settings
	go test ./internal/config -run '^TestDocument$$' -update

bench: # measurements, next to PocketBase and PostgreSQL; bench/README.md has its flags
	cd bench && go run .

BEFORE ?=
replay: # compares the answers of this source with those of another build: make replay BEFORE=/tmp/admitto-before
	cd test && ADMITTO_REPLAY_BEFORE='$(abspath $(BEFORE))' go test -count 1 ./replay

assets: # takes the files of others in internal/ui/vendored from the npm registry again, by version and integrity
	go run ./internal/ui/vendored/refresh

screenshots: # pictures of the screens in docs/screenshots; internal/uitest/screens.go lists them
	rm -f docs/screenshots/*.png
	ADMITTO_TEST_SIZE=long ADMITTO_TEST_SCREENS="$(CURDIR)/docs/screenshots" go test -count 1 -timeout 20m \
		-run '^(TestPages|TestCardPages|TestInvoicePages|TestMailPages|TestScorePages|TestApplicantPages|TestJournalPages|TestBatchesInBrowser|TestTasksInBrowser|TestCatalogueInBrowser|TestKindsInBrowser|TestRanksInBrowser|TestReportsInBrowser|TestTableviewPages|TestMyPagesInBrowser|TestTemplatesInBrowser|TestImportsInBrowser|TestProtectionInBrowser)$$' ./internal/admin/... ./internal/portal

release: # archives with checksums and SBOMs in dist/, of the tag that is checked out (docs/releasing.md)
	go run ./internal/release
