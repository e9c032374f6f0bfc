#!/bin/sh
# One integration with Admitto in shell: POSIX sh, curl and the tools that every system has.
#
#   integrate.sh register NAME EMAIL TRACKER-CODE      make a person known and set a tracker; prints the ID
#   integrate.sh sync FOLDER                           fetch applicants that are new since the last time, a file a page
#   integrate.sh documents FOLDER SINCE                fetch the documents of applications submitted since a date, a zip each
#   integrate.sh confirm APPLICATION OFFER TYPE        give an offer a type and send its letter
#   integrate.sh journal FILE                          append what has happened since the last time, a line an event
#
# It is told where and who by the environment: ADMITTO_URL (https://admissions.example.org), ADMITTO_KEY, and
# ADMITTO_CA, a file of certificates to trust, only where that of the service is not publicly known.
set -eu

api=/api/v10

# call METHOD PATH [MORE OF CURL]: sends a request; the body of the answer is then in $work/body, its header in $work/header. A
# refusal is printed on standard error, and ends what calls it. The key goes in by a pipe, since arguments are seen by
# everybody on the machine. --retry waits for as long as Retry-After says when the answer is 429 or 503.
call() {
	method=$1 path=$2
	shift 2
	: >"$work/body"
	curl --config - --silent --show-error --fail-with-body --retry 5 --max-time 300 ${ADMITTO_CA:+--cacert "$ADMITTO_CA"} \
		--request "$method" --output "$work/body" --dump-header "$work/header" "$@" "$ADMITTO_URL$path" <<-END && return
		header = "Authorization: SERVICE apikey=\"$ADMITTO_KEY\""
	END
	cat "$work/body" >&2
	echo >&2
	exit 1
}

# field NAME: a field of the header.
field() { tr -d '\r' <"$work/header" | grep -i "^$1: " | tail -n 1 | cut -d ' ' -f 2-; }

# next_page: the path of the next page, nothing on the last one.
next_page() { tr -d '\r' <"$work/header" | grep -i '^link: ' | sed -n 's/.*<\([^>]*\)>; rel="next".*/\1/p'; }

# ids: the IDs of the collection in the body, one a line and in its order. Collections come without spaces, so what
# begins an element is always "7":{"id":7. Where jq is at hand: jq -r 'keys_unsorted[]'.
ids() { grep -oE '"[0-9]+":\{"id":[0-9]+' "$work/body" | grep -oE '[0-9]+$'; }

register() {
	name=$1 email=$2 code=$3
	# The same key for the same person: whenever this is sent again, nothing happens twice. Later it is 409 already-exists;
	# both answers say where the person is.
	(call POST $api/applicants --header "Idempotency-Key: register-$email" --data-urlencode "name=$name" --data-urlencode "email=$email") \
		2>"$work/refusal" || { cat "$work/refusal" >&2 && [ -n "$(field location)" ]; }
	applicant=$(field location)
	call GET $api/applicants/trackers
	tracker=$(tr '{' '\n' <"$work/body" | grep -F "\"code\":\"$code\"" | grep -oE '^"id":[0-9]+' | cut -d : -f 2)
	if [ -z "$tracker" ]; then
		call POST $api/applicants/trackers --header "Idempotency-Key: tracker-$code" --data-urlencode "code=$code"
		tracker=$(basename "$(field location)")
	fi
	call PUT "$applicant/trackers/$tracker"
	basename "$applicant"
}

sync() {
	mkdir -p "$1"
	last=$(cat "$1/last" 2>/dev/null || echo 0)
	# IDs become visible in ascending order, so nobody is missed from the highest known one on.
	page="$api/applicants?bySince=$((last + 1))&limit=${PAGE:-1000}"
	while [ -n "$page" ]; do
		call GET "$page"
		new=$(ids | tail -n 1)
		[ -n "$new" ] || break
		cp "$work/body" "$1/applicants-$new.json"
		last=$new
		echo "$last" >"$1/last" # only now: what breaks off before is fetched again
		page=$(next_page)
	done
	echo "$last"
}

documents() {
	mkdir -p "$1"
	page="$api/applications?byStatuses=Submitted&bySubmittedSince=$2"
	while [ -n "$page" ]; do
		call GET "$page"
		found=$(ids)
		page=$(next_page)
		for id in $found; do
			[ -e "$1/application-$id.zip" ] && continue
			call GET "$api/applications/$id/documents/zip"
			mv "$work/body" "$1/application-$id.zip"
			echo "application-$id.zip"
		done
	done
}

confirm() {
	offer=$api/applications/$1/offers/$2
	# If-Match: when somebody else has changed the type since it was read, this ends with 412 changed-meanwhile.
	call GET "$offer/type"
	call PUT "$offer/type" --header "If-Match: $(field etag)" --data "$3"
	call POST "$offer/confirm" --header "Idempotency-Key: confirm-$2-$3-$(date +%F)"
}

journal() {
	tab=$(printf '\t')
	last=$(tail -n 1 "$1" 2>/dev/null | cut -f 1)
	page="$api/journal?bySince=$((${last:-0} + 1))&limit=${PAGE:-1000}"
	while [ -n "$page" ]; do
		call GET "$page"
		echo >>"$work/body" # so that the last line has an end
		tr '{' '\n' <"$work/body" | sed -nE "s/^\"id\":([0-9]+),\"logged\":\"([^\"]*)\",\"event\":\"(([^\"\\]|\\.)*)\".*/\1$tab\2$tab\3/p" >>"$1"
		page=$(next_page)
	done
}

case ${1:-}/$# in
register/4 | sync/2 | documents/3 | confirm/4 | journal/2) ;;
*)
	sed -n '4,8s/^# *//p' "$0" >&2
	exit 2
	;;
esac
: "${ADMITTO_URL:?is not set}" "${ADMITTO_KEY:?is not set}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$@"
