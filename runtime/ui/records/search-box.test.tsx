import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { render, screen, write } from '../../testing/kit.test.fixture.tsx'
import type { CollectionSpec } from '../../kernel/manifest.ts'
import { SearchBox, useSearch } from './search-box.tsx'

const SPEC: CollectionSpec = {
  title: 'Orders',
  partition: 'app',
  read: 'public',
  write: 'public',
  fields: {
    buyer: { type: 'text' },
    amount: { type: 'integer', currency: 'EUR' },
    weight: { type: 'number' },
    day: { type: 'date' },
    state: { type: 'enum', values: ['on_hold', 'sent'] },
    tags: { type: 'list' },
    isPaid: { type: 'boolean' },
    room: { type: 'ref', ref: 'rooms' },
    photo: { type: 'file' },
    crews: { type: 'list', ref: 'crews' },
    extra: { type: 'json' },
  },
}
const ORDER = {
  buyer: 'José Álvarez',
  amount: 123_450,
  weight: 12_345.5,
  day: '2026-11-20',
  state: 'on_hold',
  tags: ['garden', 'gift'],
  isPaid: false,
  room: 'id-of-a-room',
  photo: 'id-of-a-photo',
  crews: ['id-of-a-crew'],
  extra: { note: 'fragile' },
}
const EMPTY = Object.fromEntries(Object.keys(SPEC.fields).map((name) => [name, null]))

function Orders({ rows }: { rows: Record<string, unknown>[] }) {
  const { typed, setTyped, isOn, find } = useSearch(SPEC)
  return (
    <>
      <SearchBox noun="orders" value={typed} onChange={setTyped} />
      <output>{`${find(rows).length} ${isOn ? 'found' : 'shown'}`}</output>
    </>
  )
}
const found = (typed: string) => {
  write('Search orders', typed)
  return screen.getByRole('status').textContent
}

describe('searching the loaded records', () => {
  test('a search in loaded records finds every value as the list shows it, and as a person would type it', () => {
    render(<Orders rows={[ORDER, EMPTY]} />)
    const asShown = [
      new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' }).format(new Date(2026, 10, 20, 12)),
      new Intl.NumberFormat(undefined, { style: 'currency', currency: 'EUR' }).format(1234.5),
      (12_345.5).toLocaleString(),
    ]
    for (const typed of [
      'jose alv',
      '1234.5',
      '12345.5',
      '2026-11',
      'On hold',
      'gift',
      'FRAGILE',
      ...asShown,
    ])
      assert.equal(found(typed), '1 found', typed)
  })

  test('a search in loaded records does not match ids and stored values that are not shown', () => {
    render(<Orders rows={[ORDER, EMPTY]} />)
    for (const typed of ['id-of', 'room', 'false', 'null', 'undefined', 'object', 'on_hold', '123450'])
      assert.equal(found(typed), '0 found', typed)
  })

  test('a search finds records in which every typed word occurs, in any order, and spaces alone are not a search', () => {
    render(<Orders rows={[ORDER, EMPTY]} />)
    assert.equal(found('gift garden josé'), '1 found')
    assert.equal(found('gift roses'), '0 found')
    assert.equal(found('   '), '2 shown')
  })

  test('a search in loaded records finds a changed record by its new values, and not by the former ones', () => {
    const { rerender } = render(<Orders rows={[ORDER]} />)
    assert.equal(found('alvarez'), '1 found')
    rerender(<Orders rows={[{ ...ORDER, buyer: 'Ana' }]} />)
    assert.equal(screen.getByRole('status').textContent, '0 found')
    assert.equal(found('ana'), '1 found')
  })
})
