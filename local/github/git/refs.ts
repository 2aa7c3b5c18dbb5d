import { randomUUID } from 'node:crypto'
import { promises as fs } from 'node:fs'
import { dirname, join } from 'node:path'
import { readIfExists } from '../../world/files.ts'

/** Stands for no object: as the old value a ref is created, as the new value the ref is deleted. */
export const NO_OBJECT = '0'.repeat(40)

/** Returns all refs of a repository, sorted by name. All refs are in the file `packed-refs`, so that a push changes them in one step. */
export function readRefs(gitdir: string): Map<string, string> {
  const text = readIfExists(join(gitdir, 'packed-refs')) ?? ''
  const lines = text.split('\n').filter((line) => /^[0-9a-f]{40} /.test(line))
  return new Map(lines.map((line) => [line.slice(41), line.slice(0, 40)]))
}

/** Replaces all refs. When the promise resolves, the refs are on disk. */
export async function writeRefs(gitdir: string, refs: ReadonlyMap<string, string>): Promise<void> {
  const lines = [...refs].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, oid]) => `${oid} ${name}\n`)
  await writeDurably(join(gitdir, 'packed-refs'), lines.join(''))
}

/** Returns an error message for the name of a new ref, or null. Follows git check-ref-format, and allows only branches and tags. */
export function refProblem(name: string, refs: ReadonlyMap<string, string>): string | null {
  const isGood =
    /^refs\/(?:heads|tags)\/[^\0-\x20\x7f~^:?*[\\]+$/.test(name) &&
    !/\.\.|@\{|\/\/|\/\.|\.lock(?:\/|$)|\.$|\/$/.test(name) &&
    name.length <= 255
  if (!isGood) return 'funny refname'
  for (const other of refs.keys()) {
    if (other.startsWith(`${name}/`) || name.startsWith(`${other}/`)) return `'${other}' exists`
  }
  return null
}

/**
 * Writes a file atomically and durably: after a crash, the file has either the old or the new content. When writing fails, for example on a
 * full disk, no partial file remains.
 */
export async function writeDurably(path: string, data: string | Uint8Array): Promise<void> {
  const part = `${path}.${randomUUID()}`
  try {
    const file = await fs.open(part, 'w', 0o600)
    try {
      await file.writeFile(data)
      await file.sync()
    } finally {
      await file.close()
    }
    await fs.rename(part, path)
  } catch (error) {
    await fs.rm(part, { force: true })
    throw error
  }
  const folder = await fs.open(dirname(path), 'r')
  await folder.sync().finally(() => folder.close())
}

/** The end of the last queued change by repository. It never rejects. */
const lastChanges = new Map<string, Promise<unknown>>()

/** Runs `work` when no other change of this repository runs. Only this process writes to repositories. */
export async function withRepositoryLock<T>(gitdir: string, work: () => Promise<T>): Promise<T> {
  const result = (lastChanges.get(gitdir) ?? Promise.resolve()).then(work, work)
  const settled = result.catch(() => {})
  lastChanges.set(gitdir, settled)
  try {
    return await result
  } finally {
    if (lastChanges.get(gitdir) === settled) lastChanges.delete(gitdir)
  }
}
