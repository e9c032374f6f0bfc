-- No outbox ID is given out twice, also across the remaking.
INSERT INTO sqlite_sequence (name, seq) SELECT 'outbox', coalesce(max(id), 0) + 1000000 FROM outbox
  WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = 'outbox');
UPDATE sqlite_sequence SET seq = seq + 1000000 WHERE name = 'outbox';
