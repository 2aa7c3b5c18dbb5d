import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { filterPaths, parentFolders, initiallyOpenFolders, treeRows } from './tree-rows.ts'

const PATHS = ['app.json', 'pages/Home.tsx', 'pages/admin/Users.tsx', 'pages/page10.ts', 'pages/page9.ts']

describe('the rows of the file tree', () => {
  test('the file tree lists folders before files and sorts numbers in names by value', () => {
    const rows = treeRows(PATHS, new Set(['pages/', 'pages/admin/']))
    assert.deepEqual(
      rows.map(({ path, level }) => [path, level]),
      [
        ['pages/', 1],
        ['pages/admin/', 2],
        ['pages/admin/Users.tsx', 3],
        ['pages/Home.tsx', 2],
        ['pages/page9.ts', 2],
        ['pages/page10.ts', 2],
        ['app.json', 1],
      ],
    )
    assert.deepEqual(
      rows.filter(({ level }) => level === 2).map(({ place, siblings }) => `${place}/${siblings}`),
      ['1/4', '2/4', '3/4', '4/4'],
    )
  })

  test('a closed folder of the file tree hides its content, even open folders in it', () => {
    const rows = treeRows(PATHS, new Set(['pages/admin/']))
    assert.deepEqual(
      rows.map(({ path, isOpen }) => [path, isOpen]),
      [
        ['pages/', false],
        ['app.json', false],
      ],
    )
  })

  test('the file tree shows files that are named like a property of Object.prototype', () => {
    const rows = treeRows(['__proto__/constructor'], new Set(['__proto__/']))
    assert.deepEqual(
      rows.map(({ name }) => name),
      ['__proto__', 'constructor'],
    )
  })

  test('the rows of a file tree of 3,000 files are computed within 200 ms of CPU time', () => {
    const many = Array.from({ length: 3000 }, (_, n) => `src/part-${n % 60}/deep/file-${n}.ts`)
    const open = initiallyOpenFolders(many.slice(0, 50), undefined)
    const before = process.cpuUsage()
    assert.ok(treeRows(many, open).length > 60)
    assert.ok(process.cpuUsage(before).user < 200_000)
  })
})

describe('the folders that are open at first', () => {
  test('all folders of a small file tree are open at first', () => {
    assert.deepEqual([...initiallyOpenFolders(PATHS, undefined)], ['pages/', 'pages/admin/'])
  })

  test('in a large file tree only the folders that contain the chosen file are open at first', () => {
    const many = Array.from({ length: 100 }, (_, n) => `a/b${n}/c.ts`)
    assert.deepEqual([...initiallyOpenFolders(many, undefined)], [])
    assert.deepEqual([...initiallyOpenFolders(many, 'a/b7/c.ts')], ['a/', 'a/b7/'])
    assert.deepEqual(parentFolders('top.ts'), [])
  })
})

describe('the filter of the file tree', () => {
  test('the filter of the file tree finds paths that contain all words, in any order and in lower or upper case', () => {
    assert.deepEqual(filterPaths(PATHS, 'TSX pages'), ['pages/Home.tsx', 'pages/admin/Users.tsx'])
    assert.deepEqual(filterPaths(PATHS, 'zebra'), [])
    assert.equal(filterPaths(PATHS, '  '), PATHS)
  })
})
