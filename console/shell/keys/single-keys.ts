const STORAGE_KEY = 'slipway.letters'
/** The choice in a browser that blocks storage. It is lost when the page closes. */
let unstoredChoice = true

/** Whether shortcuts of a single character are active. People who control the page by voice switch them off (WCAG 2.1.4). */
export function singleKeysEnabled(): boolean {
  try {
    return localStorage.getItem(STORAGE_KEY) !== 'off'
  } catch {
    return unstoredChoice
  }
}

/** Stores the choice. It takes effect with the next key press. */
export function setSingleKeys(act: boolean): void {
  try {
    if (act) localStorage.removeItem(STORAGE_KEY)
    else localStorage.setItem(STORAGE_KEY, 'off')
  } catch {
    unstoredChoice = act
  }
}
