import { createContext, type ReactNode, use } from 'react'
import { type Components, defaultRehypePlugins, Streamdown } from 'streamdown'
import { markdownText } from '../../text/markdown.en.ts'
import { CopyButton } from '../controls/copy-button.tsx'
import { readLink } from './markdown-link.ts'
import './markdown.css'

/**
 * Loaded by `markdown.tsx`. Replaces every component of the renderer, because the renderer's components bring another library's styles, a
 * dialog before each link, and images from any host. HTML is shown as text, because it is never parsed.
 */
export function MarkdownView({ text, grows }: { text: string; grows: boolean }) {
  return (
    <Streamdown
      className="markdown"
      mode={grows ? 'streaming' : 'static'}
      rehypePlugins={SANITIZE_PLUGINS}
      components={MARKDOWN_PARTS}
      parseIncompleteMarkdown={grows}
    >
      {text}
    </Streamdown>
  )
}

const SANITIZE_PLUGINS = [defaultRehypePlugins['sanitize']].filter((plugin) => plugin !== undefined)

const PLAIN_TAGS = 'p ul ol li blockquote hr strong em del code sup sub section thead tbody tr th td'
  .split(' ')
  .map((name) => [name, name])

// Headings start at h3, because the page has an h1 and the pane an h2.
const HEADING_TAGS = { h1: 'h3', h2: 'h4', h3: 'h5', h4: 'h6', h5: 'h6', h6: 'h6' }

const MARKDOWN_PARTS: Components = {
  ...(Object.fromEntries(PLAIN_TAGS) as Components),
  ...(HEADING_TAGS as Components),
  a: ({ href, children }) => <MarkdownLink address={href}>{children}</MarkdownLink>,
  img: ({ src, alt }) => (
    <MarkdownLink address={typeof src === 'string' ? src : undefined}>
      {alt || markdownText.image}
    </MarkdownLink>
  ),
  pre: ({ children }) => <CodeBlock>{children}</CodeBlock>,
  table: ({ children }) => (
    <div role="region" aria-label={markdownText.table} tabIndex={0} className="markdown-table">
      <table>{children}</table>
    </div>
  ),
  input: ({ checked }) => (
    <span role="img" aria-label={checked ? markdownText.done : markdownText.open}>
      {checked ? '☑' : '☐'}
    </span>
  ),
}

/** Whether the content is inside of a link. An image in a link must not become a separate link. */
const InLink = createContext(false)

/** Opens a new tab without opener and referrer. Shows the host of the target. */
function MarkdownLink({ address, children }: { address: string | undefined; children: ReactNode }) {
  const link = readLink(address, plainTextOf(children))
  if (use(InLink) || link === null) return <>{children}</>
  return (
    <a href={link.to} target="_blank" rel="noopener noreferrer">
      <InLink value>{children}</InLink>
      {link.host !== null && (
        <>
          {' '}
          {/* Laid out by itself, because characters of the text can turn the direction of writing. */}
          <bdi className="markdown-host">({link.host})</bdi>
        </>
      )}
    </a>
  )
}

function CodeBlock({ children }: { children: ReactNode }) {
  return (
    <div className="markdown-code">
      {/* The box is focusable, so that long lines can be scrolled without a mouse. */}
      <pre tabIndex={0}>{children}</pre>
      <CopyButton value={plainTextOf(children).trimEnd()} label={markdownText.copyCode} />
    </div>
  )
}

/** The text of rendered children, without markup. */
function plainTextOf(node: ReactNode): string {
  if (typeof node === 'string' || typeof node === 'number') return String(node)
  if (Array.isArray(node)) return node.map((part) => plainTextOf(part as ReactNode)).join('')
  if (typeof node !== 'object' || node === null || !('props' in node)) return ''
  return plainTextOf((node.props as { children?: ReactNode }).children)
}
