import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { DeployState } from '@slipway/sdk/client/types.gen.ts'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import type { ManagedResource, Release } from '../../api/project/deployments.ts'
import {
  assertAlert,
  button,
  isShown,
  isThere,
  press,
  Refusal,
  serve,
  show,
  untilSent,
} from '../../testing/console.tsx'
import { inDialog, pressInDialog } from '../../testing/dialog.ts'
import { serveHeld } from '../../testing/held.ts'
import { ReleasesPanel } from './releases-panel.tsx'

const ROLL_BACK = 'POST /projects/prj_1/resources/res_1/rollback'
const LIVE_URL = 'https://plants.example.com'
const busyRefusal = new Refusal(409, 'conflict', 'A ship is running.')

const releaseOf = (n: number, part: Partial<Release> = {}): Release =>
  ({
    id: `rel_${n}`,
    sha: `${n}`.repeat(10),
    at: '2026-01-01T00:00:00Z',
    actor: 'Ada',
    current: false,
    previous: false,
    ...part,
  }) as Release
const two = [releaseOf(2, { current: true }), releaseOf(1, { previous: true })]
const workerAt = (url: string | null) =>
  ({ id: 'res_1', name: 'plants-live', kind: 'worker', status: 'ok', url }) as ManagedResource

const versions = {
  'GET /projects/prj_1/versions': () => [
    { sha: two[0]?.sha, message: 'Keeps plants\n\nby Ada', ticketId: null },
    { sha: two[1]?.sha, message: 'First version', ticketId: null },
  ],
}

interface PanelState {
  releases?: Release[]
  state?: DeployState['state']
  managed?: ManagedResource[]
}

function Releases({ releases = two, state = 'live', managed = [workerAt(LIVE_URL)] }: PanelState) {
  return (
    <ReleasesPanel
      projectId="prj_1"
      deployment={{ state, url: LIVE_URL } as DeployState}
      deployments={{ releases, managed }}
    />
  )
}

function renderReleases(state: PanelState = {}, ...answers: unknown[]) {
  const calls = serve({ ...versions, [ROLL_BACK]: () => answers.shift() })
  const { rerender } = show(<Releases {...state} />)
  return {
    change: (next: PanelState) => rerender(<Releases {...next} />),
    sent: () => calls[ROLL_BACK]?.length,
  }
}
const openDialog = async () => {
  press('Roll back')
  await screen.findByRole('dialog', { name: 'Roll back the live app?' })
}
const shownReleases = () => screen.getAllByRole('listitem')

describe('the list of releases', () => {
  test('a project without releases says that nothing was shipped yet and has no rollback button', () => {
    renderReleases({ releases: [] })
    assert.ok(isShown(/Nothing was shipped yet/))
    assert.ok(!isThere('listitem'))
    assert.ok(!isThere('button'))
  })

  test('each release is a link to its version, names who shipped it, and only the current release is marked as live', async () => {
    renderReleases({ releases: [...two, releaseOf(3, { actor: null })] })
    await screen.findByText('Keeps plants')
    const [live, first, unknown] = shownReleases().map((row) => ({
      text: row.textContent ?? '',
      link: within(row).getByRole('link').getAttribute('href') ?? '',
    }))
    assert.match(live?.text ?? '', /^Keeps plants 2222222.*by Ada.*Live now$/)
    assert.match(live?.link ?? '', /prj_1.*2222222222/)
    assert.match(first?.text ?? '', /^First version 1111111.*by Ada$/)
    assert.match(unknown?.text ?? '', /^3333333/)
    assert.doesNotMatch(unknown?.text ?? '', /by|Live now/)
  })

  test('a list of many releases shows ten, then fifty more at each press of “Show more”', () => {
    renderReleases({ releases: [...two, ...Array.from({ length: 70 }, (_, n) => releaseOf(n + 10))] })
    assert.equal(shownReleases().length, 10)
    press('Show more')
    assert.equal(shownReleases().length, 60)
    press('Show more')
    assert.equal(shownReleases().length, 72)
    assert.ok(!isThere('button', 'Show more'))
  })

  test('when “Show more” disappears after the last releases, the focus moves to the first release that it added', () => {
    renderReleases({ releases: [...two, ...Array.from({ length: 70 }, (_, n) => releaseOf(n + 10))] })
    button('Show more').focus()
    press('Show more')
    assert.ok(document.activeElement === button('Show more'))
    press('Show more')
    assert.ok(document.activeElement === shownReleases()[60])
  })
})

describe('the rollback of the live app', () => {
  test('the rollback button is disabled with a reason in an archived project, during a release and without an earlier version', () => {
    const { change } = renderReleases()
    for (const [state, why] of [
      [{ releases: two.slice(0, 1) }, 'There is no version before this one'],
      [{ state: 'deploying' }, 'Wait until shipping is done'],
      [{ state: 'archived' }, 'Bring the project back first'],
    ] as const) {
      change(state)
      assert.equal(button('Roll back').getAttribute('aria-description'), why)
      press('Roll back')
      assert.ok(!isThere('dialog'))
    }
    change({})
    assert.equal(button('Roll back').getAttribute('aria-description'), null)
  })

  test('the rollback button is absent when no release is live, and when no worker serves the live address', () => {
    const { change } = renderReleases({ managed: [workerAt('https://other.example.com'), workerAt(null)] })
    assert.ok(!isThere('button', 'Roll back'))
    change({ releases: [releaseOf(1)] })
    assert.ok(!isThere('button', 'Roll back'))
    assert.ok(!isShown(/Nothing was shipped yet/))
  })

  test('the rollback dialog names both versions, and screen readers announce the completed rollback', async () => {
    const { sent } = renderReleases({}, { from: two[0], to: two[1] })
    await openDialog()
    assert.ok(inDialog().getByText(/^2222222 stops being served and 1111111 takes over/))
    await untilSent()
    assert.equal(sent(), 0)
    pressInDialog('Roll back app')
    await waitFor(() =>
      assert.equal(screen.getByRole('status').textContent, 'Rolled back from 2222222 to 1111111.'),
    )
    assert.ok(!isThere('dialog'))
    assert.equal(sent(), 1)
  })

  test('the note of a completed rollback disappears once another version is shipped', async () => {
    const { change } = renderReleases({}, { from: two[0], to: two[1] })
    await openDialog()
    pressInDialog('Roll back app')
    await waitFor(() => assert.match(screen.getByRole('status').textContent ?? '', /^Rolled back/))
    const rolledBack = releaseOf(3, { sha: two[1]?.sha ?? '', current: true })
    change({ releases: [rolledBack, ...two.map((release) => ({ ...release, current: false }))] })
    assert.match(screen.getByRole('status').textContent ?? '', /^Rolled back/)
    change({ releases: [releaseOf(4, { current: true }), { ...rolledBack, current: false }] })
    assert.equal(document.querySelector('[role=status]')?.textContent, '')
  })

  test('the note of a completed rollback disappears when the release list shows a later release before it has shown the rollback', async () => {
    const { change } = renderReleases({}, { from: two[0], to: two[1] })
    await openDialog()
    pressInDialog('Roll back app')
    await waitFor(() => assert.match(screen.getByRole('status').textContent ?? '', /^Rolled back/))
    change({ releases: [releaseOf(4, { current: true })] })
    assert.equal(document.querySelector('[role=status]')?.textContent, '')
  })

  test('when another version goes live while the rollback dialog is open, the dialog names that version', async () => {
    const { change } = renderReleases()
    await openDialog()
    change({ releases: [releaseOf(3, { current: true }), releaseOf(2, { previous: true })] })
    assert.ok(inDialog().getByText(/^3333333 stops being served and 2222222 takes over/))
  })

  test('pressing “Roll back app” twice in the rollback dialog sends one request', async () => {
    const { isAsked, sent, respond } = serveHeld(ROLL_BACK, { from: two[0], to: two[1] }, versions)
    show(<Releases />)
    await openDialog()
    pressInDialog('Roll back app')
    await isAsked()
    pressInDialog(/Roll back app/)
    await respond()
    await waitFor(() => assert.ok(!isThere('dialog')))
    assert.equal(sent()?.length, 1)
  })

  test('“Cancel” and Escape close the rollback dialog and send nothing', async () => {
    const { sent } = renderReleases()
    await openDialog()
    pressInDialog('Cancel')
    await openDialog()
    fireEvent.keyDown(screen.getByRole('dialog'), { key: 'Escape' })
    await waitFor(() => assert.ok(!isThere('dialog')))
    await untilSent()
    assert.equal(sent(), 0)
  })

  test('a refused rollback shows the request id and is not reported as done, and its error is gone in the reopened dialog', async () => {
    renderReleases({}, busyRefusal)
    await openDialog()
    pressInDialog('Roll back app')
    await assertAlert(/A ship is running.*req_test/)
    assert.equal(document.querySelector('[role=status]')?.textContent, '')
    pressInDialog('Cancel')
    await openDialog()
    assert.ok(!isThere('alert'))
  })

  test('the rollback button keeps the focus while a release begins and ends', () => {
    const { change } = renderReleases()
    button('Roll back').focus()
    for (const state of ['deploying', 'live'] as const) {
      change({ state })
      assert.ok(document.activeElement === button('Roll back'), state)
    }
  })
})
