import { randomUUID } from 'node:crypto'
import * as fs from 'node:fs'
import { join } from 'node:path'
import { indexPack } from 'isomorphic-git'
import { isMalformed, isMissing, ObjectReader, TooManyObjectsError } from './objects.ts'
import { sidebandLine, FLUSH_PACKET, lineText, pktLine, pktReader } from './pkt-line.ts'
import { NO_OBJECT, readRefs, refProblem, withRepositoryLock, writeDurably, writeRefs } from './refs.ts'
import { PackError, scanPack } from './scan-pack.ts'

export const RECEIVE_CAPABILITIES =
  'report-status delete-refs side-band-64k atomic ofs-delta no-thin object-format=sha1 agent=slipway-local'

interface RefCommand {
  from: string
  to: string
  name: string
}

/** The repository that a push changes. `onPushed` is called when at least one ref has changed. */
export interface PushTarget {
  gitdir: string
  /** The branch that HEAD points to, which cannot be deleted. */
  defaultBranch: string
  /** The reason why every ref of the push is refused; null when pushes are accepted. */
  refusal: string | null
  onPushed(): void
}

/** Handles a push and returns the report for the client. All accepted refs change at the same time. */
export async function receivePack(target: PushTarget, body: Buffer): Promise<Buffer> {
  const { commands, capabilities, pack } = readRequest(body)
  // Before a large request, clients send an empty request to check their permission.
  if (commands.length === 0) return Buffer.alloc(0)
  const problems = new Map<string, string>()
  const names = commands.map(({ name }) => name)
  // The report has one result for each name, so a ref that is named twice is not changed at all, as in git.
  for (const [at, name] of names.entries())
    if (names.indexOf(name) !== at) problems.set(name, 'multiple updates for ref not allowed')
  let unpacked = 'ok'
  try {
    await storePack(target.gitdir, pack)
  } catch (error) {
    if (!(error instanceof PackError)) throw error
    unpacked = error.message
    for (const name of names) problems.set(name, 'unpacker error')
  }
  await withRepositoryLock(target.gitdir, async () => {
    const refs = readRefs(target.gitdir)
    const next = new Map(refs)
    for (const command of commands) {
      if (problems.has(command.name)) continue
      const problem = await commandRefusal(target, { refs, next }, command)
      if (problem !== null) problems.set(command.name, problem)
      else if (command.to === NO_OBJECT) next.delete(command.name)
      else next.set(command.name, command.to)
    }
    if (capabilities.has('atomic') && problems.size > 0) {
      for (const name of names) if (!problems.has(name)) problems.set(name, 'atomic transaction failed')
    }
    if (names.every((name) => problems.has(name))) return
    await writeRefs(target.gitdir, next)
    target.onPushed()
  })
  return reportStatus(capabilities, unpacked, commands, problems)
}

function readRequest(body: Buffer): { commands: RefCommand[]; capabilities: Set<string>; pack: Buffer } {
  const reader = pktReader(body)
  const commands: RefCommand[] = []
  let capabilities = new Set<string>()
  for (let line = reader.next(); line; line = reader.next()) {
    const [text = '', more = ''] = lineText(line).split('\0')
    if (commands.length === 0) capabilities = new Set(more.trim().split(' '))
    const [, from, to, name] = /^([0-9a-f]{40}) ([0-9a-f]{40}) (.+)$/.exec(text) ?? []
    if (from === undefined || to === undefined || name === undefined)
      throw new PackError('a command cannot be read')
    commands.push({ from, to, name })
  }
  return { commands, capabilities, pack: reader.rest() }
}

/** Checks a pack and stores it. Writes the index of the pack last, because the index makes the pack visible. */
async function storePack(gitdir: string, pack: Buffer): Promise<void> {
  // A push that only deletes refs has no pack.
  if (pack.length === 0 || scanPack(pack) === 0) return
  const folder = join(gitdir, 'objects', 'pack')
  const incoming = join(gitdir, 'incoming', randomUUID())
  await fs.promises.mkdir(incoming, { recursive: true, mode: 0o700 })
  try {
    await fs.promises.writeFile(join(incoming, 'new.pack'), pack)
    await indexPack({ fs, dir: incoming, gitdir, filepath: 'new.pack' })
    const index = await fs.promises.readFile(join(incoming, 'new.idx'))
    if (hasDuplicates(index)) throw new PackError('an object is in the pack twice')
    const name = `pack-${pack.subarray(-20).toString('hex')}`
    await writeDurably(join(folder, `${name}.pack`), pack)
    await writeDurably(join(folder, `${name}.idx`), index)
  } finally {
    await fs.promises.rm(incoming, { recursive: true, force: true })
  }
}

/**
 * Returns whether a pack index (version 2: header, fan-out, sorted object names) has a duplicate name. git
 * expects each object only once, so such a pack is refused.
 */
function hasDuplicates(index: Buffer): boolean {
  const start = 8 + 256 * 4
  const count = index.readUInt32BE(start - 4)
  const nameAt = (i: number) => index.subarray(start + i * 20, start + i * 20 + 20)
  for (let i = 1; i < count; i++) if (nameAt(i).equals(nameAt(i - 1))) return true
  return false
}

interface RefsOfPush {
  refs: ReadonlyMap<string, string>
  next: ReadonlyMap<string, string>
}

/** Returns why the push must not change a ref, as a message that git shows; null when the change is allowed. */
async function commandRefusal(
  target: PushTarget,
  { refs, next }: RefsOfPush,
  { name, from, to }: RefCommand,
): Promise<string | null> {
  if (target.refusal !== null) return target.refusal
  const current = refs.get(name) ?? NO_OBJECT
  if (current !== from || next.get(name) !== refs.get(name)) return 'fetch first'
  if (to === NO_OBJECT) {
    if (current === NO_OBJECT) return 'no such ref'
    return name === `refs/heads/${target.defaultBranch}` ? 'refusing to delete the current branch' : null
  }
  const problem = current === NO_OBJECT ? refProblem(name, next) : null
  if (problem !== null) return problem
  const reader = new ObjectReader(target.gitdir)
  try {
    await reader.reachableObjects([to], new Set(refs.values()))
    if (!name.startsWith('refs/heads/')) return current === NO_OBJECT ? null : 'already exists'
    if ((await reader.read(to)).type !== 'commit') return 'a branch points at a commit'
    if (current !== NO_OBJECT && !(await reader.isAncestor(current, [to]))) return 'non-fast-forward'
    return null
  } catch (error) {
    if (isMissing(error)) return 'missing necessary objects'
    if (isMalformed(error)) return 'an object is malformed'
    if (error instanceof TooManyObjectsError) return error.message
    throw error
  }
}

function reportStatus(
  capabilities: ReadonlySet<string>,
  unpacked: string,
  commands: readonly RefCommand[],
  problems: ReadonlyMap<string, string>,
): Buffer {
  if (!capabilities.has('report-status')) return Buffer.alloc(0)
  const lines = commands.map(({ name }) => {
    const problem = problems.get(name)
    return pktLine(problem === undefined ? `ok ${name}\n` : `ng ${name} ${problem}\n`)
  })
  const text = Buffer.concat([pktLine(`unpack ${unpacked}\n`), ...lines, FLUSH_PACKET])
  return capabilities.has('side-band-64k') ? Buffer.concat([sidebandLine(1, text), FLUSH_PACKET]) : text
}
