-- Views of long lists that staff keep under a name: the address of the list. Everybody sees a shared one.
CREATE TABLE kept_view (
  id       {serial},
  owner_id bigint NOT NULL REFERENCES administrator (id) ON DELETE CASCADE,
  list     text NOT NULL,
  name     text NOT NULL,
  query    text NOT NULL,
  shared   boolean NOT NULL,
  created  bigint NOT NULL
);
CREATE INDEX kept_view_owner ON kept_view (owner_id, list);
CREATE INDEX kept_view_shared ON kept_view (list) WHERE shared;
