import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { ApiKey } from '@slipway/sdk/client/types.gen.ts'
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { queryClient } from '../../../api/request/query-client.ts'
import {
  assertAlert,
  button,
  field,
  isShown,
  isThere,
  press,
  Refusal,
  sent,
  serve,
  showAt,
  untilSent,
  write,
} from '../../../testing/console.tsx'
import { dialogText } from '../../../text/dialogs.en.ts'
import { Keys } from './keys.tsx'

const LIST_KEYS = 'GET /keys'
const CREATE_KEY = 'POST /keys'
const REVOKE_KEY = 'DELETE /keys/key_1'
const SECRET = 'svk_only_shown_once'
const ci: ApiKey = {
  id: 'key_1',
  name: 'Deploy from CI',
  prefix: 'svk_ab',
  scopes: ['projects:read', 'deploy:write'],
  source: 'console',
  createdBy: { id: 'usr_1', name: 'Ada' },
  createdAt: '2026-01-01T00:00:00Z',
  lastUsedAt: null,
  expiresAt: null,
}

async function renderKeys(keys: ApiKey[], answers: Record<string, () => unknown> = {}) {
  const calls = serve({ [LIST_KEYS]: () => keys, [CREATE_KEY]: () => ({ ...ci, key: SECRET }), ...answers })
  return { calls, page: await showAt('/app/settings/keys', Keys, '/settings/keys') }
}

async function openForm(answers: Record<string, () => unknown> = {}) {
  const { calls, page } = await renderKeys([], answers)
  await screen.findByText('No keys yet')
  press('Create key')
  const dialog = within(await screen.findByRole('dialog', { name: 'Create an API key' }))
  return {
    calls,
    page,
    dialog,
    send: () => fireEvent.click(dialog.getByRole('button', { name: /Create key$/ })),
  }
}

describe('the dialog of a new API key', () => {
  test('a new API key is shown even when Escape or Cancel was pressed while it was created', async () => {
    const held = Promise.withResolvers<unknown>()
    const { calls, dialog, send } = await openForm({ [CREATE_KEY]: () => held.promise })
    write('Name', 'CI')
    send()
    await waitFor(() => assert.equal(calls[CREATE_KEY]?.length, 1))
    fireEvent.keyDown(screen.getByRole('dialog'), { key: 'Escape' })
    fireEvent.keyDown(screen.getByRole('dialog'), { key: 'Escape' })
    fireEvent.click(dialog.getByRole('button', { name: 'Cancel' }))
    held.resolve({ ...ci, key: SECRET })
    await screen.findByText(SECRET)
  })

  test('leaving the page of a new API key is possible again only after its secret was saved', async () => {
    const held = Promise.withResolvers<unknown>()
    const { calls, page, send } = await openForm({ [CREATE_KEY]: () => held.promise })
    write('Name', 'CI')
    send()
    await waitFor(() => assert.equal(calls[CREATE_KEY]?.length, 1))
    await page.go('/projects')
    held.resolve({ ...ci, key: SECRET })
    await screen.findByText(SECRET)
    await page.go('/projects')
    assert.equal(page.place(), '/settings/keys')
    assert.ok(isShown(SECRET))
    press('I have saved it')
    await page.go('/projects')
    assert.equal(page.place(), '/projects')
  })

  test('with a typed API key name, the first Escape keeps the dialog open and warns that the input would be lost', async () => {
    const { dialog } = await openForm()
    write('Name', 'Deploy from CI')
    fireEvent.keyDown(field('Name'), { key: 'Escape' })
    assert.ok(dialog.getByText(dialogText.unsaved))
    assert.equal(field('Name').value, 'Deploy from CI')
  })
})

describe('the list of API keys', () => {
  test('without API keys, their page explains what a key is for', async () => {
    await renderKeys([])
    assert.ok(await screen.findByRole('heading', { name: 'No keys yet' }))
    assert.ok(isShown(/Create one for a script or your CI/))
  })

  test('an unused API key shows its scopes, its creator and the words “never used”', async () => {
    await renderKeys([ci])
    await screen.findByRole('heading', { name: ci.name })
    assert.ok(isShown(/svk_ab/))
    assert.ok(isShown(/by Ada · never used · never expires/))
    assert.ok(isShown('Ship'))
    assert.ok(isShown('1 of 50 keys'))
  })

  test('when the API keys cannot be loaded, an alert shows the request id and offers a retry', async () => {
    const answers = [new Refusal(403, 'forbidden', 'Only admins see keys.'), [ci]]
    await renderKeys([], { [LIST_KEYS]: () => answers.shift() })
    await assertAlert(/Only admins see keys.*req_test/)
    press('Try again')
    assert.ok(await screen.findByText(ci.name))
    assert.ok(!isThere('alert'))
  })

  test('an organization with fifty API keys cannot create another, and the button says to revoke one first', async () => {
    await renderKeys(Array.from({ length: 50 }, (_, n) => ({ ...ci, id: `key_${n}`, name: `Key ${n}` })))
    await screen.findByText('50 of 50 keys')
    press('Create key')
    assert.equal(
      button('Create key').getAttribute('aria-description'),
      'An organization can have no more keys. Revoke one first.',
    )
    assert.ok(!isThere('dialog'))
  })

  test('expired API keys count towards the limit until they are revoked', async () => {
    const expired = { ...ci, expiresAt: '2026-01-02T00:00:00Z' }
    await renderKeys(Array.from({ length: 50 }, (_, n) => ({ ...expired, id: `key_${n}` })))
    await screen.findByText('50 of 50 keys')
    assert.equal(button('Create key').getAttribute('aria-disabled'), 'true')
  })
})

describe('the form of a new API key', () => {
  test('an API key is created without the scope to deploy by default, and its secret is shown to copy', async () => {
    const { calls, send } = await openForm()
    write('Name', '  Build machine ')
    send()
    await screen.findByRole('dialog', { name: 'Copy your key now' })
    assert.deepEqual(calls[CREATE_KEY]?.[0]?.body, {
      name: 'Build machine',
      scopes: ['projects:read', 'projects:write', 'tickets:write', 'build:write'],
      expiresInDays: 365,
    })
    assert.ok(isShown(SECRET))
    assert.ok(isShown(`SLIPWAY_API_KEY=${SECRET}`))
    assert.ok(button('Copy: Copy your key now'))
  })

  test('an API key can be created with the scope to deploy and without an expiry', async () => {
    const { calls, send } = await openForm()
    for (const right of [/^Read projects/, /^Create projects/, /^Create and edit tickets/, /^Run builds/])
      fireEvent.click(screen.getByRole('checkbox', { name: right }))
    fireEvent.click(screen.getByRole('checkbox', { name: /^Ship, roll back/ }))
    write('Expires', 'never')
    write('Name', 'Release')
    send()
    await waitFor(() => assert.equal(calls[CREATE_KEY]?.length, 1))
    assert.deepEqual(sent(calls, CREATE_KEY)?.[0], { name: 'Release', scopes: ['deploy:write'] })
  })

  test('Escape does not close the dialog while the secret of a new API key is on screen', async () => {
    const { send } = await openForm()
    write('Name', 'Build machine')
    send()
    await screen.findByText(SECRET)
    fireEvent.keyDown(screen.getByRole('dialog'), { key: 'Escape' })
    assert.ok(isShown(SECRET))
    press('I have saved it')
    await waitFor(() => assert.ok(!isShown(SECRET)))
  })

  test('neither the query cache nor the mutation cache contains the secret of a new API key', async () => {
    const { send } = await openForm()
    write('Name', 'Build machine')
    send()
    await screen.findByText(SECRET)
    const mutations = queryClient.getMutationCache().getAll()
    const queries = queryClient.getQueryCache().getAll()
    const held = JSON.stringify([...mutations, ...queries].map(({ state }) => state.data))
    assert.ok(!held.includes(SECRET))
  })

  test('the form of a new API key is not sent while no scope is chosen', async () => {
    const { calls, dialog, send } = await openForm()
    for (const box of dialog.getAllByRole<HTMLInputElement>('checkbox')) if (box.checked) fireEvent.click(box)
    send()
    await assertAlert(/Choose at least one/)
    await untilSent()
    assert.deepEqual(calls[CREATE_KEY], [])
  })

  test('an invalid name of an API key stays in its field, with an explanation', async () => {
    const { dialog, send } = await openForm({
      [CREATE_KEY]: () => new Refusal(400, 'invalid_request', 'name: must not be empty'),
    })
    write('Name', '   ')
    send()
    await dialog.findByText('Must not be empty.')
    assert.equal(field('Name').getAttribute('aria-invalid'), 'true')
    assert.equal(field('Name').value, '   ')
  })

  test('an API key that is refused for a reason other than its name shows an alert with the request id and keeps the input', async () => {
    const { send } = await openForm({ [CREATE_KEY]: () => new Refusal(409, 'conflict', 'Too many keys.') })
    write('Name', 'Build machine')
    send()
    await screen.findByText(/Too many keys/)
    const focused = document.activeElement
    assert.equal(focused?.role, 'alert')
    assert.match(focused?.textContent ?? '', /The key was not created.*req_test/)
    assert.equal(field('Name').value, 'Build machine')
  })

  test('pressing the create button of an API key twice creates only one', async () => {
    const { promise, resolve } = Promise.withResolvers<unknown>()
    const { calls, send } = await openForm({ [CREATE_KEY]: () => promise })
    write('Name', 'Build machine')
    send()
    await waitFor(() => assert.equal(calls[CREATE_KEY]?.length, 1))
    send()
    resolve({ ...ci, key: SECRET })
    await screen.findByText(SECRET)
    assert.equal(calls[CREATE_KEY]?.length, 1)
  })
})

describe('the revocation of an API key', () => {
  test('revoking an API key asks for confirmation, then removes the key from the list', async () => {
    const keys = [ci]
    const { calls } = await renderKeys(keys, { [REVOKE_KEY]: () => keys.pop() && null })
    await screen.findByText(ci.name)
    press('Revoke Deploy from CI')
    const dialog = await screen.findByRole('dialog', { name: 'Revoke Deploy from CI?' })
    assert.match(dialog.textContent ?? '', /refused from their next request/)
    await untilSent()
    assert.deepEqual(calls[REVOKE_KEY], [])
    press('Revoke key')
    await screen.findByText('No keys yet')
    assert.equal(calls[REVOKE_KEY]?.length, 1)
  })

  test('a revoked API key disappears from the list even when the list cannot be refetched', async () => {
    let isRevoked = false
    await renderKeys([ci], {
      [LIST_KEYS]: () => (isRevoked ? new Refusal(403, 'forbidden', 'Not now.') : [ci]),
      [REVOKE_KEY]: () => {
        isRevoked = true
        return null
      },
    })
    await screen.findByText(ci.name)
    press('Revoke Deploy from CI')
    await screen.findByRole('dialog')
    press('Revoke key')
    await waitFor(() => assert.ok(!isShown(ci.name)))
    assert.ok(!isThere('dialog'))
  })

  test('when revoking an API key fails, an alert shows the reason and the key stays in the list', async () => {
    await renderKeys([ci], { [REVOKE_KEY]: () => new Refusal(403, 'forbidden', 'You may not.') })
    await screen.findByText(ci.name)
    press('Revoke Deploy from CI')
    await screen.findByRole('dialog')
    press('Revoke key')
    await assertAlert(/You may not.*req_test/)
    assert.ok(isShown(ci.name))
  })

  test('the name of an API key that was not created is restored after a reload, and a created key leaves nothing stored', async () => {
    await openForm()
    write('Name', 'Deploy from CI')
    cleanup()
    const { calls, dialog, send } = await openForm()
    assert.ok(dialog.getByText('Your unsent text is back.'))
    assert.equal(field('Name').value, 'Deploy from CI')
    send()
    await screen.findAllByText(SECRET)
    assert.partialDeepStrictEqual(sent(calls, CREATE_KEY), [{ name: 'Deploy from CI' }])
    assert.equal(localStorage.length, 0)
  })
})
