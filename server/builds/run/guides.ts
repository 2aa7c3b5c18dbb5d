import { readFileSync, readdirSync } from 'node:fs'

const PROMPT = new URL('../../agent/prompts/build.md', import.meta.url)
const GUIDES = new URL('../../../docs/guides/', import.meta.url)

/**
 * The instructions of a build: the prompt, what an app is, and the capabilities the run may use. The guides are the
 * same text that people read. Nothing here depends on time or chance, so that providers can cache it.
 */
export function buildInstructions(capabilities: Iterable<string>): string {
  const keys = [...capabilities].sort().filter((key) => documentedCapabilities().includes(key))
  const parts = [
    PROMPT,
    new URL('app.md', GUIDES),
    ...keys.map((key) => new URL(`capabilities/${key}.md`, GUIDES)),
  ]
  return parts.map((url) => readFileSync(url, 'utf8').trim()).join('\n\n')
}

/** Keys of the capabilities that can be built with: those that have a guide. */
export function documentedCapabilities(): string[] {
  return readdirSync(new URL('capabilities/', GUIDES))
    .filter((name) => name.endsWith('.md'))
    .map((name) => name.slice(0, -'.md'.length))
}
