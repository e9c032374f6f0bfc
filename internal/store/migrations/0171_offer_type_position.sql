-- The order in which staff read offer types; the API has them by ID.
ALTER TABLE offer_type ADD COLUMN position bigint NOT NULL DEFAULT 0;
UPDATE offer_type SET position = (SELECT count(*) FROM offer_type t WHERE t.id <= offer_type.id);
