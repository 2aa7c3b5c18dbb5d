import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { csvLine } from '@slipway/runtime/web/csv.ts'
import type { FieldSchema } from '../record-fields.ts'
import { parseCsv } from './csv.ts'
import { batchesOf, exportCells, exportColumns, readRows } from './csv-records.ts'

const field = (name: string, type: string, part: Partial<FieldSchema> = {}): FieldSchema => ({
  name,
  type,
  required: false,
  ...part,
})
const PLANT_FIELDS = [
  field('name', 'text', { required: true }),
  field('height', 'number'),
  field('light', 'enum', { required: true, values: ['sun', 'shade'], default: 'sun' }),
]

const read = (text: string, fields = PLANT_FIELDS) => readRows(parseCsv(text) ?? [], fields)
/** The accepted records of a file, and the rejected rows as `line: field problem`. */
function judged(text: string, fields = PLANT_FIELDS) {
  const file = read(text, fields)
  assert.ok(file.is === 'rows', JSON.stringify(file))
  return {
    records: file.rows.map((row) => row.fields),
    bad: file.bad.map(({ line, field: name, problem }) => `${line}: ${name} ${problem}`),
    ignored: file.ignored,
  }
}
const exported = (fields: FieldSchema[], record: Record<string, unknown>) =>
  Object.fromEntries(exportColumns(fields).map((name, n) => [name, exportCells(fields, record)[n]]))

describe('the columns of an imported CSV file', () => {
  test('a CSV column that only differs from a field in case and surrounding spaces is that field', () => {
    assert.deepEqual(judged(' NAME , Height\nFern,3').records, [{ name: 'Fern', height: 3 }])
  })

  test('a CSV column named like a property of every JavaScript object is unknown, like any other name that is not a field', () => {
    for (const name of ['constructor', '__proto__', 'toString'])
      assert.deepEqual(read(`name,${name}\nFern,x`), { is: 'columns', unknown: [name] })
  })

  test('all unknown and repeated columns of a CSV file are named at once', () => {
    assert.deepEqual(read('name,colour,Name,smell\nFern,green,Ivy,none'), {
      is: 'columns',
      unknown: ['colour', 'Name', 'smell'],
    })
  })

  test('a CSV file must have a column for each required field without a default, and a default of null counts as none', () => {
    assert.deepEqual(read('height\n3'), { is: 'missing', fields: ['Name'] })
    assert.deepEqual(judged('name\nFern').records, [{ name: 'Fern' }])
    const withNull = [field('potSize', 'number', { required: true, default: null }), field('name', 'text')]
    assert.deepEqual(read('name\nFern', withNull), { is: 'missing', fields: ['Pot size'] })
  })

  test('a CSV column without a heading before the named columns, such as row numbers, is ignored', () => {
    assert.deepEqual(judged(',name,height\n0,Fern,3\n1,Ivy,4'), {
      records: [
        { name: 'Fern', height: 3 },
        { name: 'Ivy', height: 4 },
      ],
      bad: [],
      ignored: [],
    })
  })

  test('empty CSV columns after the last heading, as spreadsheets write them, are ignored', () => {
    assert.deepEqual(judged('name,height,,\nFern,3,,\nIvy,4, ,').bad, [])
  })

  test('a CSV row with a value after the last heading is reported, because an unquoted comma has probably shifted its cells', () => {
    assert.deepEqual(judged('name,height,,\nFern,3,,\n"Ivy, the green one",4,,\nMoss,1,the brown one,'), {
      records: [
        { name: 'Fern', height: 3 },
        { name: 'Ivy, the green one', height: 4 },
      ],
      bad: ['4: null cells'],
      ignored: [],
    })
  })
})

describe('the rows of an imported CSV file', () => {
  test('a CSV row that is shorter than the header has no value in the missing columns', () => {
    assert.deepEqual(judged('height,name,light\n3,Fern\n4'), {
      records: [{ height: 3, name: 'Fern' }],
      bad: ['3: Name required'],
      ignored: [],
    })
  })

  test('an empty CSV cell leaves the default to the app, and is null in a field without a default', () => {
    assert.deepEqual(judged('name,height,light\nFern,, \nIvy, ,shade').records, [
      { name: 'Fern', height: null },
      { name: 'Ivy', height: null, light: 'shade' },
    ])
    assert.deepEqual(
      judged('potSize,n\n,1', [field('potSize', 'number', { default: null }), field('n', 'number')]).records,
      [{ potSize: null, n: 1 }],
    )
  })

  test('only the first problem of a CSV row is reported, in the order of the columns', () => {
    assert.deepEqual(judged('light,height,name\ndark,tall,\nsun,tall,').bad, [
      '2: Light choice',
      '3: Height number',
    ])
  })

  test('a CSV cell of 100,000 characters is imported whole', () => {
    const long = 'x'.repeat(100_000)
    assert.deepEqual(judged(`name\n${long}`).records, [{ name: long }])
  })
})

describe('the cells of an exported record', () => {
  const fields = [
    field('name', 'text'),
    field('tags', 'list'),
    field('isWet', 'boolean'),
    field('extra', 'json'),
  ]

  test('an exported record has a cell for each field and for each system field', () => {
    const record = {
      id: 'rec_1',
      ownerId: null,
      createdAt: '2026-01-01T00:00:00Z',
      updatedAt: '2026-01-02T00:00:00Z',
      partition: 'app',
      rev: 4,
      name: 'Fern',
      tags: ['green', 'wet'],
      isWet: false,
      extra: 'true',
    }
    assert.deepEqual(exported(fields, record), {
      name: 'Fern',
      tags: '["green","wet"]',
      isWet: 'false',
      extra: '"true"',
      id: 'rec_1',
      ownerId: '',
      createdAt: '2026-01-01T00:00:00Z',
      updatedAt: '2026-01-02T00:00:00Z',
      partition: 'app',
    })
  })

  test('an exported record that is older than one of its fields has an empty cell there, whatever the field is called', () => {
    const renamed = [field('name', 'text'), field('constructor', 'text'), field('valueOf', 'json')]
    assert.deepEqual(exportCells(renamed, { name: 'Fern' }).slice(0, 3), ['Fern', '', ''])
    assert.equal(csvLine(exportCells(renamed, { name: 'Fern' })), 'Fern,,,,,,,\r\n')
  })
})

describe('the batches of a CSV import', () => {
  const row = (line: number, chars = 10) => ({ line, fields: { name: 'x'.repeat(chars) } })
  const linesOf = (batches: { line: number }[][]) => batches.map((batch) => batch.map(({ line }) => line))

  test('a CSV import without rows has no batches', () => {
    assert.deepEqual(batchesOf([]), [])
  })

  test('the batches of a CSV import keep the order of the rows and contain each row once', () => {
    const lines = Array.from({ length: 205 }, (_, n) => n + 2)
    assert.deepEqual(linesOf(batchesOf(lines.map((line) => row(line)))).flat(), lines)
  })

  test('a CSV row that exceeds the size limit of a batch is sent in a batch of its own', () => {
    const rows = [row(2), row(3, 500), row(4), row(5)]
    assert.deepEqual(linesOf(batchesOf(rows, 100)), [[2], [3], [4, 5]])
  })

  test('a batch of a CSV import is filled up to its size limit and not beyond', () => {
    const sizeOfRow = JSON.stringify(row(1).fields).length
    const rows = [row(2), row(3), row(4)]
    assert.deepEqual(linesOf(batchesOf(rows, 2 * sizeOfRow)), [[2, 3], [4]])
    assert.deepEqual(linesOf(batchesOf(rows, 2 * sizeOfRow - 1)), [[2], [3], [4]])
    assert.deepEqual(linesOf(batchesOf(rows, 10 * sizeOfRow, 2)), [[2, 3], [4]])
  })
})
