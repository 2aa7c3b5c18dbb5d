import { createHash } from 'node:crypto'
import { withHeadTags } from './look.ts'

/** Matches the chunks that a script imports statically. Dynamic imports are in parentheses and do not match. */
const STATIC_IMPORT = /(?<=\bfrom\s*"\.\/)chunk-\w+\.js(?=")/g
const SCRIPT_TAG = /<script\b[^>]*\bsrc="(?:\.?\/)?([\w./-]+\.tsx?)"[^>]*><\/script>/

export const entryScript = (html: string): string | null => SCRIPT_TAG.exec(html)?.[1] ?? null

interface PageSource {
  /** `html` is the text of `web/index.html`, `head` is the text of `head.gen.html`. */
  html: string
  head: string
  appName: string
  /** The output of esbuild: `main.js`, its styles and its chunks. */
  built: readonly { path: string; bytes: Uint8Array }[]
}

/** Returns the files of a page by path. The names of scripts and styles contain a hash of their content. */
export function pageFiles({ html, head, appName, built }: PageSource): Map<string, Uint8Array | string> {
  const files = new Map<string, Uint8Array | string>()
  let script = ''
  const preloads: string[] = []
  const styles: string[] = []
  for (const { path, bytes } of built) {
    const file = path.slice(path.lastIndexOf('/') + 1)
    const type = file.slice(file.lastIndexOf('.') + 1)
    const isMain = file.startsWith('main.')
    const address = `/assets/${isMain ? `main-${shortHash(bytes)}.${type}` : file}`
    files.set(address, bytes)
    // Include the styles of chunks that are loaded later, because these chunks do not load their styles.
    if (type === 'css') styles[isMain ? 'unshift' : 'push'](address)
    if (!isMain || type !== 'js') continue
    script = address
    // Preload the static chunks, so that they arrive together with the script.
    preloads.push(...(new TextDecoder().decode(bytes).match(STATIC_IMPORT) ?? []))
  }
  const links = [
    ...styles.map((name) => `<link rel="stylesheet" href="${name}" />`),
    ...preloads.map((name) => `<link rel="modulepreload" href="/assets/${name}" />`),
  ].join('')
  const page = withHeadTags(html, head)
    .replace(SCRIPT_TAG, () => `<script type="module" src="${script}"></script>`)
    .replaceAll('%APP_NAME%', () => escapeText(appName))
  files.set(
    '/index.html',
    page.includes('</head>') ? page.replace('</head>', () => `${links}</head>`) : links + page,
  )
  return files
}

const shortHash = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex').slice(0, 10)

const HTML_ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Escapes text for an element or a quoted attribute. */
export const escapeText = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (char) => HTML_ENTITIES[char] ?? char)
