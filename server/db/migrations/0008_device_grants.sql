-- Device sign-in: codes waiting for somebody to approve them.

create table device_grants (
  -- SHA-256 of the code the device holds; neither it nor the key it will be given is stored.
  device_hash text primary key,
  user_code text not null unique,
  name text not null,
  scopes text[] not null,
  status text not null check (status in ('pending', 'approved', 'denied', 'collected')),
  -- Which key of the ring the API key is derived with, and what of it an approval copies into api_keys.
  kid text not null,
  key_hash text not null,
  prefix text not null,
  address text not null,
  org_id text references organization(id) on delete cascade,
  approved_by text references "user"(id) on delete set null,
  -- Null again when the key was revoked before the device came for it.
  api_key_id text collate "C" references api_keys(id) on delete set null,
  interval_seconds integer not null,
  last_polled_at timestamptz(3),
  expires_at timestamptz(3) not null,
  created_at timestamptz(3) not null
);
create index device_grants_expiry on device_grants (expires_at);
-- What a foreign key needs to find its rows when an organization or a key goes.
create index device_grants_org on device_grants (org_id) where org_id is not null;
create index device_grants_key on device_grants (api_key_id) where api_key_id is not null;
