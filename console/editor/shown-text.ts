import type { VersionDiff } from '@slipway/sdk/client/types.gen.ts'

export type FileDiff = VersionDiff['files'][number]
export type UnshownReason = 'binary' | 'large' | 'missing'

/** The longest text that is shown: laying out a longer one would block the page. */
const SHOWN_CHARACTERS_MAX = 1_000_000

/** Why a text cannot be shown; null when it can. */
export function unshownReason(text: string): UnshownReason | null {
  // Text files contain no NUL character, and most binary files contain one.
  if (text.includes('\0')) return 'binary'
  return text.length > SHOWN_CHARACTERS_MAX ? 'large' : null
}

/** Why a diff cannot be shown; null when it can. The service leaves out the content of large files. */
export function undiffableReason({ status, before, after }: FileDiff): UnshownReason | null {
  const needsBefore = status !== 'added'
  const needsAfter = status !== 'removed'
  if ((needsBefore && before === null) || (needsAfter && after === null)) return 'missing'
  return unshownReason(before ?? '') ?? unshownReason(after ?? '')
}
