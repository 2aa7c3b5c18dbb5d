import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { isShown, show } from '../../testing/console.tsx'
import { AccountAvatar } from './account-avatar.tsx'

const renderAvatar = (name: string, folded = false) =>
  show(<AccountAvatar user={{ id: 'usr_1', name, email: 'ada@example.test' }} folded={folded} />)

describe('the account at the foot of the navigation', () => {
  test('the picture of an account has the initials of the first and the last name', () => {
    for (const [name, initials] of [
      ['Ada Lovelace', 'AL'],
      ['ada', 'A'],
      ['  Ada  King  Lovelace ', 'AL'],
      ['Ада Лавлейс', 'АЛ'],
      ['李 小龍', '李小'],
      // A character above U+FFFF consists of two UTF-16 units, and one unit alone is shown as a broken character.
      ['🦊 Fox', '🦊F'],
      ['𝔸da 𝕃ovelace', '𝔸𝕃'],
      ['', ''],
      ['   ', ''],
    ] as const) {
      const { container, unmount } = renderAvatar(name)
      assert.equal(container.querySelector('[aria-hidden=true]')?.textContent, initials, name)
      unmount()
    }
  })

  test('the open navigation shows the account name and email address, and the folded navigation only the initials', () => {
    const { unmount } = renderAvatar('Ada Lovelace')
    assert.ok(isShown('Ada Lovelace') && isShown('ada@example.test'))
    unmount()
    const { container } = renderAvatar('Ada Lovelace', true)
    assert.ok(!isShown('ada@example.test'))
    assert.match(
      container.textContent ?? '',
      /^ALAccount: Ada Lovelace$/,
      'a screen reader still hears the name',
    )
  })

  test('the name of an account with markup is shown as text', () => {
    renderAvatar('<b>Ada</b>')
    assert.ok(isShown('<b>Ada</b>'))
  })
})
