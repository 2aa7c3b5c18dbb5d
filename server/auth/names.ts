import * as z from 'zod'

const NAME_CHARS_MAX = 200
/** Matches line breaks, and characters that reorder the text around them (Unicode UAX 9). */
const CONTROL_CHARACTERS = /[\p{Cc}\p{Zl}\p{Zp}\u202A-\u202E\u2066-\u2069]/u
/**
 * Matches `https://...`, `www....`, `host.name/path` and `name@host.name`, but not a name like Booking.com.
 */
const LOOKS_LIKE_ADDRESS = /:\/\/|\bwww\.|[\p{L}\p{N}]\.\p{L}{2,}\/|\S@\S+\.\S/iu

/** The name of a person or an organization. It appears in mails to strangers, so it must not contain a web or e-mail address. */
export const PlainName = z
  .string()
  // Without `abort` the checks below also run on a name of 64 kB, for which LOOKS_LIKE_ADDRESS would block the process for many seconds.
  .max(NAME_CHARS_MAX, { abort: true })
  .refine(
    (name) => !CONTROL_CHARACTERS.test(name),
    'must not contain line breaks or other control characters',
  )
  .refine((name) => !LOOKS_LIKE_ADDRESS.test(name), 'must not contain a web or e-mail address')
