-- No outbox ID is given out twice, also across the remaking.
SELECT setval(pg_get_serial_sequence('outbox', 'id'), (SELECT coalesce(max(id), 0) + 1000000 FROM outbox));
