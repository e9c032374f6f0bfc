-- By which version of its settings a rule acted, counted as their pages do; 0 for what it did before.
ALTER TABLE rule_action ADD COLUMN version bigint NOT NULL DEFAULT 0;
