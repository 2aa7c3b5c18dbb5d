import { signInText } from '../../text/sign-in.en.ts'
import { waysInText } from '../../text/ways-in.en.ts'
import { looksLikeEmail, type Problems } from './credentials.ts'

/** The service's limit (`server/auth/options.ts`). */
export const PASSWORD_LENGTH_MIN = 10

export function signUpProblems(input: {
  name: string
  email: string
  password: string
}): Problems<typeof input> {
  return {
    ...(input.name === '' && { name: waysInText.signUp.nameMissing }),
    ...(!looksLikeEmail(input.email) && { email: signInText.emailMissing }),
    ...(input.password.length < PASSWORD_LENGTH_MIN && { password: waysInText.signUp.passwordShort }),
  }
}
