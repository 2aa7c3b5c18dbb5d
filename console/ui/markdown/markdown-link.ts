const SCHEME_PATTERN = /^https?:\/\//i

/** Reads a link in untrusted text: its target and what to show of it. Null when it must be shown as plain text. */
export function readLink(
  address: string | undefined,
  words: string,
): { to: string; host: string | null } | null {
  if (address === undefined || !URL.canParse(address)) return null
  const url = new URL(address)
  if (url.protocol === 'mailto:') return { to: url.href, host: null }
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return null
  // Return no host when the link text is the address itself, because that already shows the target.
  const says = words.replace(SCHEME_PATTERN, '').toLowerCase()
  const isSaid = says === url.host || says.startsWith(`${url.host}/`)
  return { to: url.href, host: isSaid ? null : url.host }
}
