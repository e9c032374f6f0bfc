-- What staff keep of a kind of mail besides its texts: whether it is sent at all, and who changed it last.
CREATE TABLE email_kind (
  code        text PRIMARY KEY,
  silenced    boolean NOT NULL,
  edited      bigint NOT NULL,
  edited_by   bigint, -- an administrator
  row_version bigint NOT NULL
);
