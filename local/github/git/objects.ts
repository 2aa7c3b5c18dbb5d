import * as fs from 'node:fs'
import { type CommitObject, Errors, readObject, type TagObject, type TreeObject } from 'isomorphic-git'

const OBJECTS_MAX = 200_000
const OBJECT_ID = /^[0-9a-f]{40}$/

export type ParsedObject =
  | { type: 'blob'; object: Uint8Array }
  | { type: 'commit'; object: CommitObject }
  | { type: 'tree'; object: TreeObject }
  | { type: 'tag'; object: TagObject }

/** Thrown when more objects can be reached than one fetch or push may have. Git shows the message to the person who runs it. */
export class TooManyObjectsError extends Error {}

/** Reads the objects of a repository. Create a reader per request, because it keeps the pack files open. */
export class ObjectReader {
  readonly #gitdir: string
  readonly #objectsMax: number
  readonly #cache = {}

  constructor(gitdir: string, objectsMax: number = OBJECTS_MAX) {
    this.#gitdir = gitdir
    this.#objectsMax = objectsMax
  }

  async read(oid: string): Promise<ParsedObject> {
    const at = { fs, gitdir: this.#gitdir, dir: this.#gitdir, cache: this.#cache }
    const read = await readObject({ ...at, oid, format: 'parsed' })
    if (read.format === 'parsed' && read.type !== 'blob') return read
    if (read.format === 'content') return { type: 'blob', object: read.object }
    throw new Error(`the object ${oid} was not parsed`)
  }

  /** Returns the bytes of an object without its header. */
  async readBytes(oid: string): Promise<{ type: ParsedObject['type']; data: Uint8Array }> {
    const at = { fs, gitdir: this.#gitdir, dir: this.#gitdir, cache: this.#cache }
    const { type, object } = await readObject({ ...at, oid, format: 'content' })
    return { type: type as ParsedObject['type'], data: object as Uint8Array }
  }

  async has(oid: string): Promise<boolean> {
    try {
      await this.readBytes(oid)
      return true
    } catch (error) {
      if (isMissing(error)) return false
      throw error
    }
  }

  /**
   * Returns the ids of all objects that can be reached from `starts`. Omits the objects in `skip` and the objects that can be reached only
   * through them. Throws on a missing or malformed object, and `TooManyObjectsError`.
   */
  async reachableObjects(
    starts: Iterable<string>,
    skip: ReadonlySet<string> = new Set(),
  ): Promise<Set<string>> {
    const seen = new Set<string>()
    const waiting = [...starts]
    for (let oid = waiting.pop(); oid !== undefined; oid = waiting.pop()) {
      if (seen.has(oid) || skip.has(oid)) continue
      seen.add(oid)
      if (seen.size > this.#objectsMax) throw new TooManyObjectsError(`more than ${this.#objectsMax} objects`)
      const references = referencedObjects(await this.read(oid))
      // A malformed commit or tag may lack an id, and `undefined` would end this loop as if all objects had been visited.
      for (const one of references) if (!OBJECT_ID.test(one)) throw new Errors.InvalidOidError(one)
      waiting.push(...references)
    }
    return seen
  }

  /** Returns whether `ancestor` is one of `starts` (commits or tags), or an ancestor of one of them. */
  async isAncestor(ancestor: string, starts: Iterable<string>): Promise<boolean> {
    const seen = new Set<string>()
    const waiting = [...starts]
    for (let oid = waiting.pop(); oid !== undefined; oid = waiting.pop()) {
      if (oid === ancestor) return true
      if (seen.has(oid)) continue
      seen.add(oid)
      const parsed = await this.read(oid)
      if (parsed.type === 'commit') waiting.push(...parsed.object.parent)
      else if (parsed.type === 'tag') waiting.push(parsed.object.object)
    }
    return false
  }

  /** Follows a chain of tags to the object at its end. */
  async peel(oid: string): Promise<string> {
    const parsed = await this.read(oid)
    return parsed.type === 'tag' ? this.peel(parsed.object.object) : oid
  }
}

export const isMissing = (error: unknown): boolean => error instanceof Errors.NotFoundError

/** Returns whether the error says that an object exists but cannot be parsed, or refers to an object by something that is not an id. */
export const isMalformed = (error: unknown): boolean =>
  error instanceof Error && 'isIsomorphicGitError' in error && !isMissing(error)

function referencedObjects(parsed: ParsedObject): string[] {
  switch (parsed.type) {
    case 'commit':
      return [parsed.object.tree, ...parsed.object.parent]
    case 'tree':
      // A commit in a tree is a submodule, whose objects are in another repository.
      return parsed.object.filter((entry) => entry.type !== 'commit').map((entry) => entry.oid)
    case 'tag':
      return [parsed.object.object]
    default:
      return []
  }
}
