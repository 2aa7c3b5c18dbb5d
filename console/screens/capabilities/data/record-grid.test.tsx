import assert from 'node:assert/strict'
import { describe, test, type TestContext } from 'node:test'
import { fireEvent, screen, within } from '@testing-library/react'
import { show } from '../../../testing/console.tsx'
import { type CollectionSchema, type DataRecord, RecordGrid } from './record-grid.tsx'

const text = (name: string, title?: string) => ({
  name,
  type: 'text',
  required: false,
  ...(title !== undefined && { title }),
})
const plants: CollectionSchema = { name: 'plants', title: 'Plants', partition: 'app', fields: [text('name')] }
const record = (id: string, values: Record<string, unknown> = {}): DataRecord => ({
  id,
  partition: 'app',
  ownerId: null,
  rev: 1,
  createdAt: '2026-11-20T00:00:00.000Z',
  updatedAt: '2026-11-20T00:00:00.000Z',
  ...values,
})

interface Given {
  info?: CollectionSchema
  records?: DataRecord[]
  names?: ReadonlyMap<string, string>
}

function renderGrid(given: Given) {
  const opened: string[] = []
  const grid = ({ info = plants, records = [], names = new Map() }: Given) => (
    <RecordGrid
      projectId="prj_1"
      info={info}
      records={records}
      names={names}
      onOpen={(place) => opened.push(place)}
    />
  )
  const { rerender } = show(grid(given))
  return { opened, shown: (next: Given) => rerender(grid(next)) }
}

const showNarrow = (t: TestContext) =>
  t.mock.method(globalThis, 'matchMedia', () => ({
    matches: false,
    addEventListener() {},
    removeEventListener() {},
  }))
const heads = () => screen.getAllByRole('columnheader').map(({ textContent }) => textContent)
const rows = () => screen.getAllByRole('row').slice(1)
const cellsOf = (row: HTMLElement | undefined) =>
  row === undefined
    ? []
    : within(row)
        .getAllByRole('cell')
        .map(({ textContent }) => textContent)

describe('the grid of records', () => {
  test('two record fields with the same title have a column each, and changing the fields leaves no column behind', () => {
    const twins = [text('name'), text('first', 'Note'), text('second', 'Note'), text('key', 'Id')]
    const { shown } = renderGrid({ info: { ...plants, fields: twins } })
    assert.deepEqual(heads(), ['Id', 'Name', 'Note', 'Note', 'Id', 'Belongs to', 'Changed'])
    shown({ info: { ...plants, fields: [text('species')] } })
    assert.deepEqual(heads(), ['Id', 'Species', 'Belongs to', 'Changed'])
  })

  test('a collection with many fields shows columns for the first six, and each cell is in the column of its field', () => {
    const fields = Array.from({ length: 9 }, (_, n) => text(`field${n}`))
    renderGrid({
      info: { ...plants, fields },
      records: [record('r1', { field5: 'shown', field6: 'not shown' })],
    })
    assert.equal(heads().length, 9)
    assert.deepEqual(cellsOf(rows()[0]).slice(1, 7), ['', '', '', '', '', 'shown'])
  })

  test('the button that opens a record shows only the end of its id, but opens it by its partition and whole id', () => {
    const { opened } = renderGrid({
      records: [record('01hqz0000000000000abcdefgh', { name: 'Fern', partition: 'team_7' })],
    })
    const open = screen.getByRole('button', { name: 'Open record Fern abcdefgh' })
    assert.equal(open.textContent, 'abcdefgh')
    assert.equal(open.title, '01hqz0000000000000abcdefgh')
    fireEvent.click(open)
    assert.deepEqual(opened, ['team_7/01hqz0000000000000abcdefgh'])
  })

  test('the button that opens a record names the first non-empty value, or the id when all values are empty', () => {
    const info = { ...plants, fields: [text('name'), text('species')] }
    renderGrid({
      info,
      records: [record('r1', { name: ' ', species: 'Moss' }), record('r2', { name: null, species: '' })],
    })
    assert.ok(screen.getByRole('button', { name: 'Open record Moss r1' }))
    assert.ok(screen.getByRole('button', { name: 'Open record r2' }))
  })

  test('records with the same id in two partitions are two rows', () => {
    const both = [record('r1', { name: 'Of all' }), record('r1', { name: 'Of a team', partition: 'team_7' })]
    const { shown } = renderGrid({ records: both })
    assert.deepEqual(
      rows().map((row) => cellsOf(row)[1]),
      ['Of all', 'Of a team'],
    )
    shown({ records: both.slice(1) })
    assert.deepEqual(
      rows().map((row) => cellsOf(row)[1]),
      ['Of a team'],
    )
  })

  test('the grid says whether a record belongs to everyone, a team or a person, and links to that person', () => {
    const ada = `u_${'a'.repeat(26)}`
    renderGrid({
      records: [
        record('r1'),
        record('r2', { partition: 'team_7' }),
        record('r3', { partition: ada, ownerId: ada }),
      ],
    })
    assert.deepEqual(
      rows().map((row) => cellsOf(row)[2]),
      ['everyone', 'team_7', 'a person'],
    )
    const link = screen.getByRole('link', { name: 'Show person aaaaaaaa' })
    assert.equal(link.getAttribute('href'), `/projects/prj_1/capabilities/auth?tab=live&q=${ada}`)
  })

  test('a reference in the record grid shows the label of its record instead of the id, but a text with that value is unchanged', () => {
    const info = {
      ...plants,
      fields: [{ name: 'room', type: 'ref', required: false, ref: 'rooms' }, text('note')],
    }
    renderGrid({
      info,
      records: [record('r1', { room: 'rec_9', note: 'rec_9' })],
      names: new Map([['room rec_9', 'Kitchen']]),
    })
    assert.deepEqual(cellsOf(rows()[0]).slice(1, 3), ['Kitchen', 'rec_9'])
  })

  test('a record value with markup is shown as text', () => {
    renderGrid({ records: [record('r1', { name: '<img src=x onerror=alert(1)>' })] })
    assert.equal(cellsOf(rows()[0])[1], '<img src=x onerror=alert(1)>')
    assert.ok(document.querySelector('img') === null)
  })

  test('only the visible rows of a long record grid are rendered, and each states its position in the whole list', (t) => {
    // happy-dom has no layout, so each row would be 0 px high, and all of them would be visible.
    t.mock.getter(HTMLElement.prototype, 'offsetHeight', () => 44)
    renderGrid({ records: Array.from({ length: 5000 }, (_, n) => record(`r${n}`, { name: `Plant ${n}` })) })
    assert.equal(screen.getByRole('table').getAttribute('aria-rowcount'), '5001')
    assert.ok(rows().length < 100, `${rows().length} rows`)
    assert.deepEqual(
      rows()
        .slice(0, 3)
        .map((row) => row.getAttribute('aria-rowindex')),
      ['2', '3', '4'],
    )
  })

  test('on a narrow screen each record value is labelled in its card, and screen readers still get the column headings', (t) => {
    showNarrow(t)
    renderGrid({ records: [record('r1', { name: 'Fern' })] })
    assert.deepEqual(cellsOf(rows()[0]).slice(0, 3), ['Idr1', 'NameFern', 'Belongs toeveryone'])
    assert.deepEqual(heads(), ['Id', 'Name', 'Belongs to', 'Changed'])
  })
})
