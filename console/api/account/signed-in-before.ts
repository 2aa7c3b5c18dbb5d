const STORAGE_KEY = 'slipway.signed-in'

/**
 * Whether this browser had a session when the console last checked. Only a hint: the session may have ended,
 * or storage may be blocked. Without the hint the console first asks whether there is a session, so that a
 * visitor who is not signed in causes no failed request.
 */
export function wasSignedIn(): boolean {
  try {
    return localStorage.getItem(STORAGE_KEY) === '1'
  } catch {
    return false
  }
}

/** Stores the hint for `wasSignedIn`. Does nothing when the browser blocks storage. */
export function rememberSignedIn(isSignedIn: boolean): void {
  try {
    if (isSignedIn) localStorage.setItem(STORAGE_KEY, '1')
    else localStorage.removeItem(STORAGE_KEY)
  } catch {
    // Storage is blocked, so the next visit sends one more request.
  }
}
