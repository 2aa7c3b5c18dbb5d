import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { deflateSync } from 'node:zlib'
import { scanPack } from './scan-pack.ts'
import { gitObject, packEntry, packOfEntries, packOfObjects } from './testing.ts'

const BLOB = gitObject('blob', 'some text of a file')
const MIB = 1024 * 1024

/** A delta that copies `size` bytes from the start of its base. Its header is the size of the base and of the result. */
const copyDelta = (size: number) => Buffer.of(size, size, 0b1001_0000, size)
/** Encodes the distance from a delta back to its base, for distances below 16,512. */
const distanceTo = (distance: number) =>
  distance < 128 ? Buffer.of(distance) : Buffer.of(128 | ((distance - 128) >> 7), (distance - 128) & 127)

const refusal = (pack: Buffer): string => {
  try {
    return `accepted with ${scanPack(pack)} objects`
  } catch (error) {
    return (error as Error).message
  }
}

describe('the scan of a pack before it is stored', () => {
  test('scanning a pack returns its number of objects, even for a pack without objects', () => {
    assert.deepEqual(
      [[], [gitObject('blob', '')], [BLOB, gitObject('tree', ''), gitObject('blob', 'x'.repeat(5000))]].map(
        (objects) => scanPack(packOfObjects(objects)),
      ),
      [0, 1, 3],
    )
  })

  test('bytes that are not a pack of version 2, or whose checksum is wrong, are refused', () => {
    const pack = packOfObjects([BLOB])
    const versionThree = Buffer.from(pack)
    versionThree.writeUInt32BE(3, 4)
    const flipped = Buffer.from(pack)
    flipped[14] = (flipped[14] ?? 0) ^ 1
    assert.deepEqual(
      [Buffer.alloc(31), Buffer.from('x'.repeat(40)), versionThree, flipped, pack.subarray(0, -1)].map(
        refusal,
      ),
      [
        'not a pack of version 2',
        'not a pack of version 2',
        'not a pack of version 2',
        'the checksum of the pack is wrong',
        'the checksum of the pack is wrong',
      ],
    )
  })

  test('a pack with fewer or more objects than its header declares is refused', () => {
    const entry = packEntry('blob', BLOB.data)
    assert.deepEqual(
      [packOfEntries([entry], 2), packOfEntries([entry, entry], 1), packOfEntries([entry], 200_001)].map(
        refusal,
      ),
      ['the pack is cut off', 'there is something after the last object', 'more than 200000 objects'],
    )
  })

  test('an object that is shorter or longer than its header declares, or not compressed, is refused', () => {
    const { data } = BLOB
    const plain = Buffer.concat([packEntry('blob', data).subarray(0, 2), data])
    assert.deepEqual(
      [
        packEntry('blob', data, { size: data.length + 1 }),
        packEntry('blob', data, { size: data.length - 1 }),
        plain,
      ].map((entry) => refusal(packOfEntries([entry]))),
      [
        'an object is not as long as it says',
        'an object cannot be inflated to what it says',
        'an object cannot be inflated to what it says',
      ],
    )
  })

  test('an object larger than 64 MiB is refused before it is inflated', () => {
    const entryOf = (size: number) => packOfEntries([packEntry('blob', Buffer.alloc(10), { size })])
    assert.deepEqual(
      [64 * MIB, 64 * MIB + 1].map((size) => refusal(entryOf(size))),
      ['an object is not as long as it says', 'an object is larger than 64 MiB'],
    )
  })

  test('an object of an unknown type, or a delta that names its base by id (ref-delta), is refused', () => {
    const body = deflateSync(BLOB.data)
    const entryOfType = (type: number) =>
      Buffer.concat([Buffer.of((type << 4) | (BLOB.data.length & 15)), body])
    const byName = packEntry('ref-delta', copyDelta(4), { base: Buffer.alloc(20, 1) })
    assert.deepEqual(
      [entryOfType(0), entryOfType(5), byName].map((entry) => refusal(packOfEntries([entry]))),
      ['an object of unknown type', 'an object of unknown type', 'a delta against an object by name'],
    )
  })

  test('a delta is accepted only when its base is an earlier object of the pack', () => {
    const first = packEntry('blob', BLOB.data)
    const deltaTo = (distance: number) => packEntry('ofs-delta', copyDelta(4), { base: distanceTo(distance) })
    assert.deepEqual(
      [first.length, first.length - 1, 0, first.length + 12 + 1].map((distance) =>
        refusal(packOfEntries([first, deltaTo(distance)])),
      ),
      ['accepted with 2 objects', ...Array<string>(3).fill('a delta has no base in this pack, or too many')],
    )
    const far = packEntry('ofs-delta', copyDelta(4), { base: Buffer.of(255, 255, 255, 127) })
    assert.equal(refusal(packOfEntries([first, far])), 'a delta points out of the pack')
  })

  test('a chain of 250 deltas is accepted, and a chain of 251 is refused', () => {
    const chainOf = (count: number) => {
      const entries = [packEntry('blob', BLOB.data)]
      for (let i = 0; i < count; i++)
        entries.push(packEntry('ofs-delta', copyDelta(4), { base: distanceTo(entries.at(-1)?.length ?? 0) }))
      return packOfEntries(entries)
    }
    assert.deepEqual(
      [refusal(chainOf(250)), refusal(chainOf(251))],
      ['accepted with 251 objects', 'a delta has no base in this pack, or too many'],
    )
  })

  test('a delta whose result is larger than 64 MiB, or whose header ends early, is refused', () => {
    const first = packEntry('blob', BLOB.data)
    const deltaOf = (...bytes: number[]) =>
      refusal(
        packOfEntries([
          first,
          packEntry('ofs-delta', Buffer.from(bytes), { base: distanceTo(first.length) }),
        ]),
      )
    // 64 MiB is 32 times 128 to the power of 3.
    assert.deepEqual(
      [deltaOf(19, 128, 128, 128, 32), deltaOf(19, 129, 128, 128, 32), deltaOf(19, 128), deltaOf(128)],
      [
        'accepted with 2 objects',
        'an object is larger than 64 MiB',
        'a delta is cut off',
        'a delta is cut off',
      ],
    )
  })

  test('a pack may inflate to 512 MiB in total, and not to one byte more', () => {
    const base = packEntry('blob', BLOB.data)
    const varint = (size: number): number[] =>
      size < 128 ? [size] : [(size & 127) | 128, ...varint(size >> 7)]
    // Each delta counts its own six inflated bytes plus its result.
    const packOfTotal = (bytes: number) => {
      const entries = [base]
      let left = bytes - BLOB.data.length
      for (let distance = base.length; left > 0; distance += entries.at(-1)?.length ?? 0) {
        const size = Math.min(64 * MIB, left - 6)
        const padding = Array<number>(5 - varint(size).length).fill(0)
        const delta = Buffer.from([BLOB.data.length, ...varint(size), ...padding])
        entries.push(packEntry('ofs-delta', delta, { base: distanceTo(distance) }))
        left -= size + delta.length
      }
      return packOfEntries(entries)
    }
    assert.deepEqual(
      [512 * MIB, 512 * MIB + 1].map((bytes) => refusal(packOfTotal(bytes))),
      ['accepted with 9 objects', 'the pack inflates to too much'],
    )
  })

  test('an object size with so many continuation bytes that it becomes NaN is refused', () => {
    const first = packEntry('blob', BLOB.data)
    const zeros = [...Array<number>(160).fill(128), 0]
    const deltaOf = (bytes: number[]) =>
      refusal(
        packOfEntries([
          first,
          packEntry('ofs-delta', Buffer.from(bytes), { base: distanceTo(first.length) }),
        ]),
      )
    const longHeader = Buffer.concat([
      Buffer.of(0b1011_0000),
      Buffer.from(zeros),
      deflateSync(Buffer.alloc(0)),
    ])
    assert.deepEqual(
      [deltaOf([19, ...zeros]), deltaOf([...zeros, 4]), refusal(packOfEntries([longHeader]))],
      Array<string>(3).fill('an object is larger than 64 MiB'),
    )
  })
})
