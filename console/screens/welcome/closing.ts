const PREFIX = 'slipway.welcome.'

const keyOf = (userId: string, organizationId: string) => `${PREFIX}${userId}.${organizationId}`

/** Whether this person has seen enough of the page in this organization: it was closed, or all of it is done. */
export function isWelcomeClosed(userId: string, organizationId: string): boolean {
  try {
    return localStorage.getItem(keyOf(userId, organizationId)) !== null
  } catch {
    return true
  }
}

export function closeWelcome(userId: string, organizationId: string): void {
  try {
    localStorage.setItem(keyOf(userId, organizationId), 'closed')
  } catch {
    // Without storage the page never comes by itself.
  }
}

/** The page comes again, until it is closed or done. */
export function reopenWelcome(userId: string, organizationId: string): void {
  try {
    localStorage.removeItem(keyOf(userId, organizationId))
  } catch {
    // Nothing was kept.
  }
}
