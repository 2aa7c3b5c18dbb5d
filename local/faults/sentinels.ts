/**
 * Names that ask for a failure: a dash-bounded token in a resource's name, or in a label of a host name. They work through the product's public
 * surface, so a failure can be had in development as well as in a test. `failsafe-429` is an innocent name.
 */
const TOKEN =
  /(?:^|[-.])(fail-(?:500-always|429|500|403|hang|drop|taken|upload|delete|push|zone|cert|dns)|(?:slow|late)-\d{1,3}s)(?=$|[-.])/

/** The token in a name, or null. */
export function findSentinel(name: string): string | null {
  return TOKEN.exec(name)?.[1] ?? null
}

/** Seconds of a `slow-3s` or `late-3s`. */
export function secondsOf(token: string): number {
  return Number(/-(\d+)s$/.exec(token)?.[1] ?? 0)
}

/** Whether a name asks for this one failure. */
export const asksFor = (name: string, token: string): boolean => findSentinel(name) === token
