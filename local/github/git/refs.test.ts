import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { readRefs, refProblem, withRepositoryLock, writeDurably, writeRefs } from './refs.ts'

const [A, B] = ['a'.repeat(40), 'b'.repeat(40)]

describe('the refs of a local repository', () => {
  const dir = mkdtempSync(join(tmpdir(), 'slipway-refs-'))
  after(() => rmSync(dir, { recursive: true, force: true }))

  test('git refs are read sorted by name, and there are none without a packed-refs file', async () => {
    assert.deepEqual([...readRefs(dir)], [])
    await writeRefs(
      dir,
      new Map([
        ['refs/tags/v1', B],
        ['refs/heads/main', A],
      ]),
    )
    assert.deepEqual(
      [[...readRefs(dir)], readFileSync(join(dir, 'packed-refs'), 'utf8')],
      [
        [
          ['refs/heads/main', A],
          ['refs/tags/v1', B],
        ],
        `${A} refs/heads/main\n${B} refs/tags/v1\n`,
      ],
    )
    await writeRefs(dir, new Map())
    assert.deepEqual([...readRefs(dir)], [])
  })

  test('comments and peeled tags in a packed-refs file of git are skipped', () => {
    const text = `# pack-refs with: peeled fully-peeled sorted\n${A} refs/heads/main\n${B} refs/tags/v1\n^${A}\n`
    writeFileSync(join(dir, 'packed-refs'), text)
    assert.deepEqual(
      [...readRefs(dir)],
      [
        ['refs/heads/main', A],
        ['refs/tags/v1', B],
      ],
    )
  })

  test('a ref name that git forbids, or that is not a branch or tag, is refused', () => {
    const bad = [
      'main',
      'HEAD',
      'refs/heads',
      'refs/heads/',
      'refs/notes/a',
      'refs/heads/a b',
      'refs/heads/a~1',
      'refs/heads/a^',
      'refs/heads/a:b',
      'refs/heads/a?',
      'refs/heads/a*',
      'refs/heads/a[b',
      String.raw`refs/heads/a\b`,
      'refs/heads/a\u007f',
      'refs/heads/a\nb',
      'refs/heads/a..b',
      'refs/heads/a@{b',
      'refs/heads/a//b',
      'refs/heads//a',
      'refs/heads/.a',
      'refs/heads/a/.b',
      'refs/heads/a.lock',
      'refs/heads/a.lock/b',
      'refs/heads/a.',
      'refs/heads/a/',
      `refs/heads/${'a'.repeat(245)}`,
    ]
    const good = [
      'refs/heads/a',
      'refs/tags/v1.0',
      'refs/heads/a/b',
      'refs/heads/ä',
      'refs/heads/-',
      `refs/heads/${'a'.repeat(244)}`,
    ]
    assert.deepEqual(
      [...bad, ...good].map((name) => refProblem(name, new Map())),
      [...bad.map(() => 'funny refname'), ...good.map(() => null)],
    )
  })

  test('a ref name cannot be a path above or below another ref, as a file and a folder cannot have the same name', () => {
    const refs = new Map([['refs/heads/a/b', A]])
    assert.deepEqual(
      ['refs/heads/a', 'refs/heads/a/b/c', 'refs/heads/a/bc', 'refs/heads/ab', 'refs/tags/a'].map((name) =>
        refProblem(name, refs),
      ),
      ["'refs/heads/a/b' exists", "'refs/heads/a/b' exists", null, null, null],
    )
  })

  test('a file of a repository is replaced atomically, without partial files beside it, and has the file mode 0600', async () => {
    const folder = mkdtempSync(join(dir, 'files-'))
    await writeDurably(join(folder, 'one'), 'old')
    await writeDurably(join(folder, 'one'), Buffer.from('new'))
    const path = join(folder, 'one')
    assert.deepEqual(
      [readdirSync(folder), readFileSync(path, 'utf8'), statSync(path).mode & 0o777],
      [['one'], 'new', 0o600],
    )
  })

  test('a file of a repository that cannot be renamed to its path leaves no partial file behind', async () => {
    const folder = mkdtempSync(join(dir, 'files-'))
    // A folder has this name, so the new file cannot be renamed to it.
    const taken = mkdtempSync(join(folder, 'taken-'))
    await assert.rejects(writeDurably(taken, 'text'), { code: 'EISDIR' })
    assert.deepEqual(
      readdirSync(folder).map((name) => join(folder, name)),
      [taken],
    )
  })

  test('changes of one repository run in order, one at a time, even after a failed change', async () => {
    const seen: string[] = []
    const step = (name: string, repository = 'one', fails = false) =>
      withRepositoryLock(repository, async () => {
        seen.push(`${name} begins`)
        await Promise.resolve()
        seen.push(`${name} ends`)
        if (fails) throw new Error(name)
        return name
      })
    const results = await Promise.allSettled([step('a', 'one', true), step('b'), step('c')])
    assert.deepEqual(
      [seen, results.map((result) => (result.status === 'fulfilled' ? result.value : String(result.reason)))],
      [
        ['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends'],
        ['Error: a', 'b', 'c'],
      ],
    )
  })

  test('changes of different repositories do not wait for each other', async () => {
    const gate = Promise.withResolvers<void>()
    const slow = withRepositoryLock('slow', () => gate.promise)
    assert.equal(await withRepositoryLock('other', async () => 'done'), 'done')
    gate.resolve()
    await slow
  })
})
