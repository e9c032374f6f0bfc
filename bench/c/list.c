// The list of applicants by SQLite in C, byte for byte as the service answers it: for each line "FIRST LIMIT" on
// standard input it writes the nanoseconds, the bytes and their FNV-1a (64 bits), which is not timed.
//
// cc -O2 -o list list.c -lsqlite3 && ./list admitto.db
#include <sqlite3.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static char *buffer, *at, *end;

static void room(size_t n) {
	if ((size_t)(end - at) >= n) return;
	size_t used = at - buffer, size = (used + n) * 2;
	buffer = realloc(buffer, size);
	if (!buffer) exit(1);
	at = buffer + used, end = buffer + size;
}

static void put(const char *text, size_t n) {
	memcpy(at, text, n);
	at += n;
}

#define LITERAL(text) put(text, sizeof(text) - 1)

static void number(int64_t n) {
	char digits[24], *d = digits + sizeof digits;
	do *--d = '0' + n % 10; while (n /= 10);
	put(d, digits + sizeof digits - d);
}

static void escaped(sqlite3_stmt *s, int column) {
	const unsigned char *text = sqlite3_column_blob(s, column); // not _text, which copies to end it with a zero
	int n = sqlite3_column_bytes(s, column);
	room(6 * (size_t)n + 2048); // and for all that stands between two columns
	int strange = 0;
	for (int i = 0; i < n; i++) strange |= (text[i] < ' ') | (text[i] == '"') | (text[i] == '\\');
	if (!strange) {
		put((const char *)text, n);
		return;
	}
	for (int i = 0; i < n; i++) {
		unsigned char c = text[i];
		if (c == '"' || c == '\\') *at++ = '\\', *at++ = c;
		else if (c == '\n') LITERAL("\\n");
		else if (c == '\r') LITERAL("\\r");
		else if (c == '\t') LITERAL("\\t");
		else if (c < ' ') at += sprintf(at, "\\u%04x", c);
		else *at++ = c;
	}
}

static void quoted(sqlite3_stmt *s, int column) {
	*at++ = '"';
	escaped(s, column);
	*at++ = '"';
}

static void nullable(sqlite3_stmt *s, int column) {
	if (sqlite3_column_bytes(s, column) == 0) LITERAL("null");
	else quoted(s, column);
}

static void two(int n) { *at++ = '0' + n / 10, *at++ = '0' + n % 10; }

// moment writes microseconds of Unix as 2006-01-02T15:04:05+00:00.
static void moment(int64_t micros) {
	time_t seconds = micros / 1000000;
	struct tm t;
	gmtime_r(&seconds, &t);
	two((t.tm_year + 1900) / 100), two((t.tm_year + 1900) % 100), *at++ = '-', two(t.tm_mon + 1), *at++ = '-', two(t.tm_mday);
	*at++ = 'T', two(t.tm_hour), *at++ = ':', two(t.tm_min), *at++ = ':', two(t.tm_sec);
	LITERAL("+00:00");
}

enum { ID, TYPE, REGISTERED, GIVEN, MIDDLE, FAMILY, PARENT, LEGAL, EMAIL, PHONE, SKYPE, REFERENCE, MATRICULATION, CITIZENSHIP, ADDRESS, VATIN };

#define LINK(name) LITERAL(",\"" name "\":\"/api/v10/applicants/"), number(id), LITERAL("/" name "\"")

static void applicant(sqlite3_stmt *s) {
	room(4096);
	int64_t id = sqlite3_column_int64(s, ID);
	*at++ = '"', number(id), LITERAL("\":{\"id\":"), number(id);
	LITERAL(",\"type\":"), quoted(s, TYPE);
	char kind = ((const char *)sqlite3_column_blob(s, TYPE))[0];
	LITERAL(",\"registered\":\""), moment(sqlite3_column_int64(s, REGISTERED)), LITERAL("\",\"name\":{\"full\":\"");
	size_t first = at - buffer; // the buffer may move
	for (int column = GIVEN; column <= FAMILY; column++) {
		if (sqlite3_column_bytes(s, column) == 0) continue;
		if ((size_t)(at - buffer) > first) *at++ = ' ';
		escaped(s, column);
	}
	LITERAL("\",\"given\":"), quoted(s, GIVEN), LITERAL(",\"middle\":"), quoted(s, MIDDLE), LITERAL(",\"family\":"), quoted(s, FAMILY);
	if (kind == 'C') LITERAL(",\"parent\":"), quoted(s, PARENT);
	if (kind == 'L') LITERAL(",\"legal\":"), quoted(s, LEGAL);
	LITERAL("},\"email\":"), quoted(s, EMAIL), LITERAL(",\"phone\":"), quoted(s, PHONE), LITERAL(",\"skype\":"), nullable(s, SKYPE);
	LITERAL(",\"reference\":"), quoted(s, REFERENCE), LITERAL(",\"matriculation\":"), nullable(s, MATRICULATION);
	LITERAL(",\"citizenship\":"), quoted(s, CITIZENSHIP);
	room(4096);
	LINK("notes"), LITERAL(",\"address\":"), nullable(s, ADDRESS), LITERAL(",\"vatin\":"), nullable(s, VATIN);
	room(4096);
	LINK("applications"), LINK("trackers"), LINK("photo"), LINK("documents"), LINK("consents"), LINK("invoices"), LINK("wishes"), LINK("emails");
	*at++ = '}';
}

int main(int argc, char **argv) {
	sqlite3 *db;
	sqlite3_stmt *s;
	if (argc != 2 || sqlite3_open_v2(argv[1], &db, SQLITE_OPEN_READONLY, NULL) ||
		sqlite3_exec(db, "PRAGMA cache_size=-8192", NULL, NULL, NULL) ||
		sqlite3_prepare_v2(db, "SELECT id, type, registered, given, middle, family, parent, legal, email, phone, skype, reference, matriculation, "
			"citizenship, address, vatin FROM applicant WHERE id >= ? AND visible ORDER BY id LIMIT ?", -1, &s, NULL)) return 1;
	long long from, limit;
	while (scanf("%lld %lld", &from, &limit) == 2) {
		struct timespec a, b;
		clock_gettime(CLOCK_MONOTONIC, &a);
		sqlite3_bind_int64(s, 1, from), sqlite3_bind_int64(s, 2, limit);
		at = buffer;
		room(4096);
		*at++ = '{';
		for (int rows = 0; sqlite3_step(s) == SQLITE_ROW; rows++) {
			if (rows) *at++ = ',';
			applicant(s);
		}
		*at++ = '}';
		if (sqlite3_reset(s)) return 1;
		clock_gettime(CLOCK_MONOTONIC, &b);
		uint64_t hash = 14695981039346656037u;
		for (char *p = buffer; p < at; p++) hash = (hash ^ (unsigned char)*p) * 1099511628211u;
		printf("%lld %lld %llu\n", (b.tv_sec - a.tv_sec) * 1000000000LL + b.tv_nsec - a.tv_nsec, (long long)(at - buffer), (unsigned long long)hash);
		fflush(stdout);
	}
	return 0;
}
