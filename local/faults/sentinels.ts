/**
 * A part of a resource name or host name, between dashes or dots, that causes a fault. Such names can be sent through the public API, so
 * any client can cause a fault. `failsafe-429` causes none.
 */
const SENTINEL_TOKEN =
  /(?:^|[-.])(fail-(?:500-always|429|500|403|hang|drop|taken|upload|delete|push|zone|cert|dns|bounce)|(?:slow|late)-\d{1,3}s)(?=$|[-.])/

/** Returns the fault token in the name of a resource, such as `slow-3s`; null when there is none. */
export function findSentinel(name: string): string | null {
  return SENTINEL_TOKEN.exec(name)?.[1] ?? null
}

/** Returns the seconds of `slow-3s` or `late-3s`; 0 for other tokens. */
export function secondsOf(token: string): number {
  return Number(/-(\d+)s$/.exec(token)?.[1] ?? 0)
}

export const hasSentinel = (name: string, token: string): boolean => findSentinel(name) === token
