import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Project } from '@slipway/sdk/client/types.gen.ts'
import { act, fireEvent, waitFor } from '@testing-library/react'
import {
  assertAlert,
  button,
  field,
  isThere,
  press,
  Refusal,
  sent,
  serve,
  showAt,
  untilSent,
  write,
} from '../../testing/console.tsx'
import { workText } from '../../text/workspace.en.ts'
import { ProjectName } from './project-name.tsx'

const { rename, renameLabel } = workText.workspace
const RENAME = 'PATCH /projects/prj_1'
const project = { id: 'prj_1', name: 'Plants' } as Project

async function open(answer: () => unknown) {
  const calls = serve({ [RENAME]: answer })
  const page = () => (
    <>
      <ProjectName project={project} />
      <input aria-label="Other" />
    </>
  )
  await showAt('/app/project', page, '/project')
  press(rename)
  return calls
}
const input = () => field(renameLabel)
const enter = () => fireEvent.submit(input().form as HTMLFormElement)

describe('the name of a project in its header', () => {
  test('a project name that is typed while an earlier one is saved stays in the field', async () => {
    const { promise, resolve } = Promise.withResolvers<unknown>()
    const calls = await open(() => promise)
    write(renameLabel, 'Ferns')
    enter()
    await waitFor(() => assert.equal(calls[RENAME]?.length, 1))
    write(renameLabel, 'Ferns and moss')
    await act(async () => {
      resolve({ ...project, name: 'Ferns' })
      await new Promise((done) => setTimeout(done))
    })
    assert.equal(input().value, 'Ferns and moss')
  })

  test('pressing Enter and then leaving the field sends a new project name once', async () => {
    const { promise, resolve } = Promise.withResolvers<unknown>()
    const calls = await open(() => promise)
    write(renameLabel, 'Ferns')
    enter()
    await waitFor(() => assert.equal(calls[RENAME]?.length, 1))
    fireEvent.blur(input())
    resolve({ ...project, name: 'Ferns' })
    await waitFor(() => assert.ok(!isThere('textbox', renameLabel)))
    assert.deepEqual(sent(calls, RENAME), [{ name: 'Ferns' }])
  })

  test('while a project name is being saved, the focus stays in the field to which the user has moved', async () => {
    const calls = await open(() => new Promise(() => {}))
    write(renameLabel, 'Ferns')
    act(() => field('Other').focus())
    await waitFor(() => assert.equal(calls[RENAME]?.length, 1))
    assert.ok(document.activeElement === field('Other'))
  })

  test('a refused project name stays in the field with the reason, and reopening the field clears the reason', async () => {
    await open(() => new Refusal(400, 'invalid_request', 'name: is too short'))
    write(renameLabel, 'x')
    enter()
    await assertAlert(/too short/i)
    assert.equal(input().value, 'x')
    fireEvent.keyDown(input(), { key: 'Escape' })
    press(rename)
    assert.ok(!isThere('alert'))
  })

  test('Escape that ends the composition of an input method keeps the typed project name', async () => {
    await open(() => project)
    write(renameLabel, '植物')
    fireEvent.keyDown(input(), { key: 'Escape', isComposing: true })
    fireEvent.keyDown(input(), { key: 'Escape', keyCode: 229 })
    assert.equal(input().value, '植物')
  })

  test('a project name that is changed back while the first change is being saved is also saved', async () => {
    const answers = [Promise.withResolvers<unknown>(), Promise.withResolvers<unknown>()]
    let sentNames = 0
    const calls = await open(() => answers[sentNames++]?.promise)
    write(renameLabel, 'Ferns')
    enter()
    await waitFor(() => assert.equal(calls[RENAME]?.length, 1))
    write(renameLabel, 'Plants')
    enter()
    answers[0]?.resolve({ ...project, name: 'Ferns' })
    await waitFor(() => assert.deepEqual(sent(calls, RENAME), [{ name: 'Ferns' }, { name: 'Plants' }]))
    await act(async () => answers[1]?.resolve(project))
    await waitFor(() => assert.ok(!isThere('textbox', renameLabel)))
  })

  test('a project name without any visible character, and the unchanged name, are not sent', async () => {
    const calls = await open(() => project)
    write(renameLabel, '   ')
    enter()
    assert.ok(!isThere('textbox', renameLabel))
    press(rename)
    write(renameLabel, ' Plants ')
    enter()
    assert.ok(!isThere('textbox', renameLabel))
    await untilSent()
    assert.deepEqual(calls[RENAME], [])
  })

  test('Escape closes the field of a project name and sends nothing', async () => {
    const calls = await open(() => project)
    write(renameLabel, 'Ferns')
    fireEvent.keyDown(input(), { key: 'Escape' })
    assert.ok(!isThere('textbox', renameLabel))
    press(rename)
    assert.equal(input().value, 'Plants', 'the discarded name is not offered again')
    await untilSent()
    assert.deepEqual(calls[RENAME], [])
  })

  test('after Enter or Escape has closed the field of a project name, the focus is on the button that opens the field', async () => {
    await open(() => ({ ...project, name: 'Ferns' }))
    write(renameLabel, 'Ferns')
    enter()
    await waitFor(() => assert.ok(!isThere('textbox', renameLabel)))
    assert.ok(document.activeElement === button(rename))
    press(rename)
    fireEvent.keyDown(input(), { key: 'Escape' })
    assert.ok(document.activeElement === button(rename))
  })

  test('saving a project name by leaving its field does not take the focus back', async () => {
    await open(() => ({ ...project, name: 'Ferns' }))
    write(renameLabel, 'Ferns')
    act(() => field('Other').focus())
    await waitFor(() => assert.ok(!isThere('textbox', renameLabel)))
    assert.ok(document.activeElement === field('Other'))
  })
})
