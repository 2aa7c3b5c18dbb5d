/** How long the second factor of an account is locked after ten wrong codes in a row. */
export const LOCKOUT_SECONDS = 15 * 60
