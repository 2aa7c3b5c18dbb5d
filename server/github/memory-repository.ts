import { deflateSync } from 'node:zlib'
import type { PromiseFsClient } from 'isomorphic-git'
import type { ObjectType } from '../git/objects.ts'

export type StoredObject = { type: ObjectType; data: Buffer }

export const GIT_FOLDER = '/repository'

/**
 * Returns a file system in memory that contains a bare repository with only the files that the git library needs to
 * push `main`. Nothing is written to disk.
 */
export function memoryRepository(head: string, objects: ReadonlyMap<string, StoredObject>): PromiseFsClient {
  const files = new Map<string, Uint8Array>([
    [`${GIT_FOLDER}/config`, Buffer.from('[core]\n\tbare = true\n')],
    [`${GIT_FOLDER}/HEAD`, Buffer.from('ref: refs/heads/main\n')],
    [`${GIT_FOLDER}/refs/heads/main`, Buffer.from(`${head}\n`)],
  ])
  const objectAt = (path: string): Uint8Array | undefined => {
    const [, folder, rest] = /^\/repository\/objects\/([0-9a-f]{2})\/([0-9a-f]{38})$/.exec(path) ?? []
    const object = folder === undefined ? undefined : objects.get(`${folder}${rest}`)
    if (object === undefined) return undefined
    const loose = Buffer.concat([Buffer.from(`${object.type} ${object.data.length}\0`), object.data])
    // Level 0 does not compress, because the git library packs the object again at once.
    return deflateSync(loose, { level: 0 })
  }
  const fileNotFound = (path: string) => Object.assign(new Error(`ENOENT: ${path}`), { code: 'ENOENT' })
  const statOf = async (path: string) => {
    const data = files.get(path)
    if (data === undefined) throw fileNotFound(path)
    return {
      type: 'file',
      mode: 0o644,
      size: data.length,
      mtimeMs: 0,
      isFile: () => true,
      isDirectory: () => false,
    }
  }
  const doNothing = async () => {}
  return {
    promises: {
      readFile: async (path: string, options?: { encoding?: 'utf8' } | 'utf8') => {
        const data = files.get(path) ?? objectAt(path)
        if (data === undefined) throw fileNotFound(path)
        const encoding = typeof options === 'string' ? options : options?.encoding
        return encoding === 'utf8' ? Buffer.from(data).toString('utf8') : data
      },
      writeFile: async (path: string, data: Uint8Array | string) => {
        files.set(path, Buffer.from(data as string))
      },
      stat: statOf,
      lstat: statOf,
      readdir: async () => [],
      unlink: async (path: string) => void files.delete(path),
      mkdir: doNothing,
      rmdir: doNothing,
      symlink: doNothing,
      readlink: async (path: string) => {
        throw fileNotFound(path)
      },
    },
  }
}
