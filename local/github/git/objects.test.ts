import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { isMalformed, isMissing, ObjectReader } from './objects.ts'
import {
  gitCommit,
  gitObject,
  objectId,
  packOfObjects,
  testRepository,
  type TestRepository,
} from './testing.ts'

const BLOB = gitObject('blob', 'text')
const entryOf = (mode: string, name: string, oid: string) =>
  Buffer.concat([Buffer.from(`${mode} ${name}\0`), Buffer.from(oid, 'hex')])
const MODULE = 'e'.repeat(40)
const TREE = gitObject(
  'tree',
  Buffer.concat([entryOf('100644', 'file.txt', objectId(BLOB)), entryOf('160000', 'module', MODULE)]),
)
const FIRST = gitCommit(objectId(TREE), 'first')
const LEFT = gitCommit(objectId(TREE), 'left', [objectId(FIRST)])
const RIGHT = gitCommit(objectId(TREE), 'right', [objectId(FIRST)])
const MERGE = gitCommit(objectId(TREE), 'merge', [objectId(LEFT), objectId(RIGHT)])
const tagOf = (type: string, oid: string, name: string) =>
  gitObject(
    'tag',
    `object ${oid}\ntype ${type}\ntag ${name}\ntagger Ada <a@example.test> 1 +0000\n\n${name}\n`,
  )
const TAG = tagOf('commit', objectId(MERGE), 'v1')
const OUTER = tagOf('tag', objectId(TAG), 'outer')
const [blob, tree, first, left, right, merge, tag, outer] = [
  BLOB,
  TREE,
  FIRST,
  LEFT,
  RIGHT,
  MERGE,
  TAG,
  OUTER,
].map(objectId) as [string, string, string, string, string, string, string, string]
const UNKNOWN = 'f'.repeat(40)

describe('reading the objects of a local repository', () => {
  let repository: TestRepository
  let reader: ObjectReader
  before(async () => {
    repository = await testRepository()
    const pack = packOfObjects([BLOB, TREE, FIRST, LEFT, RIGHT, MERGE, TAG, OUTER])
    await repository.push([['refs/tags/outer', outer]], pack)
    reader = new ObjectReader(repository.gitdir)
  })
  after(() => repository.remove())

  test('a git object is returned with its type and bytes, and an unknown object is reported as missing', async () => {
    assert.deepEqual(await reader.readBytes(blob), { type: 'blob', data: BLOB.data })
    assert.deepEqual([await reader.has(blob), await reader.has(UNKNOWN)], [true, false])
    await assert.rejects(reader.read(UNKNOWN), (error) => isMissing(error) && !isMalformed(error))
  })

  test('all git objects that a tag reaches are listed once, without the commits of submodules', async () => {
    assert.deepEqual(
      [...(await reader.reachableObjects([outer, merge]))].toSorted(),
      [blob, tree, first, left, right, merge, tag, outer].toSorted(),
    )
  })

  test('the list of reachable git objects omits skipped objects, and objects reached only through them', async () => {
    assert.deepEqual(
      [
        [...(await reader.reachableObjects([merge], new Set([left, tree])))].toSorted(),
        [...(await reader.reachableObjects([merge], new Set([merge])))],
        [...(await reader.reachableObjects([]))],
      ],
      [[merge, right, first].toSorted(), [], []],
    )
  })

  test('listing the objects that an unknown git object reaches fails', async () => {
    await assert.rejects(reader.reachableObjects([merge, UNKNOWN]), isMissing)
  })

  test('ancestors of a commit are found through every parent and through tags', async () => {
    const cases: [ancestor: string, starts: string[]][] = [
      [first, [merge]],
      [right, [merge]],
      [merge, [merge]],
      [left, [outer]],
      [first, [left, right]],
      [merge, [first]],
      [left, [right]],
      [tree, [merge]],
      [first, []],
    ]
    const found = []
    for (const [ancestor, starts] of cases) found.push(await reader.isAncestor(ancestor, starts))
    assert.deepEqual(found, [true, true, true, true, true, false, false, false, false])
  })

  test('peeling a tag of a tag returns the tagged commit, and peeling any other object returns the object itself', async () => {
    assert.deepEqual(
      [await reader.peel(outer), await reader.peel(tag), await reader.peel(merge), await reader.peel(blob)],
      [merge, merge, merge, blob],
    )
  })
})
