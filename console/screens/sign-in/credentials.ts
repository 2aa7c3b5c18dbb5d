import { signInText } from '../../text/sign-in.en.ts'

/** A rough look that catches a forgotten part; whether the address exists is the service's business. */
export const looksLikeEmail = (value: string) => /^[^\s@]+@[^\s@]+$/.test(value)

export function fieldText(form: FormData, name: string): string {
  const value = form.get(name)
  return typeof value === 'string' ? value : ''
}

/** What is wrong with a form, by field. */
export type Problems<T> = Partial<Record<keyof T, string>>

/** What stands in the way of signing in, by field. */
export function signInProblems(input: { email: string; password: string }): Problems<typeof input> {
  return {
    ...(!looksLikeEmail(input.email) && { email: signInText.emailMissing }),
    ...(input.password === '' && { password: signInText.signIn.passwordMissing }),
  }
}
