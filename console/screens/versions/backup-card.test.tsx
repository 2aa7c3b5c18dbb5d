import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Project, Version } from '@slipway/sdk/client/types.gen.ts'
import { cleanup, screen, waitFor } from '@testing-library/react'
import { connectionsQuery } from '../../api/organization/connections.ts'
import { queryClient } from '../../api/request/query-client.ts'
import {
  assertAlert,
  button,
  findMessage,
  isShown,
  isThere,
  press,
  readAgain,
  Refusal,
  serve,
  show,
  untilSent,
} from '../../testing/console.tsx'
import { BackupCard } from './backup-card.tsx'

const HISTORY = 'GET /projects/prj_1/history'
const CONNECTIONS = 'GET /connections'
const BACK_UP = 'POST /projects/prj_1/backup'
const VERSIONS = ['ccc3333xyz', 'bbb2222xyz', 'aaa1111xyz'].map((sha) => ({ sha })) as Version[]
const pushed = (sha: string) => ({ id: `his_${sha}`, type: 'backed_up', sha, at: '2026-02-01T00:00:00Z' })

/** What the fake service returns. A test changes it to change the data meanwhile. */
interface World {
  github: string
  history: object[]
  connections?: () => unknown
  readHistory?: () => unknown
  backUp?: () => unknown
}

function showCard(part: Partial<World> = {}, project: Partial<Project> = {}, versions = VERSIONS) {
  const world: World = { github: 'connected', history: [], ...part }
  const calls = serve({
    [CONNECTIONS]: () => world.connections?.() ?? { github: { status: world.github } },
    [HISTORY]: () => world.readHistory?.() ?? world.history,
    [BACK_UP]: () => world.backUp?.() ?? null,
  })
  show(
    <BackupCard
      project={{ id: 'prj_1', lifecycle: 'active', repository: null, ...project } as Project}
      versions={versions}
    />,
  )
  return { world, calls }
}
const isLoading = () => isThere('status', 'Loading')

describe('the state of a backup on its card', () => {
  test('the backup card shows neither a state nor a button until the connections and the history are loaded', async () => {
    const history = Promise.withResolvers<object[]>()
    const { calls } = showCard({ readHistory: () => history.promise })
    await waitFor(() => assert.equal(calls[CONNECTIONS]?.length, 1))
    await untilSent()
    assert.ok(isLoading())
    assert.ok(!isThere('button'))
    history.resolve([])
    assert.ok(await screen.findByText('Not backed up yet'))
    assert.ok(!isLoading())
  })

  test('the backup card says which version was pushed last, and how many newer ones are not backed up', async () => {
    for (const [sha, sentence] of [
      ['ccc3333xyz', 'The newest version is backed up'],
      ['bbb2222xyz', '1 version is not backed up yet'],
      ['aaa1111xyz', '2 versions are not backed up yet'],
      ['reverted', '3 versions are not backed up yet'],
    ] as const) {
      showCard({ history: [pushed(sha)] })
      await screen.findByText(sentence)
      assert.ok(isShown(new RegExp(`^Version ${sha.slice(0, 7)} was pushed`)), sentence)
      cleanup()
      queryClient.clear()
    }
  })

  test('the link to the backup repository opens in a new tab without access to the console, and names its address', async () => {
    const url = `https://github.test/ada/${'plants-'.repeat(40)}`
    showCard({}, { repository: { url } as NonNullable<Project['repository']> })
    const link = await screen.findByRole('link', { name: /^Repository: github\.test\/ada\/plants-/ })
    assert.deepEqual(
      ['href', 'target', 'rel'].map((name) => link.getAttribute(name)),
      [url, '_blank', 'noopener noreferrer'],
    )
  })

  test('a backup repository is still linked after the code host was disconnected', async () => {
    showCard({ github: 'none' }, { repository: { url: 'https://github.test/ada/plants' } as never })
    await screen.findByText('Connect one to keep a copy of the code outside of Slipway.')
    assert.ok(isThere('link', 'Repository: github.test/ada/plants'))
    assert.ok(!isShown(/was pushed/))
  })

  test('when the history of backups cannot be loaded, the backup card shows the request id and a button to load it again', async () => {
    const responses = [new Refusal(403, 'forbidden', 'You may not.')]
    const { calls } = showCard({ readHistory: () => responses.shift() })
    await assertAlert(/You may not.*req_test/)
    assert.ok(!isLoading())
    assert.ok(!isThere('button', 'Back up now'))
    press('Try again')
    assert.ok(await screen.findByText('Not backed up yet'))
    assert.equal(calls[HISTORY]?.length, 2)
    assert.equal(calls[CONNECTIONS]?.length, 1)
  })

  test('the backup card keeps its state when a refetch of the connections fails', async () => {
    const { world } = showCard({ history: [pushed('ccc3333xyz')] })
    await screen.findByText('The newest version is backed up')
    world.connections = () => new Refusal(403, 'forbidden', 'You may not.')
    await readAgain(connectionsQuery().queryKey)
    assert.ok(isShown('The newest version is backed up'))
    assert.ok(!isThere('alert'))
  })
})

describe('starting a backup', () => {
  test('an archived project cannot be backed up, and the button says why', async () => {
    const { calls } = showCard({ history: [pushed('aaa1111xyz')] }, { lifecycle: 'archived' })
    await screen.findByText('2 versions are not backed up yet')
    press('Back up now')
    assert.equal(button('Back up now').getAttribute('aria-description'), 'Bring the project back first')
    await untilSent()
    assert.deepEqual(calls[BACK_UP], [])
  })

  test('after a backup the backup card shows the new state before the message says that it is done', async () => {
    const { world } = showCard({ history: [pushed('aaa1111xyz')] })
    world.backUp = () => {
      world.history = [pushed('ccc3333xyz'), ...world.history]
      return { sha: 'ccc3333xyz' }
    }
    await screen.findByText('2 versions are not backed up yet')
    press('Back up now')
    await findMessage('The newest version is backed up.')
    assert.ok(isShown('The newest version is backed up'))
    assert.ok(isShown(/^Version ccc3333 was pushed/))
  })

  test('when the code host refuses the connection during a backup, the backup card offers to connect it again', async () => {
    const { world } = showCard()
    world.backUp = () => {
      world.github = 'needs_reconnect'
      return new Refusal(409, 'conflict', 'Connect GitHub again.')
    }
    await screen.findByText('Not backed up yet')
    press('Back up now')
    await assertAlert(/The backup was not made.*Connect GitHub again.*req_test/)
    assert.ok(await screen.findByText('The code host does not accept the connection any more'))
    assert.ok(isThere('link', 'Open connections'))
    assert.ok(!isThere('button', 'Back up now'))
    assert.equal(document.activeElement?.role, 'alert')
  })

  test('the console waits for a backup longer than the 120 seconds after which the service ends it', async (t) => {
    const timeouts: number[] = []
    t.mock.method(AbortSignal, 'timeout', (ms: number) => {
      timeouts.push(ms)
      return new AbortController().signal
    })
    const { calls } = showCard()
    await screen.findByText('Not backed up yet')
    timeouts.length = 0
    press('Back up now')
    await waitFor(() => assert.equal(calls[BACK_UP]?.length, 1))
    assert.ok((timeouts[0] ?? 0) > 120_000, `${timeouts[0]} ms`)
    await findMessage('The newest version is backed up.')
  })

  test('a failed backup can be started again, which removes the message about the failure', async () => {
    const responses: unknown[] = [
      new Refusal(502, 'upstream_error', 'GitHub is down.'),
      { sha: 'ccc3333xyz' },
    ]
    const { calls } = showCard({ backUp: () => responses.shift() })
    await screen.findByText('Not backed up yet')
    press('Back up now')
    await assertAlert(/GitHub is down/)
    press('Back up now')
    await waitFor(() => assert.ok(!isThere('alert')))
    await findMessage('The newest version is backed up.')
    assert.equal(calls[BACK_UP]?.length, 2)
  })
})
