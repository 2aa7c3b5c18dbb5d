import { signInText } from '../../text/sign-in.en.ts'
import { signInStepsText } from '../../text/sign-in-steps.en.ts'
import { looksLikeEmail, type Problems } from './credentials.ts'

/** The minimum length that the service accepts (`server/auth/options.ts`). */
export const PASSWORD_LENGTH_MIN = 10

export function signUpProblems(input: {
  name: string
  email: string
  password: string
}): Problems<typeof input> {
  return {
    ...(input.name === '' && { name: signInStepsText.signUp.nameMissing }),
    ...(!looksLikeEmail(input.email) && { email: signInText.emailMissing }),
    ...(input.password.length < PASSWORD_LENGTH_MIN && { password: signInStepsText.signUp.passwordShort }),
  }
}
