/** Returns the host of a URL, and any other text unchanged. */
export function hostOf(address: string): string {
  return URL.canParse(address) ? new URL(address).host : address
}

/** Whether only the machine that opens a URL can be reached by it. */
export const isLocalOnly = (address: string) => /(^|\.)localhost(:\d+)?$/.test(hostOf(address))
