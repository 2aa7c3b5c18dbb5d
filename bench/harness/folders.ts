import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export const ROOT = join(import.meta.dirname, '../..')

/** A folder that is kept between runs. It contains the database server with the seeded templates. */
export const CACHE_FOLDER = join(ROOT, 'bench/cache')

const madeFolders: string[] = []
process.on('exit', () => {
  for (const folder of madeFolders) rmSync(folder, { recursive: true, force: true })
})

export function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-bench-'))
  madeFolders.push(folder)
  return folder
}
