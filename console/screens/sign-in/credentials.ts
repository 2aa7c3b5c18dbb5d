export const PASSWORD_LENGTH_MIN = 10

/** A rough look that catches a forgotten part; whether the address exists is the service's business. */
export const looksLikeEmail = (value: string) => /^[^\s@]+@[^\s@]+$/.test(value)

export function fieldText(form: FormData, name: string): string {
  const value = form.get(name)
  return typeof value === 'string' ? value : ''
}
