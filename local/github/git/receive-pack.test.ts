import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { NO_OBJECT } from './refs.ts'
import {
  gitCommit,
  gitObject,
  objectId,
  packEntry,
  packOfEntries,
  packOfObjects,
  testRepository,
  type TestRepository,
} from './testing.ts'

const TREE = gitObject('tree', '')
const FIRST = gitCommit(objectId(TREE), 'first')
const SECOND = gitCommit(objectId(TREE), 'second', [objectId(FIRST)])
const SIDE = gitCommit(objectId(TREE), 'side', [objectId(FIRST)])
const [first, second, side] = [objectId(FIRST), objectId(SECOND), objectId(SIDE)]
const MAIN = 'refs/heads/main'
const MISSING = 'f'.repeat(40)

describe('a push that the local code host receives', () => {
  let repository: TestRepository
  beforeEach(async () => {
    repository = await testRepository()
    assert.deepEqual(await repository.push([[MAIN, first]], packOfObjects([TREE, FIRST])), [
      'unpack ok',
      `ok ${MAIN}`,
    ])
  })
  afterEach(() => repository.remove())

  const state = () => ({ refs: repository.refs(), pushes: repository.pushes })
  const unchanged = { refs: { [MAIN]: first }, pushes: 1 }

  test('a push without commands, as a client sends to check its permission, gets an empty report and changes nothing', async () => {
    assert.deepEqual([await repository.push([]), state()], [[], unchanged])
  })

  test('a git client without the capability report-status gets no report, and its push takes effect', async () => {
    assert.deepEqual(
      [await repository.push([['refs/heads/next', first]], undefined, { capabilities: '' }), state()],
      [[], { refs: { [MAIN]: first, 'refs/heads/next': first }, pushes: 2 }],
    )
  })

  test('a push whose pack is damaged changes no ref, and every command is reported as failed', async () => {
    const damaged = packOfObjects([SECOND])
    damaged.fill(0, damaged.length - 20)
    assert.deepEqual(
      [
        await repository.push(
          [
            [MAIN, second, first],
            ['refs/heads/next', second],
          ],
          damaged,
        ),
        state(),
      ],
      [
        [
          'unpack the checksum of the pack is wrong',
          `ng ${MAIN} unpacker error`,
          'ng refs/heads/next unpacker error',
        ],
        unchanged,
      ],
    )
  })

  test('a push whose pack contains an object twice is refused', async () => {
    assert.deepEqual(
      [await repository.push([[MAIN, second, first]], packOfObjects([SECOND, SECOND])), state()],
      [['unpack an object is in the pack twice', `ng ${MAIN} unpacker error`], unchanged],
    )
  })

  test('a refused push leaves no partial files behind', async () => {
    await repository.push([[MAIN, second, first]], packOfObjects([SECOND, SECOND]))
    assert.deepEqual(
      [
        readdirSync(join(repository.gitdir, 'incoming')),
        readdirSync(join(repository.gitdir, 'objects', 'pack')).length,
      ],
      [[], 2],
    )
  })

  test('the allowed commands of a push take effect, and each refused command is reported with a reason', async () => {
    assert.deepEqual(
      [
        await repository.push(
          [
            [MAIN, second, first],
            ['refs/heads/lost', MISSING],
            ['refs/heads/file', objectId(TREE)],
            ['refs/heads/stale', second, first],
            ['refs/heads/none', NO_OBJECT],
            ['refs/notes/commits', second],
            ['refs/heads/a..b', second],
            ['refs/tags/tree', objectId(TREE)],
          ],
          packOfObjects([SECOND]),
        ),
        state(),
      ],
      [
        [
          'unpack ok',
          `ok ${MAIN}`,
          'ng refs/heads/lost missing necessary objects',
          'ng refs/heads/file a branch points at a commit',
          'ng refs/heads/stale fetch first',
          'ng refs/heads/none no such ref',
          'ng refs/notes/commits funny refname',
          'ng refs/heads/a..b funny refname',
          'ok refs/tags/tree',
        ],
        { refs: { [MAIN]: second, 'refs/tags/tree': objectId(TREE) }, pushes: 2 },
      ],
    )
  })

  test('with the capability "atomic", no command of a push takes effect when one is refused', async () => {
    assert.deepEqual(
      [
        await repository.push(
          [
            [MAIN, second, first],
            ['refs/heads/lost', MISSING],
          ],
          packOfObjects([SECOND]),
          {
            capabilities: 'report-status atomic',
          },
        ),
        state(),
      ],
      [
        ['unpack ok', `ng ${MAIN} atomic transaction failed`, 'ng refs/heads/lost missing necessary objects'],
        unchanged,
      ],
    )
  })

  test('a ref that a push names twice is not changed, with or without the capability "atomic"', async () => {
    const twice: Parameters<TestRepository['push']>[0] = [
      ['refs/heads/next', second],
      ['refs/heads/next', first],
      ['refs/heads/other', second],
    ]
    const refused = 'ng refs/heads/next multiple updates for ref not allowed'
    assert.deepEqual(
      [
        await repository.push(twice, packOfObjects([SECOND]), { capabilities: 'report-status atomic' }),
        state(),
        await repository.push(twice),
        state(),
      ],
      [
        ['unpack ok', refused, refused, 'ng refs/heads/other atomic transaction failed'],
        unchanged,
        ['unpack ok', refused, refused, 'ok refs/heads/other'],
        { refs: { [MAIN]: first, 'refs/heads/other': second }, pushes: 2 },
      ],
    )
  })

  test('a push whose commands are all refused does not call onPushed', async () => {
    assert.deepEqual(
      [
        await repository.push([
          ['refs/heads/next', MISSING],
          ['refs/heads/next', MISSING],
        ]),
        await repository.push([[MAIN, NO_OBJECT, first]]),
        await repository.push([[MAIN, side, second]], packOfObjects([SECOND, SIDE])),
        state(),
      ],
      [
        ['unpack ok', ...Array<string>(2).fill('ng refs/heads/next multiple updates for ref not allowed')],
        ['unpack ok', `ng ${MAIN} refusing to delete the current branch`],
        ['unpack ok', `ng ${MAIN} fetch first`],
        unchanged,
      ],
    )
  })

  test('a branch moves only to a commit that has its current commit as an ancestor', async () => {
    await repository.push([[MAIN, second, first]], packOfObjects([SECOND]))
    assert.deepEqual(
      [
        await repository.push([[MAIN, side, second]], packOfObjects([SIDE])),
        await repository.push([[MAIN, first, second]]),
        state(),
      ],
      [
        ['unpack ok', `ng ${MAIN} non-fast-forward`],
        ['unpack ok', `ng ${MAIN} non-fast-forward`],
        { refs: { [MAIN]: second }, pushes: 2 },
      ],
    )
  })

  test("a pushed branch is refused when its commit's tree, or a file of that tree, was never pushed", async () => {
    const entry = Buffer.concat([Buffer.from('100644 lost.txt\0'), Buffer.from(MISSING, 'hex')])
    const holed = gitObject('tree', entry)
    const [treeless, fileless] = [gitCommit(MISSING, 'x'), gitCommit(objectId(holed), 'x')]
    assert.deepEqual(
      [
        await repository.push([['refs/heads/a', objectId(treeless)]], packOfObjects([treeless])),
        await repository.push([['refs/heads/b', objectId(fileless)]], packOfObjects([holed, fileless])),
        state(),
      ],
      [
        ['unpack ok', 'ng refs/heads/a missing necessary objects'],
        ['unpack ok', 'ng refs/heads/b missing necessary objects'],
        unchanged,
      ],
    )
  })

  test('a pushed ref is refused when its commit, tag or tree is malformed', async () => {
    const broken = [
      gitObject(
        'commit',
        'author Ada <a@example.test> 1 +0000\ncommitter Ada <a@example.test> 1 +0000\n\nno tree\n',
      ),
      gitObject(
        'commit',
        'tree short\nauthor Ada <a@example.test> 1 +0000\ncommitter Ada <a@example.test> 1 +0000\n\nx\n',
      ),
      gitObject('commit', 'nothing'),
      gitCommit(objectId(gitObject('tree', 'nothing')), 'a tree of noise'),
      gitObject('tag', 'tag v1\ntype commit\n\nno object\n'),
    ]
    const noise = gitObject('tree', 'nothing')
    const reports = []
    for (const [at, object] of broken.entries()) {
      const name = object.type === 'tag' ? 'refs/tags/t' : `refs/heads/b${at}`
      reports.push(await repository.push([[name, objectId(object)]], packOfObjects([object, noise])))
    }
    assert.deepEqual(
      [reports, state()],
      [
        [
          ['unpack ok', 'ng refs/heads/b0 an object is malformed'],
          ['unpack ok', 'ng refs/heads/b1 an object is malformed'],
          ['unpack ok', 'ng refs/heads/b2 an object is malformed'],
          ['unpack ok', 'ng refs/heads/b3 an object is malformed'],
          ['unpack ok', 'ng refs/tags/t an object is malformed'],
        ],
        unchanged,
      ],
    )
  })

  test('a delta that copies bytes beyond its base does not fail the push, and a ref with missing objects is refused', async () => {
    const base = packEntry('blob', Buffer.from('text'))
    // The delta copies more bytes than the base has.
    const wrong = packEntry('ofs-delta', Buffer.of(4, 100, 0b1001_0000, 100), {
      base: Buffer.of(base.length),
    })
    const commit = gitCommit(MISSING, 'x')
    const pack = packOfEntries([base, wrong, packEntry('commit', commit.data)])
    assert.deepEqual(
      [await repository.push([['refs/heads/next', objectId(commit)]], pack), state()],
      [['unpack ok', 'ng refs/heads/next missing necessary objects'], unchanged],
    )
  })

  test('while a repository refuses pushes, no ref changes and each ref is reported with the reason', async () => {
    assert.deepEqual(
      [
        await repository.push(
          [
            [MAIN, second, first],
            ['refs/heads/next', second],
          ],
          packOfObjects([SECOND]),
          {
            refusal: 'pre-receive hook declined',
          },
        ),
        state(),
      ],
      [
        ['unpack ok', `ng ${MAIN} pre-receive hook declined`, 'ng refs/heads/next pre-receive hook declined'],
        unchanged,
      ],
    )
  })

  test('when two simultaneous pushes create a branch, one succeeds and the other is told to fetch first', async () => {
    const pack = packOfObjects([SECOND, SIDE])
    const reports = await Promise.all([
      repository.push([['refs/heads/next', second]], pack),
      repository.push([['refs/heads/next', side]], pack),
    ])
    const winner = reports[0][1] === 'ok refs/heads/next' ? second : side
    assert.deepEqual(
      [reports.map(([, line]) => line).toSorted(), state()],
      [
        ['ng refs/heads/next fetch first', 'ok refs/heads/next'],
        { refs: { [MAIN]: first, 'refs/heads/next': winner }, pushes: 2 },
      ],
    )
  })
})
