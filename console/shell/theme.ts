import { readChoice, storeChoice } from '../lib/stored-choice.ts'

/** The theme of this browser. `system` follows the operating system. */
export type ThemeChoice = 'system' | 'light' | 'dark'

const STORAGE_KEY = 'slipway.theme'

/** The stored theme. An invalid value counts as `system`. */
export function readThemeChoice(): ThemeChoice {
  const stored = readChoice(STORAGE_KEY)
  return stored === 'light' || stored === 'dark' ? stored : 'system'
}

/** Stores the theme and applies it at once. */
export function chooseTheme(choice: ThemeChoice): void {
  storeChoice(STORAGE_KEY, choice)
  applyTheme(choice)
}

function applyTheme(choice: ThemeChoice): void {
  const dark = choice === 'dark' || (choice === 'system' && darkQuery().matches)
  document.documentElement.dataset.mode = dark ? 'dark' : 'light'
}

/** Follows the theme of the system while the choice is `system`. */
export function followSystemTheme(): void {
  darkQuery().addEventListener('change', () => applyTheme(readThemeChoice()))
}

const darkQuery = () => matchMedia('(prefers-color-scheme: dark)')
