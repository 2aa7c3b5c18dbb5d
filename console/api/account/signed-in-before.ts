const KEY = 'slipway.signed-in'

/**
 * Whether this browser had a session when it was last asked. A guess: the session may have ended, and storage may be
 * off. It only decides which question is asked first, so that a visitor without a session causes no failed request.
 */
export function wasSignedIn(): boolean {
  try {
    return localStorage.getItem(KEY) === '1'
  } catch {
    return false
  }
}

/** Keeps whether this browser has a session. */
export function rememberSignedIn(isSignedIn: boolean): void {
  try {
    if (isSignedIn) localStorage.setItem(KEY, '1')
    else localStorage.removeItem(KEY)
  } catch {
    // Without storage one more request is made at the next visit.
  }
}
