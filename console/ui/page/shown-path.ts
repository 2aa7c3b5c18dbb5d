import { useMatches } from '@tanstack/react-router'

/** The path of the page on screen. The address is ahead of it while the next page is prepared. */
export const useShownPath = (): string =>
  useMatches({ select: (matches) => matches.at(-1)?.pathname.replace(/(.)\/$/, '$1') ?? '/' })
