const KEY_PREFIX = 'slipway.welcome.'

const storageKeyOf = (userId: string, organizationId: string) => `${KEY_PREFIX}${userId}.${organizationId}`

/** Whether this user has closed the welcome page of this organization or completed all of its steps. */
export function isWelcomeClosed(userId: string, organizationId: string): boolean {
  try {
    return localStorage.getItem(storageKeyOf(userId, organizationId)) !== null
  } catch {
    return true
  }
}

export function closeWelcome(userId: string, organizationId: string): void {
  try {
    localStorage.setItem(storageKeyOf(userId, organizationId), 'closed')
  } catch {
    // Storage is blocked, so the page never opens automatically.
  }
}

/** Lets the welcome page open again until it is closed or completed. */
export function reopenWelcome(userId: string, organizationId: string): void {
  try {
    localStorage.removeItem(storageKeyOf(userId, organizationId))
  } catch {
    // Storage is blocked, so there is nothing to remove.
  }
}
