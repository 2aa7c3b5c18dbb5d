import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { screen, waitFor } from '@testing-library/react'
import {
  button,
  isThere,
  press,
  Refusal,
  type Responder,
  serve,
  showAt,
  write,
} from '../../../testing/console.tsx'
import { Collection } from './collection.tsx'

const DATA_PATH = '/projects/prj_1/capabilities/data'
const COLLECTIONS = `GET ${DATA_PATH}/collections`
const PAGES = `GET ${DATA_PATH}/pages/plants`
const FIND = `GET ${DATA_PATH}/query`
const plants = {
  name: 'plants',
  title: 'My plants',
  partition: 'app',
  count: 1,
  updatedAt: null,
  fields: [{ name: 'title', type: 'text', required: true, index: true }],
}

const EMPTY_PAGE = { items: [], nextCursor: null }

async function open(collections: () => unknown, search = '', pages: Responder = () => EMPTY_PAGE) {
  const calls = serve({
    [COLLECTIONS]: collections,
    [PAGES]: pages,
    [FIND]: () => [],
    'GET /projects/prj_1': () => ({ id: 'prj_1', name: 'Garden' }),
  })
  const page = await showAt(
    '/app/projects/$projectId/capabilities/data/$collection',
    Collection,
    `/projects/prj_1/capabilities/data/plants${search}`,
  )
  await screen.findByText(collections() instanceof Refusal ? 'Try again' : 'Export CSV')
  return { ...page, calls, queries: () => calls[PAGES]?.map(({ query }) => query) }
}
const has = (...names: string[]) => names.filter((name) => isThere('button', name))
const BUTTONS = ['Filter', 'Export CSV', 'Import CSV', 'Add record']

describe('the page of a collection', () => {
  test('records that belong to the app, not to a person or team, can be filtered, exported, imported and added', async () => {
    await open(() => [plants])
    await screen.findByRole('heading', { name: 'My plants' })
    assert.deepEqual(has(...BUTTONS), BUTTONS)
  })

  test('records that belong to people can be added one by one, but not imported', async () => {
    await open(() => [{ ...plants, partition: 'user' }])
    assert.deepEqual(has(...BUTTONS), ['Filter', 'Export CSV', 'Add record'])
  })

  test('records that belong to a team cannot be added, because only the app knows the members of a team', async () => {
    await open(() => [{ ...plants, partition: 'team' }])
    assert.deepEqual(has(...BUTTONS), ['Filter', 'Export CSV'])
  })

  test('a collection that the live app no longer declares can be read under its name, but no record can be added', async () => {
    const { queries } = await open(() => [{ ...plants, name: 'others' }])
    await screen.findByRole('heading', { name: 'plants' })
    assert.deepEqual(has(...BUTTONS), ['Export CSV'])
    await waitFor(() => assert.deepEqual(queries(), [{ limit: '50' }]))
  })

  test('when the collections of an app cannot be loaded, their page shows the reason, and a retry shows the collection', async () => {
    let isAway = true
    await open(() => (isAway ? new Refusal(400, 'invalid_request', 'Not now.') : [plants]))
    await screen.findByText('Not now.')
    isAway = false
    press('Try again')
    await screen.findByRole('heading', { name: 'My plants' })
  })

  test('choosing a sort order of the records stores it in the URL and closes the open record', async () => {
    const { place, queries } = await open(() => [plants], '?record=app%2Frec_1')
    write('Sort by', 'title')
    await waitFor(() => assert.equal(place(), '/projects/prj_1/capabilities/data/plants?sort=title'))
    await waitFor(() => assert.deepEqual(queries()?.at(-1), { limit: '50', sort: 'title' }))
    write('Sort by', '')
    await waitFor(() => assert.equal(place(), '/projects/prj_1/capabilities/data/plants'))
  })

  test('while a search for records is active, sorting and filters are hidden, and clearing the search removes it from the URL', async () => {
    const { place, calls } = await open(() => [plants])
    press('Filter')
    assert.ok(isThere('form', 'Filter'))
    write('Search records', ' fern ')
    await waitFor(() => assert.equal(place(), '/projects/prj_1/capabilities/data/plants?q=fern'))
    await waitFor(() => assert.equal(isThere('combobox', 'Sort by'), false))
    assert.deepEqual(has('Filter'), [])
    assert.equal(isThere('form', 'Filter'), false)
    await waitFor(() =>
      assert.deepEqual(
        calls[FIND]?.map(({ query }) => query),
        [{ collection: 'plants', q: 'fern' }],
      ),
    )
    write('Search records', '')
    await waitFor(() => assert.equal(place(), '/projects/prj_1/capabilities/data/plants'))
    assert.deepEqual(has('Filter'), ['Filter'])
  })

  test('a search text for records is cut to 200 characters, and malformed filters in the URL are ignored', async () => {
    const { place, queries } = await open(() => [plants], '?where=%7Bbroken')
    await waitFor(() => assert.deepEqual(queries(), [{ limit: '50' }]))
    write('Search records', 'x'.repeat(300))
    await waitFor(() => assert.match(place(), new RegExp(`[?&]q=x{200}(&|$)`)))
  })

  test('a search text for records that is too long is never cut in the middle of a character', async () => {
    const { place } = await open(() => [plants])
    write('Search records', `${'x'.repeat(199)}🌱`)
    await waitFor(() => assert.match(place(), new RegExp(`[?&]q=x{199}(&|$)`)))
  })

  test('the button that exports the records keeps the keyboard focus while it stops the export, and after the export', async () => {
    let respond = () => {}
    const held = new Promise<void>((resolve) => (respond = resolve))
    await open(
      () => [plants],
      '',
      ({ query }) =>
        query['limit'] === '50'
          ? EMPTY_PAGE
          : held.then(() => new Refusal(400, 'invalid_request', 'Not now.')),
    )
    button('Export CSV').focus()
    press('Export CSV')
    const stop = await screen.findByRole('button', { name: 'Stop' })
    assert.ok(document.activeElement === stop)
    respond()
    const start = await screen.findByRole('button', { name: 'Export CSV' })
    assert.ok(document.activeElement === start)
  })
})
