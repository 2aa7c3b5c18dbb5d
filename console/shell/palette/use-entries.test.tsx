import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { act, waitFor } from '@testing-library/react'
import { Refusal, serve, show, untilSent } from '../../testing/console.tsx'
import { testTicket } from '../../testing/tickets.ts'
import type { PaletteEntry } from './entries.ts'
import { rememberPage } from './recent.ts'
import { useEntries } from './use-entries.tsx'

const PROJECTS = 'GET /projects'
const TICKETS = 'GET /projects/prj_1/tickets/search'
const pageOf = <T,>(...items: T[]) => ({ items, nextCursor: null })
type Call = { query: Record<string, string> }

interface Given {
  pathname?: string
  projects?: (call: Call) => unknown
  tickets?: (call: Call) => unknown
}

/** Returns the palette entries, by default on a page of `prj_1`. `type` types a text and waits for the results. */
async function renderEntries({
  pathname = '/projects/prj_1',
  projects = () => pageOf(),
  tickets = () => pageOf(),
}: Given = {}) {
  const calls = serve({
    [PROJECTS]: projects,
    [TICKETS]: tickets,
    'GET /projects/prj_1': () => ({ id: 'prj_1', name: 'Plants' }),
  })
  let entries: PaletteEntry[] = []
  const Host = ({ typed, asked }: { typed: string; asked: string }) => {
    entries = useEntries({ pathname, typed, asked, onShowShortcuts: () => {} })
    return null
  }
  const { rerender } = show(<Host typed="" asked="" />)
  await untilSent()
  return {
    calls,
    type: async (typed: string, asked = typed) => {
      await act(async () => rerender(<Host typed={typed} asked={asked} />))
      await untilSent()
    },
    ids: (...groups: string[]) => entries.filter(({ group }) => groups.includes(group)).map(({ id }) => id),
    entryOf: (id: string) => entries.find((entry) => entry.id === id),
  }
}

describe('the entries of the command palette', () => {
  test('on a project page the palette offers the project actions and pages, but no actions for single capabilities', async () => {
    const { ids, entryOf } = await renderEntries()
    await waitFor(() => assert.equal(entryOf('ship')?.detail, 'Plants'))
    assert.equal(entryOf('ship')?.to, '/projects/prj_1/ship')
    assert.equal(entryOf('section Code')?.to, '/projects/prj_1/code')
    assert.deepEqual(ids('actions'), [
      'ship',
      'newProject',
      'connectModel',
      'connectAccounts',
      'createKey',
      'shortcuts',
    ])
  })

  test('a search in the palette finds the set-up page of a capability of the project, and the color themes', async () => {
    const { type, ids, entryOf } = await renderEntries()
    await type('email')
    await waitFor(() => assert.equal(entryOf('set up email')?.to, '/projects/prj_1/capabilities/email'))
    await type('dark')
    assert.deepEqual(ids('actions'), ['theme dark'])
  })

  test('outside a project the palette offers no project actions and requests no tickets', async () => {
    const { type, ids, entryOf, calls } = await renderEntries({ pathname: '/activity' })
    await type('plants')
    assert.equal(entryOf('ship'), undefined)
    assert.deepEqual(ids('tickets'), [])
    assert.deepEqual(calls[TICKETS], [])
  })

  test('a search in the palette finds tickets of the project, and a chosen ticket opens with its details', async () => {
    const { type, ids, entryOf, calls } = await renderEntries({
      tickets: () => pageOf(testTicket('tkt_1', { title: 'Water' })),
    })
    await type(' water ')
    await waitFor(() => assert.deepEqual(ids('tickets'), ['ticket tkt_1']))
    assert.deepEqual(
      calls[TICKETS]?.map(({ query }) => query['q']),
      ['water'],
    )
    assert.equal(entryOf('ticket tkt_1')?.to, '/projects/prj_1?ticket=tkt_1&tab=ticket&pane=work')
  })

  test('until new ticket results arrive, the palette shows only the earlier results that contain the typed text', async () => {
    const { type, ids } = await renderEntries({
      tickets: ({ query }) =>
        pageOf(
          ...(query['q'] === 'wa'
            ? [testTicket('t1', { title: 'Water' }), testTicket('t2', { title: 'Dig' })]
            : []),
        ),
    })
    await type('wa')
    await waitFor(() => assert.deepEqual(ids('tickets'), ['ticket t1', 'ticket t2']))
    await type('wat', 'wa')
    assert.deepEqual(ids('tickets'), ['ticket t1'])
  })

  test('when the search for tickets and projects fails, the palette still lists its other entries', async () => {
    const { type, ids } = await renderEntries({
      projects: () => new Refusal(400, 'invalid_request', 'Not now.'),
      tickets: () => new Refusal(400, 'invalid_request', 'Not now.'),
    })
    await type('api key')
    assert.deepEqual(ids('tickets', 'projects'), [])
    assert.equal(ids('actions')[0], 'createKey')
  })

  test('the palette lists up to five recent pages first, without the current page and without duplicate projects', async () => {
    for (const id of ['prj_1', 'prj_2', 'prj_3', 'prj_4', 'prj_5', 'prj_6', 'prj_7'])
      rememberPage({ to: `/projects/${id}`, label: id })
    const { ids } = await renderEntries({
      pathname: '/projects/prj_7',
      projects: () => pageOf({ id: 'prj_6', name: 'Six' }, { id: 'prj_1', name: 'One' }),
    })
    await waitFor(() =>
      assert.deepEqual(ids('recent', 'projects'), [
        'recent /projects/prj_6',
        'recent /projects/prj_5',
        'recent /projects/prj_4',
        'recent /projects/prj_3',
        'recent /projects/prj_2',
        'project prj_1',
      ]),
    )
  })
})
