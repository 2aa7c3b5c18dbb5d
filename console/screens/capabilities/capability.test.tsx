import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { capabilityQuery } from '../../api/project/capabilities.ts'
import { queryClient } from '../../api/request/query-client.ts'
import {
  assertAlert,
  field,
  findMessage,
  isShown,
  isThere,
  press,
  Refusal,
  sent,
  serve,
  showAt,
  untilSent,
  write,
} from '../../testing/console.tsx'
import { Capability } from './capability.tsx'

const PROJECT_PATH = '/projects/prj_1'
const readKey = (key: string) => `GET ${PROJECT_PATH}/capabilities/${key}`
const updateKey = (key: string) => `PUT ${PROJECT_PATH}/capabilities/${key}`
const capabilityOf = (key: string, enabled: boolean, settings: object = {}) => ({
  key,
  title: key === 'push' ? 'Notifications' : key,
  enabled,
  provision: { state: 'idle', error: null },
  resource: null,
  settings,
  alsoOff: [],
  unchecked: [],
  keyCheck: null,
})

async function openAt(key: string, answers: Record<string, () => unknown> = {}, search = '') {
  const calls = serve({
    [`GET ${PROJECT_PATH}`]: () => ({ id: 'prj_1', name: 'Plants' }),
    [`GET ${PROJECT_PATH}/capabilities`]: () => [],
    [readKey(key)]: () => capabilityOf(key, false),
    ...answers,
  })
  const from = '/app/projects/$projectId/capabilities/$key'
  return { calls, ...(await showAt(from, Capability, `${PROJECT_PATH}/capabilities/${key}${search}`)) }
}
const renderCapability = async (...of: Parameters<typeof openAt>) => (await openAt(...of)).calls

describe('a capability', () => {
  test('the page of an unknown capability shows “Not found”', async () => {
    await renderCapability('nonsense')
    assert.ok(await screen.findByRole('heading', { name: 'Not found' }))
  })

  test('a capability that failed to load shows the request id and can be retried', async () => {
    const answers: unknown[] = [new Refusal(403, 'forbidden', 'You may not.')]
    await renderCapability('push', {
      [readKey('push')]: () => answers.shift() ?? capabilityOf('push', false),
    })
    await assertAlert(/You may not.*req_test/)
    press('Try again')
    assert.ok(await screen.findByRole('button', { name: 'Turn on' }))
  })

  test('a capability that is still loading has no button to turn it on or off', async () => {
    const { promise, resolve } = Promise.withResolvers<unknown>()
    await renderCapability('push', { [readKey('push')]: () => promise })
    assert.ok(!isThere('button', /Turn o/))
    resolve(capabilityOf('push', true))
    assert.ok(await screen.findByRole('button', { name: 'Turn off' }))
  })

  test('a capability with live data has a tab for the data, and the current tab is marked', async () => {
    await renderCapability('data', { [`GET ${PROJECT_PATH}/data/collections`]: () => [] }, '?tab=live')
    const tabs = within(await screen.findByRole('navigation', { name: 'Capabilities' }))
    assert.deepEqual(
      tabs.getAllByRole('link').map((link) => link.getAttribute('aria-current')),
      [null, 'page'],
    )
  })
})

describe('the switch of a capability', () => {
  test('turning on a capability first shows which other capabilities are turned on with it', async () => {
    let team = capabilityOf('team', false)
    const calls = await renderCapability('team', {
      [readKey('team')]: () => team,
      [updateKey('team')]: () => (team = capabilityOf('team', true)),
    })
    fireEvent.click(await screen.findByRole('button', { name: 'Turn on' }))
    const dialog = await screen.findByRole('dialog', { name: /^Turn on/ })
    assert.match(dialog.textContent ?? '', /This also turns on Accounts/)
    await untilSent()
    assert.deepEqual(calls[updateKey('team')], [])
    fireEvent.click(within(dialog).getByRole('button', { name: 'Turn on' }))
    assert.ok(await screen.findByRole('button', { name: 'Turn off' }))
    assert.ok(!isThere('dialog'))
    assert.deepEqual(sent(calls, updateKey('team')), [{ enabled: true }])
  })

  test('turning off a capability first shows which other capabilities are turned off, and a message names them afterwards', async () => {
    await renderCapability('auth', {
      [readKey('auth')]: () => capabilityOf('auth', true),
      [`GET ${PROJECT_PATH}/capabilities`]: () => [capabilityOf('auth', true), capabilityOf('team', true)],
      [updateKey('auth')]: () => ({ ...capabilityOf('auth', false), alsoOff: ['team'] }),
    })
    fireEvent.click(await screen.findByRole('button', { name: 'Turn off' }))
    const dialog = await screen.findByRole('dialog')
    assert.ok(await within(dialog).findByText(/^This also turns off Teams/))
    assert.ok(within(dialog).getByText(/What it stored is kept/))
    fireEvent.click(within(dialog).getByRole('button', { name: 'Turn off' }))
    assert.ok(await findMessage('auth turned off, and with it Teams'))
  })

  test('confirming twice turns a capability on once, and it is shown as on only after the response', async () => {
    const { promise, resolve } = Promise.withResolvers<unknown>()
    let push = capabilityOf('push', false)
    const calls = await renderCapability('push', {
      [readKey('push')]: () => push,
      [updateKey('push')]: () => promise,
    })
    fireEvent.click(await screen.findByRole('button', { name: 'Turn on' }))
    const dialog = within(await screen.findByRole('dialog'))
    const confirm = () => fireEvent.click(dialog.getByRole('button', { name: /Turn on$/ }))
    confirm()
    await waitFor(() => assert.equal(calls[updateKey('push')]?.length, 1))
    confirm()
    assert.ok(!isThere('button', 'Turn off'))
    push = capabilityOf('push', true)
    resolve(push)
    assert.ok(await screen.findByRole('button', { name: 'Turn off' }))
    assert.equal(calls[updateKey('push')]?.length, 1)
  })

  test('a refused attempt to turn on a capability focuses an alert with the request id, and the capability stays off', async () => {
    await renderCapability('push', {
      [updateKey('push')]: () => new Refusal(409, 'conflict', 'A ship is running.'),
    })
    fireEvent.click(await screen.findByRole('button', { name: 'Turn on' }))
    const dialog = within(await screen.findByRole('dialog'))
    fireEvent.click(dialog.getByRole('button', { name: 'Turn on' }))
    await assertAlert(/Nothing was changed.*A ship is running.*req_test/)
    assert.equal(document.activeElement?.role, 'alert')
    fireEvent.click(dialog.getByRole('button', { name: 'Cancel' }))
    await waitFor(() => assert.ok(!isThere('dialog')))
    assert.ok(isThere('button', 'Turn on'))
  })
})

describe('the settings of a capability', () => {
  const settings = { limits: { letters: 3 } }

  test("a refused change of a capability's settings keeps the typed values and shows the reason with the request id", async () => {
    const calls = await renderCapability('meter', {
      [readKey('meter')]: () => capabilityOf('meter', true, settings),
      [updateKey('meter')]: () => new Refusal(409, 'conflict', 'A ship is running.'),
    })
    await screen.findByLabelText('Limit')
    write('Limit', '7')
    press('Save settings')
    await assertAlert(/The settings were not saved.*A ship is running.*req_test/)
    assert.equal(field('Limit').value, '7')
    assert.equal(calls[updateKey('meter')]?.length, 1)
  })

  const refetched = (next: object) =>
    act(async () => {
      const { queryKey } = capabilityQuery('prj_1', 'meter')
      queryClient.setQueryData<object>(queryKey, capabilityOf('meter', true, next))
      // The cache notifies the page in a later task.
      await new Promise((resolve) => setTimeout(resolve))
    })

  test('settings that another member saves do not overwrite the value that the user is typing', async () => {
    let stored: object = settings
    const calls = await renderCapability('meter', {
      [readKey('meter')]: () => capabilityOf('meter', true, stored),
      [updateKey('meter')]: () => capabilityOf('meter', true, settings),
    })
    await screen.findByLabelText('Limit')
    write('Limit', '7')
    stored = { limits: { letters: 5 } }
    await refetched(stored)
    assert.equal(field('Limit').value, '7')
    press('Save settings')
    await waitFor(() => assert.equal(calls[updateKey('meter')]?.length, 1))
    assert.deepEqual(sent(calls, updateKey('meter')), [
      { enabled: true, settings: { limits: { letters: 7 } } },
    ])
  })

  test('a setting that the user has not edited shows the value that another member saved', async () => {
    await renderCapability('meter', { [readKey('meter')]: () => capabilityOf('meter', true, settings) })
    await screen.findByLabelText('Limit')
    await refetched({ limits: { letters: 5 } })
    assert.equal(field('Limit').value, '5')
  })

  test("after a capability's settings are saved the form shows the stored values, and a second save sends no changes", async () => {
    let stored = capabilityOf('meter', true, settings)
    const calls = await renderCapability('meter', {
      [readKey('meter')]: () => stored,
      [updateKey('meter')]: () => (stored = capabilityOf('meter', true, { limits: { letters: 8 } })),
    })
    await screen.findByLabelText('Limit')
    write('Limit', '7')
    press('Save settings')
    await waitFor(() => assert.equal(field('Limit').value, '8'))
    press('Save settings')
    await waitFor(() => assert.equal(calls[updateKey('meter')]?.length, 2))
    assert.deepEqual(sent(calls, updateKey('meter'))?.[1], { enabled: true, settings: {} })
  })

  test('edited settings of a capability stay in the form, unsaved, when the user opens another tab and returns', async () => {
    const address = `${PROJECT_PATH}/capabilities/meter`
    const { go } = await openAt('meter', { [readKey('meter')]: () => capabilityOf('meter', true, settings) })
    await screen.findByLabelText('Limit')
    write('Limit', '7')
    await go(`${address}?tab=live`)
    assert.ok(!isThere('button', 'Save settings'))
    await go(address)
    assert.equal(field('Limit').value, '7')
  })

  test('a setting that the service rejects shows the reason at its field', async () => {
    await renderCapability('auth', {
      [readKey('auth')]: () =>
        capabilityOf('auth', true, { methods: {}, sessionDays: 30, openSignup: true, passwordMin: 10 }),
      [updateKey('auth')]: () =>
        new Refusal(400, 'invalid_request', 'settings.passwordMin: must be at least 8'),
    })
    const label = await screen.findByLabelText(/password/i, {
      selector: 'input[inputmode], input[type=number]',
    })
    fireEvent.change(label, { target: { value: '9' } })
    press('Save settings')
    assert.ok(await screen.findByText('Must be at least 8.'))
    assert.equal(label.getAttribute('aria-invalid'), 'true')
    assert.ok(!isShown('The settings were not saved'))
  })
})
