import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pino } from 'pino'
import { migrate } from '../server/db/migrate.ts'
import { SEED_SIZES, type Size } from './harness/benchmark.ts'
import { BENCH_KEY } from './harness/key.ts'
import { MIGRATIONS_FOLDER, runStatements, type Server } from './harness/postgres.ts'
import { progress } from './harness/progress.ts'

const SEEDS_FOLDER = join(import.meta.dirname, 'seeds')

/**
 * Makes sure that the seeded template of this size exists; returns its name. Recreates the template when a migration or a seed file has
 * changed. A fingerprint in the database's comment shows such a change.
 */
export async function ensureTemplate(server: Server, size: Size): Promise<string> {
  const name = `bench_${size}`
  const fingerprint = fingerprintOf([MIGRATIONS_FOLDER, SEEDS_FOLDER])
  const admin = server.urlOf('postgres')
  const [found] = await runStatements<{ comment: string | null }>(admin, [
    `select shobj_description(oid, 'pg_database') as comment from pg_database where datname = '${name}'`,
  ])
  if (found?.comment === fingerprint) return name
  progress(`Seeding ${name} (kept for later runs) ...`)
  const began = performance.now()
  await runStatements(admin, [`drop database if exists ${name}`, `create database ${name}`])
  await migrate({ url: server.urlOf(name), log: pino({ level: 'silent' }) })
  await runStatements(server.urlOf(name), [
    'set statement_timeout = 0',
    ...readSeeds(size),
    `update api_keys set key_hash = '${sha256Hex(BENCH_KEY)}' where id = 'key_${String(101).padStart(26, '0')}'`,
    // Freezing writes hint bits now: otherwise the first reads of every copy would write them.
    'vacuum (freeze, analyze)',
    'checkpoint',
  ])
  await runStatements(admin, [`comment on database ${name} is '${fingerprint}'`])
  progress(`  ${name}: ${SEED_SIZES[size]} tickets in ${((performance.now() - began) / 1000).toFixed(1)} s`)
  return name
}

function readSeeds(size: Size): string[] {
  return readdirSync(SEEDS_FOLDER)
    .sort()
    .map((file) =>
      readFileSync(join(SEEDS_FOLDER, file), 'utf8').replaceAll('{rows}', String(SEED_SIZES[size])),
    )
}

function fingerprintOf(folders: string[]): string {
  const hash = createHash('sha256')
  for (const folder of folders)
    for (const file of readdirSync(folder).sort()) hash.update(readFileSync(join(folder, file)))
  return hash.digest('hex')
}

const sha256Hex = (text: string): string => createHash('sha256').update(text).digest('hex')
