-- What courses are called in other languages than the first ({"ar": {"name": "…"}}), apart from their longer texts: lists
-- and searches read it of many courses. Intakes, offer types and consents have texts in other languages, too.
ALTER TABLE course ADD COLUMN names text NOT NULL DEFAULT '{}';
ALTER TABLE intake ADD COLUMN versions text NOT NULL DEFAULT '{}';
ALTER TABLE offer_type ADD COLUMN versions text NOT NULL DEFAULT '{}';
ALTER TABLE consent ADD COLUMN versions text NOT NULL DEFAULT '{}';
