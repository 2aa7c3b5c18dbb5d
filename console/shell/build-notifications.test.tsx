import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { usePageTitle } from '../ui/page/page.tsx'
import { findMessage, isShown, serve, showAt, untilSent } from '../testing/console.tsx'
import { act, waitFor } from '@testing-library/react'
import { queryClient } from '../api/request/query-client.ts'
import { attentionQuery } from '../api/project/attention.ts'
import { BuildNotifications } from './build-notifications.tsx'

const built = (runId: string, title: string, projectId = 'a') => ({
  runId,
  projectId,
  projectName: 'Plants',
  ticketId: `tkt_${runId}`,
  title,
  state: 'built' as const,
  at: '2026-01-01T00:00:00Z',
})

function Page() {
  usePageTitle('Projects')
  return <BuildNotifications />
}
const seen = () => localStorage.getItem('slipway.seen-builds')?.split(' ').toSorted()
const reread = () => act(() => queryClient.refetchQueries({ queryKey: attentionQuery().queryKey }))

describe('the messages about builds of other pages', () => {
  test('on the first visit the builds so far are not announced, and the ones after them are', async () => {
    const items = [built('r1', 'Old ticket'), built('r2', 'Other ticket', 'b')]
    serve({ 'GET /attention': () => ({ items }) })
    await showAt('/app/projects', Page, '/projects')
    await waitFor(() => assert.deepEqual(seen(), ['r1', 'r2']))
    assert.match(document.title, /^Projects/)
    items.push(built('r3', 'New ticket'))
    await reread()
    await findMessage(/New ticket/)
    assert.match(document.title, /^\(1\) Projects/)
    await untilSent()
    assert.deepEqual([isShown(/Old ticket/), isShown(/Other ticket/)], [false, false])
  })

  test('opening a project marks its builds as seen, and leaves those of the others', async () => {
    localStorage.setItem('slipway.seen-builds', 'r0')
    serve({ 'GET /attention': () => ({ items: [built('r1', 'Here'), built('r2', 'There', 'b')] }) })
    await showAt('/app/projects/$projectId', Page, '/projects/a')
    await waitFor(() => assert.deepEqual(seen(), ['r0', 'r1']))
    assert.match(document.title, /^\(1\) Projects/)
  })
})
