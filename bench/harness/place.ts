import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export const ROOT = join(import.meta.dirname, '../..')

/** Kept between runs: the database server with the seeded templates. */
export const CACHE = join(ROOT, 'bench/cache')

/** A folder of one run. Postgres may run as another account, so others can pass through it. */
export function makeFolder(): string {
  return mkdtempSync(join(tmpdir(), 'slipway-bench-'))
}
