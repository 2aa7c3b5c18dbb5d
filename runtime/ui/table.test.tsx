import assert from 'node:assert/strict'
import { describe, mock, test } from 'node:test'
import { fireEvent, isShown, press, render, screen, write } from '../testing/kit.test.fixture.tsx'
import { Table } from './table.tsx'

interface Order {
  id: string
  buyer: string
  amount: number | null
}

const ordersOf = (...amounts: (number | null)[]): Order[] =>
  amounts.map((amount, n) => ({ id: `o${n}`, buyer: `Buyer ${n + 1}`, amount }))
const columns = [
  { key: 'buyer', title: 'Buyer', value: (row: Order) => row.buyer },
  { key: 'amount', title: 'Amount', value: (row: Order) => row.amount, total: true },
]
const renderTable = (rows: Order[], more: Partial<Parameters<typeof Table<Order>>[0]> = {}) =>
  render(<Table label="Orders" rows={rows} rowKey={(row) => row.id} columns={columns} {...more} />)
const buyerCells = () => screen.getAllByRole('rowheader').map((cell) => cell.textContent)
const sortDirection = (name: string) => screen.getByRole('columnheader', { name }).getAttribute('aria-sort')

describe('a table of an app', () => {
  test('an empty table says that it has no rows, or shows the given empty state', () => {
    const { unmount } = renderTable([])
    assert.ok(screen.getByRole('heading', { name: 'No orders yet' }))
    unmount()
    renderTable([], { empty: <p>Sell something first.</p> })
    assert.ok(isShown('Sell something first.'))
    assert.equal(isShown('No orders yet'), false)
  })

  test('a table has an accessible name, a row count, and a last row with the totals of columns', () => {
    renderTable(ordersOf(1200, 300))
    assert.ok(screen.getByRole('table', { name: 'Orders' }))
    assert.equal(screen.getByRole('status').textContent, '2 orders')
    const sums = screen.getAllByRole('row').at(-1)?.textContent
    assert.equal(sums, `Total${(1500).toLocaleString()}`)
  })

  test('the total of a column with its own format is shown in that format', () => {
    const euros = (cents: number) => `${cents / 100} EUR`
    renderTable(ordersOf(1200, 350), {
      columns: [
        ...columns.slice(0, 1),
        {
          key: 'amount',
          title: 'Amount',
          value: (row) => row.amount,
          show: (row) => euros(row.amount ?? 0),
          total: true,
          showSum: euros,
        },
      ],
    })
    assert.deepEqual(
      screen.getAllByRole('row').map((row) => row.textContent),
      ['BuyerAmount', 'Buyer 112 EUR', 'Buyer 23.5 EUR', 'Total15.5 EUR'],
    )
  })

  test('clicking a column header sorts ascending, then descending, then in the original order, with empty values always last', () => {
    renderTable(ordersOf(20, null, 3))
    press('Amount')
    assert.deepEqual(buyerCells(), ['Buyer 3', 'Buyer 1', 'Buyer 2', 'Total'])
    assert.equal(sortDirection('Amount'), 'ascending')
    press('Amount')
    assert.deepEqual(buyerCells(), ['Buyer 1', 'Buyer 3', 'Buyer 2', 'Total'])
    assert.equal(sortDirection('Amount'), 'descending')
    press('Amount')
    assert.deepEqual(buyerCells(), ['Buyer 1', 'Buyer 2', 'Buyer 3', 'Total'])
    assert.equal(sortDirection('Amount'), 'none')
  })

  test('table values that contain numbers are sorted in numeric order', () => {
    const rows = ordersOf(...Array<number>(11).fill(1)).toReversed()
    renderTable(rows)
    press('Buyer')
    assert.deepEqual(buyerCells().slice(0, 3), ['Buyer 1', 'Buyer 2', 'Buyer 3'])
  })

  test('a short table has no search box, and searching a long one finds the rows that contain every typed word', () => {
    const { unmount } = renderTable(ordersOf(1, 2))
    assert.ok(screen.queryByRole('searchbox') === null)
    unmount()
    renderTable(ordersOf(1, 2, 3, 4, 5, 6, 7, 88))
    write('Search orders', 'BUYER 88')
    assert.deepEqual(buyerCells(), ['Buyer 8', 'Total'])
    assert.equal(screen.getByRole('status').textContent, '1 of 8 orders')
    write('Search orders', 'nothing like it ')
    assert.ok(isShown('Nothing matches “nothing like it”'))
  })

  test('each click on "Show more" adds up to fifty rows of a long table, and the button disappears when all are shown', () => {
    renderTable(ordersOf(...Array<number>(120).fill(1)))
    assert.equal(buyerCells().length, 51)
    press('Show more')
    press('Show more')
    assert.equal(buyerCells().length, 121)
    assert.ok(screen.queryByRole('button', { name: 'Show more' }) === null)
  })

  test('each table row has its own actions', () => {
    const opened: string[] = []
    renderTable(ordersOf(1, 2), {
      actions: (row) => (
        <button type="button" onClick={() => opened.push(row.id)}>
          Open {row.buyer}
        </button>
      ),
    })
    press('Open Buyer 2')
    assert.deepEqual(opened, ['o1'])
    assert.ok(screen.getByRole('columnheader', { name: 'Actions' }))
  })

  test('the CSV export of a table has the shown rows in their order, and escapes formulas', async () => {
    let file: Blob | null = null
    const make = mock.method(URL, 'createObjectURL', (blob: Blob) => {
      file = blob
      return 'blob:orders'
    })
    // A real click on the link would make the test document navigate away.
    const follow = mock.method(HTMLAnchorElement.prototype, 'click', () => {})
    const rows = [...ordersOf(1, 2, 3, 4, 5, 6, 7, 8), { id: 'bad', buyer: '=1+1', amount: null }]
    renderTable(rows, { csv: 'orders.csv' })
    press('Amount')
    press('Amount')
    fireEvent.click(screen.getByRole('button', { name: 'Download CSV' }))
    make.mock.restore()
    follow.mock.restore()
    const lines = (await (file as Blob | null)?.text())?.replace('\uFEFF', '').split('\r\n')
    assert.deepEqual(lines?.slice(0, 2), ['Buyer,Amount', 'Buyer 8,8'])
    assert.equal(lines?.at(-2), "'=1+1,")
  })

  test('a search in a table can still be cleared after rows were removed', () => {
    const rows = ordersOf(1, 2, 3, 4, 5, 6, 7, 8)
    const { rerender } = renderTable(rows)
    write('Search orders', 'buyer 2')
    assert.deepEqual(buyerCells(), ['Buyer 2', 'Total'])
    rerender(<Table label="Orders" rows={rows.slice(0, 3)} rowKey={(row) => row.id} columns={columns} />)
    write('Search orders', '')
    assert.deepEqual(buyerCells(), ['Buyer 1', 'Buyer 2', 'Buyer 3', 'Total'])
  })

  test('a table cell is empty when the `show` of its column returns null, and does not show the value instead', () => {
    const show = ({ amount }: Order) => (amount === null || amount > 100 ? <b>large</b> : null)
    renderTable(ordersOf(7, 500), {
      columns: [...columns.slice(0, 1), { key: 'amount', title: 'Amount', value: (row) => row.amount, show }],
    })
    assert.deepEqual(
      screen.getAllByRole('cell').map((cell) => cell.textContent),
      ['', 'large'],
    )
  })
})
