/** `errors` make a page unusable for some people; `warnings` only make it harder to use. */
export interface Findings {
  errors: string[]
  warnings: string[]
}

interface Tag {
  name: string
  attributes: Record<string, string>
  words: string
  /** The text inside the element that a screen reader would read. */
  inner: string
}

const TAG_OR_TEXT = /<(\/?)([a-z][\w-]*)((?:\s[^<>]*)?)>|([^<]+)/g
const ATTRIBUTE = /([\w:-]+)(?:="([^"]*)")?/g
const NEVER_CLOSED = new Set([
  'input',
  'img',
  'br',
  'hr',
  'meta',
  'link',
  'area',
  'source',
  'track',
  'wbr',
  'col',
])
const NEEDS_NO_LABEL = new Set(['hidden', 'submit', 'button', 'reset', 'image'])
const WORDS_MAX = 80

export function inspectMarkup(html: string): Findings {
  const errors = new Set<string>()
  const open: Tag[] = []
  const controls: { tag: Tag; isInLabel: boolean }[] = []
  const labelled = new Set<string>()
  let primaries = 0
  const checkClosedTag = (tag: Tag) => {
    const isNamed = tag.inner.trim() !== '' || hasName(tag)
    if (!isNamed && (tag.name === 'button' || (tag.name === 'a' && 'href' in tag.attributes)))
      errors.add(`${tag.words} has no name: write text inside, or an aria-label.`)
    const parent = open.at(-1)
    if (parent !== undefined) parent.inner += tag.attributes['aria-label'] ?? tag.inner
  }
  for (const [, slash, name = '', written = '', text] of html.matchAll(TAG_OR_TEXT)) {
    if (text !== undefined) {
      const parent = open.at(-1)
      if (parent !== undefined) parent.inner += text
      continue
    }
    if (slash === '/') {
      const at = open.findLastIndex((tag) => tag.name === name)
      for (const tag of at < 0 ? [] : open.splice(at).toReversed()) checkClosedTag(tag)
      continue
    }
    const tag = tagOf(name, written)
    const { class: classes = '', for: target } = tag.attributes
    if (name === 'label' && target !== undefined) labelled.add(target)
    if (classes.split(' ').includes('button-primary')) primaries++
    if (name === 'img') {
      if (!('alt' in tag.attributes))
        errors.add(`${tag.words} has no alt: say what it shows, or alt="" for decoration.`)
      const parent = open.at(-1)
      if (parent !== undefined) parent.inner += tag.attributes['alt'] ?? ''
    }
    if (['input', 'select', 'textarea'].includes(name) && !NEEDS_NO_LABEL.has(tag.attributes['type'] ?? ''))
      controls.push({ tag, isInLabel: open.some((outer) => outer.name === 'label') })
    if (!NEVER_CLOSED.has(name)) open.push(tag)
  }
  for (const { tag, isInLabel } of controls)
    if (!isInLabel && !hasName(tag) && !labelled.has(tag.attributes['id'] ?? ''))
      errors.add(`${tag.words} has no label: use a field of the kit, a <label>, or an aria-label.`)
  const warnings =
    primaries > 1
      ? [`${primaries} buttons are kind="primary": keep that for the one main action of the page.`]
      : []
  return { errors: [...errors], warnings }
}

const hasName = ({ attributes }: Tag): boolean =>
  ['aria-label', 'aria-labelledby', 'title'].some((key) => (attributes[key] ?? '').trim() !== '')

function tagOf(name: string, written: string): Tag {
  const pairs = [...written.matchAll(ATTRIBUTE)].map(([, key = '', value = '']) => [key.toLowerCase(), value])
  const kept = pairs.filter(([key]) => ['type', 'name', 'placeholder', 'href', 'src'].includes(String(key)))
  const words = `<${[name, ...kept.map(([key, value]) => `${key}="${value}"`)].join(' ')}>`
  return {
    name,
    attributes: Object.fromEntries(pairs) as Record<string, string>,
    words: words.slice(0, WORDS_MAX),
    inner: '',
  }
}
