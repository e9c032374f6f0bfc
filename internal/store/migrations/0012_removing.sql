-- Until when an instance is removing the bytes of a loose file, which it does outside of a transaction: nobody stores the same
-- bytes meanwhile. What a crash leaves of it is removed again by the next tidying.
ALTER TABLE loose_file ADD COLUMN removing bigint;
