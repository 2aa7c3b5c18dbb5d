import { createHash } from 'node:crypto'

export type ObjectType = 'blob' | 'tree' | 'commit'

/** A git object; its oid is the sha1 of `type length NUL data`, exactly as git computes it. */
export interface GitObject {
  oid: string
  type: ObjectType
  data: Buffer
}

export interface TreeEntry {
  name: string
  oid: string
  isTree: boolean
}

export interface Commit {
  tree: string
  parents: string[]
  /** `Name <email>`, or a name alone. */
  author: string
  message: string
  at: Date
}

const FILE_MODE = '100644'
const TREE_MODE = '40000'

/** Returns a git object. Its oid is the hash of type, length and content, so equal contents are one object. */
export function makeObject(type: ObjectType, data: Buffer): GitObject {
  const oid = createHash('sha1').update(`${type} ${data.length}\0`).update(data).digest('hex')
  return { oid, type, data }
}

/**
 * Encodes the entries of one directory as a git tree. Git sorts them by the bytes of their names, a directory as if
 * its name ended in `/`.
 */
export function encodeTree(entries: readonly TreeEntry[]): GitObject {
  const keyed = entries.map((entry) => ({
    entry,
    key: Buffer.from(entry.isTree ? `${entry.name}/` : entry.name),
  }))
  keyed.sort((a, b) => Buffer.compare(a.key, b.key))
  const parts = keyed.flatMap(({ entry }) => [
    Buffer.from(`${entry.isTree ? TREE_MODE : FILE_MODE} ${entry.name}\0`),
    Buffer.from(entry.oid, 'hex'),
  ])
  return makeObject('tree', Buffer.concat(parts))
}

/** Decodes a git tree. Also decodes trees that git itself wrote. */
export function decodeTree(data: Buffer): TreeEntry[] {
  const entries: TreeEntry[] = []
  for (let at = 0; at < data.length;) {
    const space = data.indexOf(0x20, at)
    const nul = data.indexOf(0, space)
    entries.push({
      name: data.toString('utf8', space + 1, nul),
      oid: data.toString('hex', nul + 1, nul + 21),
      isTree: data.toString('latin1', at, space) === TREE_MODE,
    })
    at = nul + 21
  }
  return entries
}

/** Returns the git objects of a set of text files and their folders, the root tree last. Equal contents are one object. */
export function encodeFiles(files: ReadonlyMap<string, string>): { root: string; objects: GitObject[] } {
  const objects = new Map<string, GitObject>()
  const addObject = (object: GitObject) => {
    objects.set(object.oid, object)
    return object.oid
  }
  const encodeFolder = (folder: GitFolder): string => {
    const entries: TreeEntry[] = []
    for (const [name, content] of folder.files) {
      entries.push({ name, oid: addObject(makeObject('blob', Buffer.from(content))), isTree: false })
    }
    for (const [name, child] of folder.folders) entries.push({ name, oid: encodeFolder(child), isTree: true })
    return addObject(encodeTree(entries))
  }
  const root = encodeFolder(toFolders(files))
  return { root, objects: [...objects.values()] }
}

interface GitFolder {
  files: Map<string, string>
  folders: Map<string, GitFolder>
}

const emptyFolder = (): GitFolder => ({ files: new Map(), folders: new Map() })

function toFolders(files: ReadonlyMap<string, string>): GitFolder {
  const root = emptyFolder()
  for (const [path, content] of files) {
    const segments = path.split('/')
    const name = segments.pop() ?? ''
    let folder = root
    for (const segment of segments) {
      let next = folder.folders.get(segment)
      if (!next) folder.folders.set(segment, (next = emptyFolder()))
      folder = next
    }
    folder.files.set(name, content)
  }
  return root
}

/** Encodes a commit; author and committer are the same person at the same second, in UTC. */
export function encodeCommit(commit: Commit): GitObject {
  const stamp = `${authorIdentity(commit.author)} ${Math.floor(commit.at.getTime() / 1000)} +0000`
  const lines = [
    `tree ${commit.tree}`,
    ...commit.parents.map((parent) => `parent ${parent}`),
    `author ${stamp}`,
    `committer ${stamp}`,
    '',
    `${commit.message.replaceAll('\0', '').trimEnd()}\n`,
  ]
  return makeObject('commit', Buffer.from(lines.join('\n')))
}

/** Decodes a git commit. Also decodes commits that git itself wrote. */
export function decodeCommit(data: Buffer): Commit {
  const text = data.toString('utf8')
  const end = text.indexOf('\n\n')
  const headers = text.slice(0, end).split('\n')
  const valuesOf = (name: string) =>
    headers.filter((line) => line.startsWith(`${name} `)).map((line) => line.slice(name.length + 1))
  const [, author = '', seconds = '0'] = /^(.*) (\d+) [+-]\d{4}$/.exec(valuesOf('author')[0] ?? '') ?? []
  return {
    tree: valuesOf('tree')[0] ?? '',
    parents: valuesOf('parent'),
    author: author.endsWith(' <>') ? author.slice(0, -3) : author,
    message: text.slice(end + 2).trimEnd(),
    at: new Date(Number(seconds) * 1000),
  }
}

/**
 * Returns the author in git's form `Name <email>`. Removes line breaks, NUL and angle brackets from name and address,
 * because `git fsck` refuses them there.
 */
function authorIdentity(author: string): string {
  const [, name = author, email = ''] = /^(.*?)\s*<([^<>]*)>\s*$/s.exec(author) ?? []
  const cleanText = (text: string) =>
    text
      .replace(/[\0\n\r<>]+/g, ' ')
      .replace(/\s+/g, ' ')
      .trim()
  return `${cleanText(name) || 'unknown'} <${cleanText(email).replaceAll(' ', '')}>`
}
