export type ThemeChoice = 'system' | 'light' | 'dark'

const KEY = 'slipway.theme'

/** The stored choice; anything unreadable counts as the system's theme. */
export function readThemeChoice(): ThemeChoice {
  try {
    const stored = localStorage.getItem(KEY)
    return stored === 'light' || stored === 'dark' ? stored : 'system'
  } catch {
    return 'system'
  }
}

/** Stores the choice and shows it at once. */
export function chooseTheme(choice: ThemeChoice): void {
  try {
    localStorage.setItem(KEY, choice)
  } catch {
    // Without storage the choice lasts until the page is left.
  }
  applyTheme(choice)
}

function applyTheme(choice: ThemeChoice): void {
  const dark = choice === 'dark' || (choice === 'system' && darkQuery().matches)
  document.documentElement.dataset.mode = dark ? 'dark' : 'light'
}

/** Follows the system while the choice is `system`. */
export function followSystemTheme(): void {
  darkQuery().addEventListener('change', () => applyTheme(readThemeChoice()))
}

const darkQuery = () => matchMedia('(prefers-color-scheme: dark)')
