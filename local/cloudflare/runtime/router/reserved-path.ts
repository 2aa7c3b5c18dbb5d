/**
 * Returns true for a path below /cdn-cgi/, where the runtime has endpoints of its own. First decodes percent
 * encoding twice, since the runtime may decode once more, and resolves double slashes and dots.
 */
export function isReservedPath(url: string): boolean {
  // A request to a proxy names the whole address and not only the path (RFC 9112 3.2.2).
  let path = (url.split(/[?#]/, 1)[0] ?? '').replace(/^[a-z][a-z0-9+.-]*:\/\/[^/\\]*/i, '')
  for (let round = 0; round < 2; round++) {
    path = path.replaceAll(/%([0-9a-f]{2})/gi, (_, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    )
  }
  const parts: string[] = []
  for (const part of path.replaceAll('\\', '/').split('/')) {
    if (part === '' || part === '.') continue
    if (part === '..') parts.pop()
    else parts.push(part)
  }
  const first = parts[0]?.toLowerCase()
  return first === 'cdn-cgi' || first === '__cf_local'
}
