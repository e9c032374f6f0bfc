-- What staff edit of the catalogue has a row version, so that two who edit the same notice it.
ALTER TABLE institution ADD COLUMN row_version bigint NOT NULL DEFAULT 1;
ALTER TABLE course ADD COLUMN row_version bigint NOT NULL DEFAULT 1;
ALTER TABLE academic_term ADD COLUMN row_version bigint NOT NULL DEFAULT 1;
ALTER TABLE intake ADD COLUMN row_version bigint NOT NULL DEFAULT 1;
-- What the portal says about a course: a summary, and longer texts in the markup of the institution's texts.
ALTER TABLE course ADD COLUMN summary text NOT NULL DEFAULT '';
ALTER TABLE course ADD COLUMN about text NOT NULL DEFAULT '';
ALTER TABLE course ADD COLUMN requirements text NOT NULL DEFAULT '';
ALTER TABLE department ADD COLUMN row_version bigint NOT NULL DEFAULT 1;
ALTER TABLE academic_term_type ADD COLUMN row_version bigint NOT NULL DEFAULT 1;
ALTER TABLE academic_year ADD COLUMN row_version bigint NOT NULL DEFAULT 1;
