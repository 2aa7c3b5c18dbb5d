import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { screen, waitFor } from '@testing-library/react'
import { queryKeys } from '../../api/query-keys.ts'
import { queryClient } from '../../api/request/query-client.ts'
import type { ManagedResource, Reconciliation } from '../../api/project/deployments.ts'
import {
  assertAlert,
  button,
  isShown,
  isThere,
  press,
  Refusal,
  serve,
  show,
  write,
} from '../../testing/console.tsx'
import { pressInDialog } from '../../testing/dialog.ts'
import { serveHeld } from '../../testing/held.ts'
import { ManagedPanel } from './managed-panel.tsx'

const RECONCILE = 'POST /projects/prj_1/reconcile'
const REMOVE = 'DELETE /projects/prj_1/resources/plants-files'

const resourceOf = (name: string, part: Partial<ManagedResource> = {}) =>
  ({ id: name, name, capability: null, kind: 'worker', status: 'ok', ...part }) as ManagedResource
const worker = resourceOf('plants-live')
const bucket = resourceOf('plants-files', { kind: 'bucket', capability: 'files' })
const reconciliation = (part: Partial<Reconciliation> = {}): Reconciliation => ({
  checked: 2,
  repaired: [],
  failed: [],
  ...part,
})
const repairedBucket = { id: 'plants-files', kind: 'bucket', name: 'plants-files', action: 'created' }

function showPanel(managed: ManagedResource[] = [worker, bucket]) {
  const { rerender } = show(<ManagedPanel projectId="prj_1" managed={managed} />)
  return { change: (next: ManagedResource[]) => rerender(<ManagedPanel projectId="prj_1" managed={next} />) }
}

/** Shows the panel before a fake of the service that responds to each reconciliation with the next of `answers`. */
function renderPanel(...answers: unknown[]) {
  const calls = serve({
    [RECONCILE]: () => answers.shift(),
    [REMOVE]: () => ({ removed: [{ name: 'plants-files' }], data: null, remaining: 0 }),
  })
  return { ...showPanel(), sent: () => calls[RECONCILE]?.length }
}
const note = () => document.querySelector('[role=status]')?.textContent
const listUnder = (title: string) =>
  [...(screen.getByText(title).parentElement?.querySelectorAll('li') ?? [])].map(
    ({ textContent }) => textContent,
  )
const removeBucket = async () => {
  press('Delete plants-files (bucket)')
  await screen.findByRole('dialog')
  write('Type plants-files to confirm', 'plants-files')
  pressInDialog('Delete resource')
  await waitFor(() => assert.match(note() ?? '', /Deleted: plants-files\./))
}

describe('the resources of a project in the cloud account', () => {
  test('the resources of a project are listed under the titles of their capabilities', () => {
    showPanel([resourceOf('plants-live', { capability: 'data' }), resourceOf('plants')])
    assert.deepEqual(
      screen.getAllByRole('heading', { level: 3 }).map((heading) => heading.textContent),
      ['App', 'Data and live updates'],
    )
  })

  test('the panel of a project without resources says when resources are created', () => {
    showPanel([])
    assert.ok(isShown(/^Nothing yet\. What the app needs is created when/))
    assert.ok(!isThere('listitem'))
  })

  test('each resource shows its kind and its state, and an unknown kind or capability is shown by its own name', () => {
    showPanel([
      worker,
      resourceOf('b', { kind: 'bucket', status: 'missing' }),
      resourceOf('c', { kind: 'teapot', status: 'drifted', capability: 'brew' }),
    ])
    const rows = screen.getAllByRole('listitem').map(({ textContent }) => textContent)
    assert.deepEqual(rows, ['bBucketMissing', 'plants-liveWorkerOK', 'cteapotChanged elsewhere'])
    assert.ok(isThere('heading', 'brew'))
  })
})

describe('the reconciliation of the cloud account', () => {
  test('a reconciliation that finds nothing says how many resources were compared, and screen readers announce it', async () => {
    renderPanel(reconciliation({ checked: 1 }))
    press('Reconcile')
    await waitFor(() => assert.equal(note(), '1 resource compared. Nothing had to be repaired.'))
  })

  test('a reconciliation lists what it repaired and what it could not repair, each with its name and reason', async () => {
    renderPanel(
      reconciliation({
        repaired: [repairedBucket],
        failed: [
          { id: 'plants-live', reason: 'the account refused it' },
          { id: 'res_gone', reason: '<b>no</b> such thing' },
        ],
      }),
    )
    press('Reconcile')
    await screen.findByText('Repaired')
    assert.deepEqual(listUnder('Repaired'), ['plants-files: created'])
    assert.deepEqual(listUnder('Not repaired'), [
      'plants-live: the account refused it',
      'res_gone: <b>no</b> such thing',
    ])
    assert.ok(!isShown(/Nothing had to be repaired/))
  })

  test('a reconciliation whose repairs all failed does not say that nothing had to be repaired', async () => {
    renderPanel(reconciliation({ failed: [{ id: 'plants-live', reason: 'the account refused it' }] }))
    press('Reconcile')
    await screen.findByText('Not repaired')
    assert.ok(!isShown(/Nothing had to be repaired/))
    assert.ok(!isShown('Repaired'))
  })

  test('a failed reconciliation focuses the error with its request id, hides the earlier result and refetches the resources', async () => {
    renderPanel(reconciliation(), new Refusal(409, 'conflict', 'A ship is running.'))
    press('Reconcile')
    await waitFor(() => assert.match(note() ?? '', /2 resources compared/))
    queryClient.setQueryData(queryKeys.deployments.list('prj_1'), { releases: [], managed: [] })
    press('Reconcile')
    await assertAlert(/Reconciling failed.*A ship is running.*req_test/)
    assert.equal(document.activeElement?.role, 'alert')
    assert.equal(note(), '')
    assert.equal(queryClient.getQueryState(queryKeys.deployments.list('prj_1'))?.isInvalidated, true)
  })

  test('pressing “Reconcile” twice sends one request, and the button keeps the focus', async () => {
    const { isAsked, sent, respond } = serveHeld(RECONCILE, reconciliation())
    showPanel()
    button('Reconcile').focus()
    press('Reconcile')
    await isAsked()
    press(/Reconcile/)
    await respond()
    assert.ok(document.activeElement === button('Reconcile'))
    assert.equal(sent()?.length, 1)
  })

  test('a reconciliation that creates a deleted resource again replaces the note about the deletion', async () => {
    renderPanel(reconciliation({ repaired: [repairedBucket] }))
    await removeBucket()
    press('Reconcile')
    await screen.findByText('Repaired')
    assert.ok(!isShown(/^Deleted: /))
  })

  test('the deletion of a resource replaces the result that says that the resource was repaired', async () => {
    renderPanel(reconciliation({ repaired: [repairedBucket] }))
    press('Reconcile')
    await screen.findByText('Repaired')
    await removeBucket()
    assert.equal(note(), 'Deleted: plants-files.')
  })
})
