/**
 * Returns true for a path below /cdn-cgi/, where the runtime has its own endpoints. First decodes percent encoding twice, because the
 * runtime may decode the path again, and resolves double slashes and dots.
 */
export function isReservedPath(url: string): boolean {
  // A request to a proxy contains the whole URL, not only the path (RFC 9112 3.2.2).
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
