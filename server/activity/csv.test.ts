import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import * as fc from 'fast-check'
import Papa from 'papaparse'
import { csvText } from './csv.ts'

const parseCsv = (text: string) =>
  Papa.parse<string[]>(text, { delimiter: ',', newline: '\n', skipEmptyLines: true })

describe('CSV lines', () => {
  test('plain CSV fields are joined unchanged, and null is an empty field', () => {
    assert.equal(csvText([['a', 'b-c', null, 'd e'], ['1']]), 'a,b-c,,d e\n1\n')
  })

  test('commas, quotes and line breaks are quoted inside their CSV field', () => {
    const row = ['a,b', 'say "no"', 'two\nlines', 'and\r\nmore', 'plain']
    assert.deepEqual(parseCsv(csvText([row, ['next']])).data, [row, ['next']])
  })

  test('a field that a spreadsheet would run as a formula is prefixed with an apostrophe, in any column', () => {
    for (const start of ['=', '+', '-', '@', '\t', '\r', '\n', '|', '＝', '＋', '－', '＠']) {
      const formula = `${start}cmd|' /C calc'!A0`
      assert.deepEqual(
        parseCsv(csvText([[formula, 'x', formula]])).data,
        [[`'${formula}`, 'x', `'${formula}`]],
        start,
      )
    }
  })

  test('a formula character inside a CSV field is not changed', () => {
    const row = ['a=b', 'a-b', 'ann@acme.test', '1+1', 'a|b', 'a\tb', '']
    assert.deepEqual(parseCsv(csvText([row])).data, [row])
  })

  test('a private-use Unicode character inside a CSV field is kept', () => {
    const row = ['\ue000-1', '\u001f', "'quoted'"]
    assert.deepEqual(parseCsv(csvText([row])).data, [row])
  })

  test("an independent CSV parser reads every field back unchanged except for a formula's apostrophe, and no field is a formula", () => {
    const field = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 12 }),
      fc.string({ unit: fc.constantFrom(...Array.from('=+-@|,"\t\r\n ab')), maxLength: 6 }),
    )
    fc.assert(
      fc.property(
        fc.array(fc.array(field, { minLength: 8, maxLength: 8 }), { minLength: 1, maxLength: 5 }),
        (rows) => {
          const found = Papa.parse<string[]>(csvText(rows), { delimiter: ',', newline: '\n' }).data.slice(
            0,
            -1,
          )
          assert.deepEqual(
            found,
            rows.map((row) => row.map((text) => text.replace(/^[=+\-@\t\r\n|＝＋－＠]/, "'$&"))),
          )
        },
      ),
      { numRuns: 500 },
    )
  })
})
