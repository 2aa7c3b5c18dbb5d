/** The URL parameters with which the sign-in at a provider redirects back to the console. */
export interface ConnectionReturn {
  connected?: string
  provider?: string
  error?: string
  choose?: string
}

/** Reads the known search parameters and ignores all others. */
export function readConnectionReturn(search: Record<string, unknown>): ConnectionReturn {
  const kept: ConnectionReturn = {}
  for (const name of ['connected', 'provider', 'error', 'choose'] as const) {
    const value = search[name]
    if (typeof value === 'string' && value !== '') kept[name] = value
  }
  return kept
}
