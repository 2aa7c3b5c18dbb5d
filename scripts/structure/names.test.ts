import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { namingBreaks } from './names.ts'

const fileOf = (path: string, ...lines: string[]) => ({ path, text: lines.join('\n') })
const clearNames = Array.from({ length: 9 }, (_, index) => `const PAGE_SIZE_${index} = 1`)

describe('the check of names', () => {
  test('the naming check reports when more than a tenth of the module constants have names of one word', () => {
    const withinLimit = fileOf('server/a.ts', ...clearNames, 'const log = 1')
    assert.deepEqual(namingBreaks([withinLimit]), [])
    assert.deepEqual(namingBreaks([withinLimit, fileOf('server/b.ts', 'export const LIMIT: number = 1')]), [
      '2 of 11 module constants have a name of one word, more than 10 %: say what they hold',
    ])
  })

  test('functions, schemas, local constants and tests do not count as module constants', () => {
    const others = [
      'const read = (text: string) => text',
      'const list: Reader = async () => []',
      'const Ticket = z.object({})',
      '  const inside = 1',
    ]
    assert.deepEqual(
      namingBreaks([fileOf('server/a.ts', ...others), fileOf('server/a.test.ts', 'const LIMIT = 1')]),
      [],
    )
  })

  test('a function name that five files declare is reported, for function declarations and arrow functions', () => {
    const files = [
      fileOf('server/a.ts', 'function textOf() {}'),
      fileOf('server/b.ts', 'export async function textOf() {}'),
      fileOf('local/c.ts', 'const textOf = (value: string) => value'),
      fileOf('local/d.ts', 'export const textOf = <Row>(row: Row) => row', 'export function textOf() {}'),
      fileOf('local/testing/e.ts', 'function textOf() {}'),
    ]
    assert.deepEqual(namingBreaks(files), [])
    assert.deepEqual(namingBreaks([...files, fileOf('sdk/f.ts', 'function* textOf() {}')]), [
      '5 files declare a function textOf: say what each one returns',
    ])
  })

  test('the naming check of an empty list of files reports nothing', () => {
    assert.deepEqual(namingBreaks([]), [])
  })
})
