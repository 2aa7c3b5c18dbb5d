/**
 * Returns the declared path that matches, with the values of its parameters; null when none matches. Literal segments take precedence over
 * parameters.
 */
export function matchPath(
  paths: readonly string[],
  path: string,
): { path: string; params: Record<string, string> } | null {
  const segments = segmentsOf(path)
  const matches = paths.flatMap((one) => {
    const params = matchSegments(segmentsOf(one), segments)
    return params === null ? [] : [{ path: one, params }]
  })
  const parameters = (one: { params: object }) => Object.keys(one.params).length
  return matches.sort((a, b) => parameters(a) - parameters(b))[0] ?? null
}

const segmentsOf = (path: string): string[] => path.split('/').filter((part) => part !== '')

function matchSegments(pattern: string[], segments: string[]): Record<string, string> | null {
  if (pattern.length !== segments.length) return null
  const params: Record<string, string> = {}
  for (const [i, part] of pattern.entries()) {
    const value = segments[i] ?? ''
    if (part.startsWith(':')) params[part.slice(1)] = decodeSegment(value)
    else if (part !== value) return null
  }
  return params
}

/** Decodes a part of an address; returns a malformed one unchanged. */
export function decodeSegment(value: string): string {
  try {
    return decodeURIComponent(value)
  } catch {
    return value
  }
}
