import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { runInThisContext } from 'node:vm'
import { withBlockedStorage } from '../testing/storage.ts'
import { chooseTheme, followSystemTheme, readThemeChoice } from './theme.ts'

const BOOT_SCRIPT = readFileSync(join(import.meta.dirname, 'theme-boot.js'), 'utf8')
const shown = () => document.documentElement.dataset.mode

/** Makes the system dark or light, and returns a function that changes it. */
function useSystem(t: TestContext, isDark: boolean) {
  const listeners = new Set<() => void>()
  const list = {
    matches: isDark,
    addEventListener: (_type: string, listener: () => void) => listeners.add(listener),
  }
  t.mock.method(globalThis, 'matchMedia', () => list)
  return (next: boolean) => {
    list.matches = next
    for (const listener of listeners) listener()
  }
}
const store = (value: string | null) =>
  value === null ? localStorage.removeItem('slipway.theme') : localStorage.setItem('slipway.theme', value)

describe('the theme of the console', () => {
  test('for every stored value, the theme before the first paint is the one that the menu shows as chosen', (t) => {
    for (const isDark of [true, false]) {
      useSystem(t, isDark)
      for (const stored of [null, 'light', 'dark', 'system', '', 'sepia', 'DARK']) {
        store(stored)
        runInThisContext(BOOT_SCRIPT)
        const atFirst = shown()
        chooseTheme(readThemeChoice())
        assert.equal(atFirst, shown(), `${stored} on a ${isDark ? 'dark' : 'light'} system`)
      }
      t.mock.restoreAll()
    }
  })

  test('in a browser that blocks storage the theme is that of the system, and can be changed until the page is reloaded', async (t) => {
    const change = useSystem(t, true)
    followSystemTheme()
    await withBlockedStorage(() => {
      runInThisContext(BOOT_SCRIPT)
      assert.equal(shown(), 'dark')
      // Another file of this process may have made a choice while storage was blocked.
      chooseTheme('system')
      assert.equal(shown(), 'dark')
      chooseTheme('light')
      assert.equal(readThemeChoice(), 'light')
      change(false)
      change(true)
      assert.equal(shown(), 'light')
    })
  })

  test('a page follows the system when that changes, unless the user has chosen a theme', (t) => {
    const change = useSystem(t, false)
    followSystemTheme()
    chooseTheme('system')
    change(true)
    assert.equal(shown(), 'dark')
    chooseTheme('light')
    change(false)
    change(true)
    assert.equal(shown(), 'light')
  })
})
