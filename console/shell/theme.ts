export type ThemeChoice = 'system' | 'light' | 'dark'

const STORAGE_KEY = 'slipway.theme'
/** The choice in a browser that blocks storage. It is lost when the page closes. */
let unstoredChoice: ThemeChoice = 'system'

/** The stored theme. An invalid value counts as `system`. */
export function readThemeChoice(): ThemeChoice {
  try {
    const stored = localStorage.getItem(STORAGE_KEY)
    return stored === 'light' || stored === 'dark' ? stored : 'system'
  } catch {
    return unstoredChoice
  }
}

/** Stores the theme and applies it at once. */
export function chooseTheme(choice: ThemeChoice): void {
  try {
    localStorage.setItem(STORAGE_KEY, choice)
  } catch {
    unstoredChoice = choice
  }
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
