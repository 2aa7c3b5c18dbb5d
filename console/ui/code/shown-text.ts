import type { VersionDiff } from '@slipway/sdk/client/types.gen.ts'

export type FileDiff = VersionDiff['files'][number]
export type NotShown = 'binary' | 'large' | 'missing'

/** Above this a page would stand still while the text is laid out. */
const SHOWN_CHARACTERS_MAX = 1_000_000

/** Why a text cannot be shown; null when it can. */
export function whyNotShown(text: string): NotShown | null {
  // No text holds this sign; nearly every other file does, and early.
  if (text.includes('\0')) return 'binary'
  return text.length > SHOWN_CHARACTERS_MAX ? 'large' : null
}

/** Why a comparison cannot be shown; null when it can. The service may leave a content out. */
export function whyNotCompared({ status, before, after }: FileDiff): NotShown | null {
  const needsBefore = status !== 'added'
  const needsAfter = status !== 'removed'
  if ((needsBefore && before === null) || (needsAfter && after === null)) return 'missing'
  return whyNotShown(before ?? '') ?? whyNotShown(after ?? '')
}
