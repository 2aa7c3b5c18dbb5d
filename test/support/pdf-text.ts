import { inflateSync } from 'node:zlib'

/** Returns the text of a PDF that Chromium wrote, in which each font maps its glyphs to characters. */
export function textOfPdf(bytes: Buffer): string {
  const objects = new Map<string, { head: string; body: string }>()
  const source = bytes.toString('latin1')
  for (const [, id = '', whole = ''] of source.matchAll(/(\d+) 0 obj\n?([\s\S]*?)endobj/g)) {
    const [head = '', rest] = whole.split(/stream\r?\n/, 2)
    const stream = rest === undefined ? null : Buffer.from(rest.split(/\r?\nendstream/)[0] ?? '', 'latin1')
    const isPacked = head.includes('/FlateDecode')
    const body = stream === null ? '' : (isPacked ? inflateSync(stream) : stream).toString('latin1')
    objects.set(id, { head, body })
  }
  const fonts = new Map<string, Map<number, string>>()
  for (const { head } of objects.values())
    for (const [, name = '', id = ''] of head.matchAll(/\/(F\d+) (\d+) 0 R/g)) {
      const map = /\/ToUnicode (\d+) 0 R/.exec(objects.get(id)?.head ?? '')?.[1]
      if (map !== undefined) fonts.set(name, glyphsIn(objects.get(map)?.body ?? ''))
    }
  let glyphs = new Map<number, string>()
  let text = ''
  for (const { body } of objects.values())
    for (const [, font, hex, isEnd] of body.matchAll(
      /\/(F\d+) [\d.]+ Tf|<([0-9A-F]+)>(?=[^<]*T[jJ])|(ET)\b/g,
    )) {
      if (font !== undefined) glyphs = fonts.get(font) ?? glyphs
      if (hex !== undefined)
        for (const [code] of hex.matchAll(/.{4}/g)) text += glyphs.get(Number.parseInt(code, 16)) ?? ''
      if (isEnd !== undefined) text += '\n'
    }
  return text
}

function glyphsIn(map: string): Map<number, string> {
  const glyphs = new Map<number, string>()
  const parseHex = (hex: string | undefined) => Number.parseInt(hex ?? '0', 16)
  for (const [, lines = ''] of map.matchAll(/beginbfchar([\s\S]*?)endbfchar/g))
    for (const [, from, to] of lines.matchAll(/<([0-9A-F]+)> <([0-9A-F]+)>/g))
      glyphs.set(parseHex(from), String.fromCodePoint(parseHex(to)))
  for (const [, lines = ''] of map.matchAll(/beginbfrange([\s\S]*?)endbfrange/g))
    for (const [, from, last, to] of lines.matchAll(/<([0-9A-F]+)> <([0-9A-F]+)> <([0-9A-F]+)>/g))
      for (let code = parseHex(from); code <= parseHex(last); code++)
        glyphs.set(code, String.fromCodePoint(parseHex(to) + code - parseHex(from)))
  return glyphs
}
