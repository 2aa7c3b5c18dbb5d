/** The search parameters with which the provider's sign-in returned. */
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
