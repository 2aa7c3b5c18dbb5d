import type { ValueProps } from '../../ui/field-frame.tsx'
import { TextField } from '../../ui/fields.tsx'
import type { SignInSettings } from '../types.ts'

/** What pages know of new passwords; null until the settings have come, and then only the server checks them. */
export type PasswordRule = Pick<SignInSettings, 'passwordMin'> | null

/** A field for a password that is chosen now; says beside it how long one is. */
export function NewPassword({ rule, ...field }: Omit<ValueProps<string>, 'hint'> & { rule: PasswordRule }) {
  const hint = rule === null ? undefined : `At least ${rule.passwordMin} characters.`
  return <TextField {...field} hint={hint} kind="password" autoComplete="new-password" required />
}
