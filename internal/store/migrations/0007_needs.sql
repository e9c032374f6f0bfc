-- What a binary that does not know a step must know to work beside it: '' is nothing, so every earlier release may; the name of
-- a step; the step's own name when no earlier release may. It comes from a line of the step's text, see store/migrate.go.
ALTER TABLE migration ADD COLUMN needs text NOT NULL DEFAULT '';
