-- One row per Idempotency-Key somebody sent. A row without a body is a request still running (or one whose process
-- died, once its claim is over); a row with one is the answer that is given again for 24 hours.
create table idempotency_keys (
  org_id text not null references organization(id) on delete cascade,
  user_id text not null,
  path text not null,
  key text not null,
  body_hash text not null,
  -- Names the request that holds the row, so that one that was overtaken cannot write.
  claim text not null,
  claimed_until timestamptz(3) not null,
  body text,
  expires_at timestamptz(3) not null,
  created_at timestamptz(3) not null,
  primary key (org_id, user_id, path, key)
);
create index idempotency_keys_expiry on idempotency_keys (expires_at);
