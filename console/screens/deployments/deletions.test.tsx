import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Project } from '@slipway/sdk/client/types.gen.ts'
import { screen, waitFor, within } from '@testing-library/react'
import type { ManagedResource } from '../../api/project/deployments.ts'
import {
  assertAlert,
  button,
  isShown,
  press,
  Refusal,
  serve,
  show,
  showAt,
  write,
} from '../../testing/console.tsx'
import { inDialog } from '../../testing/dialog.ts'
import { ArchiveButton } from '../shipping/archive-button.tsx'
import { DeleteProject } from './delete-project.tsx'
import { ManagedRow } from './managed-row.tsx'

const project = { id: 'prj_1', name: 'Plants & <b>pots</b>' } as Project
const confirmDeletion = async (opener: string, typed: string | null, submit: string) => {
  press(opener)
  await screen.findByRole('dialog')
  if (typed !== null) write(`Type ${typed} to confirm`, typed)
  inDialog().getByRole('button', { name: submit }).click()
}
const busyRefusal = new Refusal(409, 'conflict', 'A ship is running.')

describe('the deletion of a project', () => {
  const DELETE = 'DELETE /projects/prj_1'
  const teardown = (remaining: number, failed: object[] = []) => ({ teardown: { remaining, failed } })
  const NAME = project.name

  async function open(...answers: unknown[]) {
    const calls = serve({ [DELETE]: () => answers.shift() })
    const page = await showAt(
      '/app/projects/$projectId/settings',
      () => <DeleteProject project={project} />,
      '/projects/prj_1/settings',
    )
    return { ...page, sent: () => calls[DELETE]?.length }
  }

  test('a completed project deletion opens the list of projects', async () => {
    const { place, sent } = await open(teardown(0))
    await confirmDeletion('Delete project', NAME, 'Delete project')
    await waitFor(() => assert.equal(place(), '/projects'))
    assert.equal(sent(), 1)
  })

  test('a project deletion lists the resources that failed with their reasons and can be continued', async () => {
    const failed = [{ id: 'r1', name: 'bucket <i>', reason: 'it is not empty' }]
    const { place } = await open(teardown(2, failed), teardown(0))
    await confirmDeletion('Delete project', NAME, 'Delete project')
    await assertAlert(/2 resources are left.*bucket <i>: it is not empty/)
    assert.ok(screen.queryByRole('dialog') === null)
    assert.equal(place(), '/projects/prj_1/settings')
    press('Continue deleting')
    await waitFor(() => assert.equal(place(), '/projects'))
  })

  test('after a refused project deletion is cancelled, the project cannot be deleted without typing its name again', async () => {
    const { sent } = await open(busyRefusal)
    await confirmDeletion('Delete project', NAME, 'Delete project')
    await assertAlert(/A ship is running/)
    press('Cancel')
    assert.ok(screen.queryByRole('alert') === null)
    assert.ok(screen.queryByRole('button', { name: 'Try again' }) === null)
    assert.equal(sent(), 1)
  })

  test('a project deletion that fails when it is continued can be retried', async () => {
    const { place } = await open(teardown(1), busyRefusal, teardown(0))
    await confirmDeletion('Delete project', NAME, 'Delete project')
    await assertAlert(/1 resource is left/)
    press('Continue deleting')
    await screen.findByText('A ship is running.')
    press('Try again')
    await waitFor(() => assert.equal(place(), '/projects'))
  })
})

describe('a resource in the cloud account', () => {
  const REMOVE = 'DELETE /projects/prj_1/resources/res_1'
  const resource = { id: 'res_1', name: 'plants-files', kind: 'bucket', status: 'ok' } as ManagedResource

  function open(...answers: unknown[]) {
    const said: string[] = []
    const calls = serve({ [REMOVE]: () => answers.shift() })
    show(
      <ManagedRow
        projectId="prj_1"
        resource={resource}
        loss="none"
        onRemoved={(sentence) => said.push(sentence)}
      />,
    )
    return { said, sent: () => calls[REMOVE]?.length }
  }
  const REMOVAL = /plants-files/

  test('when one request cannot delete all files of a cloud resource, a second press does, and the removal is reported once', async () => {
    const removed = [{ name: 'plants-files' }, { name: 'plants-files' }]
    const { said, sent } = open(
      { removed: [], data: null, remaining: 1200 },
      { removed, data: null, remaining: 0 },
    )
    press(REMOVAL)
    await screen.findByRole('dialog')
    write('Type plants-files to confirm', 'plants-files')
    inDialog().getAllByRole('button').at(-1)?.click()
    await within(await screen.findByRole('dialog')).findByText(/1,?200/)
    assert.equal(said.length, 0)
    inDialog().getAllByRole('button').at(-1)?.click()
    await waitFor(() => assert.ok(screen.queryByRole('dialog') === null))
    assert.equal(said.length, 1)
    assert.equal(said[0]?.match(/plants-files/g)?.length, 1, 'a name is said once')
    assert.equal(sent(), 2)
  })

  test('the refused removal of a cloud resource is not reported as done, and its error is gone in the reopened dialog', async () => {
    const { said } = open(busyRefusal)
    press(REMOVAL)
    await screen.findByRole('dialog')
    write('Type plants-files to confirm', 'plants-files')
    inDialog().getAllByRole('button').at(-1)?.click()
    await assertAlert(/A ship is running/)
    press('Cancel')
    press(REMOVAL)
    await screen.findByRole('dialog')
    assert.ok(!isShown('A ship is running.'))
    assert.equal(said.length, 0)
  })
})

describe('the archiving of a project', () => {
  test('a refused archiving of a project shows the error, and archiving it from a new dialog succeeds', async () => {
    const answers: unknown[] = [busyRefusal, project]
    const calls = serve({ 'POST /projects/prj_1/archive': () => answers.shift() })
    show(<ArchiveButton project={project} />)
    await confirmDeletion('Archive project', null, 'Archive project')
    await assertAlert(/A ship is running/)
    press('Cancel')
    press('Archive project')
    await screen.findByRole('dialog', { name: 'Archive Plants & <b>pots</b>?' })
    assert.ok(!isShown('A ship is running.'))
    inDialog().getByRole('button', { name: 'Archive project' }).click()
    await waitFor(() => assert.ok(screen.queryByRole('dialog') === null))
    assert.equal(calls['POST /projects/prj_1/archive']?.length, 2)
    assert.ok(button('Archive project'))
  })
})
