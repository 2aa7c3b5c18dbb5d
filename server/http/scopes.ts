/** The rights of an API key. A session has every right that the role of its member allows (docs/limits.md#credentials). */
export const KEY_SCOPES = [
  'projects:read',
  'projects:write',
  'tickets:write',
  'build:write',
  'deploy:write',
] as const
export type Scope = (typeof KEY_SCOPES)[number]

const isScope = (text: string): text is Scope => KEY_SCOPES.some((scope) => scope === text)

/** Returns the stored scopes without those that this version does not know, for example because a newer version stored them. */
export const knownScopes = (stored: readonly string[]): Scope[] => stored.filter(isScope)
