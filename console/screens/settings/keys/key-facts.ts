import type { ApiKey } from '@slipway/sdk/client/types.gen.ts'
import { settingsText } from '../../../text/settings.en.ts'
import { formatRelative } from '../../../lib/format.ts'

/** The maximum number of API keys of an organization. Expired keys count until they are revoked or purged. */
export const KEYS_MAX = 50

export const isExpired = (key: Pick<ApiKey, 'expiresAt'>, now: Date): boolean =>
  key.expiresAt !== null && new Date(key.expiresAt) <= now

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
