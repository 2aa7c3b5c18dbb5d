import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import {
  assertAlert,
  button,
  findMessage,
  isShown,
  isThere,
  press,
  Refusal,
  serve,
  showAt,
  untilSent,
} from '../../testing/console.tsx'
import { Versions } from './versions.tsx'

const PROJECT_PATH = '/projects/prj_1'
const START_BACKUP = `POST ${PROJECT_PATH}/backup`
const REVERT_VERSION = `POST ${PROJECT_PATH}/versions/bbbbbbb222/revert`
const UNDO_REVERT = `POST ${PROJECT_PATH}/versions/aaaaaaa111/revert`
const newestVersion = {
  sha: 'aaaaaaa111',
  message: 'Sort the plants\n\nSlipway-Ticket: tkt_1',
  ticketId: 'tkt_1',
  runId: 'run_2',
  author: 'Ada',
  createdAt: '2026-02-02T00:00:00Z',
  files: 12,
  current: true,
}
const firstVersion = {
  ...newestVersion,
  sha: 'bbbbbbb222',
  message: 'List the plants',
  runId: 'run_1',
  files: 1,
  current: false,
}
const pushedEvent = { id: 'his_1', type: 'backed_up', sha: firstVersion.sha, at: '2026-02-01T00:00:00Z' }

interface VersionsOptions {
  versions?: object[]
  lifecycle?: string
  github?: string
  history?: object[]
  running?: object | null
  answers?: Record<string, () => unknown>
}

async function renderVersions(shown: VersionsOptions = {}) {
  const {
    versions = [newestVersion, firstVersion],
    lifecycle = 'active',
    github = 'connected',
    history = [],
  } = shown
  const project = { id: 'prj_1', name: 'Plants', lifecycle, repository: { url: 'https://git.test/plants' } }
  const calls = serve({
    [`GET ${PROJECT_PATH}`]: () => project,
    [`GET ${PROJECT_PATH}/versions`]: () => versions,
    [`GET ${PROJECT_PATH}/history`]: () => history,
    [`GET ${PROJECT_PATH}/deploy`]: () => ({ state: 'live', sha: firstVersion.sha }),
    [`GET ${PROJECT_PATH}/build/queue`]: () => ({ running: shown.running ?? null, queued: [] }),
    'GET /connections': () => ({ cloudflare: { connected: false }, github: { status: github } }),
    [`GET ${PROJECT_PATH}/versions/bbbbbbb222/diff`]: () => ({
      files: [{ path: 'app.tsx', added: 1, removed: 2 }],
    }),
    [START_BACKUP]: () => null,
    [REVERT_VERSION]: () => ({ sha: 'ccccccc333', restored: firstVersion.sha }),
    [UNDO_REVERT]: () => ({ sha: 'ddddddd444', restored: newestVersion.sha }),
    ...shown.answers,
  })
  await showAt('/app/projects/$projectId/versions', Versions, `${PROJECT_PATH}/versions`)
  await screen.findByRole('heading', { name: 'Versions' })
  return calls
}

describe('the versions of a project', () => {
  test('each version in the list shows its title, author and number of files, and links to its ticket', async () => {
    await renderVersions()
    const rows = within(await screen.findByRole('list', { name: 'Versions, newest first' }))
    assert.ok(rows.getByRole('link', { name: 'Sort the plants' }))
    const [row] = rows.getAllByRole('listitem')
    assert.match(row?.textContent ?? '', /Newest.*aaaaaaa.*by Ada.*12 files/)
    assert.match(rows.getAllByRole('link', { name: 'Ticket' })[0]?.getAttribute('href') ?? '', /ticket=tkt_1/)
    await waitFor(() => assert.match(rows.getAllByRole('listitem')[1]?.textContent ?? '', /Live/))
  })

  test('a project without a version yet shows a note and a link to its tickets', async () => {
    await renderVersions({ versions: [] })
    assert.ok(await screen.findByRole('heading', { name: 'No version yet' }))
    assert.ok(isThere('link', 'Open the tickets'))
  })

  test('while the first build runs, a heading replaces the list of versions and says that the build runs', async () => {
    await renderVersions({ versions: [], running: { ticketId: 'tkt_1', title: 'Plants', runId: 'run_1' } })
    assert.ok(await screen.findByRole('heading', { name: 'The first build is running' }))
  })

  test('when the versions cannot be loaded, an alert shows the request id and offers a retry', async () => {
    const answers: unknown[] = [new Refusal(403, 'forbidden', 'You may not.')]
    await renderVersions({
      answers: { [`GET ${PROJECT_PATH}/versions`]: () => answers.shift() ?? [newestVersion] },
    })
    await assertAlert(/You may not.*req_test/)
    press('Try again')
    assert.ok(await screen.findByRole('link', { name: 'Sort the plants' }))
  })
})

describe('reverting to a version', () => {
  const openDialog = async (shown: VersionsOptions = {}) => {
    const calls = await renderVersions(shown)
    fireEvent.click(await screen.findByRole('button', { name: 'Go back to this version: bbbbbbb' }))
    const dialog = await screen.findByRole('dialog', { name: 'Go back to bbbbbbb?' })
    await within(dialog).findByText('app.tsx')
    return calls
  }

  test('in the list of versions only earlier versions have a button that reverts to them', async () => {
    await renderVersions()
    await screen.findByRole('button', { name: 'Go back to this version: bbbbbbb' })
    assert.ok(!isThere('button', 'Go back to this version: aaaaaaa'))
  })

  test('a revert to an earlier version is sent once after its confirmation, and can be undone', async () => {
    const calls = await openDialog()
    await untilSent()
    assert.deepEqual(calls[REVERT_VERSION], [])
    press('Go back to bbbbbbb')
    assert.ok(await findMessage('The code is back at bbbbbbb. The preview follows.'))
    assert.equal(calls[REVERT_VERSION]?.length, 1)
    await waitFor(() => assert.ok(!isThere('dialog')))
    press('Undo')
    assert.ok(await findMessage('The revert was undone.'))
    assert.equal(calls[UNDO_REVERT]?.length, 1)
  })

  test('when undoing a revert is refused, the reason is shown', async () => {
    await openDialog({
      answers: { [UNDO_REVERT]: () => new Refusal(409, 'conflict', 'A build is running.') },
    })
    press('Go back to bbbbbbb')
    await findMessage('The code is back at bbbbbbb. The preview follows.')
    press('Undo')
    assert.ok(await findMessage('A build is running.'))
  })

  test('a refused revert to an earlier version shows its request id in the dialog', async () => {
    await openDialog({
      answers: { [REVERT_VERSION]: () => new Refusal(409, 'conflict', 'A build is running.') },
    })
    press('Go back to bbbbbbb')
    await assertAlert(/A build is running.*req_test/)
    assert.ok(isThere('dialog'))
  })

  test('an archived project must be unarchived before its code can be reverted to an earlier version', async () => {
    await renderVersions({ lifecycle: 'archived' })
    const back = await screen.findByRole('button', { name: 'Go back to this version: bbbbbbb' })
    fireEvent.click(back)
    assert.equal(back.getAttribute('aria-description'), 'Bring the project back first')
    assert.ok(!isThere('dialog'))
  })
})

describe('the backup of the versions', () => {
  test('the number of versions without a backup is shown, and two clicks start one backup', async () => {
    const { promise, resolve } = Promise.withResolvers<unknown>()
    const calls = await renderVersions({ history: [pushedEvent], answers: { [START_BACKUP]: () => promise } })
    assert.ok(await screen.findByText('1 version is not backed up yet'))
    press('Back up now')
    await waitFor(() => assert.equal(calls[START_BACKUP]?.length, 1))
    press(/Back up now$/)
    resolve(null)
    assert.ok(await findMessage('The newest version is backed up.'))
    assert.equal(calls[START_BACKUP]?.length, 1)
  })

  test('when a backup fails, an alert with the request id takes the focus', async () => {
    await renderVersions({
      answers: { [START_BACKUP]: () => new Refusal(502, 'upstream_error', 'The code host refused it.') },
    })
    await screen.findByText('Not backed up yet')
    press('Back up now')
    await assertAlert(/The backup was not made.*The code host refused it.*req_test/)
    assert.equal(document.activeElement?.role, 'alert')
  })

  test('without a code host the backup card links to the connections', async () => {
    await renderVersions({ github: 'none' })
    assert.ok(await screen.findByText('No code host is connected'))
    assert.match(
      screen.getByRole('link', { name: 'Open connections' }).getAttribute('href') ?? '',
      /connections/,
    )
    assert.ok(!isThere('button', 'Back up now'))
  })

  test('when the code host no longer accepts the connection, the backup card gives this as the reason for no backup', async () => {
    await renderVersions({ github: 'needs_reconnect' })
    assert.ok(await screen.findByText('The code host does not accept the connection any more'))
  })

  test('before the first version the backup button starts no backup and says that nothing is built yet', async () => {
    const calls = await renderVersions({ versions: [] })
    await screen.findByText('Not backed up yet')
    press('Back up now')
    assert.equal(button('Back up now').getAttribute('aria-description'), 'Nothing is built yet')
    await untilSent()
    assert.deepEqual(calls[START_BACKUP], [])
    assert.ok(isShown('The code with all its versions, in a private repository of your own.'))
  })
})
