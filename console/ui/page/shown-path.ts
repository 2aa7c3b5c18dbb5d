import { useMatches } from '@tanstack/react-router'

/** The path of the page on screen. `location` changes earlier, while the next page loads. */
export const useShownPath = (): string =>
  useMatches({ select: (matches) => matches.at(-1)?.pathname.replace(/(.)\/$/, '$1') ?? '/' })
