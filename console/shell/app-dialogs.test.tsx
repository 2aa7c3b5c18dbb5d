import assert from 'node:assert/strict'
import { afterEach, describe, test } from 'node:test'
import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import { isThere, serve, showAt, untilSent } from '../testing/console.tsx'
import { appDialog } from './app-dialog.ts'
import { AppDialogs } from './app-dialogs.tsx'

/** Shows the app shell's dialog container and a field, as on any page. */
async function openPage() {
  serve({
    'GET /projects': () => ({ items: [], nextCursor: null }),
    'GET /me': () => ({ user: { id: 'usr_ada', name: 'Ada' }, role: 'owner', scopes: [], plan: 'free' }),
  })
  await showAt('/app/$', AppDialogs, '/projects')
}
const open = (dialog: 'palette' | 'shortcuts' | 'help') =>
  act(async () => {
    appDialog.show(dialog)
  })
const escape = () => fireEvent.keyDown(document.activeElement ?? document.body, { key: 'Escape' })

describe('the dialogs of the app shell', () => {
  afterEach(() => act(() => appDialog.show(null)))

  test('no dialog of the console is open at first', async () => {
    await openPage()
    assert.ok(!isThere('dialog'))
  })

  test('each dialog of the console is shown when it is opened, and Escape closes it', async () => {
    await openPage()
    for (const dialog of ['palette', 'shortcuts', 'help'] as const) {
      await open(dialog)
      await waitFor(() => assert.ok(isThere('dialog', /^(?!Loading)/)), { timeout: 10_000 })
      escape()
      await waitFor(() => assert.equal(appDialog.get(), null))
      await waitFor(() => assert.ok(!isThere('dialog')), { timeout: 2000 })
    }
  })

  test('opening a dialog of the console closes the open one, so that only one is open at a time', async () => {
    await openPage()
    await open('palette')
    await screen.findByRole('combobox')
    await open('shortcuts')
    await waitFor(() => assert.ok(!isThere('combobox')))
    assert.equal(screen.getAllByRole('dialog').length, 1)
    await untilSent()
  })
})
