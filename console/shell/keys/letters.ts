const KEY = 'slipway.letters'

/** Whether shortcuts of a single character act; who dictates to the computer switches them off (WCAG 2.1.4). */
export function lettersAct(): boolean {
  try {
    return localStorage.getItem(KEY) !== 'off'
  } catch {
    return true
  }
}

/** Stores the choice; it holds from the next key on. */
export function chooseLetters(act: boolean): void {
  try {
    if (act) localStorage.removeItem(KEY)
    else localStorage.setItem(KEY, 'off')
  } catch {
    // Without storage the choice cannot outlive the page, and the default stands.
  }
}
