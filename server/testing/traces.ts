import { randomUUID } from 'node:crypto'
import type { Pool } from 'pg'
import type { TestApp } from './app.ts'

/** Returns the tables with a row that contains one of these words, including Git objects. */
export async function findInDatabase(pool: Pool, words: readonly string[]): Promise<string[]> {
  const { rows } = await pool.query<{ name: string }>(
    `select quote_ident(schemaname) || '.' || quote_ident(tablename) as name from pg_tables
     where schemaname not in ('pg_catalog', 'information_schema') order by 1`,
  )
  const found: string[] = []
  for (const { name } of rows) {
    // Git objects are bytes. Casting them to text would give hexadecimal digits.
    const text = name === 'public.git_objects' ? `encode(data, 'escape')` : 't::text'
    const hits = await pool.query(
      `select from ${name} t where exists (select from unnest($1::text[]) w where strpos(${text}, w) > 0) limit 1`,
      [words],
    )
    if (hits.rowCount !== 0) found.push(name)
  }
  return found
}

/** Adds a member to an organization, as an accepted invitation does. */
export async function enterOrganization(
  { platform, clock }: TestApp,
  { organizationId, userId, role }: { organizationId: string; userId: string; role: string },
): Promise<void> {
  await platform.db
    .insertInto('member')
    .values({ id: randomUUID(), organizationId, userId, role, createdAt: clock.now() })
    .execute()
}
