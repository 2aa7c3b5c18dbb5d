import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { cleanup, screen, waitFor } from '@testing-library/react'
import { queryClient } from '../../api/request/query-client.ts'
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
  untilSent,
  write,
} from '../../testing/console.tsx'
import { Capability } from './capability.tsx'

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
const DRAFT_KEY = 'slipway.draft.settings.prj_1.auth'

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
  /** Responses wait for these promises. */
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

/** Leaves the page, forgets what it has read, and opens it again. */
function reload() {
  cleanup()
  queryClient.clear()
  return openPage()
}

describe('settings of a capability that are not saved', () => {
  test('typed settings are still in the form after a reload, marked as unsaved, and can be saved then', async () => {
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

  test('discarding shows the saved settings again, and “Undo” brings the typed ones and the secret back', async () => {
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

  test('a setting that was saved by another member meanwhile is shown before the first save replaces it', async () => {
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

  test('a draft whose setting was saved by another member meanwhile shows the newer value, which can be taken', async () => {
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

  test('a save whose stored text differs in form from the typed one shows no alert of another value', async () => {
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

  test('a setting that another member saved with the same value meanwhile does not keep the others from being saved', async () => {
    const { capability, saved } = service()
    await openPage()
    write(DAYS, '7')
    write(ADDRESSES, 'https://a.test')
    capability.settings.sessionDays = 7
    press('Save settings')
    const settings = { sessionDays: 7, redirectUris: ['https://a.test'] }
    await waitFor(() => assert.deepEqual(saved(), [{ enabled: true, settings }]))
  })

  test('saving settings does not turn a capability on again that another member turned off meanwhile', async () => {
    const { capability, saved } = service()
    await openPage()
    write(DAYS, '7')
    capability.enabled = false
    press('Save settings')
    await waitFor(() => assert.deepEqual(saved(), [{ enabled: false, settings: { sessionDays: 7 } }]))
  })

  test('a draft is removed also when its save ends after the page was left', async () => {
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

  test('a save that ends after its form was closed keeps what was typed into the next form', async () => {
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
    await waitFor(() => assert.doesNotMatch(localStorage.getItem(DRAFT_KEY) ?? '', /sessionDays/))
    await reload()
    assert.deepEqual([field(DAYS).value, field(ADDRESSES).value], ['7', 'https://a.test'])
  })

  test('“Undo” in a later form brings back what was discarded without replacing what was typed since', async () => {
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

  test('a draft that is the same as the stored value is removed and does not come back after the value changed', async () => {
    const { capability } = service()
    await openPage()
    write(DAYS, '7')
    capability.settings.sessionDays = 7
    await reload()
    assert.equal(localStorage.getItem(DRAFT_KEY), null)
    capability.settings.sessionDays = 90
    await reload()
    assert.equal(field(DAYS).value, '90')
  })

  test('a draft that the form cannot show is ignored', async () => {
    service()
    const stored = (draft: string) => localStorage.setItem(DRAFT_KEY, draft)
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
