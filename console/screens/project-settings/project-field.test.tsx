import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Project } from '@slipway/sdk/client/types.gen.ts'
import { useQuery } from '@tanstack/react-query'
import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import { projectQuery } from '../../api/project/projects.ts'
import { queryClient } from '../../api/request/query-client.ts'
import {
  assertAlert,
  button,
  field,
  press,
  Refusal,
  serve,
  show,
  untilSent,
  write,
} from '../../testing/console.tsx'
import { ProjectField } from './project-field.tsx'

const UPDATE_PROJECT = 'PATCH /projects/prj_1'
const project = { id: 'prj_1', name: 'Plants', slug: 'plants' } as Project

/** Renders the field with the cached project, as on the real page. */
function FieldPage(props: { isLocked: boolean }) {
  const { data } = useQuery({ ...projectQuery('prj_1'), enabled: false })
  return (
    <ProjectField
      project={data ?? project}
      field="name"
      label="Name"
      description="Shown everywhere."
      missing="Enter a name."
      isLocked={props.isLocked}
    />
  )
}

function renderProjectField(answer: (body: { name: string }) => unknown, isLocked = false) {
  const calls = serve({ [UPDATE_PROJECT]: ({ body }) => answer(body as { name: string }) })
  queryClient.setQueryData(projectQuery('prj_1').queryKey, project)
  show(<FieldPage isLocked={isLocked} />)
  return () => calls[UPDATE_PROJECT]?.map(({ body }) => body)
}
const disabledReason = () => button('Save name').getAttribute('aria-description')
const storedProject = (body: object) => ({ ...project, ...body })

describe('a setting of a project', () => {
  test('a setting of a project is saved without surrounding spaces, and its button is then disabled again', async () => {
    const sent = renderProjectField(storedProject)
    assert.equal(disabledReason(), 'There is nothing to save.')
    write('Name', '  Garden ')
    press('Save name')
    await waitFor(() => assert.equal(disabledReason(), 'There is nothing to save.'))
    assert.deepEqual(sent(), [{ name: 'Garden' }])
    assert.equal(field('Name').value, 'Garden')
  })

  test('an empty or unchanged setting of a project is not sent, not even by Enter', async () => {
    const sent = renderProjectField(storedProject)
    const form = field('Name').closest('form') as HTMLFormElement
    fireEvent.submit(form)
    write('Name', '   ')
    fireEvent.submit(form)
    assert.equal(field('Name').getAttribute('aria-invalid'), 'true')
    assert.ok(screen.getByText('Enter a name.'))
    await untilSent()
    assert.deepEqual(sent(), [])
  })

  test('a project name that is taken stays in its field, which shows the error until a person types in it', async () => {
    renderProjectField(() => new Refusal(409, 'conflict', 'This name is taken.'))
    write('Name', 'Garden')
    press('Save name')
    await screen.findByText('This name is taken.')
    const { id } = screen.getByText('This name is taken.')
    assert.equal(field('Name').getAttribute('aria-describedby'), id)
    assert.equal(field('Name').value, 'Garden')
    write('Name', 'Gardens')
    assert.equal(field('Name').getAttribute('aria-invalid'), 'false')
  })

  test('a setting of a project that the user may not change shows an alert with the reason and keeps the input', async () => {
    renderProjectField(() => new Refusal(403, 'forbidden', 'You may not.'))
    write('Name', 'Garden')
    press('Save name')
    await assertAlert(/This was not saved.*You may not/)
    assert.equal(field('Name').value, 'Garden')
  })

  test('text that is typed while a setting of a project is being saved stays in the field and can be saved afterwards', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const sent = renderProjectField(async (body) => {
      await promise
      return storedProject(body)
    })
    write('Name', 'Garden')
    press('Save name')
    await waitFor(() => assert.equal(sent()?.length, 1))
    write('Name', 'Garden of Ada')
    press(/Save name/)
    resolve()
    await waitFor(() => assert.equal(button('Save name').getAttribute('aria-busy'), null))
    assert.equal(field('Name').value, 'Garden of Ada')
    assert.deepEqual(sent(), [{ name: 'Garden' }], 'one save at a time')
    press('Save name')
    await waitFor(() => assert.equal(sent()?.length, 2))
  })

  test('a locked setting of a project can be read, but not edited or saved', () => {
    renderProjectField(storedProject, true)
    assert.equal(field('Name').readOnly, true)
    assert.ok(screen.queryByRole('button', { name: 'Save name' }) === null)
  })

  test('a setting of a project that was not saved is in its field again after a reload, until it is saved or discarded', async () => {
    renderProjectField(storedProject)
    write('Name', 'Garden')
    cleanup()
    renderProjectField(storedProject)
    assert.ok(screen.getByText('Your unsent text is back.'))
    assert.equal(field('Name').value, 'Garden')
    press('Discard')
    assert.deepEqual([field('Name').value, localStorage.length], ['Plants', 0])
    write('Name', 'Garden')
    press('Save name')
    await waitFor(() => assert.equal(disabledReason(), 'There is nothing to save.'))
    assert.equal(localStorage.length, 0)
  })
})
