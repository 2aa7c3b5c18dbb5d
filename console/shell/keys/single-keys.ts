const STORAGE_KEY = 'slipway.letters'

/** Whether shortcuts of a single character are active. People who control the page by voice switch them off (WCAG 2.1.4). */
export function singleKeysEnabled(): boolean {
  try {
    return localStorage.getItem(STORAGE_KEY) !== 'off'
  } catch {
    return true
  }
}

/** Stores the choice. It takes effect with the next key press. */
export function setSingleKeys(act: boolean): void {
  try {
    if (act) localStorage.removeItem(STORAGE_KEY)
    else localStorage.setItem(STORAGE_KEY, 'off')
  } catch {
    // Storage is blocked, so the default stays in effect.
  }
}
