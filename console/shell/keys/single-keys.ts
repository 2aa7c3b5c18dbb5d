const KEY = 'slipway.letters'

/** Whether single-character shortcuts are active. People who dictate switch them off (WCAG 2.1.4). */
export function singleKeysEnabled(): boolean {
  try {
    return localStorage.getItem(KEY) !== 'off'
  } catch {
    return true
  }
}

/** Stores the choice, which takes effect with the next key. */
export function setSingleKeys(act: boolean): void {
  try {
    if (act) localStorage.removeItem(KEY)
    else localStorage.setItem(KEY, 'off')
  } catch {
    // Storage is blocked: the default stays in effect.
  }
}
