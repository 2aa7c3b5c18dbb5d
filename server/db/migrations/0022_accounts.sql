-- Mails of the service itself, and passkeys.

create table mails (
  id text collate "C" primary key,
  kind text not null check (kind in ('verify', 'reset', 'invitation', 'two-factor')),
  recipient text not null,
  -- Subject and texts, sealed, since they hold links that open accounts; gone once the mail is sent.
  content text,
  -- Held: there is no mail server, and the operator hands it over.
  state text not null check (state in ('waiting', 'held', 'sent', 'failed')),
  -- What the mail server said when it last refused.
  problem text,
  updated_at timestamptz(3) not null,
  created_at timestamptz(3) not null
);
create index mails_age on mails (created_at);

-- The auth library's plugin passkey, as its migration compiler prints it.
create table "passkey" (
  "id" text not null primary key,
  "name" text,
  "publicKey" text not null,
  "userId" text not null references "user" ("id") on delete cascade,
  "credentialID" text not null,
  "counter" integer not null,
  "deviceType" text not null,
  "backedUp" boolean not null,
  "transports" text,
  "createdAt" timestamptz,
  "aaguid" text
);
create index "passkey_userId_idx" on "passkey" ("userId");

-- Ours, instead of its plain index: a sign-in looks a passkey up by this and must find one person.
create unique index passkey_once on "passkey" ("credentialID");
