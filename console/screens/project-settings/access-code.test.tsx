import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { screen, waitFor } from '@testing-library/react'
import {
  assertAlert,
  button,
  field,
  isShown,
  press,
  Refusal,
  serve,
  show,
  untilSent,
  write,
} from '../../testing/console.tsx'
import { AccessCode } from './access-code.tsx'

const READ_ACCESS = 'GET /projects/prj_1/access'
const SET_CODE = 'PUT /projects/prj_1/access'
const openApp = { enabled: false, since: null, applied: true }
const closedAccess = { enabled: true, since: '2026-01-01T00:00:00Z', applied: true }

async function renderAccessCode(now: object, answer: () => unknown = () => closedAccess) {
  const calls = serve({ [READ_ACCESS]: () => now, [SET_CODE]: answer })
  show(<AccessCode projectId="prj_1" />)
  await screen.findByLabelText('Code')
  return () => calls[SET_CODE]?.map(({ body }) => body)
}

describe('the access code of a live app', () => {
  test('after an access code was saved, its field is empty and the code is neither on screen nor in local storage', async () => {
    const sent = await renderAccessCode(openApp)
    write('Code', ' open sesame ')
    press('Set code')
    await screen.findByRole('button', { name: 'Change code' })
    assert.deepEqual(sent(), [{ code: 'open sesame' }])
    assert.equal(field('Code').value, '')
    assert.doesNotMatch(document.body.textContent ?? '', /sesame/)
    assert.doesNotMatch(JSON.stringify(localStorage), /sesame/)
  })

  test('an access code that is too short is not sent, and its field says why until the code is changed', async () => {
    const sent = await renderAccessCode(openApp)
    write('Code', '1234567 ')
    press('Set code')
    assert.ok(isShown('A code has 8 to 100 characters.'))
    write('Code', '12345678')
    assert.ok(!isShown('A code has 8 to 100 characters.'))
    await untilSent()
    assert.deepEqual(sent(), [])
  })

  test('an app without an access code has no button to remove one', async () => {
    await renderAccessCode(openApp)
    assert.ok(screen.queryByRole('button', { name: 'Remove the code' }) === null)
  })

  test('removing an access code does not clear a new code that is already typed in the field', async () => {
    const sent = await renderAccessCode(closedAccess, () => openApp)
    write('Code', 'another code')
    press('Remove the code')
    await screen.findByRole('button', { name: 'Set code' })
    assert.deepEqual(sent(), [{ code: null }])
    assert.equal(field('Code').value, 'another code')
  })

  test('a refused access code stays in its field and can be sent again', async () => {
    const answers = [new Refusal(409, 'conflict', 'Ship the app first.'), closedAccess]
    const sent = await renderAccessCode(openApp, () => answers.shift())
    write('Code', 'open sesame')
    press('Set code')
    await assertAlert(/This was not saved.*Ship the app first/)
    assert.equal(field('Code').value, 'open sesame')
    press('Set code')
    await screen.findByRole('button', { name: 'Change code' })
    assert.equal(sent()?.length, 2)
  })

  test('an access code cannot be removed while a new one is being saved', async () => {
    const { promise, resolve } = Promise.withResolvers<unknown>()
    const sent = await renderAccessCode(closedAccess, () => promise)
    write('Code', 'another code')
    press('Change code')
    await waitFor(() => assert.equal(sent()?.length, 1))
    assert.equal((button('Remove the code') as HTMLButtonElement).disabled, true)
    press('Remove the code')
    press(/Change code/)
    resolve(closedAccess)
    await waitFor(() => assert.equal(field('Code').value, ''))
    assert.equal(sent()?.length, 1)
  })

  test('when the state of the access code cannot be loaded, an alert offers a retry', async () => {
    const answers = [new Refusal(403, 'forbidden', 'You may not.'), openApp]
    serve({ [READ_ACCESS]: () => answers.shift() })
    show(<AccessCode projectId="prj_1" />)
    await assertAlert(/You may not/)
    press('Try again')
    await screen.findByLabelText('Code')
  })
})
