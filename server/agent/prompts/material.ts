import { createHash } from 'node:crypto'

/** Puts a text by users or by an earlier run into a tagged block of the prompt. Nothing in the text can close that block. */
export type MaterialTag = (name: string, attributes: Record<string, string>, text: string) => string

/** Returns the wrapper for one project's prompts; its form is documented in docs/guides/build-prompt.md. */
export function materialTag(projectId: string): MaterialTag {
  const nonce = nonceOf(projectId)
  // Replace the nonce and do not remove it: after a removal, the text on both sides could form it again.
  const clean = (text: string) => text.replaceAll(nonce, '-')
  return (name, attributes, text) => {
    const pairs = Object.entries(attributes).map(([key, value]) => ` ${key}=${JSON.stringify(clean(value))}`)
    return `<${name}-${nonce}${pairs.join('')}>\n${clean(text)}\n</${name}-${nonce}>`
  }
}

/**
 * The nonce is the same in all prompts of a project, so that they stay cacheable. Authors of tickets do not know it, so that they cannot
 * forge tags.
 */
const nonceOf = (projectId: string) =>
  createHash('sha256').update(`prompt:${projectId}`).digest('hex').slice(0, 8)
