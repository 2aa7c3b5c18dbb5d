-- Single sign-on of an organization. The table is the auth library's plugin sso, as its migration compiler prints it, but
-- a deleted person leaves the provider behind, and each organization has one.
create table "ssoProvider" (
  "id" text not null primary key,
  "issuer" text not null,
  "oidcConfig" text,
  "samlConfig" text,
  "userId" text references "user" ("id") on delete set null,
  "providerId" text not null unique,
  "organizationId" text not null unique references organization ("id") on delete cascade,
  "domain" text not null,
  "domainVerified" boolean not null,
  -- Ours: the random part of the TXT records that prove the domains.
  "verificationToken" text not null,
  "createdAt" timestamptz(3) not null
);
create index sso_provider_user on "ssoProvider" ("userId");

-- The domains that a provider claims. A sign-in looks here, never at the list above, so that a claim without proof takes
-- nothing from the domain's owner.
create table sso_domains (
  org_id text not null references "ssoProvider" ("organizationId") on delete cascade,
  domain text not null,
  verified_at timestamptz(3),
  primary key (org_id, domain)
);
create unique index sso_domain_proven on sso_domains (domain) where verified_at is not null;
