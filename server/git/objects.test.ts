import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { decodeCommit, decodeTree, encodeCommit, encodeFiles, makeObject } from './objects.ts'

// Names for files and folders. Among them are names that git sorts in an unexpected order, and names that break an
// encoder that does not treat them as bytes.
const segment = fc.oneof(
  fc.constantFrom(
    'a',
    'a.b',
    'a-b',
    'a0',
    'ab',
    'Z',
    'é',
    'e\u0301',
    '日本',
    '🙂',
    ' lead',
    'tab\there',
    'q"uote',
    '\\b',
  ),
  fc.stringMatching(/^[A-Za-z0-9_[\]-][A-Za-z0-9._[\]-]{0,12}$/),
)
const path = fc.array(segment, { minLength: 1, maxLength: 5 }).map((parts) => parts.join('/'))
const files = fc
  .array(fc.tuple(path, fc.oneof(fc.constant(''), fc.string({ unit: 'binary', maxLength: 200 }))), {
    maxLength: 25,
  })
  .map((pairs) => withoutCollisions(pairs))

test('a git tree has the object id that git itself computes for the same files', () => {
  fc.assert(
    fc.property(files, (tree) => {
      assert.equal(encodeFiles(tree).root, gitWriteTree(tree))
    }),
    { numRuns: 20 },
  )
})

test('the entries of a git tree are sorted as if the name of each directory ended in a slash', () => {
  const tree = new Map([
    ['a/x', '1'],
    ['a.b', '2'],
    ['a0', '3'],
  ])
  const { root, objects } = encodeFiles(tree)
  const data = objects.find((object) => object.oid === root)?.data ?? Buffer.alloc(0)
  assert.deepEqual(
    decodeTree(data).map((entry) => entry.name),
    ['a.b', 'a', 'a0'],
  )
})

test('files of equal content share one git object, and an empty file has the object id that git gives it', () => {
  const { objects } = encodeFiles(
    new Map([
      ['a', ''],
      ['b/c', ''],
    ]),
  )
  const blobs = objects.filter((object) => object.type === 'blob')
  assert.deepEqual(
    blobs.map((blob) => blob.oid),
    ['e69de29bb2d1d6434b8b29ae775ad8c2e48c5391'],
  )
})

test('an empty git tree has the object id that git gives it', () => {
  assert.equal(encodeFiles(new Map()).root, '4b825dc642cb6eb9a060e54bf8d69288fbee4904')
})

test("a decoded git commit equals the encoded one, and line breaks in the author's name cannot add header lines", () => {
  const tree = makeObject('tree', Buffer.alloc(0)).oid
  const at = new Date('2026-03-01T10:00:00Z')
  const commit = {
    tree,
    parents: [tree, tree],
    author: 'Ada <ada@example.com>',
    message: 'One\n\nTwo: ü',
    at,
  }
  assert.deepEqual(decodeCommit(encodeCommit(commit).data), commit)
  const hostile = decodeCommit(
    encodeCommit({ ...commit, author: 'x <y>\nparent 123\n<z>', message: 'm\0m' }).data,
  )
  assert.equal(hostile.author.includes('\n'), false)
  assert.deepEqual(hostile.parents, [tree, tree])
  assert.equal(decodeCommit(encodeCommit({ ...commit, author: 'scaffold' }).data).author, 'scaffold')
})

/** Resolves conflicts in which one path is a file and another path needs that file as a folder: keeps the first path, like git. */
function withoutCollisions(pairs: [string, string][]): Map<string, string> {
  const kept = new Map<string, string>()
  for (const [path, text] of pairs) {
    const collides = [...kept.keys()].some(
      (other) => other === path || other.startsWith(`${path}/`) || path.startsWith(`${other}/`),
    )
    if (!collides) kept.set(path, text.toWellFormed())
  }
  return kept
}

function gitWriteTree(tree: ReadonlyMap<string, string>): string {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-git-'))
  try {
    const runGit = (...args: string[]) =>
      execFileSync('git', args, { cwd: folder, stdio: ['ignore', 'pipe', 'ignore'] })
    runGit('init', '-q')
    for (const [path, text] of tree) {
      mkdirSync(dirname(join(folder, path)), { recursive: true })
      writeFileSync(join(folder, path), text)
    }
    runGit('-c', 'core.autocrlf=false', 'add', '--all', '--force')
    return runGit('write-tree').toString().trim()
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
