-- Names as lists sort them, what possible duplicates have in common, and the words by which applicants are found: the text
-- of the step before cannot make them, so the job does. Bytes compare here, as prefixes need it.
CREATE TABLE applicant_search (
  applicant_id bigint PRIMARY KEY REFERENCES applicant (id) ON DELETE CASCADE ON UPDATE CASCADE,
  name_key     text COLLATE "C" NOT NULL DEFAULT '',
  email_key    text COLLATE "C" NOT NULL DEFAULT '',
  person_key   text COLLATE "C" NOT NULL DEFAULT '',
  phone_key    text COLLATE "C" NOT NULL DEFAULT '',
  twin         boolean NOT NULL DEFAULT FALSE
);
INSERT INTO applicant_search (applicant_id) SELECT id FROM applicant;
CREATE INDEX applicant_search_name ON applicant_search (name_key, applicant_id);
CREATE INDEX applicant_search_email ON applicant_search (email_key, applicant_id);
CREATE INDEX applicant_search_person ON applicant_search (person_key, applicant_id) WHERE person_key <> '';
CREATE INDEX applicant_search_phone ON applicant_search (phone_key, applicant_id) WHERE phone_key <> '';
CREATE INDEX applicant_search_twin ON applicant_search (applicant_id) WHERE twin;
CREATE TABLE applicant_word (
  word         text COLLATE "C" NOT NULL,
  applicant_id bigint NOT NULL REFERENCES applicant (id) ON DELETE CASCADE ON UPDATE CASCADE,
  PRIMARY KEY (word, applicant_id)
);
CREATE INDEX applicant_word_applicant ON applicant_word (applicant_id, word);

CREATE FUNCTION applicant_search_begins() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO applicant_search (applicant_id) VALUES (NEW.id);
  INSERT INTO search_due (applicant_id) VALUES (NEW.id);
  RETURN NULL;
END $$;
CREATE TRIGGER applicant_search_begins AFTER INSERT ON applicant FOR EACH ROW EXECUTE FUNCTION applicant_search_begins();
CREATE FUNCTION applicant_search_due() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO search_due (applicant_id) VALUES (NEW.id);
  RETURN NULL;
END $$;
CREATE TRIGGER applicant_search_due AFTER UPDATE OF id, state, given, middle, family, parent, legal, email, phone, reference, matriculation
  ON applicant FOR EACH ROW EXECUTE FUNCTION applicant_search_due();
CREATE FUNCTION content_search_due() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO search_due (applicant_id) SELECT applicant_id FROM application WHERE id = NEW.application_id;
  RETURN NULL;
END $$;
CREATE TRIGGER content_search_due AFTER INSERT OR UPDATE ON application_content FOR EACH ROW EXECUTE FUNCTION content_search_due();
CREATE FUNCTION offer_term() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.academic_term_id := (SELECT academic_term_id FROM application WHERE id = NEW.application_id);
  RETURN NEW;
END $$;
CREATE TRIGGER offer_term BEFORE INSERT ON offer FOR EACH ROW EXECUTE FUNCTION offer_term();
