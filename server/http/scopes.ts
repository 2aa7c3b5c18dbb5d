export const SCOPES = [
  'projects:read',
  'projects:write',
  'tickets:write',
  'build:write',
  'deploy:write',
] as const
export type Scope = (typeof SCOPES)[number]
