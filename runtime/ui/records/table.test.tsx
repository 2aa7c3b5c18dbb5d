import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { ComponentProps } from 'react'
import { press, record, render, screen } from '../../testing/kit.test.fixture.tsx'
import type { CollectionSpec } from '../../kernel/manifest.ts'
import { RecordTable } from './table.tsx'

const SPEC: CollectionSpec = {
  title: 'Jobs',
  partition: 'app',
  read: 'public',
  write: 'public',
  fields: {
    name: { type: 'text', required: true },
    state: { type: 'enum', values: ['new', 'begun', 'done'] },
    price: { type: 'integer', currency: 'EUR' },
    notes: { type: 'json' },
    due: { type: 'date' },
  },
}

const WALL = record('wall', { name: 'Wall', state: 'done', price: 1250, notes: null })
const ROOF = record('roof', { name: 'Roof', state: 'begun', price: null, notes: { a: 1 } })
const DOOR = record('door', { name: 'Door 10', state: 'new', price: 300, notes: null })
const GATE = record('gate', { name: 'Door 9', state: null, price: 20, notes: null })

type Props = Partial<ComponentProps<typeof RecordTable>>

function renderTable(props: Props = {}) {
  const defaults = {
    collection: 'jobs',
    partition: undefined,
    rows: [WALL, ROOF, DOOR, GATE],
    spec: SPEC,
    isWhole: true,
    rowsMax: 50,
    columns: ['name', 'state', 'price', 'notes'],
    totals: undefined,
    title: undefined,
    onOpen: undefined,
    buttons: undefined,
  }
  const view = render(<RecordTable {...defaults} {...props} />)
  return (more: Props) => view.rerender(<RecordTable {...defaults} {...more} />)
}
const names = () => screen.getAllByRole('rowheader').map((cell) => cell.textContent)
const headers = () =>
  screen
    .getAllByRole('columnheader')
    .map((cell) => [cell.textContent, cell.querySelector('button') !== null] as const)
const cells = (row: number) =>
  Array.from(screen.getAllByRole('row')[row]?.children ?? [], (cell) => cell.textContent)
const direction = (name: string) => screen.getByRole('columnheader', { name }).getAttribute('aria-sort')

describe('the table of records of an app', () => {
  test('a table keeps the given order of its rows until a person sorts it, and the third click on a column restores that order', () => {
    renderTable()
    const given = ['Wall', 'Roof', 'Door 10', 'Door 9']
    assert.deepEqual([names(), direction('Name')], [given, 'none'])
    press('Name')
    assert.deepEqual([names(), direction('Name')], [['Door 9', 'Door 10', 'Roof', 'Wall'], 'ascending'])
    press('Name')
    assert.deepEqual([names(), direction('Name')], [['Wall', 'Roof', 'Door 10', 'Door 9'], 'descending'])
    press('Name')
    assert.deepEqual([names(), direction('Name')], [given, 'none'])
  })

  test('a record table sorts an enum column in the declared order of its values, and empty values last', () => {
    const { state: _, ...unset } = WALL
    renderTable({
      rows: [{ ...unset, id: 'unset', name: 'Unset' }, WALL, GATE, ROOF, DOOR] as (typeof WALL)[],
    })
    press('State')
    assert.deepEqual(names(), ['Door 10', 'Roof', 'Wall', 'Unset', 'Door 9'])
    press('State')
    assert.deepEqual(names(), ['Wall', 'Roof', 'Door 10', 'Unset', 'Door 9'])
  })

  test('a record table cannot be sorted by lists or references, and by no column while it is only partly loaded', () => {
    const rerender = renderTable()
    assert.deepEqual(headers(), [
      ['Name', true],
      ['State', true],
      ['Price', true],
      ['Notes', false],
    ])
    rerender({ isWhole: false })
    assert.deepEqual(
      headers().map(([, isButton]) => isButton),
      [false, false, false, false],
    )
  })

  test('a table with a maximum number of rows shows the first of them in the chosen order', () => {
    renderTable({ rowsMax: 2 })
    press('Price')
    assert.deepEqual(names(), ['Door 9', 'Door 10'])
  })

  test('the totals of a record table include rows that are not shown, and count an empty field as 0', () => {
    renderTable({ rowsMax: 1, totals: ['price'], buttons: () => 'Edit' })
    const [name, state, price, notes, buttons] = cells(2)
    assert.deepEqual([name, state, notes, buttons], ['Total', '', '', ''])
    assert.match(price ?? '', /15[.,]70/)
  })

  test('the total of a column that has no sum, such as a date, is empty', () => {
    const rows = [
      { ...WALL, due: '2026-11-20' },
      { ...DOOR, due: null },
    ]
    renderTable({ rows, totals: ['price', 'due', 'state'], columns: ['name', 'state', 'price', 'due'] })
    const [name, state, price, due] = cells(3)
    assert.deepEqual([name, state, due], ['Total', '', ''])
    assert.match(price ?? '', /15[.,]50/)
  })

  test('the fields that every record has, such as its creation time, can be columns, even the first column', () => {
    renderTable({ columns: ['createdAt', 'name', 'id', 'rev'], rows: [DOOR] })
    const day = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })
    assert.deepEqual(
      headers().map(([title]) => title),
      ['Created at', 'Name', 'Id', 'Rev'],
    )
    assert.deepEqual(cells(1), [day.format(new Date(DOOR.createdAt)), 'Door 10', 'door', '1'])
  })

  test('a row of a record table can be opened by its title, and the app may render the title itself', () => {
    const opened: unknown[] = []
    renderTable({
      rows: [ROOF],
      title: (row) => <b>Job {String(row['name'])}</b>,
      onOpen: (row) => opened.push(row.id),
    })
    press('Job Roof')
    assert.deepEqual(opened, ['roof'])
  })

  test('a record table marks a row that is not stored yet as pending, and each row has its own buttons', () => {
    renderTable({
      columns: ['name'],
      rows: [{ ...DOOR, rev: 0 }, WALL],
      buttons: (row) => `Edit ${row.id}`,
    })
    assert.deepEqual(
      screen
        .getAllByRole('row')
        .map((row) => [row.getAttribute('data-pending'), row.lastElementChild?.textContent]),
      [
        [null, 'Actions'],
        ['true', 'Edit door'],
        ['false', 'Edit wall'],
      ],
    )
  })
})
