/** The OAuth scopes, each with its label on the consent page. As at the provider, their ids contain dots. */
export const OAUTH_SCOPES: readonly { id: string; name: string }[] = [
  { id: 'user-details.read', name: 'User Details: Read' },
  { id: 'memberships.read', name: 'Memberships: Read' },
  { id: 'account-settings.read', name: 'Account Settings: Read' },
  { id: 'workers-scripts.write', name: 'Workers Scripts: Edit' },
  { id: 'workers-observability.read', name: 'Workers Observability: Read' },
  { id: 'r2.write', name: 'Workers R2 Storage: Edit' },
  { id: 'r2-bucket-item.write', name: 'R2 Bucket Items: Edit' },
  { id: 'account-analytics.read', name: 'Account Analytics: Read' },
  { id: 'queues.write', name: 'Queues: Edit' },
  { id: 'd1.write', name: 'D1: Edit' },
  { id: 'kv.write', name: 'Workers KV Storage: Edit' },
  { id: 'ai.write', name: 'Workers AI: Edit' },
  { id: 'aig.write', name: 'AI Gateway: Edit' },
  { id: 'browser-rendering.write', name: 'Browser Rendering: Edit' },
  { id: 'stream.write', name: 'Stream: Edit' },
  { id: 'calls.write', name: 'Calls: Edit' },
  { id: 'challenge-widgets.write', name: 'Turnstile: Edit' },
  { id: 'zone.write', name: 'Zone: Edit' },
  { id: 'dns.write', name: 'DNS: Edit' },
  { id: 'ssl-and-certificates.write', name: 'SSL and Certificates: Edit' },
  { id: 'routes.write', name: 'Workers Routes: Edit' },
  { id: 'email-sending.write', name: 'Email Sending: Edit' },
  { id: 'email-routing-rule.write', name: 'Email Routing Rules: Edit' },
  { id: 'email-routing-address.write', name: 'Email Routing Addresses: Edit' },
]

const SCOPE_NAME = /^[a-z0-9-]+\.[a-z]+$/

/** Splits a list of scopes. Returns null when a scope does not have the provider's format `name.permission`. */
export function readScopes(text: string): string[] | null {
  const scopes = [...new Set(text.split(' ').filter((scope) => scope !== ''))]
  return scopes.every((scope) => SCOPE_NAME.test(scope)) ? scopes : null
}

export const scopeName = (id: string): string => OAUTH_SCOPES.find((scope) => scope.id === id)?.name ?? id
