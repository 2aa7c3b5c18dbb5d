/** What a provider's page sent the browser back with, as the address says it. */
export interface ConnectionReturn {
  connected?: string
  provider?: string
  error?: string
  choose?: string
}

/** Keeps what is known of the address; everything else in it is dropped. */
export function readConnectionReturn(search: Record<string, unknown>): ConnectionReturn {
  const kept: ConnectionReturn = {}
  for (const name of ['connected', 'provider', 'error', 'choose'] as const) {
    const value = search[name]
    if (typeof value === 'string' && value !== '') kept[name] = value
  }
  return kept
}
