import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { act, fireEvent, waitFor } from '@testing-library/react'
import { type AttentionBuild, attentionQuery } from '../api/project/attention.ts'
import { usePageTitle } from '../ui/page/page.tsx'
import { findMessage, isShown, press, readAgain, serve, showAt, untilSent } from '../testing/console.tsx'
import { BuildNotifications } from './build-notifications.tsx'

const ATTENTION = 'GET /attention'
const item = (runId: string, part: Partial<AttentionBuild> = {}): AttentionBuild => ({
  projectId: 'prj_1',
  projectName: 'Plants',
  ticketId: `tkt_${runId}`,
  title: `Ticket ${runId}`,
  runId,
  state: 'built',
  at: '2026-01-01T00:00:00Z',
  ...part,
})

function Page() {
  usePageTitle('Page')
  return <BuildNotifications />
}

/** Opens a page of the console. `items` are the builds that the service lists. */
async function open(items: AttentionBuild[], address = '/projects/prj_other') {
  let listed = items
  const calls = serve({ [ATTENTION]: () => ({ items: listed }) })
  const page = await showAt('/app/projects/$projectId', Page, address)
  await waitFor(() => assert.equal(calls[ATTENTION]?.length, 1))
  await untilSent()
  return {
    ...page,
    listed: (next: AttentionBuild[]) => {
      listed = next
      return readAgain(attentionQuery().queryKey)
    },
  }
}
function hideTab(t: TestContext) {
  let isHidden = true
  t.mock.getter(document, 'hidden', () => isHidden)
  return () => {
    isHidden = false
    act(() => void fireEvent(document, new Event('visibilitychange')))
  }
}

describe('the messages about builds that ended', () => {
  test("on a user's first visit no listed build is announced or counted, but one that ends later is announced and counted", async () => {
    const { listed } = await open([item('a'), item('b')])
    assert.equal(document.title, 'Page · Slipway')
    await listed([item('c'), item('a'), item('b')])
    assert.ok(await findMessage('Built: Ticket c'))
    assert.equal(document.title, '(1) Page · Slipway')
    assert.equal(isShown('Built: Ticket a'), false)
  })

  test('the message about a build opens the ticket, and opening the project removes the build from the count', async () => {
    const { listed, place } = await open([])
    await listed([item('a', { state: 'failed' })])
    await findMessage('Build failed: Ticket a')
    press('Open')
    await waitFor(() => assert.equal(place(), '/projects/prj_1?ticket=tkt_a&tab=build&pane=work'))
    await waitFor(() => assert.equal(document.title, 'Page · Slipway'))
  })

  test('the end of a build of the open ticket is not announced, but that of other builds of the project is', async () => {
    const { listed } = await open([], '/projects/prj_1?ticket=tkt_a')
    await listed([item('a'), item('b', { state: 'asking' })])
    await findMessage('Needs your answer: Ticket b')
    assert.equal(isShown('Built: Ticket a'), false)
    assert.equal(document.title, 'Page · Slipway')
  })

  test('when many builds end at once, all are counted but only three are announced', async () => {
    const { listed } = await open([])
    await listed(['a', 'b', 'c', 'd'].map((runId) => item(runId)))
    await findMessage('Built: Ticket c')
    assert.equal(isShown('Built: Ticket d'), false)
    assert.equal(document.title, '(4) Page · Slipway')
  })

  test('a build that ends while the tab is hidden is counted, and is announced when the tab is shown again', async (t) => {
    const { listed } = await open([])
    const showTab = hideTab(t)
    await listed([item('a')])
    assert.equal(document.title, '(1) Page · Slipway')
    showTab()
    await findMessage('Built: Ticket a')
  })

  test('a build that the user has seen in another tab is not announced', async (t) => {
    const { listed } = await open([])
    const showTab = hideTab(t)
    await listed([item('a')])
    localStorage.setItem('slipway.seen-builds.usr_ada.org_1', 'a')
    showTab()
    assert.equal(document.title, 'Page · Slipway')
    await listed([item('b'), item('a')])
    await findMessage('Built: Ticket b')
    assert.equal(isShown('Built: Ticket a'), false)
  })

  test('in a browser that blocks storage the console opens, and no build is counted', async () => {
    const storage = localStorage
    const define = (part: PropertyDescriptor) =>
      Object.defineProperty(globalThis, 'localStorage', { configurable: true, ...part })
    const forbid = () => {
      throw new DOMException('Access is denied.', 'SecurityError')
    }
    define({ get: forbid })
    try {
      const { listed } = await open([item('a')])
      await listed([item('b'), item('a')])
      assert.equal(document.title, 'Page · Slipway')
    } finally {
      define({ value: storage, writable: true })
    }
  })
})
