import { requireShortText } from '../kernel/fields.ts'

const KEY_CHARS_MAX = 200

/** Throws unless the key is text of 1 to 200 characters. Both workers check it: the app's one before it sends any of several jobs. */
export const requireJobKey = (key: unknown): string => requireShortText('key', key, KEY_CHARS_MAX)
