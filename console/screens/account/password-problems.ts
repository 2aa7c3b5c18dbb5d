import { accountText } from '../../text/account.en.ts'
import { PASSWORD_LENGTH_MIN } from '../sign-in/new-credentials.ts'

export interface PasswordProblems {
  current?: string
  next?: string
}

export function passwordProblems({ current, next }: { current: string; next: string }): PasswordProblems {
  const words = accountText.password
  const problem =
    next.length < PASSWORD_LENGTH_MIN ? words.nextHint : next === current ? words.nextSame : undefined
  return { ...(current === '' && { current: words.currentMissing }), ...(problem && { next: problem }) }
}
