import { readFileSync, readdirSync } from 'node:fs'

const GUIDES_FOLDER = new URL('../../../docs/guides/', import.meta.url)
const CAPABILITY_GUIDES = new URL('capabilities/', GUIDES_FOLDER)

/** Returns the capabilities that have a guide. Builds can use only these. */
export function documentedCapabilities(): string[] {
  return readdirSync(CAPABILITY_GUIDES)
    .filter((name) => name.endsWith('.md'))
    .map((name) => name.slice(0, -'.md'.length))
}

/** Returns the guide to generated apps. People read the guide too. */
export const appGuide = (): string => readGuide(new URL('app.md', GUIDES_FOLDER))

/** Returns the guide of a capability; null when builds cannot use it. */
export function capabilityGuide(key: string): string | null {
  return documentedCapabilities().includes(key) ? readGuide(new URL(`${key}.md`, CAPABILITY_GUIDES)) : null
}

/** Returns one line per capability: `- pay: products and subscriptions, paid with Stripe`. */
export const capabilityLines = (keys: readonly string[]): string =>
  keys.map((key) => `- ${capabilityGuide(key)?.split('\n', 1)[0]?.replace(/^# /, '') ?? key}`).join('\n')

const readGuide = (url: URL): string => readFileSync(url, 'utf8').trim()
