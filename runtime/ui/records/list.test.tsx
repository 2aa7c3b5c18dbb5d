import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { ComponentType } from 'react'
import {
  act,
  fireEvent,
  isShown,
  loseConnection,
  newTeam,
  pageOf,
  press,
  receive,
  record,
  RefusedResponse,
  render,
  screen,
  serveApp,
  waitFor,
  within,
  write,
} from '../../testing/kit.test.fixture.tsx'
import type { StoredRecord } from '../../data/frames.ts'
import { manifest } from '../../manifest.gen.ts'
import { RecordList } from './list.tsx'
import { ToastRegion } from '../toast.tsx'

manifest.collections['herbs'] = {
  title: 'Herbs',
  partition: 'team',
  read: 'team',
  write: 'team',
  fields: {
    name: { type: 'text', required: true },
    state: { type: 'enum', values: ['in_seed', 'grown'] },
    price: { type: 'integer', currency: 'EUR' },
  },
}

const LIST = 'GET /_app/data/herbs'
const MINT = record('mint', { name: 'Mint', state: 'grown', price: 250 })
const SAGE = record('sage', { name: 'Sage', state: 'in_seed', price: null })
// A cast, because the types of the props allow only the collections of a generated app.
const List = RecordList as unknown as ComponentType<Record<string, unknown>>

function renderList(items: StoredRecord[], props: Record<string, unknown> = {}, answers = {}) {
  const calls = serveApp({ [LIST]: () => pageOf(items), ...answers })
  render(<List collection="herbs" partition={newTeam()} {...props} />)
  return calls
}
// Sorted, because records with the same timestamp have no defined order.
const rowNames = () =>
  screen
    .getAllByRole('rowheader')
    .map((cell) => cell.textContent)
    .toSorted()
const tableLoaded = () => waitFor(() => assert.ok(screen.getByRole('table', { name: 'Herbs' })))

describe('the list of records of an app', () => {
  test('a record list says that it is loading, then shows the records with readable values', async () => {
    renderList([MINT, SAGE])
    assert.ok(isShown('Loading herbs'))
    await tableLoaded()
    assert.deepEqual(rowNames(), ['Mint', 'Sage'])
    assert.ok(screen.getByRole('row', { name: /Mint Grown .*2[.,]50/ }))
    assert.ok(screen.getByRole('row', { name: 'Sage In seed –' }))
    assert.ok(isShown('2 herbs'))
  })

  test('an empty record list says that records will appear here', async () => {
    renderList([])
    await waitFor(() => assert.ok(screen.getByRole('heading', { name: 'No herbs yet' })))
  })

  test('a record list announces a failed read with the reason', async () => {
    renderList(
      [],
      {},
      { [LIST]: () => new RefusedResponse('forbidden', 'Only members of the team may read this.') },
    )
    await waitFor(() =>
      assert.match(
        screen.getByRole('alert').textContent ?? '',
        /could not be loaded.*Only members of the team/,
      ),
    )
  })

  test('a record list updates at once when another person adds or removes a record', async () => {
    renderList([MINT])
    await tableLoaded()
    const basil = record('basil', { name: 'Basil', state: null, price: 90 })
    await receive({
      type: 'ops',
      ops: [{ seq: 6, op: 'put', collection: 'herbs', id: 'basil', record: basil }],
    })
    assert.deepEqual(rowNames(), ['Basil', 'Mint'])
    await receive({ type: 'ops', ops: [{ seq: 7, op: 'remove', collection: 'herbs', id: 'mint' }] })
    assert.deepEqual(rowNames(), ['Basil'])
  })

  test('a record list without a connection keeps its rows and says that the connection is lost', async () => {
    renderList([MINT])
    await tableLoaded()
    await receive({ type: 'hello', seq: 5, user: null })
    await loseConnection()
    assert.ok(isShown(/The connection is lost\./))
    assert.deepEqual(rowNames(), ['Mint'])
  })

  test('search and filter of a record list combine, and clearing them shows every record again', async () => {
    renderList([MINT, SAGE])
    await tableLoaded()
    press('Grown 1')
    assert.deepEqual(rowNames(), ['Mint'])
    assert.ok(isShown('1 of 2'))
    write('Search herbs', 'sage')
    assert.ok(isShown('Nothing matches “sage”'))
    press('Clear the search')
    assert.deepEqual(rowNames(), ['Mint', 'Sage'])
    assert.equal(screen.getByRole('button', { name: 'All' }).getAttribute('aria-pressed'), 'true')
  })

  test('a record list with more pages says how many are shown, cannot be sorted, and loads the next page on request', async () => {
    const calls = renderList(
      [],
      {},
      {
        [LIST]: ({ query }: { query: { cursor?: string } }) =>
          query.cursor === 'c2' ? pageOf([SAGE]) : pageOf([MINT], 'c2'),
      },
    )
    await tableLoaded()
    assert.ok(isShown('The newest 1'))
    assert.ok(screen.queryByRole('button', { name: 'Name' }) === null)
    write('Search herbs', 'sage')
    assert.deepEqual(
      [isShown('Nothing matches “sage” among the newest 1'), isShown('0 of the newest 1')],
      [true, true],
    )
    write('Search herbs', '')
    press('Show more')
    await waitFor(() => assert.equal(rowNames().length, 2))
    assert.equal(calls[LIST]?.length, 2)
    assert.ok(screen.getByRole('button', { name: 'Name' }))
  })

  test('deleting a record asks for confirmation with the name of the record, and a rejected deletion keeps the dialog open', async () => {
    let tries = 0
    const onDelete = () => {
      tries += 1
      if (tries === 1) throw new Error('Only staff may delete herbs.')
    }
    renderList([MINT, SAGE], { onDelete })
    await tableLoaded()
    press('Delete Sage')
    const question = within(screen.getByRole('dialog', { name: 'Delete Sage?' }))
    const confirm = () => fireEvent.click(question.getByRole('button', { name: 'Delete Sage' }))
    assert.equal(tries, 0)
    confirm()
    await waitFor(() => assert.match(question.getByRole('alert').textContent ?? '', /Only staff/))
    confirm()
    await waitFor(() => assert.ok(screen.queryByRole('dialog') === null))
    assert.equal(tries, 2)
  })

  test('in a record list with an onOpen handler, the title of a record is a button that calls the handler', async () => {
    const opened: unknown[] = []
    renderList([MINT], { onOpen: (row: StoredRecord) => opened.push(row.id) })
    await tableLoaded()
    press('Mint')
    assert.deepEqual(opened, ['mint'])
  })

  test('text typed in the edit dialog of a record stays when another person removes the last record of the list', async () => {
    renderList([MINT], { onEdit: () => {} })
    await tableLoaded()
    press('Edit Mint')
    write('Name', 'Peppermint')
    await receive({ type: 'ops', ops: [{ seq: 6, op: 'remove', collection: 'herbs', id: 'mint' }] })
    assert.ok(isShown('No herbs yet'))
    assert.equal(screen.getByLabelText<HTMLInputElement>('Name').value, 'Peppermint')
  })

  test('the dialog that deletes the last record of a list closes, and a message says that it was deleted', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    renderList([MINT], { onDelete: () => promise })
    render(<ToastRegion />)
    await tableLoaded()
    press('Delete Mint')
    fireEvent.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Delete Mint' }))
    await receive({ type: 'ops', ops: [{ seq: 6, op: 'remove', collection: 'herbs', id: 'mint' }] })
    await act(async () => resolve())
    assert.ok(isShown('Mint was deleted'))
    assert.ok(screen.queryByRole('dialog') === null)
  })

  test('a sorted record list with more pages calls its loaded records the first ones, and not the newest', async () => {
    renderList([], { query: { sort: 'id', limit: 1 } }, { [LIST]: () => pageOf([MINT], 'c2') })
    await tableLoaded()
    assert.ok(isShown('The first 1'))
  })
})
