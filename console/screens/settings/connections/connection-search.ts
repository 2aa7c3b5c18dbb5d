/** The parameters that the provider's sign-in returned in the URL. */
export interface ConnectionReturn {
  connected?: string
  provider?: string
  error?: string
  choose?: string
}

/** Keeps the known parameters and drops all others. */
export function readConnectionReturn(search: Record<string, unknown>): ConnectionReturn {
  const kept: ConnectionReturn = {}
  for (const name of ['connected', 'provider', 'error', 'choose'] as const) {
    const value = search[name]
    if (typeof value === 'string' && value !== '') kept[name] = value
  }
  return kept
}
