import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { fireEvent, screen, within } from '@testing-library/react'
import { press, show } from '../../testing/console.tsx'
import { withBlockedStorage } from '../../testing/storage.ts'
import { shortcutText } from '../../text/shortcuts.en.ts'
import { singleKeysEnabled } from './single-keys.ts'
import { SHORTCUTS } from './shortcuts.ts'
import { ShortcutsDialog } from './shortcuts-dialog.tsx'

function renderDialog() {
  let closed = 0
  const { unmount } = show(<ShortcutsDialog onClose={() => closed++} />)
  return { closings: () => closed, unmount }
}
const letters = () => screen.getByRole<HTMLInputElement>('checkbox')
/** Returns the keys of the shortcut with the description `words`, with the words between the keys, in document order. */
const rowOf = (words: string) => {
  const row = screen.getByText(words).closest('div') as HTMLElement
  return [...row.querySelectorAll('kbd, dd span span')].map((part) => part.textContent)
}

describe('the list of shortcuts', () => {
  test('the list of shortcuts shows each one once, under the heading of the place where it works', () => {
    renderDialog()
    const terms = screen.getAllByRole('term').map((term) => term.textContent)
    assert.deepEqual(terms.toSorted(), SHORTCUTS.map(({ words }) => words).toSorted())
    for (const heading of Object.values(shortcutText.where)) {
      const place = screen.getByRole('heading', { name: heading }).closest('section') as HTMLElement
      const wanted = SHORTCUTS.filter(({ where }) => shortcutText.where[where] === heading)
      assert.equal(within(place).getAllByRole('term').length, wanted.length, heading)
    }
  })

  test('the list of shortcuts shows “then” between the two keys of a sequence, and “or” between alternative keys', () => {
    renderDialog()
    assert.deepEqual(rowOf('Go to projects'), ['G', 'then', 'P'])
    assert.deepEqual(rowOf('Next ticket'), ['J', 'or', '↓'])
    assert.deepEqual(rowOf('Search and do anything'), ['Ctrl', 'K'])
  })

  test('the switch for single-character shortcuts takes effect at once and is remembered', () => {
    const { unmount } = renderDialog()
    assert.equal(letters().checked, true)
    fireEvent.click(letters())
    assert.equal(singleKeysEnabled(), false)
    unmount()
    renderDialog()
    assert.equal(letters().checked, false)
    fireEvent.click(letters())
    assert.equal(singleKeysEnabled(), true)
  })

  test('the switch for single-character shortcuts has its explanation as accessible description', () => {
    renderDialog()
    const hint = document.getElementById(letters().getAttribute('aria-describedby') ?? '')
    assert.equal(hint?.textContent, shortcutText.lettersHint)
  })

  test('in a browser that blocks storage, single-character shortcuts can still be switched off and on', async () => {
    await withBlockedStorage(() => {
      renderDialog()
      assert.equal(letters().checked, true)
      fireEvent.click(letters())
      assert.equal(letters().checked, false)
    })
  })

  test('the close button and Escape close the list of shortcuts', () => {
    const { closings } = renderDialog()
    press('Close')
    fireEvent.keyDown(screen.getByRole('dialog'), { key: 'Escape' })
    assert.equal(closings(), 2)
  })

  test('the list of shortcuts can be focused and so be scrolled with the keyboard', () => {
    renderDialog()
    assert.equal(screen.getByRole('region', { name: shortcutText.title }).tabIndex, 0)
  })
})
