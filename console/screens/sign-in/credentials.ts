import { signInText } from '../../text/sign-in.en.ts'

/** A rough check that finds a missing part; only the service knows whether the address exists. */
export const looksLikeEmail = (value: string) => /^[^\s@]+@[^\s@]+$/.test(value)

export function fieldText(form: FormData, name: string): string {
  const value = form.get(name)
  return typeof value === 'string' ? value : ''
}

/** The problems of a form, by field. */
export type Problems<T> = Partial<Record<keyof T, string>>

/** The problems of the sign-in form, by field. */
export function signInProblems(input: { email: string; password: string }): Problems<typeof input> {
  return {
    ...(!looksLikeEmail(input.email) && { email: signInText.emailMissing }),
    ...(input.password === '' && { password: signInText.signIn.passwordMissing }),
  }
}
