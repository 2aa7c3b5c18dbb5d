import { randomBytes } from 'node:crypto'
import { chmod, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Client } from 'pg'
import { SUPERUSER_NAME } from './cluster.ts'
import { hasCode } from './system-error.ts'

/** The service's database role. It is an ordinary role, so its SQL can read no file and start no program. */
export const SERVICE_ROLE = 'slipway_service'

const DATABASE_NAME = 'slipway'
const PASSWORD_FILE = 'service.password'

/**
 * Creates the service's role and its database, and returns the role's password. In a database of an older release, in
 * which the superuser owned everything, changes the owner to the role. Can be called again after a crash midway.
 */
export async function ensureServiceRole(options: {
  cluster: string
  adminUrlOf: (database: string) => string
}): Promise<string> {
  const password = await ensurePassword(options.cluster)
  await asAdmin(options.adminUrlOf('postgres'), async (client) => {
    const role = await client.query('select from pg_roles where rolname = $1', [SERVICE_ROLE])
    if (role.rowCount === 0) await client.query(`create role ${SERVICE_ROLE} login`)
    await client.query(`alter role ${SERVICE_ROLE} password '${password}'`)
    const found = await client.query('select from pg_database where datname = $1', [DATABASE_NAME])
    if (found.rowCount === 0) await client.query(`create database ${DATABASE_NAME} owner ${SERVICE_ROLE}`)
    await client.query(`alter database ${DATABASE_NAME} owner to ${SERVICE_ROLE}`)
  })
  await asAdmin(options.adminUrlOf(DATABASE_NAME), (client) => client.query(HAND_OVER_SQL))
  return password
}

/**
 * Returns the password of the service's role. The password's file is inside the cluster's folder, like the file of the
 * superuser's password, so that cluster and passwords are created and deleted together.
 */
export async function ensurePassword(cluster: string): Promise<string> {
  const path = join(cluster, PASSWORD_FILE)
  const known = await readFile(path, 'utf8').catch((error: unknown) => {
    if (hasCode(error, 'ENOENT')) return ''
    throw error
  })
  // A power failure may leave the file empty. The role then gets a new password; with an empty password it could never connect.
  if (known !== '') return known
  const password = randomBytes(24).toString('base64url')
  await writeFile(`${path}.new`, password, { mode: 0o600 })
  await chmod(`${path}.new`, 0o600)
  await rename(`${path}.new`, path)
  return password
}

async function asAdmin(url: string, work: (client: Client) => Promise<unknown>): Promise<void> {
  const client = new Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  try {
    await work(client)
  } finally {
    await client.end()
  }
}

// Changes the owner of each object separately, because `reassign owned` refuses to work for the superuser that
// created the cluster. Skips objects that belong to an extension or a column, because their owner changes with the
// extension or the table.
const HAND_OVER_SQL = `
do $$
declare
  statement text;
begin
  for statement in
    select format('alter schema %I owner to ${SERVICE_ROLE}', nspname)
    from pg_namespace
    where nspowner = '${SUPERUSER_NAME}'::regrole and nspname !~ '^pg_' and nspname <> 'information_schema'
    union all
    select format(
      'alter %s %s owner to ${SERVICE_ROLE}',
      case c.relkind when 'v' then 'view' when 'm' then 'materialized view' when 'S' then 'sequence' else 'table' end,
      c.oid::regclass)
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relowner = '${SUPERUSER_NAME}'::regrole and c.relkind in ('r', 'p', 'v', 'm', 'S')
      and n.nspname !~ '^pg_' and n.nspname <> 'information_schema'
      and not exists (
        select from pg_depend d where d.objid = c.oid and d.classid = 'pg_class'::regclass and d.deptype in ('a', 'i', 'e'))
    union all
    select format('alter routine %s owner to ${SERVICE_ROLE}', p.oid::regprocedure)
    from pg_proc p join pg_namespace n on n.oid = p.pronamespace
    where p.proowner = '${SUPERUSER_NAME}'::regrole and n.nspname !~ '^pg_' and n.nspname <> 'information_schema'
      and not exists (
        select from pg_depend d where d.objid = p.oid and d.classid = 'pg_proc'::regclass and d.deptype = 'e')
    union all
    select format('alter type %s owner to ${SERVICE_ROLE}', t.oid::regtype)
    from pg_type t join pg_namespace n on n.oid = t.typnamespace
    where t.typowner = '${SUPERUSER_NAME}'::regrole and t.typtype in ('e', 'd') and n.nspname !~ '^pg_'
      and n.nspname <> 'information_schema'
      and not exists (
        select from pg_depend d where d.objid = t.oid and d.classid = 'pg_type'::regclass and d.deptype = 'e')
  loop
    execute statement;
  end loop;
end
$$`
