import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

const PREFIX = 'slipway-check-'

/** The only packages generated code can resolve, at the service's own versions. */
const PACKAGES = [
  'react',
  'react-dom',
  'hono',
  'zod',
  'date-fns',
  '@types/react',
  '@types/react-dom',
] as const

/** Makes the folder all checkers of this process work in, and removes those of processes that were killed. */
export function makeRoot(): string {
  for (const name of readdirSync(tmpdir())) {
    const pid = name.startsWith(PREFIX) ? Number(name.slice(PREFIX.length).split('-')[0]) : 0
    if (pid > 0 && !isAlive(pid)) rmSync(join(tmpdir(), name), { recursive: true, force: true })
  }
  return mkdtempSync(join(tmpdir(), `${PREFIX}${process.pid}-`))
}

/** Prepares a checker's own folder: jobs below it find the allowed packages by walking up. */
export function prepareFolder(folder: string): void {
  const runtime = createRequire(import.meta.resolve('@slipway/runtime/package.json'))
  for (const name of PACKAGES) {
    const link = join(folder, 'node_modules', name)
    mkdirSync(dirname(link), { recursive: true })
    symlinkSync(dirname(runtime.resolve(`${name}/package.json`)), link, 'dir')
  }
}

/** Writes a tree below `folder`; whoever asks removes it again with `removeTree`. */
export function writeTree(folder: string, tree: ReadonlyMap<string, string>): string {
  const target = mkdtempSync(join(folder, 'job-'))
  const made = new Set<string>()
  for (const [path, text] of tree) {
    const file = join(target, path)
    const parent = dirname(file)
    if (!made.has(parent)) {
      mkdirSync(parent, { recursive: true })
      made.add(parent)
    }
    writeFileSync(file, text)
  }
  return target
}

/** Removes a written tree; a leftover goes with the root folder. */
export async function removeTree(target: string): Promise<void> {
  await rm(target, { recursive: true, force: true })
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
