import { requireShortText } from '../kernel/fields.ts'

const KEY_CHARS_MAX = 200

/** Throws unless the key is text of 1 to 200 characters. The app's worker checks it before it sends any job, and the live worker again. */
export const requireJobKey = (key: unknown): string => requireShortText('key', key, KEY_CHARS_MAX)
