import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { runInThisContext } from 'node:vm'
import { withBlockedStorage } from '../testing/storage.ts'
import { chooseTheme, followSystemTheme, readThemeChoice } from './theme.ts'

const BOOT_SCRIPT = readFileSync(join(import.meta.dirname, 'theme-boot.js'), 'utf8')
const shown = () => document.documentElement.dataset.mode

/** Sets the system theme to dark or light, and returns a function that changes the system theme. */
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
  test('the theme applied before the first paint is the one that the menu shows as chosen, for every stored value', (t) => {
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

  test('in a browser that blocks storage the system theme applies, and a chosen theme lasts until the page reloads', async (t) => {
    const change = useSystem(t, true)
    followSystemTheme()
    await withBlockedStorage(() => {
      runInThisContext(BOOT_SCRIPT)
      assert.equal(shown(), 'dark')
      // Another test file in this process may have chosen a theme while storage was blocked.
      chooseTheme('system')
      assert.equal(shown(), 'dark')
      chooseTheme('light')
      assert.equal(readThemeChoice(), 'light')
      change(false)
      change(true)
      assert.equal(shown(), 'light')
    })
  })

  test('a page follows a change of the system theme unless the user has chosen a theme', (t) => {
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
