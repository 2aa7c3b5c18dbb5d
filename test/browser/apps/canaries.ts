import assert from 'node:assert/strict'
import { join, relative } from 'node:path'
import type { Person } from '../../support/client.ts'
import type { ServiceProcess } from '../../support/service.ts'
import { POSTGRES_MAJOR } from '../../../server/db/embedded/folders.ts'
import { findStored } from '../../../server/testing/stored.ts'

/**
 * Returns where the service stores any of these words: in its tables, its log, or a file below its data
 * directory, which includes the local cloud. Postgres is searched by rows and not by files, because its files
 * keep deleted rows until they are overwritten.
 */
export async function findInService(service: ServiceProcess, words: string[]): Promise<string[]> {
  const cluster = join(service.dataDir, 'postgres', POSTGRES_MAJOR)
  const files = findStored(service.dataDir, words, cluster).map((found) => relative(service.dataDir, found))
  const log = words.some((word) => service.output.includes(word)) ? ['the log of the service'] : []
  return [...files, ...(await findTables(service, words)), ...log]
}

async function findTables(service: ServiceProcess, words: string[]): Promise<string[]> {
  const tables = await service.query<{ name: string }>(
    `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
     where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`,
  )
  const found: string[] = []
  for (const { name } of tables) {
    // Postgres converts bytes to text as hexadecimal digits, so also search for the word's digits.
    const rows = await service.query(
      `select from ${name} as one where exists (select from unnest($1::text[]) as word
        where position(word in one::text) > 0 or position(encode(convert_to(word, 'utf8'), 'hex') in one::text) > 0)
       limit 1`,
      [words],
    )
    if (rows.length > 0) found.push(name)
  }
  return found
}

/** Returns all data that people can export: the account's export, and the activity log as CSV and as the page shows it. */
export async function readExports(person: Person): Promise<string[]> {
  const paths = ['/account/export', '/activity/export', '/activity?limit=200']
  return Promise.all(
    paths.map(async (path) => {
      const answer = await person.request(`GET ${path}`)
      assert.equal(answer.status, 200, path)
      return answer.text()
    }),
  )
}
