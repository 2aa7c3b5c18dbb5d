import { signInText } from '../../text/sign-in.en.ts'

/** A rough check that only detects a missing part. Only the service can tell whether the address exists. */
export const looksLikeEmail = (value: string) => /^[^\s@]+@[^\s@]+$/.test(value)

export function formFieldText(form: FormData, name: string): string {
  const value = form.get(name)
  return typeof value === 'string' ? value : ''
}

export type Problems<T> = Partial<Record<keyof T, string>>

export function signInProblems(input: { email: string; password: string }): Problems<typeof input> {
  return {
    ...(!looksLikeEmail(input.email) && { email: signInText.emailMissing }),
    ...(input.password === '' && { password: signInText.signIn.passwordMissing }),
  }
}
