import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { act, screen, waitFor } from '@testing-library/react'
import { formatMoney } from '@slipway/runtime/web/money.ts'
import { queryClient } from '../../../api/request/query-client.ts'
import { field, isShown, press, Refusal, serve, show, write } from '../../../testing/console.tsx'
import type { CollectionSchema } from './record-grid.tsx'
import { readFilters } from './record-order.ts'
import { OrderedRecords } from './records.tsx'

const DATA_PATH = '/projects/prj_1/capabilities/data'
const info: CollectionSchema = {
  name: 'tasks',
  title: 'Tasks',
  partition: 'app',
  fields: [
    { name: 'title', type: 'text', required: true, title: 'What to do' },
    { name: 'size', type: 'integer', required: false, index: true },
    { name: 'price', type: 'integer', required: false, index: true, currency: 'EUR' },
    { name: 'project', type: 'ref', required: false, ref: 'projects' },
  ],
}
const projects = {
  name: 'projects',
  title: 'Projects',
  label: 'name',
  fields: [{ name: 'name', type: 'text', required: true }],
}
const ADA = `u_${'a'.repeat(26)}`
const numberedRecord = (n: number, more: object = {}) => ({
  id: `record-${n}`,
  partition: 'app',
  ownerId: null,
  rev: 1,
  createdAt: '2026-11-20T00:00:00.000Z',
  updatedAt: '2026-11-20T00:00:00.000Z',
  title: `Task ${n}`,
  ...more,
})

function renderRecords(pages: Record<string, unknown>, where?: string, place?: string) {
  const orders: object[] = []
  const calls = serve({
    [`GET ${DATA_PATH}/pages/tasks`]: ({ query }) => pages[query['cursor'] ?? ''],
    [`GET ${DATA_PATH}/collections`]: () => [projects],
    [`GET ${DATA_PATH}/pages/projects`]: () => ({
      items: [numberedRecord(9, { id: 'rec_house', name: 'The house' })],
      nextCursor: null,
    }),
  })
  show(
    <OrderedRecords
      projectId="prj_1"
      info={info}
      order={{ sort: '-size', where }}
      filters={readFilters(where)}
      record={place}
      onOpen={() => {}}
      onOrder={(order) => orders.push(order)}
    />,
  )
  return { orders, asked: () => calls[`GET ${DATA_PATH}/pages/tasks`]?.map(({ query }) => query) }
}

describe('the records of a collection', () => {
  test('records are loaded in pages of fifty in the sort order of the URL', async () => {
    const { asked } = renderRecords({
      '': { items: [numberedRecord(1)], nextCursor: 'next' },
      next: { items: [numberedRecord(2)], nextCursor: null },
    })
    await screen.findByText('The first 1')
    press('Show more')
    await screen.findByText('2 records')
    assert.ok(isShown('Task 1') && isShown('Task 2'))
    assert.deepEqual(asked(), [
      { limit: '50', sort: '-size' },
      { limit: '50', sort: '-size', cursor: 'next' },
    ])
  })

  test('the record grid shows field titles, labels of referenced records and links to owners', async () => {
    renderRecords({
      '': { items: [numberedRecord(1, { project: 'rec_house', ownerId: ADA })], nextCursor: null },
    })
    await screen.findByText('The house')
    assert.ok(isShown('What to do'))
    const link = screen.getByRole('link', { name: /Show person/ })
    assert.equal(link.getAttribute('href'), `/projects/prj_1/capabilities/auth?tab=live&q=${ADA}`)
  })

  test('an amount of money is shown in its currency in the record grid and in an active filter', async () => {
    renderRecords(
      { '': { items: [numberedRecord(1, { size: 3, price: 125_050 })], nextCursor: null } },
      '{"price":{"gte":1250}}',
    )
    await screen.findByText(formatMoney(125_050, 'EUR'))
    assert.ok(isShown('3'))
    assert.ok(isShown(`Price is at least ${formatMoney(1250, 'EUR')}`))
  })

  test('the dialog of a record stays open when a refetched list no longer contains the record', async () => {
    const pages = { '': { items: [numberedRecord(1), numberedRecord(2)], nextCursor: null } }
    const { asked } = renderRecords(pages, undefined, 'app/record-2')
    await screen.findByRole('dialog')
    write('What to do', 'Half a thou')
    pages[''] = { items: [numberedRecord(1)], nextCursor: null }
    await act(() => queryClient.invalidateQueries())
    await waitFor(() => assert.equal(asked()?.length, 2))
    await screen.findByText('1 record')
    assert.equal(field('What to do').value, 'Half a thou')
  })

  test('a record filter that matches no record can be removed', async () => {
    const { orders, asked } = renderRecords({ '': { items: [], nextCursor: null } }, '{"size":{"gte":3}}')
    await screen.findByText('No record matches the filters')
    assert.equal(asked()?.[0]?.['where'], '{"size":{"gte":3}}')
    press('Remove filter: Size is at least 3')
    assert.deepEqual(orders, [{ where: undefined, record: undefined }])
  })

  test('a sort order that the app refuses is reported and can be removed', async () => {
    const { orders } = renderRecords({ '': new Refusal(400, 'invalid_request', 'sort: size has no index') })
    await waitFor(() => assert.ok(isShown('This order or filter is not possible here')))
    press('Show all records')
    assert.deepEqual(orders, [{ sort: undefined, where: undefined, record: undefined }])
  })
})
