-- needs: 0009_counts
-- Applications, invoices and scores are counted as applicants are (store/tally.go). An earlier release would change them
-- and not the counts, so none may work beside this step.
INSERT INTO tally (family, facet, block, n, low, high)
  SELECT 'application', '', id / 1024, count(*), min(id), max(id) FROM application WHERE visible GROUP BY id / 1024;
INSERT INTO tally (family, facet, block, n, low, high)
  SELECT 'application', 'a:' || academic_term_id, id / 1024, count(*), min(id), max(id) FROM application WHERE visible
  GROUP BY academic_term_id, id / 1024;
INSERT INTO tally (family, facet, block, n, low, high)
  SELECT 'application', 's:' || status, id / 1024, count(*), min(id), max(id) FROM application WHERE visible
  GROUP BY status, id / 1024;
INSERT INTO tally (family, facet, block, n, low, high)
  SELECT 'invoice', '', id / 1024, count(*), min(id), max(id) FROM invoice GROUP BY id / 1024;
INSERT INTO tally (family, facet, block, n, low, high)
  SELECT 'score', 's:' || s.scoresheet_id, s.id / 1024, count(*), min(s.id), max(s.id)
  FROM score s JOIN application a ON a.id = s.application_id WHERE a.visible GROUP BY s.scoresheet_id, s.id / 1024;
