import type { ApiKey } from '@slipway/sdk/client/types.gen.ts'
import { settingsText } from '../../../text/settings.en.ts'
import { formatRelative } from '../../../ui/format/format.ts'

/** The most keys of an organization; expired ones do not count. */
export const KEYS_MAX = 50

/** Whether the key is refused because it has expired. */
export const isExpired = (key: Pick<ApiKey, 'expiresAt'>, now: Date): boolean =>
  key.expiresAt !== null && new Date(key.expiresAt) <= now

/** The facts about a key, in the order in which they are shown. */
export function factsOf(
  key: Pick<ApiKey, 'createdAt' | 'createdBy' | 'source' | 'lastUsedAt' | 'expiresAt'>,
  now: Date,
): string[] {
  const words = settingsText.keys
  const since = (at: string) => formatRelative(new Date(at), now)
  const made = key.source === 'device' ? words.approved : words.created
  return [
    made(since(key.createdAt), key.createdBy?.name ?? null),
    key.lastUsedAt ? words.lastUsed(since(key.lastUsedAt)) : words.neverUsed,
    key.expiresAt === null
      ? words.neverExpires
      : isExpired(key, now)
        ? words.expired
        : words.expiresOn(since(key.expiresAt)),
  ]
}
