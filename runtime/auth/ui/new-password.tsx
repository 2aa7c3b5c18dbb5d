import type { ValueProps } from '../../ui/fields/field-frame.tsx'
import { TextField } from '../../ui/fields/fields.tsx'
import type { SignInSettings } from '../types.ts'

/** Null until the settings are loaded; meanwhile only the server checks a password. */
export type PasswordRule = Pick<SignInSettings, 'passwordMin'> | null

export function NewPassword({ rule, ...field }: Omit<ValueProps<string>, 'hint'> & { rule: PasswordRule }) {
  const hint = rule === null ? undefined : `At least ${rule.passwordMin} characters.`
  return <TextField {...field} hint={hint} kind="password" autoComplete="new-password" required />
}
