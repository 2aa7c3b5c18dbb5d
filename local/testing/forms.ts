/** Returns what a browser would send for a page's only form: hidden fields, text fields, checked boxes and selected options. */
export function readForm(page: string): URLSearchParams {
  const form = new URLSearchParams()
  for (const [, attributes = ''] of page.matchAll(/<input\s([^>]*)>/g)) {
    const type = readAttribute(attributes, 'type') ?? 'text'
    const isSent = type !== 'checkbox' || /\schecked\b/.test(attributes)
    const name = readAttribute(attributes, 'name')
    if (name !== null && isSent) form.append(name, readAttribute(attributes, 'value') ?? '')
  }
  for (const [, name = '', options = ''] of page.matchAll(/<select name="([^"]*)">([^]*?)<\/select>/g)) {
    const [, attributes = '', text = ''] = /<option\b([^>]*)>([^<]*)/.exec(options) ?? []
    form.append(name, readAttribute(attributes, 'value') ?? text)
  }
  return form
}

export function press(form: URLSearchParams, name: string, value: string): URLSearchParams {
  const sent = new URLSearchParams(form)
  sent.set(name, value)
  return sent
}

const ENTITIES: Record<string, string> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
}

function readAttribute(attributes: string, name: string): string | null {
  const value = new RegExp(`(?:^|\\s)${name}="([^"]*)"`).exec(attributes)?.[1]
  return value === undefined
    ? null
    : value.replaceAll(/&(?:amp|lt|gt|quot|#39);/g, (text) => ENTITIES[text] ?? '')
}
