import assert from 'node:assert/strict'
import { afterEach, describe, test } from 'node:test'
import { Sidebar, useSidebar } from '@cloudflare/kumo/components/sidebar'
import { act, fireEvent, waitFor } from '@testing-library/react'
import { field, isShown, showAt } from '../../testing/console.tsx'
import { appDialog } from '../app-dialog.ts'
import { GlobalShortcuts } from './global-shortcuts.tsx'

/** Shows a page with a form at `address`, with the layout shortcuts. */
async function renderPage(address: string, { hasSearch = false } = {}) {
  let submits = 0
  function Page() {
    const { state } = useSidebar()
    return (
      <>
        <GlobalShortcuts />
        <p>Navigation {state}</p>
        <main>
          {hasSearch && <input type="search" aria-label="Find" defaultValue="plants" />}
          <form
            onSubmit={(event) => {
              event.preventDefault()
              submits++
            }}
          >
            <input aria-label="Name" required />
          </form>
          <input aria-label="Alone" />
        </main>
      </>
    )
  }
  const page = () => (
    <Sidebar.Provider defaultOpen>
      <Page />
    </Sidebar.Provider>
  )
  return { ...(await showAt('/app/$', page, address)), submits: () => submits }
}
const pressKey = (key: string, part: KeyboardEventInit = {}, target: Element = document.body) =>
  fireEvent.keyDown(target, { key, ...part })

describe('the shortcuts that work on every page', () => {
  afterEach(() => act(() => appDialog.show(null)))

  test('Ctrl+K opens the command palette, and ? opens the list of shortcuts', async () => {
    await renderPage('/activity')
    pressKey('k', { ctrlKey: true })
    assert.equal(appDialog.get(), 'palette')
    pressKey('?', { shiftKey: true })
    assert.equal(appDialog.get(), 'shortcuts')
  })

  test('Escape opens the parent of a page, and does nothing on the list of projects', async () => {
    const { place } = await renderPage('/projects/prj_1/capabilities/data')
    for (const parent of ['/projects/prj_1/capabilities', '/projects/prj_1', '/projects']) {
      pressKey('Escape')
      await waitFor(() => assert.equal(place(), parent))
    }
    pressKey('Escape')
    assert.equal(place(), '/projects')
  })

  test('Escape in a text field does not leave the page, because the field may contain unsaved text', async () => {
    const { place } = await renderPage('/settings/keys')
    pressKey('Escape', {}, field('Name'))
    assert.equal(place(), '/settings/keys')
  })

  test('Escape that closes a dialog does not also leave the page behind it', async () => {
    const { place } = await renderPage('/settings/keys')
    const dialog = document.createElement('div')
    dialog.setAttribute('role', 'dialog')
    document.body.append(dialog)
    // A dialog closes before the page shortcut gets the key.
    dialog.addEventListener('keydown', () => dialog.remove())
    pressKey('Escape', {}, dialog)
    assert.equal(dialog.isConnected, false)
    assert.equal(place(), '/settings/keys')
  })

  test('the slash key focuses the search field of the page and selects its text', async () => {
    await renderPage('/projects', { hasSearch: true })
    pressKey('/')
    const search = field('Find')
    assert.ok(document.activeElement === search)
    assert.deepEqual([search.selectionStart, search.selectionEnd], [0, 'plants'.length])
  })

  test('the slash key opens the command palette on a page without a search field', async () => {
    await renderPage('/account')
    pressKey('/')
    assert.equal(appDialog.get(), 'palette')
  })

  test('Ctrl+Enter submits the form of the focused field only if the browser considers its fields valid', async () => {
    const { submits } = await renderPage('/account')
    pressKey('Enter', { ctrlKey: true }, field('Name'))
    assert.equal(submits(), 0, 'a required field is empty')
    fireEvent.change(field('Name'), { target: { value: 'Ada' } })
    pressKey('Enter', { ctrlKey: true }, field('Name'))
    assert.equal(submits(), 1)
    pressKey('Enter', { ctrlKey: true }, field('Alone'))
    assert.equal(submits(), 1)
  })

  test('the opening bracket key folds and unfolds the navigation', async () => {
    await renderPage('/account')
    assert.ok(isShown('Navigation expanded'))
    pressKey('[')
    assert.ok(isShown('Navigation collapsed'))
    pressKey('[')
    assert.ok(isShown('Navigation expanded'))
  })
})
