/** The rights of an API key. A session has every right that the role of its member allows (docs/limits.md#credentials). */
export const KEY_SCOPES = [
  'projects:read',
  'projects:write',
  'tickets:write',
  'build:write',
  'deploy:write',
] as const
export type Scope = (typeof KEY_SCOPES)[number]
