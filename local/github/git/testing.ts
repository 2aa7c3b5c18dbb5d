import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as fs from 'node:fs'
import { deflateSync } from 'node:zlib'
import { init } from 'isomorphic-git'
import { FLUSH_PACKET, pktLine } from './pkt-line.ts'
import { receivePack, type PushTarget } from './receive-pack.ts'
import { NO_OBJECT, readRefs } from './refs.ts'

const TYPE_NUMBERS = { commit: 1, tree: 2, blob: 3, tag: 4, 'ofs-delta': 6, 'ref-delta': 7 }

export interface GitObject {
  type: 'commit' | 'tree' | 'blob' | 'tag'
  data: Buffer
}

export const gitObject = (type: GitObject['type'], text: string | Buffer): GitObject => ({
  type,
  data: Buffer.from(text as string),
})

export const objectId = ({ type, data }: GitObject): string =>
  createHash('sha1').update(`${type} ${data.length}\0`).update(data).digest('hex')

/** Returns a commit with the given tree and parents. `message` makes commits of one tree differ. */
export const gitCommit = (tree: string, message: string, parents: string[] = []): GitObject =>
  gitObject(
    'commit',
    [
      `tree ${tree}`,
      ...parents.map((parent) => `parent ${parent}`),
      'author Ada <ada@example.test> 1800000000 +0000',
      'committer Ada <ada@example.test> 1800000000 +0000',
      '',
      message,
      '',
    ].join('\n'),
  )

/** Returns an entry of a pack. `size` is the length that the entry's header declares, by default the real length. */
export function packEntry(
  type: keyof typeof TYPE_NUMBERS,
  data: Buffer,
  { size = data.length, base = Buffer.alloc(0) }: { size?: number; base?: Buffer } = {},
): Buffer {
  const header = [(TYPE_NUMBERS[type] << 4) | (size & 15)]
  for (let rest = Math.floor(size / 16); rest > 0; rest = Math.floor(rest / 128)) {
    header[header.length - 1] = (header.at(-1) ?? 0) | 128
    header.push(rest & 127)
  }
  return Buffer.concat([Buffer.from(header), base, deflateSync(data)])
}

/** Returns a pack of entries with the right checksum. `count` is the number of objects that the header declares. */
export function packOfEntries(entries: Buffer[], count = entries.length): Buffer {
  const header = Buffer.from('PACK\0\0\0\x02\0\0\0\0', 'latin1')
  header.writeUInt32BE(count, 8)
  const body = Buffer.concat([header, ...entries])
  return Buffer.concat([body, createHash('sha1').update(body).digest()])
}

export const packOfObjects = (objects: GitObject[]): Buffer =>
  packOfEntries(objects.map(({ type, data }) => packEntry(type, data)))

/** A repository in a temporary folder that receives pushes without HTTP. */
export interface TestRepository {
  gitdir: string
  /** How many pushes changed something. */
  pushes: number
  refs(): Record<string, string>
  /** Sends a push and returns the lines of its report. Each command is `[name, to, from]`; a command without `from` creates a ref. */
  push(commands: PushCommand[], pack?: Buffer, more?: PushSettings): Promise<string[]>
  remove(): void
}

type PushCommand = [name: string, to: string, from?: string]
interface PushSettings {
  capabilities?: string
  refusal?: string | null
}

export async function testRepository(): Promise<TestRepository> {
  const gitdir = mkdtempSync(join(tmpdir(), 'slipway-repository-'))
  await init({ fs, gitdir, dir: gitdir, bare: true, defaultBranch: 'main' })
  const repository: TestRepository = {
    gitdir,
    pushes: 0,
    refs: () => Object.fromEntries(readRefs(gitdir)),
    push: async (
      commands,
      pack = Buffer.alloc(0),
      { capabilities = 'report-status', refusal = null } = {},
    ) => {
      const lines = commands.map(([name, to, from = NO_OBJECT], at) =>
        pktLine(`${from} ${to} ${name}${at === 0 ? `\0${capabilities}` : ''}`),
      )
      const target: PushTarget = {
        gitdir,
        defaultBranch: 'main',
        refusal,
        onPushed: () => repository.pushes++,
      }
      return linesOfReport(await receivePack(target, Buffer.concat([...lines, FLUSH_PACKET, pack])))
    },
    remove: () => rmSync(gitdir, { recursive: true, force: true }),
  }
  return repository
}

function linesOfReport(report: Buffer): string[] {
  const lines: string[] = []
  for (let at = 0; at < report.length;) {
    const length = Number.parseInt(report.toString('latin1', at, at + 4), 16)
    if (length === 0) return lines
    lines.push(report.toString('utf8', at + 4, at + length).trimEnd())
    at += length
  }
  return lines
}
