import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { FLUSH_PACKET, lineText, pktLine, pktReader } from './pkt-line.ts'
import { NO_OBJECT } from './refs.ts'
import { scanPack } from './scan-pack.ts'
import {
  gitCommit,
  gitObject,
  objectId,
  packOfObjects,
  testRepository,
  type TestRepository,
} from './testing.ts'
import { uploadPack } from './upload-pack.ts'

// A blob of more than 65,515 bytes that cannot be compressed does not fit into one side-band packet.
const BLOB = gitObject('blob', Buffer.from(Array.from({ length: 70_000 }, (_, at) => (at * at * 7919) >> 8)))
const TREE = gitObject(
  'tree',
  Buffer.concat([Buffer.from('100644 file.bin\0'), Buffer.from(objectId(BLOB), 'hex')]),
)
const FIRST = gitCommit(objectId(TREE), 'first')
const SECOND = gitCommit(objectId(TREE), 'second', [objectId(FIRST)])
const GONE = gitCommit(objectId(TREE), 'gone', [objectId(FIRST)])
const [first, second, gone] = [objectId(FIRST), objectId(SECOND), objectId(GONE)]
const TAG = gitObject(
  'tag',
  `object ${first}\ntype commit\ntag v1\ntagger Ada <a@example.test> 1 +0000\n\nv1\n`,
)
const UNKNOWN = 'f'.repeat(40)

interface Fetched {
  lines: string[]
  /** The number of objects in the pack; null without a pack. */
  objects: number | null
  pack: Buffer
}

describe('a fetch from the local code host', () => {
  let repository: TestRepository
  before(async () => {
    repository = await testRepository()
    await repository.push(
      [
        ['refs/heads/main', first],
        ['refs/heads/gone', gone],
      ],
      packOfObjects([BLOB, TREE, FIRST, GONE]),
    )
    await repository.push(
      [
        ['refs/heads/main', second, first],
        ['refs/tags/v1', objectId(TAG)],
      ],
      packOfObjects([SECOND, TAG]),
    )
    await repository.push([['refs/heads/gone', NO_OBJECT, gone]])
  })
  after(() => repository.remove())

  async function fetchPack(lines: string[], objectsMax?: number): Promise<Fetched> {
    const body = Buffer.concat(lines.map((line) => (line === '' ? FLUSH_PACKET : pktLine(`${line}\n`))))
    const parts: Uint8Array[] = []
    for await (const part of await uploadPack(repository.gitdir, body, objectsMax)) parts.push(part)
    const answer = Buffer.concat(parts)
    const isBanded = lines.some((line) => line.includes('side-band-64k'))
    const reader = pktReader(answer)
    const found: string[] = []
    const bands: Buffer[] = []
    while (!reader.rest().subarray(0, 4).equals(Buffer.from('PACK'))) {
      const line = reader.next()
      if (line === undefined) break
      if (line === null) found.push('flush')
      else if (isBanded && line[0] === 1) bands.push(line.subarray(1))
      else found.push(lineText(line))
    }
    const pack = isBanded ? Buffer.concat(bands) : reader.rest()
    return { lines: found, objects: pack.length === 0 ? null : scanPack(pack), pack }
  }
  const readReply = async (lines: string[]) => {
    const { lines: found, objects } = await fetchPack(lines)
    return [found, objects]
  }

  test('a git client without objects gets every object that the wanted refs reach, each once', async () => {
    const { pack, ...reply } = await fetchPack([`want ${second}`, `want ${objectId(TAG)}`, '', 'done'])
    assert.deepEqual(reply, { lines: ['NAK'], objects: 5 })
    const copy = await testRepository()
    assert.deepEqual(
      await copy.push(
        [
          ['refs/heads/main', second],
          ['refs/tags/v1', objectId(TAG)],
        ],
        pack,
      ),
      ['unpack ok', 'ok refs/heads/main', 'ok refs/tags/v1'],
    )
    copy.remove()
  })

  test('a fetch of more objects than the limit ends with a reason that git shows', async () => {
    const wanted = [`want ${second}`, '', 'done']
    assert.equal((await fetchPack(wanted, 4)).objects, 4)
    const refused = { lines: ['ERR upload-pack: more than 3 objects'], objects: null }
    const { pack: _none, ...reply } = await fetchPack(wanted, 3)
    assert.deepEqual(reply, refused)
    const { pack: _nothing, ...known } = await fetchPack([`want ${second}`, '', `have ${first}`, 'done'], 2)
    assert.deepEqual(known, { lines: ['ERR upload-pack: more than 2 objects'], objects: null })
  })

  test('with the capability "side-band-64k", a pack larger than one packet arrives whole, followed by a flush packet', async () => {
    const plain = await fetchPack([`want ${second}`, '', 'done'])
    const banded = await fetchPack([`want ${second} side-band-64k ofs-delta`, '', 'done'])
    assert.ok(plain.pack.length > 65_515)
    assert.deepEqual(banded, { ...plain, lines: ['NAK', 'flush'] })
  })

  test('a git fetch returns only the objects that the client lacks, and ignores unknown ids in `have`', async () => {
    assert.deepEqual(
      await readReply([`want ${second}`, '', `have ${UNKNOWN}`, `have ${first}`, 'have noise', 'done']),
      [[`ACK ${first}`], 1],
    )
    assert.deepEqual(await readReply([`want ${second}`, '', `have ${second}`, 'done']), [
      [`ACK ${second}`],
      0,
    ])
  })

  test('a git fetch gets the names of shared commits before "done", and the pack only after it', async () => {
    const haves = [`have ${UNKNOWN}`, `have ${first}`, `have ${second}`, '']
    assert.deepEqual(
      [
        await readReply([`want ${second} multi_ack_detailed`, '', ...haves]),
        await readReply([`want ${second}`, '', ...haves]),
        await readReply([`want ${second}`, '', `have ${UNKNOWN}`, '']),
      ],
      [
        [[`ACK ${first} common`, `ACK ${second} common`, 'NAK'], null],
        [[`ACK ${first}`], null],
        [['NAK'], null],
      ],
    )
  })

  test('a git fetch without a `want` line gets an empty response', async () => {
    assert.deepEqual(
      [await readReply([]), await readReply(['', 'done'])],
      [
        [[], null],
        [[], null],
      ],
    )
  })

  test('a git fetch can want a commit that is only an ancestor of a ref', async () => {
    assert.deepEqual(await readReply([`want ${first}`, '', 'done']), [['NAK'], 3])
  })

  test('a git fetch that wants an unreachable commit, a non-commit object or an unknown id is refused', async () => {
    const refused = [gone, objectId(BLOB), UNKNOWN, 'noise', first.slice(0, 39)]
    const replies = []
    for (const oid of refused) replies.push(await readReply([`want ${second}`, `want ${oid}`, '', 'done']))
    assert.deepEqual(
      replies,
      refused.map((oid) => [[`ERR upload-pack: not our ref ${oid}`], null]),
    )
  })
})
