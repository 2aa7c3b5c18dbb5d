/** How long no code of an account is looked at after ten wrong ones in a row, at whatever sign-in. */
export const LOCKOUT_SECONDS = 15 * 60
