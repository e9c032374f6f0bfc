#!/usr/bin/env python3
"""One integration with Admitto in Python 3.9 or newer, standard library only.

    integrate.py register NAME EMAIL TRACKER-CODE   make a person known and set a tracker; prints the ID
    integrate.py sync FILE                          append applicants that are new since the last time, a line each
    integrate.py documents FOLDER SINCE             fetch the documents of applications submitted since a date
    integrate.py confirm APPLICATION OFFER TYPE     give an offer a type and send its letter
    integrate.py journal FILE                       append what has happened since the last time, a line an event

It is told where and who by the environment: ADMITTO_URL (https://admissions.example.org), ADMITTO_KEY, and
ADMITTO_CA, a file of certificates to trust, only where that of the service is not publicly known.
"""

import datetime
import json
import os
import re
import ssl
import sys
import time
import urllib.error
import urllib.parse
import urllib.request

API = "/api/v10"
ATTEMPTS = 5
PAGE = os.environ.get("PAGE", "1000")


class Problem(Exception):
    """A refusal: the problem document of the answer (RFC 9457) and its header."""

    def __init__(self, status, header, body):
        try:
            self.document = json.loads(body)
        except ValueError:  # a proxy's page
            self.document = {"type": "about:blank", "detail": body[:200].decode(errors="replace")}
        self.status, self.header = status, header
        super().__init__(f"{status} {self.document['type']}: {self.document.get('detail')}")

    @property
    def name(self):
        return self.document["type"].rsplit("/", 1)[-1]


class Admitto:
    """Calls one instance."""

    def __init__(self, url, key, ca=None):
        self.url, self.key = url.rstrip("/"), key
        handler = urllib.request.HTTPSHandler(context=ssl.create_default_context(cafile=ca))
        self.opener = urllib.request.build_opener(handler)

    def open(self, method, path, body=None, **header):
        """Sends a request and gives the open answer. What is refused for now is sent again after as long as
        the answer says; an Idempotency-Key makes that safe for what creates something."""
        data = None if body is None else json.dumps(body).encode()
        header = {name.replace("_", "-"): value for name, value in header.items()}
        header["Authorization"] = f'SERVICE apikey="{self.key}"'
        if data is not None:
            header["Content-Type"] = "application/json"
        request = urllib.request.Request(self.url + path, data, header, method=method)
        for attempt in range(1, ATTEMPTS + 1):
            try:
                return self.opener.open(request, timeout=120)
            except urllib.error.HTTPError as error:
                if error.code not in (429, 503) or attempt == ATTEMPTS:
                    raise Problem(error.code, error.headers, error.read()) from None
                time.sleep(int(error.headers.get("Retry-After", 2**attempt)))

    def get(self, path):
        """Gives the answer of a GET as JSON. Collections keep their order."""
        with self.open("GET", path) as answer:
            return json.load(answer)

    def pages(self, path):
        """Gives a big list page by page: each answer has the link to the next."""
        while path:
            with self.open("GET", path) as answer:
                yield json.load(answer)
                link = re.search(r'<([^>]*)>; rel="next"', ", ".join(answer.headers.get_all("Link", [])))
            path = link and link.group(1)


def query(**parameters):
    return urllib.parse.urlencode(parameters)


def last_id(file):
    """The ID that the last line begins with, 0 when there is none."""
    try:
        with open(file, encoding="utf-8") as lines:
            return max((int(line.split("\t")[0]) for line in lines), default=0)
    except FileNotFoundError:
        return 0


def register(admitto, name, email, code):
    try:
        # The same key for the same person: whenever this is sent again, nothing happens twice.
        with admitto.open("POST", API + "/applicants", {"name": name, "email": email}, Idempotency_Key="register-" + email) as answer:
            applicant = answer.headers["Location"]
    except Problem as problem:
        if problem.name != "already-exists":
            raise
        applicant = problem.header["Location"]
    trackers = admitto.get(API + "/applicants/trackers").values()
    tracker = next((t["id"] for t in trackers if t["code"] == code), None)
    if tracker is None:
        with admitto.open("POST", API + "/applicants/trackers", {"code": code}, Idempotency_Key="tracker-" + code) as answer:
            tracker = json.load(answer)["id"]
    admitto.open("PUT", f"{applicant}/trackers/{tracker}").close()
    print(applicant.rsplit("/", 1)[-1])


def sync(admitto, file):
    # IDs become visible in ascending order, so nobody is missed from the highest known one on.
    since = last_id(file) + 1
    for page in admitto.pages(f"{API}/applicants?" + query(bySince=since, limit=PAGE)):
        with open(file, "a", encoding="utf-8") as lines:
            lines.writelines(f"{a['id']}\t{a['email']}\t{a['name']['full']}\n" for a in page.values())
    print(last_id(file))


def documents(admitto, folder, since):
    # With expand the lists of documents come along: one call for up to 512 applications.
    found = admitto.pages(f"{API}/applications?" + query(byStatuses="Submitted", bySubmittedSince=since, expand="documents"))
    for application in (a for page in found for a in page.values()):
        for document in application["documents"].values():
            # The name is somebody else's: nothing in it may lead out of the folder.
            name = re.sub(r"[^\w .-]", "_", document["name"])
            target = os.path.join(folder, str(application["id"]), f"{document['id']}-{name}")
            if os.path.exists(target):
                continue
            os.makedirs(os.path.dirname(target), exist_ok=True)
            path = f"{API}/applications/{application['id']}/documents/{document['id']}"
            with admitto.open("GET", path) as answer, open(target + ".part", "wb") as out:
                while block := answer.read(1 << 16):
                    out.write(block)
            if os.path.getsize(target + ".part") != int(document["size"]):
                raise SystemExit(f"{path} broke off")
            os.replace(target + ".part", target)
            print(target)


def confirm(admitto, application, offer, offer_type):
    path = f"{API}/applications/{int(application)}/offers/{int(offer)}"
    with admitto.open("GET", path + "/type") as answer:
        etag = answer.headers["ETag"]
    # If-Match: when somebody else has changed the type since, this ends with 412 changed-meanwhile.
    admitto.open("PUT", path + "/type", int(offer_type), If_Match=etag).close()
    day = datetime.date.today().isoformat()
    admitto.open("POST", path + "/confirm", Idempotency_Key=f"confirm-{offer}-{offer_type}-{day}").close()


def journal(admitto, file):
    for page in admitto.pages(f"{API}/journal?" + query(bySince=last_id(file) + 1, limit=PAGE)):
        with open(file, "a", encoding="utf-8") as lines:
            lines.writelines(f"{r['id']}\t{r['logged']}\t{r['event']}\n" for r in page.values())


def main(arguments):
    commands = {"register": (register, 3), "sync": (sync, 1), "documents": (documents, 2), "confirm": (confirm, 3), "journal": (journal, 1)}
    command, count = commands.get(arguments[0] if arguments else None, (None, 0))
    if command is None or len(arguments) != count + 1:
        sys.exit(__doc__)
    url, key = os.environ.get("ADMITTO_URL"), os.environ.get("ADMITTO_KEY")
    if not url or not key:
        sys.exit("ADMITTO_URL and ADMITTO_KEY must be set")
    try:
        command(Admitto(url, key, os.environ.get("ADMITTO_CA")), *arguments[1:])
    except (Problem, OSError) as error:  # refused, or not reached
        sys.exit(str(error))


if __name__ == "__main__":
    main(sys.argv[1:])
