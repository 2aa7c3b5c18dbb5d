import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import * as fc from 'fast-check'
import Papa from 'papaparse'
import { csvLine, csvOf, FORMULA_START } from './csv.ts'
import { matchPath } from './match-path.ts'

describe('the page that a path belongs to', () => {
  const PATHS = ['/', '/plants', '/plants/new', '/plants/:id', '/plants/:id/photos/:photo', '/:list/new']

  test("a URL path is matched with the patterns of pages segment by segment, and yields the parameters' values", () => {
    assert.deepEqual(matchPath(PATHS, '/plants/p1/photos/7'), {
      path: '/plants/:id/photos/:photo',
      params: { id: 'p1', photo: '7' },
    })
    assert.deepEqual(matchPath(PATHS, '/'), { path: '/', params: {} })
    for (const none of ['/trees', '/plants/p1/photos', '/plants/p1/photos/7/8', '/Plants'])
      assert.equal(matchPath(PATHS, none), null, none)
  })

  test('a literal segment in the path pattern of a page takes precedence over a parameter, in any order of the patterns', () => {
    fc.assert(
      fc.property(fc.shuffledSubarray(PATHS, { minLength: PATHS.length }), (paths) => {
        assert.equal(matchPath(paths, '/plants/new')?.path, '/plants/new')
        assert.equal(matchPath(paths, '/plants/p1')?.path, '/plants/:id')
      }),
    )
  })

  test('a trailing, doubled or missing leading slash in a URL path is ignored when it is matched with a page', () => {
    for (const path of ['/plants/p1/', '//plants//p1', 'plants/p1'])
      assert.deepEqual(matchPath(PATHS, path)?.params, { id: 'p1' }, path)
  })

  test('a path parameter is decoded when a URL path is matched with a page, and a malformed one is left unchanged', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), (id) => {
        fc.pre(id !== 'new')
        assert.deepEqual(matchPath(PATHS, `/plants/${encodeURIComponent(id)}`)?.params, { id })
      }),
    )
    assert.deepEqual(matchPath(PATHS, '/plants/%E0%A4%A')?.params, { id: '%E0%A4%A' })
  })
})

describe('a table as CSV', () => {
  // Tell the parser the delimiter: in a short text with a semicolon in a cell, it would guess a semicolon.
  const rowsIn = (text: string) =>
    Papa.parse<string[]>(text.replace(/^\uFEFF/, ''), { delimiter: ',', newline: '\r\n' }).data.slice(0, -1)

  test('another CSV parser reads every exported cell unchanged, apart from the apostrophe before a formula', () => {
    const cell = fc.oneof(
      fc.string(),
      fc.string({ unit: 'grapheme' }),
      fc.constantFrom('a,b', 'a"b', 'a\r\nb', ' a ', '\n'),
    )
    const table = fc
      .integer({ min: 1, max: 4 })
      .chain((width) =>
        fc.array(fc.array(cell, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 5 }),
      )
    fc.assert(
      fc.property(table, (rows) => {
        const expected = rows.map((row) =>
          row.map((one) =>
            FORMULA_START.test(one) && !/^-?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(one) ? `'${one}` : one,
          ),
        )
        assert.deepEqual(rowsIn(csvOf(rows)), expected)
      }),
      { examples: [[[['', '', ' ;', '']]]] },
    )
  })

  test('a CSV cell that a spreadsheet would run as a formula is escaped, and a number is not', () => {
    for (const formula of ['=1+1', '+A1', '@SUM(A1)', '-2+3', '|cmd', '\t=1', '＝1', "'=1", "''=1"])
      assert.match(csvLine([formula]), /^"?'/, formula)
    for (const plain of ['-5', '-5.25', '1e9', '-1e-9', 'a=b', '5'])
      assert.equal(csvLine([plain]), `${plain}\r\n`)
  })

  test('an exported CSV starts with a byte order mark, and an empty value is an empty cell', () => {
    assert.equal(csvOf([['Größe', null, 1.5]]), '\uFEFFGröße,,1.5\r\n')
    assert.equal(csvOf([]), '\uFEFF')
  })
})
