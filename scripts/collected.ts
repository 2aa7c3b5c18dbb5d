import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * Sets an environment variable to a file, to which the test processes started from now on append lines. Returns a function that reads the
 * lines, each once.
 */
export function collectLines(variable: string): () => ReadonlySet<string> {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-collected-'))
  process.once('exit', () => rmSync(folder, { recursive: true }))
  const file = join(folder, 'lines.txt')
  writeFileSync(file, '')
  process.env[variable] = file
  return () => new Set(readFileSync(file, 'utf8').split('\n'))
}
