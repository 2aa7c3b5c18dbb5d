import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { treeMove } from './tree-keys.ts'
import { treeRows } from './tree-rows.ts'

const ROWS = treeRows(['a/b/one.ts', 'a/two.ts', 'z.ts'], new Set(['a/']))
const move = (key: string, active: string | null) => treeMove(key, ROWS, active)

describe('the keys of the tree', () => {
  test('up and down go line by line and stop at the ends', () => {
    assert.deepEqual(
      ROWS.map(({ path }) => path),
      ['a/', 'a/b/', 'a/two.ts', 'z.ts'],
    )
    assert.deepEqual(move('ArrowDown', 'a/'), { active: 'a/b/' })
    assert.deepEqual(move('ArrowUp', 'a/b/'), { active: 'a/' })
    assert.equal(move('ArrowUp', 'a/'), null)
    assert.equal(move('ArrowDown', 'z.ts'), null)
    assert.deepEqual(move('Home', 'z.ts'), { active: 'a/' })
    assert.deepEqual(move('End', 'a/'), { active: 'z.ts' })
  })

  test('without an active line they begin at the nearer end', () => {
    assert.deepEqual(move('ArrowDown', null), { active: 'a/' })
    assert.deepEqual(move('ArrowUp', null), { active: 'z.ts' })
    assert.equal(move('Enter', null), null)
  })

  test('right opens, then goes in; left closes, then goes out', () => {
    assert.deepEqual(move('ArrowRight', 'a/b/'), { toggle: 'a/b/' })
    assert.deepEqual(move('ArrowRight', 'a/'), { active: 'a/b/' })
    assert.deepEqual(move('ArrowLeft', 'a/'), { toggle: 'a/' })
    assert.deepEqual(move('ArrowLeft', 'a/two.ts'), { active: 'a/' })
    assert.equal(move('ArrowLeft', 'z.ts'), null)
    assert.equal(move('ArrowRight', 'z.ts'), null)
  })

  test('Enter chooses a file and turns a folder', () => {
    assert.deepEqual(move('Enter', 'z.ts'), { choose: 'z.ts' })
    assert.deepEqual(move(' ', 'a/'), { toggle: 'a/' })
    assert.equal(move('x', 'a/'), null)
  })
})
