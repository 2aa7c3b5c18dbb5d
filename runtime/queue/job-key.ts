import { requireShortText } from '../kernel/fields.ts'

const KEY_CHARS_MAX = 200

/**
 * Throws unless the key is text of 1 to 200 characters. Called by the app's worker before it sends any job, and again by the live worker.
 */
export const requireJobKey = (key: unknown): string => requireShortText('key', key, KEY_CHARS_MAX)
