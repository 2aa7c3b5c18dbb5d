import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * Sets an environment variable to the path of a new file. Test processes that start after this append lines to the file. Returns a function
 * that reads the distinct lines.
 */
export function collectLines(variable: string): () => ReadonlySet<string> {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-collected-'))
  process.once('exit', () => rmSync(folder, { recursive: true }))
  const file = join(folder, 'lines.txt')
  writeFileSync(file, '')
  process.env[variable] = file
  return () => new Set(readFileSync(file, 'utf8').split('\n'))
}
