-- Texts of courses in other languages than the first ({"ar": {"summary": "…"}}).
ALTER TABLE course ADD COLUMN versions text NOT NULL DEFAULT '{}';
