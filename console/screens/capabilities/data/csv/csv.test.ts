import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import Papa from 'papaparse'
import { csvLine } from '@slipway/runtime/web/csv.ts'
import { parseCsv } from './csv.ts'
import { batchesOf, exportCells, exportColumns, readRows } from './csv-records.ts'

const cellsOf = (text: string) => parseCsv(text)?.map(({ cells }) => cells)

describe('CSV', () => {
  test('a CSV line that the export writes is parsed to the same cells by the import and by the package Papa Parse', () => {
    const cells = ['plain', 'a,b', 'say "hi"', 'two\nlines', '', ' edge ', "it's", '-5', 'Über; ☕']
    assert.deepEqual(cellsOf(csvLine(cells)), [cells])
    assert.deepEqual(Papa.parse<string[]>(csvLine(cells).trimEnd()).data, [cells])
  })

  test('a CSV cell that a spreadsheet would run as a formula is escaped when written and unescaped when read', () => {
    for (const cell of ['=1+1', '+cmd', '@sum', '-2+3', '|x', "'=1"]) {
      const [[written] = []] = Papa.parse<string[]>(csvLine([cell, 'x'])).data
      assert.equal(written, `'${cell}`)
      assert.deepEqual(cellsOf(csvLine([cell, 'x'])), [[cell, 'x']])
    }
    assert.equal(csvLine(['-5', '1e-7']), '-5,1e-7\r\n')
  })

  test('CSV files with semicolons, tabs, a byte order mark or empty lines are parsed', () => {
    assert.deepEqual(cellsOf('\uFEFFname;size\r\nFern;"a;b"\r\n\r\nIvy;2'), [
      ['name', 'size'],
      ['Fern', 'a;b'],
      ['Ivy', '2'],
    ])
    assert.deepEqual(cellsOf('name\tsize\nFern\t3'), [
      ['name', 'size'],
      ['Fern', '3'],
    ])
    assert.equal(parseCsv('name\n"never closed\nFern'), null)
  })

  test('a parsed CSV row has its line number in the file, even after cells with line breaks', () => {
    assert.deepEqual(
      parseCsv('name\n"two\nlines"\n\nFern')?.map(({ line }) => line),
      [1, 2, 5],
    )
  })
})

const FIELDS = [
  { name: 'name', type: 'text', required: true },
  { name: 'potSize', type: 'integer', required: false, title: 'Size of the pot' },
  { name: 'light', type: 'enum', required: true, values: ['sun', 'shade'], default: 'sun' },
  { name: 'tags', type: 'list', required: false },
]
const readCsv = (text: string) => readRows(parseCsv(text) ?? [], FIELDS)

const CODED_FIELDS = [
  { name: 'code', type: 'text', required: true, title: 'ID' },
  { name: 'extra', type: 'json', required: false },
  { name: 'owner', type: 'text', required: false, title: 'Partition' },
]
const roundTrip = (record: Record<string, unknown>) => {
  const text = csvLine(exportColumns(CODED_FIELDS)) + csvLine(exportCells(CODED_FIELDS, record))
  return readRows(parseCsv(text) ?? [], CODED_FIELDS)
}

describe('an exported CSV file', () => {
  test('an exported CSV file can be imported again when a field has the title of a system column', () => {
    const file = roundTrip({ id: 'rec_1', partition: 'app', code: 'A1', owner: 'Ada', extra: null })
    assert.deepEqual(file, {
      is: 'rows',
      rows: [{ line: 2, fields: { code: 'A1', extra: null, owner: 'Ada' } }],
      bad: [],
      ignored: ['id', 'ownerId', 'createdAt', 'updatedAt', 'partition'],
    })
  })

  test('a CSV column with the title of a field is read as that field, even when a system column has the same name', () => {
    for (const head of ['ID', 'id', ' Id '])
      assert.deepEqual(
        readRows(parseCsv(`${head},Partition\nA1,Ada`) ?? [], CODED_FIELDS),
        { is: 'rows', rows: [{ line: 2, fields: { code: 'A1', owner: 'Ada' } }], bad: [], ignored: [] },
        head,
      )
  })

  test('a JSON value is unchanged after it was exported to CSV and imported again', () => {
    for (const extra of ['plain', 'true', '3', '', '{"a":1}', { a: [1, 'x'] }, [], 0, false]) {
      const file = roundTrip({ id: 'rec_1', code: 'A1', owner: null, extra })
      assert.ok(file.is === 'rows', JSON.stringify(file))
      assert.deepEqual(file.bad, [], JSON.stringify(extra))
      assert.deepEqual(file.rows[0]?.fields['extra'], extra)
    }
  })
})

describe('rows of a file as records', () => {
  test('the columns of a CSV file are matched by field name or title, and system columns are ignored', () => {
    assert.deepEqual(readCsv('Size of the pot,id,NAME\n3,rec_1,Fern'), {
      is: 'rows',
      rows: [{ line: 2, fields: { potSize: 3, name: 'Fern' } }],
      bad: [],
      ignored: ['id'],
    })
  })

  test('a CSV file with an unknown or duplicate column, or without a required column, is rejected as a whole', () => {
    assert.deepEqual(readCsv('name,colour\nFern,green'), { is: 'columns', unknown: ['colour'] })
    assert.deepEqual(readCsv('name,Name\nFern,Ivy'), { is: 'columns', unknown: ['Name'] })
    assert.deepEqual(readCsv('potSize\n3'), { is: 'missing', fields: ['Name'] })
    assert.deepEqual(readCsv('name'), { is: 'empty' })
  })

  test('each invalid row of a CSV file is reported with its line, field and problem', () => {
    const file = readCsv('name,potSize,light\nFern,big,\n,3,sun\nIvy,3,dark\nMoss,1,sun,extra\nOak,1,shade')
    assert.ok(file.is === 'rows')
    assert.deepEqual(file.bad, [
      { line: 2, field: 'Size of the pot', problem: 'number' },
      { line: 3, field: 'Name', problem: 'required' },
      { line: 4, field: 'Light', problem: 'choice' },
      { line: 5, field: null, problem: 'cells' },
    ])
    assert.deepEqual(file.rows, [{ line: 6, fields: { name: 'Oak', potSize: 1, light: 'shade' } }])
  })

  test('an exported CSV file can be imported again', () => {
    const record = {
      id: 'rec_1',
      partition: 'app',
      name: '=Fern',
      potSize: null,
      light: 'shade',
      tags: ['a', 'b'],
    }
    const text = csvLine(exportColumns(FIELDS)) + csvLine(exportCells(FIELDS, record))
    const file = readCsv(text)
    assert.ok(file.is === 'rows')
    assert.deepEqual(file.rows[0]?.fields, { name: '=Fern', potSize: null, light: 'shade', tags: ['a', 'b'] })
  })

  test('rows of a CSV import are split into batches of at most 100 rows and a maximum size', () => {
    const rows = Array.from({ length: 250 }, (_, n) => ({ line: n, fields: { name: `Plant ${n}` } }))
    assert.deepEqual(
      batchesOf(rows).map((batch) => batch.length),
      [100, 100, 50],
    )
    const large = [1, 2, 3].map((line) => ({ line, fields: { name: 'x'.repeat(150) } }))
    assert.deepEqual(
      batchesOf(large, 400).map((batch) => batch.length),
      [2, 1],
    )
  })
})
