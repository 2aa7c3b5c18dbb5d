import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { cleanup, screen, waitFor } from '@testing-library/react'
import { queryClient } from '../../../api/request/query-client.ts'
import { openDraft } from '../../../shell/drafts.ts'
import {
  assertAlert,
  field,
  findMessage,
  isShown,
  isThere,
  press,
  sent,
  serve,
  showAt,
  signInAs,
  untilSent,
  write,
} from '../../../testing/console.tsx'
import { Capability } from '../capability.tsx'

const AT = '/projects/prj_1/capabilities/auth'
const READ = `GET ${AT}`
const SAVE = `PUT ${AT}`
const DAYS = 'Days a session lasts'
const ADDRESSES = /^Addresses to return to/
const STORED = {
  methods: { password: true, emailCode: false, passkey: false, oauth: [] },
  sessionDays: 30,
  openSignup: true,
  passwordMin: 10,
  redirectUris: [] as string[],
}
const draft = () => openDraft('settings', 'prj_1.auth')

/** A fake of the service with the settings of accounts, which another member can change. */
function service() {
  const capability = {
    key: 'auth',
    title: 'Accounts',
    enabled: true,
    provision: { state: 'idle', error: null },
    resource: null,
    settings: { ...STORED },
    alsoOff: [],
    unchecked: [],
    keyCheck: null,
  }
  /** Promises for which the service waits before it responds to a read or to a save. */
  const holds: { read?: Promise<void>; save?: Promise<void> } = {}
  const calls = serve({
    'GET /projects/prj_1': () => ({ id: 'prj_1', name: 'Plants' }),
    'GET /projects/prj_1/capabilities': () => [],
    [READ]: async () => {
      await holds.read
      return structuredClone(capability)
    },
    [SAVE]: async ({ body }) => {
      const { settings, enabled } = body as { settings: object; enabled: boolean }
      Object.assign(capability, { enabled, settings: { ...capability.settings, ...settings } })
      await holds.save
      return structuredClone(capability)
    },
  })
  return {
    capability,
    holds,
    saved: () => sent(calls, SAVE),
    reads: () => calls[READ]?.length ?? 0,
  }
}

async function openPage() {
  await showAt('/app/projects/$projectId/capabilities/$key', Capability, AT)
  await screen.findByLabelText(DAYS)
}

/** Unmounts the page, clears the query cache and opens the page again. */
function reload() {
  cleanup()
  queryClient.clear()
  signInAs()
  return openPage()
}

describe('settings of a capability that are not saved', () => {
  test('edited settings are still in the form after a reload, marked as unsaved, and can then be saved', async () => {
    const { saved } = service()
    await openPage()
    assert.ok(!isThere('button', 'Discard changes'))
    write(DAYS, '7')
    press('Other providers: add one')
    write('Provider', 'club')
    await reload()
    assert.deepEqual([field(DAYS).value, field('Provider').value], ['7', 'club'])
    assert.ok(isShown(/^2 unsaved changes\. A draft is kept on this device/))
    press('Save settings')
    await waitFor(() => assert.equal(isShown(/unsaved/), false))
    const methods = { ...STORED.methods, oauth: [{ id: 'club' }] }
    assert.deepEqual(saved(), [{ enabled: true, settings: { methods, sessionDays: 7 } }])
    assert.equal(localStorage.length, 0)
  })

  test('a typed secret is never stored in the browser, and the form says that it is not kept', async () => {
    service()
    await openPage()
    press('Other providers: add one')
    write('Provider', 'club')
    write('Client secret of club', 'hunter2hunter2')
    assert.ok(isShown(/^What you typed as a secret is not kept on this device/))
    assert.equal(JSON.stringify(Object.entries(localStorage)).includes('hunter2'), false)
    await reload()
    assert.equal(field('Client secret of club').value, '')
    assert.ok(!isShown(/^What you typed as a secret/))
  })

  test('discarding edited settings shows the saved ones again, and “Undo” restores the edited settings and the typed secret', async () => {
    service()
    await openPage()
    write(DAYS, '7')
    press('Other providers: add one')
    write('Provider', 'club')
    write('Client secret of club', 'hunter2')
    press('Discard changes')
    assert.deepEqual([field(DAYS).value, screen.queryAllByLabelText('Provider').length], ['30', 0])
    assert.equal(localStorage.length, 0)
    await findMessage(/^Changes discarded: /)
    press('Undo')
    await waitFor(() => assert.equal(field(DAYS).value, '7'))
    assert.deepEqual([field('Provider').value, field('Client secret of club').value], ['club', 'hunter2'])
    await reload()
    assert.equal(field(DAYS).value, '7')
  })

  test('saving over a setting that another member changed first shows the newer value, and a second save replaces it', async () => {
    const { capability, saved } = service()
    await openPage()
    write(DAYS, '7')
    capability.settings.sessionDays = 90
    press('Save settings')
    await assertAlert(/“Days a session lasts” was saved with another value.*90/)
    assert.deepEqual(saved(), [])
    press('Save settings')
    await waitFor(() => assert.deepEqual(saved(), [{ enabled: true, settings: { sessionDays: 7 } }]))
    await waitFor(() => assert.ok(!isThere('alert')))
  })

  test('when another member saved a setting after its draft was stored, the form shows that value and a button to use it', async () => {
    const { capability, saved } = service()
    await openPage()
    write(DAYS, '7')
    press('Other providers: add one')
    write('Provider', 'club')
    capability.settings.sessionDays = 90
    await reload()
    await assertAlert(/“Days a session lasts” was saved with another value.*90/)
    press('Use the saved value')
    assert.deepEqual([field(DAYS).value, field('Provider').value], ['90', 'club'])
    press('Save settings')
    await waitFor(() => assert.equal(saved()?.length, 1))
    assert.equal(JSON.stringify(saved()).includes('sessionDays'), false)
  })

  test('a setting that the service stores in another format than it was typed is saved without an alert about a newer value', async () => {
    const { holds, saved, reads } = service()
    const save = Promise.withResolvers<void>()
    const read = Promise.withResolvers<void>()
    holds.save = save.promise
    await openPage()
    write(ADDRESSES, 'https://a.test,https://b.test')
    press('Save settings')
    await waitFor(() => assert.equal(saved()?.length, 1))
    const readsBefore = reads()
    holds.read = read.promise
    save.resolve()
    await waitFor(() => assert.equal(reads(), readsBefore + 1))
    await untilSent()
    assert.ok(!isThere('alert'))
    read.resolve()
    await waitFor(() => assert.equal(field(ADDRESSES).value, 'https://a.test, https://b.test'))
    assert.ok(!isThere('alert'))
  })

  test('settings are saved even when another member has already saved the same value for one of them', async () => {
    const { capability, saved } = service()
    await openPage()
    write(DAYS, '7')
    write(ADDRESSES, 'https://a.test')
    capability.settings.sessionDays = 7
    press('Save settings')
    const settings = { sessionDays: 7, redirectUris: ['https://a.test'] }
    await waitFor(() => assert.deepEqual(saved(), [{ enabled: true, settings }]))
  })

  test('saving the settings of a capability that another member turned off during the edit does not turn it on again', async () => {
    const { capability, saved } = service()
    await openPage()
    write(DAYS, '7')
    capability.enabled = false
    press('Save settings')
    await waitFor(() => assert.deepEqual(saved(), [{ enabled: false, settings: { sessionDays: 7 } }]))
  })

  test('a draft of settings is removed after its save, even when the user has left the page before the save ends', async () => {
    const { saved, holds } = service()
    const save = Promise.withResolvers<void>()
    holds.save = save.promise
    await openPage()
    write(DAYS, '7')
    press('Save settings')
    await waitFor(() => assert.equal(saved()?.length, 1))
    cleanup()
    assert.equal(localStorage.length, 1)
    save.resolve()
    await untilSent()
    await waitFor(() => assert.equal(localStorage.length, 0))
  })

  test('a save that ends after its settings form was reopened keeps the text that was typed into the reopened form', async () => {
    const { saved, holds } = service()
    const save = Promise.withResolvers<void>()
    holds.save = save.promise
    await openPage()
    write(DAYS, '7')
    press('Save settings')
    await waitFor(() => assert.equal(saved()?.length, 1))
    cleanup()
    await openPage()
    write(ADDRESSES, 'https://a.test')
    save.resolve()
    await waitFor(() => assert.doesNotMatch(draft().read(), /sessionDays/))
    await reload()
    assert.deepEqual([field(DAYS).value, field(ADDRESSES).value], ['7', 'https://a.test'])
  })

  test('“Undo” after a settings form was reopened restores the discarded settings and keeps text typed after the reopening', async () => {
    service()
    await openPage()
    write(DAYS, '7')
    press('Discard changes')
    cleanup()
    await openPage()
    write(ADDRESSES, 'https://a.test')
    await findMessage(/^Changes discarded: /)
    press('Undo')
    await reload()
    assert.deepEqual([field(DAYS).value, field(ADDRESSES).value], ['7', 'https://a.test'])
  })

  test('a settings draft that equals the stored setting is removed and does not reappear after the setting has changed', async () => {
    const { capability } = service()
    await openPage()
    write(DAYS, '7')
    capability.settings.sessionDays = 7
    await reload()
    assert.equal(draft().read(), '')
    capability.settings.sessionDays = 90
    await reload()
    assert.equal(field(DAYS).value, '90')
  })

  test('a draft of settings in an invalid format is ignored', async () => {
    service()
    const stored = (text: string) => draft().store(text)
    stored('no JSON')
    await openPage()
    assert.equal(field(DAYS).value, '30')
    stored(
      JSON.stringify({
        methods: { text: 'no JSON', over: '' },
        sessionDays: 7,
        unknown: { text: 'a', over: 'b' },
      }),
    )
    await reload()
    assert.deepEqual([field(DAYS).value, isShown(/unsaved/)], ['30', false])
  })
})
