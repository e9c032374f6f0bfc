-- Who may see a scoresheet, and what of an application those who score see: a JSON list of sections of the form,
-- documents, name and photo. Scores are found by who gave them.
ALTER TABLE scoresheet ADD COLUMN visibility text NOT NULL DEFAULT 'private';
ALTER TABLE scoresheet ADD COLUMN shows text NOT NULL
  DEFAULT '["name","education","grades","languages","motivation","extras","documents"]';
CREATE INDEX score_scorer ON score (scoresheet_id, scorer_id, id) WHERE scorer_id IS NOT NULL;
