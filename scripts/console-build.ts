import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT, run } from './lib.ts'

const STAMP_FILE = join(ROOT, 'console/dist/.built-from')

/** Builds the console when it is missing or its sources have changed. Returns whether the console was built. */
export async function buildConsole(): Promise<boolean> {
  const hash = hashSources()
  if (existsSync(STAMP_FILE) && readFileSync(STAMP_FILE, 'utf8') === hash) return false
  const { code, output } = await run('vite', ['build', 'console', '--logLevel', 'warn'])
  if (code !== 0) throw new Error(`The console does not build:\n${output}`)
  writeFileSync(STAMP_FILE, hash)
  return true
}

function hashSources(): string {
  const files = globSync(
    ['console/**/*.{ts,tsx,js,css,html,json,svg,txt}', 'sdk/**/*.ts', 'package-lock.json'],
    {
      cwd: ROOT,
      exclude: ['**/node_modules/**', 'console/dist/**', '**/*.test.ts'],
    },
  ).sort()
  const hash = createHash('sha256')
  for (const file of files) hash.update(file).update(readFileSync(join(ROOT, file)))
  return hash.digest('hex')
}
