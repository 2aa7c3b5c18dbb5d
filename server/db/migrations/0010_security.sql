-- Security policy of an organization and second factors of its people.

-- An organization without a row asks for nothing.
create table security_policies (
  org_id text primary key references organization(id) on delete cascade,
  require_sso boolean not null,
  require_two_factor boolean not null,
  session_lifetime_days integer check (session_lifetime_days in (1, 7, 30)),
  -- Canonical addresses and ranges; empty means anywhere.
  allowed_ips text[] not null,
  updated_at timestamptz(3) not null,
  created_at timestamptz(3) not null
);

-- The auth library's plugin twoFactor, as its migration compiler prints it, but without its index on the encrypted
-- secret, which nothing looks up.
alter table "user" add column "twoFactorEnabled" boolean default false;

create table "twoFactor" (
  "id" text not null primary key,
  "secret" text not null,
  "backupCodes" text not null,
  "userId" text not null references "user" ("id") on delete cascade,
  "verified" boolean,
  "failedVerificationCount" integer,
  "lockedUntil" timestamptz
);

-- Ours: two enrolments at once would leave two secrets, of which the library reads either.
create unique index two_factor_once on "twoFactor" ("userId");
