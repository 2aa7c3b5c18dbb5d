import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { useState } from 'react'
import {
  act,
  fireEvent,
  newTeam,
  pageOf,
  record,
  RefusedResponse,
  render,
  screen,
  serveApp,
  waitFor,
  write,
} from '../../testing/kit.test.fixture.tsx'
import type { StoredRecord } from '../../data/frames.ts'
import type { CollectionSpec, FieldSpec } from '../../kernel/manifest.ts'
import { manifest } from '../../manifest.gen.ts'
import { RecordField } from './field.tsx'

const named = (title: string, partition: CollectionSpec['partition']): CollectionSpec => ({
  title,
  partition,
  read: 'public',
  write: 'public',
  fields: { name: { type: 'text' } },
})
manifest.collections['crews'] = named('Crews', 'team')
manifest.collections['tools'] = named('Tools', 'app')
manifest.collections['sheds'] = named('Sheds', 'app')

/** Renders the field with this value. Returns the last value that it reported. */
function renderField(spec: FieldSpec, start: unknown, partition?: string) {
  const changes: unknown[] = [start]
  function Field() {
    const [value, setValue] = useState(start)
    const change = (next: unknown) => {
      changes.push(next)
      setValue(next)
    }
    const frame = { name: 'extra', id: 'extra', error: null, place: null, partition }
    return <RecordField {...frame} spec={spec} value={value} onChange={change} />
  }
  render(<Field />)
  return () => changes.at(-1)
}
const control = () => screen.getByLabelText<HTMLTextAreaElement>('Extra')
const select = () => screen.getByLabelText<HTMLSelectElement>('Extra')
const type = (typed: string) => write('Extra', typed)
const hint = () => document.getElementById('extra-hint')?.textContent
const options = () =>
  Array.from(select().options, ({ value, text, selected }) => [value, text, selected] as const)
const loaded = (count: number) => waitFor(() => assert.equal(options().length, count))
const choose = (...ids: string[]) => {
  for (const option of select().options) option.selected = ids.includes(option.value)
  fireEvent.change(select())
}

/** Responds to reads of the whole collection, and of the one record that the query names. */
const rowsOf =
  (rows: StoredRecord[], isListed: (row: StoredRecord) => boolean = () => true) =>
  ({ query }: { query: Record<string, string> }) => {
    const where = JSON.parse(query['where'] ?? '{}') as { id?: string }
    return pageOf(rows.filter((row) => (where.id === undefined ? isListed(row) : row.id === where.id)))
  }

describe('the field of a form for a value of a record', () => {
  test('an emptied text or date field of a record form is reported as null', () => {
    for (const spec of [{ type: 'text' }, { type: 'text', as: 'long' }, { type: 'date' }] as const) {
      const value = renderField(spec, '2026-11-20')
      type('')
      assert.equal(value(), null)
      document.body.replaceChildren()
    }
  })

  test('the error of a money field shows the maximum in its currency', () => {
    const value = renderField({ type: 'integer', currency: 'EUR', max: 2000 }, null)
    type('20')
    assert.equal(value(), 2000)
    assert.equal((control() as unknown as HTMLInputElement).validationMessage, '')
    type('20.01')
    assert.match(control().validationMessage, /^Write at most .*20[.,]00/)
  })

  test('each line of a list field is an entry, and an empty field is reported as null', () => {
    const value = renderField({ type: 'list', help: 'What it needs.' }, ['sun', 'water'])
    assert.equal(control().value, 'sun\nwater')
    assert.equal(hint(), 'What it needs. One per line.')
    type('sun\n')
    assert.deepEqual([value(), control().value], [['sun', ''], 'sun\n'])
    type('')
    assert.equal(value(), null)
  })

  test('a JSON field reports the parsed value, and keeps the text as it was typed', () => {
    const value = renderField({ type: 'json' }, { a: 1 })
    assert.equal(control().value, '{\n  "a": 1\n}')
    for (const [typed, meant] of [
      ['1.0', 1],
      ['1.05', 1.05],
      ['{"b":[1, 2]}', { b: [1, 2] }],
      ['"text"', 'text'],
      ['null', null],
      ['', null],
    ] as const) {
      type(typed)
      assert.deepEqual([value(), control().value, control().validationMessage], [meant, typed, ''])
    }
  })

  test('a JSON field keeps text that is not JSON, reports no value, and makes its form invalid', () => {
    const value = renderField({ type: 'json' }, { a: 1 })
    type('{"a": 1,}')
    assert.deepEqual(
      [value(), control().value, control().validationMessage],
      [null, '{"a": 1,}', 'Write JSON. A text needs double quotes.'],
    )
    type('{"a": 1}')
    assert.deepEqual([value(), control().validationMessage], [{ a: 1 }, ''])
  })

  test('a stored text is shown in quotes in a JSON field, so that a text of digits is not saved as a number', () => {
    renderField({ type: 'json' }, '5')
    assert.equal(control().value, '"5"')
  })

  test('a value that the app sets replaces the typed text of a JSON field', async () => {
    let replace: (value: unknown) => void = () => {}
    function Field() {
      const [value, setValue] = useState<unknown>({ a: 1 })
      replace = setValue
      const frame = { name: 'extra', id: 'extra', error: null, place: null, partition: undefined }
      return <RecordField {...frame} spec={{ type: 'json' }} value={value} onChange={setValue} />
    }
    render(<Field />)
    type('[1,2]')
    await act(async () => replace([3]))
    assert.equal(control().value, '[\n  3\n]')
  })
})

describe('the field of a form for a reference', () => {
  const HOE = record('hoe', { name: 'Hoe' })
  const RAKE = record('rake', { name: '' })

  test('a reference field offers the records by name, and reports null for no record', async () => {
    serveApp({ 'GET /_app/data/tools': rowsOf([HOE, RAKE]) })
    const value = renderField({ type: 'ref', ref: 'tools' }, 'hoe')
    await loaded(3)
    assert.deepEqual(options().toSorted(), [
      ['', 'Choose', false],
      ['hoe', 'Hoe', true],
      ['rake', 'Untitled', false],
    ])
    choose('rake')
    assert.equal(value(), 'rake')
    choose('')
    assert.equal(value(), null)
  })

  test("a reference field in a team's record offers that team's records, or the app's for a collection without teams", async () => {
    const team = newTeam()
    const calls = serveApp({
      'GET /_app/data/crews': ({ query }) =>
        query['partition'] === team
          ? pageOf([record('north', { name: 'North' })])
          : new RefusedResponse('not_found', 'There is no such partition.'),
      'GET /_app/data/sheds': rowsOf([record('big', { name: 'Big' })]),
    })
    renderField({ type: 'ref', ref: 'crews' }, null, team)
    await waitFor(() => assert.deepEqual(options().at(-1), ['north', 'North', false]))
    document.body.replaceChildren()
    renderField({ type: 'list', ref: 'crews' }, ['north'], team)
    await waitFor(() => assert.deepEqual(options(), [['north', 'North', true]]))
    document.body.replaceChildren()
    renderField({ type: 'ref', ref: 'sheds' }, null, team)
    await waitFor(() => assert.deepEqual(options().at(-1), ['big', 'Big', false]))
    assert.deepEqual(
      calls['GET /_app/data/sheds']?.map(({ query }) => query),
      [{ limit: '200' }],
    )
  })

  test('a reference field shows the name of the chosen record even when it is not among the options', async () => {
    const team = newTeam()
    const north = record('north', { name: 'North' })
    const south = record('south', { name: 'South' })
    serveApp({ 'GET /_app/data/crews': rowsOf([north, south], ({ id }) => id === 'south') })
    renderField({ type: 'ref', ref: 'crews' }, 'north', team)
    await waitFor(() =>
      assert.deepEqual(
        options().find(([id]) => id === 'north'),
        ['north', 'North', true],
      ),
    )
  })

  test('a reference field shows a chosen record that was removed as deleted', async () => {
    const team = newTeam()
    serveApp({ 'GET /_app/data/crews': rowsOf([record('south', { name: 'South' })]) })
    renderField({ type: 'ref', ref: 'crews' }, 'north', team)
    await waitFor(() =>
      assert.deepEqual(
        options().find(([id]) => id === 'north'),
        ['north', 'Deleted', true],
      ),
    )
  })

  test('choosing another record in a list of references keeps the chosen records that are not among the options', async () => {
    const team = newTeam()
    const rows = ['east', 'north', 'south'].map((id) => record(id, { name: id }))
    serveApp({ 'GET /_app/data/crews': rowsOf(rows) })
    const value = renderField({ type: 'list', ref: 'crews' }, ['elsewhere', 'north'], team)
    await loaded(3)
    choose('east', 'south')
    assert.deepEqual((value() as string[]).toSorted(), ['east', 'elsewhere', 'south'])
  })
})
