import { posix } from 'node:path'
import { notFound } from '../context.ts'
import type { ObjectReader } from '../git/objects.ts'

export async function commitShape(reader: ObjectReader, base: string, sha: string) {
  const parsed = await reader.read(sha)
  if (parsed.type !== 'commit') throw notFound()
  const { author, committer, message, tree, parent } = parsed.object
  const toPerson = (who: typeof author) => ({
    name: who.name,
    email: who.email,
    date: new Date(who.timestamp * 1000).toISOString().replace(/\.\d+Z$/, 'Z'),
  })
  return {
    sha,
    html_url: `${base}/commit/${sha}`,
    commit: {
      author: toPerson(author),
      committer: toPerson(committer),
      message: message.trimEnd(),
      tree: { sha: tree },
    },
    parents: parent.map((one) => ({ sha: one })),
  }
}

const LINK_MODE = '120000'

/**
 * Returns what the REST API returns for a path in a commit: a file with its content, the list of a folder, or a symbolic link. For a link
 * to a file in the commit, returns the content of that file.
 */
export async function contentShape(reader: ObjectReader, commit: string, asked: string) {
  const names = asked.split('/').filter((part) => part !== '')
  const path = names.join('/')
  const start = await reader.read(await reader.peel(commit))
  if (start.type !== 'commit') throw notFound()
  const root = start.object.tree
  const found = await findEntry(reader, root, names)
  if (found === null) throw notFound()
  let { oid } = found
  if (found.mode === LINK_MODE) {
    const { data } = await reader.readBytes(oid)
    const target = Buffer.from(data).toString()
    const linked = await findEntry(reader, root, posix.join(...names.slice(0, -1), target).split('/'))
    if (linked === null || !linked.mode.startsWith('100'))
      return { type: 'symlink', target, size: data.length, name: names.at(-1) ?? '', path, sha: oid }
    oid = linked.oid
  }
  const parsed = await reader.read(oid)
  const prefix = path === '' ? '' : `${path}/`
  if (parsed.type === 'tree') {
    return parsed.object.map((entry) => ({
      type: entry.type === 'tree' ? 'dir' : entry.mode === LINK_MODE ? 'symlink' : 'file',
      name: entry.path,
      path: `${prefix}${entry.path}`,
      sha: entry.oid,
    }))
  }
  const { data } = await reader.readBytes(oid)
  return {
    type: 'file',
    encoding: 'base64',
    size: data.length,
    name: names.at(-1) ?? '',
    path,
    sha: oid,
    // As at the provider, base64 has lines of 60 characters.
    content: Buffer.from(data)
      .toString('base64')
      .replaceAll(/.{1,60}/g, '$&\n'),
  }
}

/** Finds a file or folder below a tree by the parts of its path; null when there is none. */
async function findEntry(
  reader: ObjectReader,
  tree: string,
  names: string[],
): Promise<{ oid: string; mode: string } | null> {
  let found = { oid: tree, mode: '040000' }
  for (const name of names) {
    const parsed = await reader.read(found.oid)
    const entry = parsed.type === 'tree' ? parsed.object.find((one) => one.path === name) : undefined
    if (entry === undefined) return null
    found = entry
  }
  return found
}
