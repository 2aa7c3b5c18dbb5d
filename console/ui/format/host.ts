/** Returns the host of a URL, and any other text unchanged. */
export function hostOf(address: string): string {
  return URL.canParse(address) ? new URL(address).host : address
}

/** Whether the host is `localhost` or a subdomain of it. These names mean the machine on which they are opened. */
export const isLocalOnly = (address: string) => /(^|\.)localhost(:\d+)?$/.test(hostOf(address))
