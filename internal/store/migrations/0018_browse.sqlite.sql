-- Names as lists sort them, what possible duplicates have in common, and the words by which applicants are found: the text
-- of the step before cannot make them, so the job does. Bytes compare here, as prefixes need it.
CREATE TABLE applicant_search (
  applicant_id INTEGER PRIMARY KEY REFERENCES applicant (id) ON DELETE CASCADE ON UPDATE CASCADE,
  name_key     text NOT NULL DEFAULT '',
  email_key    text NOT NULL DEFAULT '',
  person_key   text NOT NULL DEFAULT '',
  phone_key    text NOT NULL DEFAULT '',
  twin         boolean NOT NULL DEFAULT FALSE
);
INSERT INTO applicant_search (applicant_id) SELECT id FROM applicant;
CREATE INDEX applicant_search_name ON applicant_search (name_key, applicant_id);
CREATE INDEX applicant_search_email ON applicant_search (email_key, applicant_id);
CREATE INDEX applicant_search_person ON applicant_search (person_key, applicant_id) WHERE person_key <> '';
CREATE INDEX applicant_search_phone ON applicant_search (phone_key, applicant_id) WHERE phone_key <> '';
CREATE INDEX applicant_search_twin ON applicant_search (applicant_id) WHERE twin;
CREATE TABLE applicant_word (
  word         text NOT NULL,
  applicant_id bigint NOT NULL REFERENCES applicant (id) ON DELETE CASCADE ON UPDATE CASCADE,
  PRIMARY KEY (word, applicant_id)
) WITHOUT ROWID;
CREATE INDEX applicant_word_applicant ON applicant_word (applicant_id, word);

CREATE TRIGGER applicant_search_begins AFTER INSERT ON applicant BEGIN
  INSERT INTO applicant_search (applicant_id) VALUES (NEW.id);
  INSERT INTO search_due (applicant_id) VALUES (NEW.id);
END;
CREATE TRIGGER applicant_search_due AFTER UPDATE OF id, state, given, middle, family, parent, legal, email, phone, reference, matriculation
  ON applicant BEGIN INSERT INTO search_due (applicant_id) VALUES (NEW.id); END;
CREATE TRIGGER content_search_new AFTER INSERT ON application_content BEGIN
  INSERT INTO search_due (applicant_id) SELECT applicant_id FROM application WHERE id = NEW.application_id;
END;
CREATE TRIGGER content_search_due AFTER UPDATE ON application_content BEGIN
  INSERT INTO search_due (applicant_id) SELECT applicant_id FROM application WHERE id = NEW.application_id;
END;
CREATE TRIGGER offer_term AFTER INSERT ON offer BEGIN
  UPDATE offer SET academic_term_id = (SELECT academic_term_id FROM application WHERE id = NEW.application_id) WHERE id = NEW.id;
END;
