-- Why an applicant declined an offer, or withdrew: a code of the class of reasons and own words, both as given. And who
-- may score on a sheet, as a JSON list of IDs of administrators, '' for everybody who may score, until which day.
ALTER TABLE offer ADD COLUMN decline_class text NOT NULL DEFAULT '';
ALTER TABLE offer ADD COLUMN decline_words text NOT NULL DEFAULT '';
ALTER TABLE scoresheet ADD COLUMN scorers text NOT NULL DEFAULT '';
ALTER TABLE scoresheet ADD COLUMN due text;
