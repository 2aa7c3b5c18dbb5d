/** The part of an address a person recognises. */
export function hostOf(address: string): string {
  return URL.canParse(address) ? new URL(address).host : address
}
