-- needs: 0019_pane
-- What the filter pane of applications counts is kept as other counts are (store/pane.go). An earlier release would
-- change the applications and not the counts, so none may work next to this step.
CREATE INDEX application_grace ON application (grace_override, academic_term_id) WHERE visible AND grace_override IS NOT NULL;
INSERT INTO tally (family, facet, block, n, low, high)
  SELECT 'application', 'b:' || academic_term_id || ':' || status, id / 16384, count(*), min(id), max(id) FROM application
  WHERE visible GROUP BY academic_term_id, status, id / 16384;
INSERT INTO tally (family, facet, block, n, low, high)
  SELECT 'application', 'z:' || academic_term_id, id / 16384, count(*), min(id), max(id) FROM application
  WHERE visible AND coalesce(frozen, 0) <> 0 GROUP BY academic_term_id, id / 16384;
INSERT INTO tally (family, facet, block, n, low, high)
  SELECT 'offer', m.term || ':' || m.type_id || ':' || k.state, m.id / 16384, count(*), min(m.id), max(m.id)
  FROM (SELECT a.academic_term_id AS term, o.type_id, a.id,
      max(CASE WHEN coalesce(o.type_confirmed_id, 0) <> o.type_id THEN 1 ELSE 0 END) AS u,
      max(CASE WHEN o.type_confirmed_id = o.type_id THEN 1 ELSE 0 END) AS c,
      max(CASE WHEN o.decision = 'Final' THEN 1 ELSE 0 END) AS f, max(CASE WHEN o.decision = 'Declined' THEN 1 ELSE 0 END) AS d
    FROM application a JOIN offer o ON o.application_id = a.id WHERE a.visible AND a.submitted IS NOT NULL
    GROUP BY a.academic_term_id, o.type_id, a.id) m
  JOIN (SELECT 'u' AS state UNION ALL SELECT 'c' UNION ALL SELECT 'f' UNION ALL SELECT 'd') k
    ON k.state = 'u' AND m.u = 1 OR k.state = 'c' AND m.c = 1 OR k.state = 'f' AND m.f = 1 OR k.state = 'd' AND m.d = 1
  GROUP BY m.term, m.type_id, k.state, m.id / 16384;
