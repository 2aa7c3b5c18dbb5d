/** Returns a readable role: `salesLead` becomes "Sales lead". */
export function roleLabel(role: string): string {
  const words = role.replaceAll(/(?<=[a-z0-9])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  return words.charAt(0).toUpperCase() + words.slice(1)
}
