import { createHash } from 'node:crypto'

/** Puts a text by users or by an earlier run into a tagged block of the prompt. The text cannot close the block. */
export type MaterialTag = (name: string, attributes: Record<string, string>, text: string) => string

/** Returns the wrapper for one project's prompts. Its format is documented in docs/guides/build-prompt.md. */
export function materialTag(projectId: string): MaterialTag {
  const nonce = nonceOf(projectId)
  // Replace the nonce instead of removing it. After a removal, the text on both sides could form the nonce again.
  const clean = (text: string) => text.replaceAll(nonce, '-')
  return (name, attributes, text) => {
    const pairs = Object.entries(attributes).map(([key, value]) => ` ${key}=${JSON.stringify(clean(value))}`)
    return `<${name}-${nonce}${pairs.join('')}>\n${clean(text)}\n</${name}-${nonce}>`
  }
}

/**
 * The nonce is the same in all prompts of a project, so that the prompts stay cacheable. Authors of tickets do not know the nonce, so
 * they cannot forge tags.
 */
const nonceOf = (projectId: string) =>
  createHash('sha256').update(`prompt:${projectId}`).digest('hex').slice(0, 8)
