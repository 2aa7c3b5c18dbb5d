-- 100 organizations with 50 API keys each. Organization 1 is the one that is measured; its key 1 gets the hash of
-- a key that can be spelled out (bench/seed.ts), the others are there so that look-ups have something to search.
insert into "user" (id, name, email, "emailVerified", "createdAt", "updatedAt")
values ('user_bench', 'Bench', 'bench@slipway.test', true, timestamptz '2026-01-01', timestamptz '2026-01-01');

insert into organization (id, name, slug, "createdAt")
select 'org_' || n, 'Organization ' || n, 'organization-' || n, timestamptz '2026-01-01'
from generate_series(1, 100) n;

insert into member (id, "organizationId", "userId", role, "createdAt")
values ('member_bench', 'org_1', 'user_bench', 'owner', timestamptz '2026-01-01');

insert into organization_settings (org_id, plan, created_at)
select 'org_' || n, 'enterprise', timestamptz '2026-01-01' from generate_series(1, 100) n;

insert into api_keys (id, org_id, created_by, name, prefix, key_hash, scopes, source, created_at)
select 'key_' || lpad((o * 100 + k)::text, 26, '0'), 'org_' || o, 'user_bench', 'Key ' || k, 'svk_00000000',
  encode(sha256(convert_to('bench ' || o || ' ' || k, 'utf8')), 'hex'),
  array['projects:read', 'projects:write', 'tickets:write', 'build:write', 'deploy:write'], 'console',
  timestamptz '2026-01-01' + make_interval(mins => o * 100 + k)
from generate_series(1, 100) o, generate_series(1, 50) k;
