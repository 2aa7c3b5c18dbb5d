-- What a person leaves behind, trusted devices, codes that count once, and text that came from outside.

-- Trusted devices are rows of the auth library: identifier `trust-device-...`, value the person.
create index verification_trusted_device on verification (value) where identifier like 'trust-device-%';

-- The library changes passwords and second factors outside of any transaction of ours.
create function end_trusted_devices() returns trigger language plpgsql as $$
begin
  delete from verification
  where value = coalesce(new."userId", old."userId") and identifier like 'trust-device-%';
  return null;
end $$;
create trigger account_ends_trusted_devices after update on account for each row
  when (old."password" is distinct from new."password") execute function end_trusted_devices();
create trigger two_factor_ends_trusted_devices after insert or delete on "twoFactor" for each row
  execute function end_trusted_devices();
create trigger secret_ends_trusted_devices after update on "twoFactor" for each row
  when (old."secret" is distinct from new."secret") execute function end_trusted_devices();

-- The time step (RFC 6238) of the newest code that opened a session: no code of it or before it opens another one.
alter table "twoFactor" add column "lastUsedStep" bigint;

-- Who made it, so that it can be shown when the person leaves. Null: unknown, or it belongs to the organization alone.
alter table webhook_endpoints add column created_by text references "user"(id) on delete set null;
alter table ingest_sources add column created_by text references "user"(id) on delete set null;

-- The library deletes memberships by several routes. In the same statement the keys of the person are revoked, since
-- the person knows them, and the rest becomes the organization's own. All of it is recorded.
create function settle_belongings() returns trigger language plpgsql as $$
declare
  maker text := coalesce((select email from "user" where id = old."userId"), old."userId");
begin
  -- The whole organization is being deleted, and its activity with it.
  if not exists (select from organization where id = old."organizationId") then
    return null;
  end if;
  with revoked as (
    delete from api_keys where org_id = old."organizationId" and created_by = old."userId"
    returning 'api_key.revoked' as action, name || ' (' || prefix || ')' as target, null as project_id
  ), kept_webhooks as (
    update webhook_endpoints set created_by = null
    where org_id = old."organizationId" and created_by = old."userId"
    -- A path may hold a token of the receiver's.
    returning 'webhook.handed_over' as action, substring(url from '^https?://[^/?#]+') as target, null as project_id
  ), kept_sources as (
    update ingest_sources set created_by = null
    where org_id = old."organizationId" and created_by = old."userId"
    returning 'ingest_source.handed_over' as action, id as target, project_id
  ), settled as (
    select * from revoked union all select * from kept_webhooks union all select * from kept_sources
  )
  insert into activity (id, org_id, at, provider, actor, action, target, status, project_id, project_name, detail,
    created_at)
  select 'act_' || left(replace(gen_random_uuid()::text, '-', ''), 26), old."organizationId", now(), 'slipway',
    'slipway', action, target, 'ok', s.project_id, p.name, maker || ' is no longer a member', now()
  from settled s left join projects p on p.org_id = old."organizationId" and p.id = s.project_id;
  return null;
end $$;
create trigger member_settles_belongings after delete on member for each row execute function settle_belongings();

-- The plan agent had text from outside before it when it wrote this: builds are held back as for an ingested ticket.
alter table tickets add column from_outside boolean not null default false;
alter table plan_messages add column read_outside boolean not null default false;
alter table plan_messages alter column read_outside drop default;
