import { useMatches } from '@tanstack/react-router'

/** The path of the page on screen. While the next page loads, the router's `location` already has the path of the next page. */
export const useShownPath = (): string =>
  useMatches({ select: (matches) => matches.at(-1)?.pathname.replace(/(.)\/$/, '$1') ?? '/' })
